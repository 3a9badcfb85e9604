from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from builder.errata.difference import compare_states
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot
from builder.errors import OutputNotWritten, UsageError
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from tests.errata.states import fox, gone, state

DAY = date(2026, 3, 1)


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    (tmp_path / "cards" / "woods").mkdir(parents=True)
    return Releases(Project(tmp_path), "woods")


def written(
    releases: Releases, version: str = "1.0.0", effective: date = DAY
) -> Snapshot:
    english = {"en": {"fox": {"name": {"text": "Fox", "source": "00000000"}}}}
    one = state(
        fox(),
        migrations=(gone("wolf", "fox"),),
        translations=english,
        faces={"ru/fox/front": "aa"},
    )
    releases.write_release(one, version, Release(version, DAY, effective), None)
    return one


def test_what_is_frozen_comes_back(releases: Releases) -> None:
    one = written(releases)
    back, findings = releases.load_state("1.0.0")
    assert findings == ()
    assert compare_states(one, back).empty
    assert (back.label, back.released, back.migrations, back.faces) == (
        "1.0.0",
        DAY,
        one.migrations,
        one.faces,
    )


def test_a_version_is_never_overwritten(releases: Releases) -> None:
    written(releases)
    before = {path: path.read_bytes() for path in releases.folder.rglob("*.json")}
    with pytest.raises(OutputNotWritten):
        written(releases)
    assert {
        path: path.read_bytes() for path in releases.folder.rglob("*.json")
    } == before


def test_two_freezes_give_the_same_bytes(releases: Releases) -> None:
    written(releases, "1.0.0")
    written(releases, "1.0.1")
    first, second = (
        (releases.folder / v / "cards.json").read_bytes() for v in ("1.0.0", "1.0.1")
    )
    assert first == second


def test_a_damaged_part_hides_no_other(releases: Releases) -> None:
    written(releases)
    (releases.folder / "1.0.0" / "rules.json").write_text("{")
    back, findings = releases.load_state("1.0.0")
    assert [finding.code for finding in findings] == ["release/unreadable"]
    assert set(back.cards) == {"fox"}


@pytest.mark.parametrize("part", ["cards", "rules", "pack", "files"])
def test_a_part_that_cannot_be_read_is_not_taken_for_new_or_gone(
    releases: Releases, part: str
) -> None:
    whole = written(releases)
    (releases.folder / "1.0.0" / f"{part}.json").write_text("{")
    torn, findings = releases.load_state("1.0.0")
    assert [finding.code for finding in findings] == ["release/unreadable"]
    assert compare_states(torn, whole).empty
    assert compare_states(whole, torn).empty


def test_a_version_without_a_readable_manifest_is_still_a_version(
    releases: Releases,
) -> None:
    written(releases)
    (releases.folder / "1.0.0" / "manifest.json").write_text("{")
    assert releases.list_releases() == ()
    assert releases.has_version("1.0.0")
    assert not any(
        releases.has_version(name) for name in ("1.0.1", "", ".", "../releases/1.0.0")
    )
    torn, findings = releases.load_state("1.0.0")
    assert [finding.code for finding in findings] == ["release/unreadable"]
    assert set(torn.cards) == {"fox"}


def test_an_altered_part_is_noticed(releases: Releases) -> None:
    written(releases)
    path = releases.folder / "1.0.0" / "cards.json"
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)
    )
    assert [finding.code for finding in releases.load_state("1.0.0")[1]] == [
        "release/altered"
    ]


def test_an_unknown_version_names_the_known_ones(releases: Releases) -> None:
    written(releases)
    with pytest.raises(UsageError) as caught:
        releases.load_state("1.0.1")
    assert "1.0.0" in caught.value.remedy
