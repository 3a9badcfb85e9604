"""Printing a squad: each card as often as it is used, then a sheet for the table."""

from __future__ import annotations

import re

import pikepdf
import pytest
import segno

from builder.errors import InputUnreadable, UsageError
from builder.packs.pack_files import PackFiles
from builder.usecases.build.squad import make_squad_sheet
from builder.usecases.roster.check_roster import RosterCheckers, check_roster
from builder.usecases.roster.roster_files import RosterFiles
from builder.usecases.roster.share import make_token

pytestmark = pytest.mark.slow


def roster(project, name: str = "marsh-walk"):
    return project.get_cards_dir("lanterns") / "rosters" / f"{name}.yaml"


def checker(project, lang: str):
    loaded = RosterFiles(project).load(str(roster(project)))
    return check_roster(RosterCheckers(PackFiles(project)), loaded, "squad", lang)


def text_of(path) -> list[str]:
    import pypdfium2

    return [
        page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)
    ]


def test_the_sheet_sums_up_the_squad(lanterns):
    judged = checker(lanterns, "en")
    sheet = make_squad_sheet(judged)
    assert sheet is not None
    assert sheet.legal
    assert sheet.total == sum(model.total for model in sheet.models) + sum(
        card.count * card.cost for card in sheet.deck
    )
    assert [(model.name, model.count, model.boxes) for model in sheet.models] == [
        ("Old Wick", 1, 4),
        ("Reed Mother", 1, 3),
        ("Dusk Moth", 2, 1),
    ]
    wick = sheet.models[0]
    assert wick.stats == (("Lu", "4"), ("Wf", "6"))
    assert [item.name for item in wick.reminders] == ["Flare", "Lead on"]
    assert [(card.name, len(card.reminders)) for card in wick.carried] == [
        ("Amber Brooch", 1)
    ]
    assert [model.place for model in sheet.models] == ["1", "2", "3\N{EN DASH}4"]


def test_the_sheet_carries_a_code_that_brings_the_squad_back(lanterns):
    judged = checker(lanterns, "de")
    sheet = make_squad_sheet(judged)
    assert sheet is not None
    assert sheet.code is not None
    size, path = sheet.code
    drawn = {
        (int(x) + step, int(y))
        for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path)
        for step in range(int(run))
    }
    matrix = segno.make(make_token(judged), error="l", micro=False).matrix
    assert len(matrix) == size
    assert drawn == {
        (x, y) for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark
    }
    assert ("Jahreszeit", "Tauwetter") in sheet.params


