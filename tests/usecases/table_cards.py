"""The cards of a pack that is made from a table, as plain values."""

from __future__ import annotations

from pathlib import PurePosixPath

from builder.packs.yaml.reading import parse_document
from builder.usecases.tables.new_pack import NewPack

COMMON_FIELDS = ("id", "kind", "revision", "released", "history")


def read_cards(pack: NewPack) -> dict[str, dict[str, object]]:
    """Return the fields of each card by id. A translation is `name@de`."""
    cards: dict[str, dict[str, object]] = {}
    for name, data in pack.files:
        path = PurePosixPath(name)
        if (
            path.parts[0] != "cards"
            or len(path.parts) != 4
            or path.parts[2] == "tables"
        ):
            continue
        document, _findings = parse_document(data.decode(), name)
        assert document is not None
        assert isinstance(document.value, dict)
        value = document.value
        cards[path.stem] = {
            key: value[key] for key in value if key not in COMMON_FIELDS
        }
    for name, data in pack.files:
        path = PurePosixPath(name)
        if path.parts[2:3] == ("i18n",):
            document, _findings = parse_document(data.decode(), name)
            assert document is not None
            assert isinstance(document.value, dict)
            strings = document.value["strings"]
            assert isinstance(strings, dict)
            for field, text in strings.items():
                assert isinstance(text, dict)
                cards[path.stem][f"{field}@{path.parts[3]}"] = text["text"]
    return cards
