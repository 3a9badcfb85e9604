from __future__ import annotations

import pytest

from builder.checks.cards.pack_names import check
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Languages, Manifest, Pack


def judged(face: dict[str, object], name: dict[str, str]) -> list[tuple[str, str | None]]:
    value = {
        "groups": [
            {
                "id": "g",
                "title": {"ru": "Г", "en": "G"},
                "gauges": [{"id": "x", "type": "token", "name": name, "faces": [face]}],
            }
        ]
    }
    manifest = Manifest(id="p", name={"ru": "П"}, languages=Languages(source="ru", translations=("en",)), kinds={})
    loaded = LoadedPack(
        Pack(manifest, icons=frozenset({"star"})),
        sources={"gauges.yaml": Document("gauges.yaml", value)},
    )
    return [(finding.code, finding.location.path) for finding in check(loaded)]


def test_a_whole_file_passes() -> None:
    assert judged({"icon": "star"}, {"ru": "Х", "en": "X"}) == []


@pytest.mark.parametrize(
    ("face", "name", "code"),
    [
        ({"icon": "stair"}, {"ru": "Х", "en": "X"}, "gauges/unknown-icon"),
        ({"icon": "star"}, {"ru": "Х"}, "gauges/missing-language"),
        ({"text": {"en": "x"}}, {"ru": "Х", "en": "X"}, "gauges/missing-language"),
    ],
)
def test_what_is_wrong_is_found(face: dict[str, object], name: dict[str, str], code: str) -> None:
    assert [found for found, _ in judged(face, name)] == [code]
