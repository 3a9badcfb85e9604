"""The report of an import: changed values with the names of their rows and texts."""

from __future__ import annotations

from builder.errata.change import compare_leaves
from builder.model.base import Json
from builder.report.import_changes import ListChange, format_import_changes


def make_change(
    file: str, old: dict[str, Json], new: dict[str, Json], *, is_squad: bool = False
) -> ListChange:
    """Return the change of a file."""
    return ListChange(file, "changed", compare_leaves(old, new), new, is_squad)


def test_values_have_the_names_of_their_rows_and_the_squad_is_no_card() -> None:
    def make_title(cost: str, code: str, oath: str) -> dict[str, Json]:
        rows: list[Json] = [{"name": "Knights", "values": [cost]}]
        texts: list[Json] = [{"title": "Oath", "text": oath}]
        front: dict[str, Json] = {
            "tables": [{"title": "Units", "rows": rows}],
            "texts": texts,
        }
        return {"total": cost, "front": {**front, "code": code, "code_side": len(code)}}

    def make_squad(count: int) -> dict[str, Json]:
        return {"name": "Empire", "entries": [{"card": "knights", "count": count}]}

    changes = [
        make_change(
            "title.yaml",
            make_title("171", "A", "Stay."),
            make_title("177", "AB", "Go."),
        ),
        make_change("squad.yaml", make_squad(1), make_squad(2), is_squad=True),
    ]
    assert format_import_changes(changes, "en").splitlines() == [
        "changed title.yaml",
        "    total: 171 -> 177",
        "    Knights on the title card: 171 -> 177",
        "    Oath, text: Stay. -> Go.",
        "    The text of the QR code is updated.",
        "changed squad.yaml",
        "    knights, count: 1 -> 2",
        "1 card and the squad changed",
    ]
    assert format_import_changes(changes[1:], "en").endswith("The squad changed.\n")