def edit(path, *changes: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def test_only_what_goes_to_the_table_is_on_the_sheet_in_the_order_it_goes(lanterns):
    rules = lanterns.get_cards_dir("lanterns") / "rules.yaml"
    edit(
        rules,
        (
            "where: {keywords: {has: kindler}}}\n      label",
            "where: {id: dusk-moth}}\n      label",
        ),
    )
    edit(
        rules,
        (
            "select: {}\n      by: cost\n      after_link: host",
            "select: {where: {keywords: {has: kindler}}}",
        ),
    )
    sheet = make_squad_sheet(checker(lanterns, "en"))
    assert sheet is not None
    assert [(model.name, model.place) for model in sheet.models] == [
        ("Dusk Moth", "1\N{EN DASH}2"),
        ("Old Wick", "3"),
    ]


def test_the_sheet_prints_signs_and_what_is_counted(lanterns, build):
    edit(
        lanterns.get_cards_dir("lanterns") / "pack.yaml",
        (
            "    stats: [lumen, waft]",
            """    stats: [lumen, waft]
    signs: {lumen: "{}+"}
    trackers: [{name: {en: Dusk, de: Abend}, first: 3, last: 5}]""",
        ),
    )
    sheet = make_squad_sheet(checker(lanterns, "de"))
    assert sheet is not None
    assert sheet.models[0].stats == (("Le", "4+"), ("We", "6"))
    assert sheet.trackers == (("Abend", (3, 4, 5)),)
    page = text_of(
        build(lanterns, roster=roster(lanterns), langs=("en",)).files[0].path
    )[-1]
    assert "4+" in page
    assert "Dusk" in page.replace("Dusk Moth", "")


def test_a_squad_is_called_by_its_name_in_the_language_of_the_cards(lanterns, build):
    edit(
        roster(lanterns),
        (
            "name: A walk in the marsh",
            "name: A walk in the marsh\nnames: {de: Ein Gang ins Moor}",
        ),
    )
    pages = {
        file.path.name: text_of(file.path)[-1]
        for file in build(lanterns, roster=roster(lanterns)).files
    }
    assert "Ein Gang ins Moor" in pages["marsh-walk-de-home-a4.pdf"]
    assert "A walk in the marsh" in pages["marsh-walk-en-home-a4.pdf"]


@pytest.mark.parametrize(("height", "size"), [(1, "10.4"), (3, "9.2"), (16, "8.6")])
def test_the_type_of_a_sheet_is_as_large_as_its_pages_allow(
    lanterns, build, height, size
):
    """Ten blocks of 3 mm for each pt fill a page of 279 mm at 9.2 pt.

    Of 16 mm, five pages at 8.6 pt.
    """
    block = (
        f"<div style='height: "
        f"{{{{ size * {height} }}}}mm; "
        f"break-inside: "
        f"avoid'>Type of "
        f"{{{{ size }}}} pt</div>"
    )
    (lanterns.get_templates_dir("lanterns") / "squad.html.j2").write_text(block * 10)
    path = build(lanterns, roster=roster(lanterns), langs=("en",)).files[0].path
    assert f"Type of {size} pt" in text_of(path)[-1]


def test_a_squad_prints_its_copies_and_a_sheet(lanterns, build):
    built = build(lanterns, roster=roster(lanterns), langs=("en",)).files[0]
    assert built.path.name == "marsh-walk-en-home-a4.pdf"
    assert built.cards == 5
    pages = text_of(built.path)
    assert pages[0].count("Dusk Moth") == 2
    assert "A walk in the marsh" in pages[-1]
    assert "12" in pages[-1]


def test_the_sheet_speaks_the_language_of_the_cards(lanterns, build):
    result = build(lanterns, roster=roster(lanterns))
    assert (
        len({text_of(file.path)[-1] for file in result.files}) == len(result.files) == 2
    )


def test_fronts_stay_fronts_when_the_paper_is_turned(brigade, build):
    """Fronts lie on odd pages.

    A sheet without backs is followed by an empty page wherever backs are printed at all.
    """
    path = next((brigade.get_cards_dir("brigade") / "rosters").glob("minuit.yaml"))
    built = build(brigade, roster=path, langs=("fr",)).files[0]
    with pikepdf.open(built.path) as pdf:
        empty = [
            number
            for number, page in enumerate(pdf.pages, 1)
            if not page.Contents.read_bytes().strip()
        ]
    assert empty
    assert all(number % 2 == 0 for number in empty)
    assert built.pages % 2 == 1


def test_a_sheet_of_several_pages_uses_both_sides_of_its_paper(lanterns, build):
    """Return the first page lies on a front, an odd page.

    The second is its back, with no empty page between them.
    """
    block = "<div style='height: 200mm; break-inside: avoid'>Part {{ part }} of the sheet</div>"
    template = "{% for part in [1, 2, 3] %}" + block + "{% endfor %}"
    (lanterns.get_templates_dir("lanterns") / "squad.html.j2").write_text(template)
    pages = text_of(
        build(lanterns, roster=roster(lanterns), langs=("en",)).files[0].path
    )
    assert [page.split("\r\n")[0] for page in pages[-3:]] == [
        f"Part {part} of the sheet" for part in (1, 2, 3)
    ]
    assert (len(pages) - 2) % 2 == 1


def test_a_squad_is_not_set_twice(lanterns, build):
    first = build(lanterns, roster=roster(lanterns))
    second = build(lanterns, roster=roster(lanterns))
    assert first.rendered_count > 0
    assert second.rendered_count == 0
    assert not any(file.changed for file in second.files)


def test_an_illegal_squad_is_printed_and_says_so(lanterns, build):
    built = build(lanterns, roster=roster(lanterns, "too-bright"), langs=("en",)).files[
        0
    ]
    assert "breaks rules" in text_of(built.path)[-1]


def test_a_squad_of_another_pack_is_refused(lanterns, build, tmp_path):
    path = tmp_path / "other.yaml"
    path.write_text("pack: elsewhere\nname: X\nentries: []\n")
    with pytest.raises((UsageError, InputUnreadable)):
        build(lanterns, roster=path)


def test_a_pack_may_write_its_own_sheet(lanterns, build):
    folder = lanterns.get_templates_dir("lanterns")
    (folder / "squad.html.j2").write_text(
        "<p>Own sheet of {{ sheet.name }}, {{ stat('lumen') }}</p>"
    )
    built = build(lanterns, roster=roster(lanterns), langs=("en",)).files[0]
    assert "Own sheet of A walk in the marsh, Lu" in text_of(built.path)[-1]
