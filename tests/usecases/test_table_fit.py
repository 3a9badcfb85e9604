"""The design of a pack that is made from a table is proved on the table's own cards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.scaffold import write_project
from builder.packs.tables.request import TableRequest
from builder.usecases import table_fit
from builder.usecases.build.build_options import Selection, WorkerPool
from builder.usecases.build.typeset import report_fit
from builder.usecases.table_design import shorten_heading
from builder.usecases.tables.new_pack import PackRequest, make_pack

WORDS = (
    "The river takes what the bank forgets, and it gives back what nobody asked for. "
)


def begin(
    folder: Path,
    rows: list[str],
    size: tuple[float, float] | None = None,
    lang: str = "en",
) -> Project:
    (folder / "cards.csv").write_text("\n".join(rows), "utf-8")
    request = TableRequest((folder / "cards.csv",), lang=lang)
    new_pack = make_pack(PackRequest(folder / "game", request, size))
    assert new_pack.findings == []
    write_project(folder / "game", iter(new_pack.files))
    return Project(folder / "game")


def read_size(project: Project) -> tuple[float, float]:
    pack = PackFiles(project).load_pack("game").whole
    (kind,) = pack.manifest.kinds.values()
    return kind.size.width, kind.size.height


def list_faults(project: Project) -> list[str]:
    report, findings = report_fit(project, "game", Selection(), WorkerPool(0))
    assert report.blocks
    return [
        finding.message for finding in findings if finding.code != "render/many-sizes"
    ]


@pytest.mark.parametrize(
    ("sentences", "size"),
    [(1, (44, 68)), (3, (63.5, 88.9)), (9, (70, 120)), (40, (88.9, 139.7))],
)
def test_a_card_is_as_large_as_its_text_needs(tmp_path, sentences, size):
    project = begin(
        tmp_path, ["Name;Rules", f"Ford;{WORDS * sentences}", "Mill;It grinds."]
    )
    assert (read_size(project), list_faults(project)) == (size, [])


def test_a_size_that_is_asked_for_stays_and_the_picture_gets_smaller(tmp_path):
    project = begin(tmp_path, ["Name;Rules", f"Ford;{WORDS * 9}"], (63.0, 88.0))
    style = (project.root / "templates/game/cards/card.css").read_text()
    assert (read_size(project), list_faults(project)) == ((63, 88), [])
    assert ".art {" not in style  # no room for it


def test_a_text_for_which_no_card_is_large_enough_is_drawn_as_large_as_possible(
    tmp_path,
):
    project = begin(tmp_path, ["Name;Rules", f"Ford;{WORDS * 90}"])
    faults = list_faults(project)
    assert read_size(project) == (88.9, 139.7)
    assert "6.5 pt: " in faults[0]


def test_the_longest_translation_decides(tmp_path):
    rows = ["Name;Name@de;Rules;Rules@de", f"Ford;Furt;It is wet.;{WORDS * 12}"]
    project = begin(tmp_path, rows)
    assert (read_size(project)[1] > 89, list_faults(project)) == (True, [])


@pytest.mark.parametrize(("lang", "size"), [("en", (63.5, 88.9)), ("de", (63, 88))])
def test_poker_cards_have_the_size_of_the_region(tmp_path, lang, size):
    project = begin(tmp_path, ["Name;Rules", f"Ford;{WORDS * 3}"], lang=lang)
    assert read_size(project) == size


def test_labels_at_the_foot_get_as_many_lines_as_they_need(tmp_path):
    words = ", ".join(f"Keyword {number}" for number in range(12))
    project = begin(
        tmp_path, ["Name;Keywords;Rules", f"Ford;{words};{WORDS}", "Mill;Old;x"]
    )
    assert list_faults(project) == []


def test_of_many_cards_the_longest_are_laid_out(tmp_path, monkeypatch):
    monkeypatch.setattr(table_fit, "LONGEST_CARDS_PER_KIND", 1)
    monkeypatch.setattr(table_fit, "LONGEST_CARDS_PER_FIELD", 1)
    rows = [f"Ford {number};It is wet." for number in range(20)]
    project = begin(tmp_path, ["Name;Rules", *rows, f"Weir;{WORDS * 9}"])
    assert (read_size(project), list_faults(project)) == ((70, 120), [])


def test_of_many_cards_those_with_a_long_field_are_laid_out_too(tmp_path):
    files = []
    for number in range(40):
        file = tmp_path / f"card-{number}.yaml"
        file.write_text(
            f"id: c\nname: Ford\nrules: {'It is wet. ' * number}\nflavour: No.\n"
        )
        files.append(file)
    files[3].write_text("id: c\nname: A long name for a ford\nrules: Wet.\n")
    files[7].write_text(
        "id: c\nname: Ford\nrules: Wet.\nflavour: It was a mill before the flood.\n"
    )
    cards = table_fit.choose_longest_cards(files)
    assert cards[0] == "card-39"
    assert {"card-3", "card-7"} <= set(cards)
    assert len(cards) <= 10


def test_wide_characters_count_for_more_than_narrow_ones():
    assert table_fit.measure_text("WWWW") > table_fit.measure_text("iiiiiiii")
    assert table_fit.measure_text("川の道") > table_fit.measure_text("mill")


@pytest.mark.parametrize(
    ("heading", "characters", "short"),
    [
        ("Speed", 8, "Speed"),
        ("Armour penetration", 8, "AP"),
        ("Perception", 8, "Percept."),
        ("Perception", 2, "Per."),
    ],
)
def test_headings_of_numbers_fit_their_column(heading, characters, short):
    assert shorten_heading(heading, characters) == short


def test_a_long_word_in_a_name_breaks_and_does_not_enlarge_the_cards(
    tmp_path: Path,
) -> None:
    name = "Donaudampfschifffahrtsgesellschaft"
    rows = [
        "Name;Cost;Text",
        f"{name};4;Befördert sechs Modelle im ganzen Spiel.",
        "Seil;1;Hält.",
    ]
    project = begin(tmp_path, [*rows, f"Laterne;2;{WORDS}"], lang="de")
    assert (read_size(project), list_faults(project)) == ((63, 88), [])


@pytest.mark.parametrize(("sentences", "height"), [(1, 51.4), (3, 38.2), (5, 29.4)])
def test_the_picture_is_as_large_as_the_text_allows(
    tmp_path: Path, sentences: int, height: float
) -> None:
    project = begin(tmp_path, ["Name;Rules", f"Ford;{WORDS * sentences}"], (63.0, 88.0))
    style = (project.root / "templates/game/cards/card.css").read_text("utf-8")
    assert f"top: 0; height: {height}mm" in style
    report, _findings = report_fit(project, "game", Selection(), WorkerPool(0))
    (body,) = [block for block in report.blocks if block.block == "body"]
    assert body.size >= 8


def test_no_label_is_smaller_than_7_pt(tmp_path: Path) -> None:
    project = begin(
        tmp_path, ["Name;Speed;Kind", "Ford;1;A", "Mill;2;B", "Wood;3;A", "Ash;3;A"]
    )
    style = (project.root / "templates/game/pack.css").read_text("utf-8")
    assert ".stat-row span, .attack-table th, .chip { font-size: 7pt }" in style
    assert not re.search(r"font-size: [1-6](\.\d+)?pt", style)
