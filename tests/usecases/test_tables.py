"""Cards leave as a table and come back.

Nothing changes but what was edited, and all of it or nothing.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from builder.errors import OutputNotWritten
from builder.files import write_files
from builder.model.codes import Code
from builder.model.table import TableMapping
from builder.packs import file_codes
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.tables.reader import read_tables
from builder.packs.tables.request import TableRequest
from builder.packs.tables.sheet import Table
from builder.usecases.tables.copies import write_copies
from builder.usecases.tables.export_table import export_table
from builder.usecases.tables.import_kind import has_unusable_files, import_rows
from builder.usecases.tables.new_pack import PackRequest, make_pack
from builder.usecases.tables.table_import import TableImport, TableOptions
from tests.house.source import ROOT
from tests.packs.test_tables import workbook
from tests.usecases.toy import toy_project

FILES = ROOT / "tests" / "packs" / "cases"
SPIRIT = "cards/lanterns/spirit"


def import_table(
    project: Project, pack: str, kind: str, table: Table, options: TableOptions
) -> TableImport:
    """Return the changes that a table makes to the cards of a kind."""
    loaded = PackFiles(project).load_pack(pack)
    result = TableImport()
    if has_unusable_files(loaded):
        result.findings += loaded.findings
        return result
    import_rows(project, loaded, kind, table, options, result)
    write_copies(project, loaded, result)
    return result


@pytest.mark.parametrize("pack", Project(ROOT).list_packs())
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_was_exported_changes_nothing(
    pack: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PackFiles, "load_pack", cache(PackFiles.load_pack))
    project = Project(ROOT)
    loaded = PackFiles(project).load_pack(pack).pack
    assert loaded is not None
    for kind in loaded.manifest.kinds:
        file = tmp_path / f"{kind}.{ending}"
        assert export_table(project, pack, kind, file) == (
            len(list(loaded.list_cards_of_kind(kind))),
            (),
        )
        (table,), findings = read_tables(file)
        table_import = import_table(
            project, pack, kind, table, TableOptions(clear=True, delete=True)
        )
        assert (
            table_import.changes,
            [*findings, *table_import.findings],
            table_import.files,
        ) == (
            [],
            [],
            {},
        ), kind


CASES = {
    "column": (b"id,cost\ndusk-moth,1\n", b"id,kost\ndusk-moth,1\n"),
    "row": (
        b"id,cost\ndusk-moth,1\n",
        b"id,cost\ndusk-moth,1\nold-wick,4\ndusk-moth,1\n",
    ),
    "date": (workbook(["id", "name"]), (FILES / "dates.xlsx").read_bytes()),
    "error-value": (workbook(["id", "name"]), (FILES / "error_cell.xlsx").read_bytes()),
    "hidden": (workbook(["id", "name"]), (FILES / "cards.xls").read_bytes()),
    "unseen": (workbook(["id", "name"]), (FILES / "cards.xls").read_bytes()),
    "formula": (workbook(["id"]), workbook(["id", "=1+1"])),
    "picture": (
        b"Name,Points,Art\nBog,2,table.csv\n",
        b"Name,Points,Art\nBog,2,lost.png\n",
    ),
    "encoding": (
        "id,name@de\ndusk-moth,Däm\n".encode(),
        "id,name@de\ndusk-moth,Däm\n".encode("cp1252"),
    ),
}
"""For each code of tables one that does not give it, and one that does."""


@pytest.mark.parametrize("code", CASES)
def test_a_code_of_tables_is_given_for_its_bad_case_alone(
    code: str, tmp_path: Path
) -> None:
    project = Project(toy_project(tmp_path))
    for data, is_reported in zip(CASES[code], (False, True), strict=True):
        file = tmp_path / f"table.{'xlsx' if data.startswith(b'PK') else 'csv'}"
        file.write_bytes(data)
        if code == "picture":
            request = PackRequest(tmp_path / "begun", TableRequest((file,), lang="en"))
            findings = make_pack(request).findings
        else:
            (table,), findings = read_tables(file)
            findings += import_table(
                project, "lanterns", "spirit", table, TableOptions()
            ).findings
        assert (
            f"table/{code}" in [finding.code for finding in findings]
        ) == is_reported


def test_every_code_of_tables_has_its_cases() -> None:
    defined = {
        value.code for value in vars(file_codes).values() if isinstance(value, Code)
    }
    assert {code for code in defined if code.startswith("table/")} == {
        f"table/{name}" for name in CASES
    }


def exported(
    folder: Path, project: Project | None = None
) -> tuple[Project, list[list[str]]]:
    """Return a project of its own, and its spirits as rows of texts."""
    project = project or Project(toy_project(folder))
    export_table(project, "lanterns", "spirit", folder / "spirits.csv")
    with (folder / "spirits.csv").open(encoding="utf-8-sig", newline="") as file:
        return project, list(csv.reader(file))


def cells(rows: list[list[str]], row: int, **changes: str) -> None:
    """Write cells of a row, a new one if it is next, by column (`__` a dot, `_ru` @ru)."""
    rows += [[""] * len(rows[0])] if row == len(rows) else []
    for name, text in changes.items():
        rows[row][
            rows[0].index(
                name.replace("__", ".").replace("_de", "@de").replace("each", "*")
            )
        ] = text


def import_edited_rows(
    project: Project, rows: list[list[str]], options: TableOptions | None = None
) -> TableImport:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerows(rows)
    (project.root / "edited.csv").write_text(out.getvalue(), encoding="utf-8")
    (table,), _findings = read_tables(project.root / "edited.csv")
    return import_table(project, "lanterns", "spirit", table, options or TableOptions())


def test_edited_cells_change_their_values_and_not_a_byte_besides(
    tmp_path: Path,
) -> None:
    project, rows = exported(tmp_path)
    moth = project.root / SPIRIT / "dusk-moth.yaml"
    moth.write_text(
        moth.read_text()
        .replace("cost: 1", "cost: 1   # dear")
        .replace("Dusk Moth", "'Dusk Moth'")
    )
    cells(rows, 1, cost="2", name="Day Moth", name_de="Tagmotte")
    table_import = import_edited_rows(project, rows)
    assert {change.file: len(change.leaves) for change in table_import.changes} == {
        f"{SPIRIT}/dusk-moth.yaml": 3
    }
    before = {path: path.read_text() for path in project.root.rglob("*.yaml")}
    write_files(table_import.files)
    after = {
        path: path.read_text()
        for path in project.root.rglob("*.yaml")
        if path.read_text() != before[path]
    }
    german = project.root / "cards/lanterns/i18n/de/spirit/dusk-moth.yaml"
    old = (
        before[moth].replace("cost: 1", "cost: 2").replace("'Dusk Moth'", "'Day Moth'")
    )
    assert after.keys() == {moth, german}
    assert after[moth] == old
    assert '"Tagmotte", source: "' in after[german]
    assert import_edited_rows(project, rows).files == {}


def test_a_name_after_a_carriage_return_is_read(tmp_path: Path) -> None:
    (tmp_path / "cr-name.csv").write_bytes(b'Name,Points\n"\r=1+1",2\n')
    request = TableRequest((tmp_path / "cr-name.csv",), lang="en")
    new_pack = make_pack(PackRequest(tmp_path / "game", request))
    assert not new_pack.findings
    assert b'name: "=1+1"' in dict(new_pack.files)["cards/game/cr-name/1-1.yaml"]


@pytest.mark.parametrize(
    "name",
    ["\\r=1+1", "Amber\\rBrook", "Amber\\r\\nBrook", " Amber\\r", "Amber\\nBrook"],
)
@pytest.mark.parametrize("end", ["csv", "xlsx"])
def test_line_ends_in_a_name_survive_export_and_import(
    tmp_path: Path, end: str, name: str
) -> None:
    project, file = Project(toy_project(tmp_path)), tmp_path / f"cards.{end}"
    card = project.get_cards_dir("lanterns") / "charm" / "amber-brooch.yaml"
    text = re.sub(
        r"(?m)^name: .*$",
        f'name: "{name}"'.replace("\\", "\\\\"),
        card.read_text("utf-8"),
    )
    card.write_text(text, "utf-8")
    count, _findings = export_table(project, "lanterns", "charm", file)
    table_import = import_table(
        project, "lanterns", "charm", read_tables(file)[0][0], TableOptions()
    )
    assert count > 0
    assert (table_import.changes, table_import.findings) == ([], [])


def test_rows_below_a_card_are_its_entries(tmp_path: Path) -> None:
    project, rows = exported(tmp_path)
    cells(
        rows,
        5,
        tricks__each="sing",
        tricks__each__name="Sing",
        tricks__each__text="It sings.",
    )
    old_wick, reed = (
        project.root / SPIRIT / f"{name}.yaml" for name in ("old-wick", "reed-mother")
    )
    text = import_edited_rows(project, rows).files[reed]
    assert text == reed.read_bytes() + b"  sing: {name: Sing, text: It sings.}\n"
    table_import = import_edited_rows(project, [*rows[:3], *rows[4:]])
    assert old_wick not in table_import.files
    fewer = import_edited_rows(
        project, [*rows[:3], *rows[4:]], TableOptions(delete=True)
    ).files[old_wick]
    assert fewer is not None
    assert b"\n  lead:" not in fewer


@pytest.mark.parametrize(
    ("second", "is_refused"), [("7", True), ("2", False), ("", False)]
)
def test_two_columns_of_a_field_must_have_one_value(
    second: str, is_refused: bool, tmp_path: Path
) -> None:
    project, _rows = exported(tmp_path)
    table = [["id", "cost", "Cost"], ["dusk-moth", "2", second]]
    result = import_edited_rows(project, table)
    assert bool(result.files) is not is_refused
    messages = [finding.message for finding in result.findings]
    expected = ["C2: another column has a different value of cost"]
    assert messages == (expected if is_refused else [])


def test_two_columns_of_a_translation_must_have_one_text(tmp_path: Path) -> None:
    project, _rows = exported(tmp_path)
    mapping = TableMapping.model_validate({"columns": {"German": "name@de"}})
    table = [["id", "name@de", "German"], ["dusk-moth", "Motte", "Falter"]]
    result = import_edited_rows(project, table, TableOptions(mapping=mapping))
    assert result.files == {}
    assert (
        "another column has a different value of name@de" in result.findings[0].message
    )


def test_nothing_goes_unasked(tmp_path: Path) -> None:
    project, rows = exported(tmp_path)
    cells(rows, 1, faction="")
    del rows[2:4]
    assert import_edited_rows(project, rows).files == {}
    moth = import_edited_rows(project, rows, TableOptions(clear=True)).files
    assert moth.keys() == {project.root / SPIRIT / "dusk-moth.yaml"}
    table_import = import_edited_rows(project, rows, TableOptions(delete=True))
    assert [path.name for path, data in table_import.files.items() if data is None] == [
        "old-wick.yaml",
        "old-wick.yaml",
    ]
    write_files(table_import.files)
    assert not list(project.root.rglob("old-wick.yaml"))


def test_a_new_row_is_a_card_and_a_changed_one_a_revision(tmp_path: Path) -> None:
    project, rows = exported(tmp_path)
    cells(rows, 1, cost="2")
    texts = {
        "name": "Жёлтый Ёж",
        "faction": "moorland",
        "cost": "3",
        "lumen": "2",
        "waft": "7",
        "scarcity": "1/6",
    }
    cells(rows, 5, **texts, carries="palm; brow", tricks="{}")
    bump = {"type": "balance", "released": date(2027, 1, 1)}
    table_import = import_edited_rows(
        project,
        rows,
        TableOptions(bump=bump, notes=("Tuned.", "de=Neu."), day=date(2027, 1, 1)),
    )
    assert [finding.message for finding in table_import.findings] == [
        "1 ids were made: Жёлтый Ёж -> zheltyy-ezh"
    ]
    write_files(table_import.files)
    pack = PackFiles(project).load_pack("lanterns").pack
    assert pack is not None
    new, moth = pack.cards["zheltyy-ezh"], pack.cards["dusk-moth"]
    assert (new.name, new.data["carries"], new.data["scarcity"]) == (
        "Жёлтый Ёж",
        ["palm", "brow"],
        "1/6",
    )
    assert [(card.revision, card.history[-1].note) for card in (new, moth)] == [
        (1, {"en": "Tuned.", "de": "Neu."}),
        (2, {"en": "Tuned.", "de": "Neu."}),
    ]


@pytest.mark.parametrize(
    ("row", "changes", "told"),
    [
        (1, {"cost": "lots"}, 'F2: cost is a text ("lots"), but must be a number'),
        (
            3,
            {"tricks__each__name": "Lead", "tricks__each": ""},
            "K4: an entry of tricks has no key",
        ),
        (2, {"id": "dusk-moth"}, "A3: dusk-moth was named in a row above"),
        (
            2,
            {"id": "amber-brooch"},
            "A3: amber-brooch is a card of another kind: charm",
        ),
        (0, {"waft": "wafd"}, "H1: no field is called wafd"),
    ],
)
def test_a_wrong_cell_is_reported_by_its_name_and_nothing_is_written(
    row: int, changes: dict[str, str], told: str, tmp_path: Path
) -> None:
    project, rows = exported(tmp_path)
    cells(rows, row, **changes)
    table_import = import_edited_rows(project, rows)
    assert told in " ".join(finding.message for finding in table_import.findings)
    assert all(
        finding.location.file == "edited.csv" and finding.hint
        for finding in table_import.findings
    )


SQUIB = "Name,Cost,Description,Type,Qty,Side\nMarsh Light,3,Glows in {d6} steps.,lamp,2,moor\n"
SQUIB_MAPPING = {
    "columns": {
        "Name": "name",
        "Cost": "cost",
        "Type": {"field": "keywords", "values": {"lamp": ["kindler"]}},
        "Description": {"field": "tricks.glow.text", "replace": {"{d6}": "{dice:d6}"}},
        "Side": {"field": "faction", "values": {"moor": "moorland"}},
    },
    "constants": {
        "lumen": 2,
        "waft": 5,
        "scarcity": 1,
        "carries": [],
        "tricks.glow.name": "Glow",
    },
    "skip": ["Qty"],
}
NANDECK = "[Title];[Points];[Slots]\nFog Horn;4;palm/brow\nFog Bell;2;palm\n"
NANDECK_MAPPING = {
    "columns": {
        "[Title]": "name",
        "[Points]": "cost",
        "[Slots]": {"field": "carries", "split": "/"},
    },
    "constants": {"lumen": 2, "waft": 5, "scarcity": 1, "tricks": {}},
}


@pytest.mark.parametrize(
    ("text", "mapping", "cards"),
    [
        (SQUIB, SQUIB_MAPPING, ["marsh-light"]),
        (NANDECK, NANDECK_MAPPING, ["fog-horn", "fog-bell"]),
    ],
    ids=["Squib", "nanDECK"],
)
def test_a_table_made_for_another_program_needs_a_few_lines(
    text: str, mapping: object, cards: list[str], tmp_path: Path
) -> None:
    project = Project(toy_project(tmp_path))
    (tmp_path / "theirs.csv").write_text(text, encoding="utf-8")
    (table,), _findings = read_tables(tmp_path / "theirs.csv")
    table_import = import_table(
        project,
        "lanterns",
        "spirit",
        table,
        TableOptions(TableMapping.model_validate(mapping)),
    )
    assert (table_import.findings, [path.stem for path in table_import.files]) == (
        [],
        cards,
    )
    write_files(table_import.files)
    pack = PackFiles(project).load_pack("lanterns").pack
    assert pack is not None
    assert pack.cards.keys() >= set(cards)


def test_copies_go_into_the_box(tmp_path: Path) -> None:
    project = Project(toy_project(tmp_path))
    box = project.get_cards_dir("lanterns") / "products.yaml"
    lines = "          - {where: {kind: spirit}}   # all\n          - {card: dusk-moth, copies: 3}\n"
    box.write_text(
        f"products:\n  box:\n    name: "
        f"{{en: Box, de: Box}}\n    "
        f"decks:\n      "
        f"all:\n        "
        f"cards:\n{lines}"
    )
    _project, rows = exported(tmp_path, project)
    at = rows[0].index("copies")
    assert [row[at] for row in rows[1:] if row[0]] == ["3", "1", "1"]
    assert import_edited_rows(project, rows).files == {}
    for row, copies in zip(
        [row for row in rows[1:] if row[0]], ["4", "", "2"], strict=True
    ):
        row[at] = copies
    (data,) = import_edited_rows(project, rows).files.values()
    assert data is not None
    card = rows[-1][0]
    assert data.decode().endswith(
        lines.replace("3}", "4}") + f"          - {{card: {card}, copies: 2}}\n"
    )
    rows[1][at] = "0"
    (data,) = import_edited_rows(project, rows).files.values()
    assert data is not None
    assert b"{card: dusk-moth, copies: 0}" in data
    rows[1][at] = "-1"
    message = import_edited_rows(project, rows).findings[0].message
    assert "copies must be a whole number, 0 or more: -1" in message
    box.unlink()
    assert (
        "no field is called copies"
        in import_edited_rows(project, rows).findings[0].message
    )


@pytest.mark.parametrize(
    ("decks", "told"),
    [
        (
            "a: {cards: [{card: CARD, copies: 2}]}, b: {cards: [{card: CARD, copies: 3}]}",
            "in several decks: a, b",
        ),
        (
            "a: {cards: [{where: {kind: charm}}]}",
            "no deck of the first product holds cards of the kind spirit",
        ),
        ("a: {cards: [{card: CARD, copies: 2}, {card: CARD, copies: 3}]}", ""),
    ],
)
def test_copies_are_put_where_they_count_or_nowhere(
    decks: str, told: str, tmp_path: Path
) -> None:
    project = Project(toy_project(tmp_path))
    box = project.get_cards_dir("lanterns") / "products.yaml"
    decks = decks.replace("CARD", "dusk-moth")
    box.write_text(
        f"products:\n  box:\n    name: {{en: Box, de: Box}}\n    decks: {{{decks}}}\n"
    )
    _project, rows = exported(tmp_path, project)
    (row,) = [row for row in rows if row[0] == "dusk-moth"]
    row[rows[0].index("copies")] = "6"
    table_import = import_edited_rows(project, rows)
    assert [told in finding.message for finding in table_import.findings] == [
        True
    ] * bool(told)
    assert bool(told) or table_import.files[box] == box.read_bytes().replace(
        b"copies: 3", b"copies: 6"
    )


def test_a_failure_in_between_leaves_all_files_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {tmp_path / name: b"new" for name in ("a", "b", "c")}
    (tmp_path / "a").write_bytes(b"old")
    replace = Path.replace

    def refusing(path: Path, target: Path) -> Path:
        if target.name == "b":
            raise PermissionError(13, "in use")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refusing)
    with pytest.raises(OutputNotWritten):
        write_files({**files, tmp_path / "gone": None})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a": b"old"
    }
