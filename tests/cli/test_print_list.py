"""`squadpress print`: cards and a squad sheet for a list from another program."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pypdfium2
import pytest
from pypdfium2 import PdfDocument

from builder.cli.imports.print_list import echo_list
from builder.errors import InputUnreadable
from builder.usecases.imports import print_list as print_list_module
from builder.usecases.imports.pack_files import format_full_name, make_title_card
from builder.usecases.imports.print_list import PrintOptions, read_imported_list
from builder.usecases.imports.themes import load_theme
from tests.house.source import ROOT
from tests.interchange.systems import (
    SYSTEMS,
    WRITERS,
    cost,
    make_skirmish,
    profile,
    rule,
    selection,
    write_xml,
)
from tests.program import run

EXTENSIONS = {
    "xml": "ros",
    "zip": "rosz",
    "new-recruit": "json",
    "list-forge": "json",
    "link": "txt",
}


def write_zip(files: dict[str, bytes]) -> bytes:
    """Return a zip file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def run_print(file: Path, *options: str) -> tuple[int, str]:
    """Return the exit code and everything that was printed."""
    process = run(file.parent, "print", file, *options)
    return process.returncode, process.stdout + process.stderr


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_format_of_every_system_is_printed(
    tmp_path: Path, system: str, writer: str
) -> None:
    file = tmp_path / f"list.{EXTENSIONS[writer]}"
    file.write_bytes(WRITERS[writer](SYSTEMS[system]()))
    exit_code, output = run_print(file)
    assert exit_code == 0, output
    assert (tmp_path / "list-cards.pdf").read_bytes().startswith(b"%PDF")


def test_words_after_bold_text_are_not_broken(tmp_path: Path) -> None:
    """The default engine breaks a bold word where the line is full, if long words may be broken."""
    roster = make_skirmish()
    rules = [
        rule(f"Watch {number}", f"{'Hold ' * number}then **understandably** it waits.")
        for number in range(1, 9)
    ]
    rules += [
        rule("Torch " * number, "Understandably it waits.") for number in range(1, 9)
    ]
    roster["forces"][0]["rules"] = rules
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(roster))
    exit_code, output = run_print(file, "--size", "63x88")
    assert exit_code == 0, output
    document = pypdfium2.PdfDocument(tmp_path / "list-cards.pdf")
    text = " ".join(page.get_textpage().get_text_bounded() for page in document)
    assert text.lower().count("understandably") == len(rules)


def test_words_after_icons_are_not_broken(tmp_path: Path) -> None:
    """The default engine does the same with words after icons and counts, in names and notes."""
    roster = make_skirmish()
    stats = {"Move": '5"', "Nerve": "5+", "Guard": "2", "Wounds": "4"}
    for number in range(8):
        name = f"{'x' * number} ■ Lampbearers"
        table = {
            "Reach": "1",
            "Dice": "4",
            "Damage": "2",
            "Traits": f"{name}, {name}, {name}",
        }
        parts = [selection(f"{name} with ■ Lampbearers {index}") for index in range(4)]
        parts.append(
            selection(name, number=12, profiles=[profile(name, "Weapons", table)])
        )
        roster["forces"][0]["selections"].append(
            selection(
                f"Unit {number}",
                "unit",
                profiles=[profile("■ Lampbearers", "Model", stats)],
                selections=parts,
            )
        )
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(roster))
    exit_code, output = run_print(file, "--size", "63x88")
    assert exit_code == 0, output
    document = pypdfium2.PdfDocument(tmp_path / "list-cards.pdf")
    words = re.findall(
        r"\w+", " ".join(page.get_textpage().get_text_range() for page in document)
    )
    assert "Lampbearers" in words
    parts = {word for word in words if word in "Lampbearers" and len(word) > 1}
    assert parts <= {"Lampbearers", "Lamp"}


@pytest.mark.parametrize("size", ["63x88", "70x120", "120x70", "a6"])
def test_every_size_fits(tmp_path: Path, size: str) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(SYSTEMS["regiments"]()))
    exit_code, output = run_print(
        file, "--size", size, "--output", str(tmp_path / "out.pdf")
    )
    assert exit_code == 0, output
    assert (tmp_path / "out.pdf").exists()
    assert f"cards {size}" in output


def test_a_wrong_total_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(SYSTEMS["fleet"]()))
    output = run_print(file)[1]
    assert (
        "the file says 85 pts, but its entries cost 80 on cards and 0 without a card"
        in output
    )


@pytest.mark.parametrize(("limit", "excess"), [(60, 8), (68, 0), (0, 0), (-1, 0)])
def test_a_list_over_its_limit_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, limit: int, excess: int
) -> None:
    file = tmp_path / "list.ros"
    other_limit = cost(1, "power", "power")
    file.write_bytes(
        write_xml(make_skirmish() | {"costLimits": [other_limit, cost(limit)]})
    )
    imported = read_imported_list(file)
    assert imported is not None
    echo_list(imported)
    output = capsys.readouterr().out
    assert ("8 pts over the limit of 60" in output) is bool(excess)
    assert ("over the limit" in output) is bool(excess)


def test_large_costs_are_printed_in_full(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    roster = make_skirmish()
    roster["forces"][0]["selections"][-1]["costs"][0]["value"] = 1_234_567.5
    file.write_bytes(write_xml(roster))
    exit_code, output = run_print(file)
    assert exit_code == 0, output
    assert "1234626.5 on cards" in output
    pages = PdfDocument(tmp_path / "list-cards.pdf")
    text = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    assert "1234567.5" in text
    assert "e+06" not in text


def test_unknown_parts_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(
        write_xml(make_skirmish()).replace(b"<profiles>", b"<odd/><profiles>", 1)
    )
    assert "not printed: selection/odd (1)" in run_print(file)[1]


def test_a_squad_of_a_pack_is_printed(tmp_path: Path) -> None:
    assert run(tmp_path, "new", "mygame").returncode == 0
    roster = tmp_path / "mygame/cards/mygame/rosters/first-squad.yaml"
    exit_code, output = run_print(roster, "--lang", "en")
    assert exit_code == 0, output
    assert (tmp_path / "mygame/output/mygame/first-squad-en-home-a4.pdf").exists()
    exit_code, output = run_print(roster, "--size", "a6", "--copies", "2")
    assert exit_code == 2
    assert "Leave out --size, --copies." in output
    exit_code, output = run_print(roster, "--only", "cub", "--theme", "steel")
    assert exit_code == 2
    assert "Leave out --only, --theme. To print some cards, use" in output
    assert "`squadpress build mygame --only CARD_ID`" in output
    assert "import the list" not in output
    built = run(tmp_path / "mygame", "build", "mygame", "--only", "cub", "--lang", "en")
    assert built.returncode == 0, built.stderr
    assert "mygame-en-home-a4-cub.pdf" in built.stdout
    exit_code, output = run_print(
        roster, "--lang", "en", "--output", str(tmp_path / "out.pdf")
    )
    assert exit_code == 0, output
    assert (tmp_path / "out.pdf").exists()


def test_the_help_names_refused_options_and_all_papers(tmp_path: Path) -> None:
    words = " ".join(run(tmp_path, "print", "--help").stdout.split())
    refused = (
        "--cards, --size, --only, --copies, --no-reference, --text-size and --theme"
    )
    assert f"A squad of a pack has its own cards. It refuses {refused}." in words
    assert "for a squad of a pack, a file in output/PACK/" in words
    profiles = words.partition("--profile")[2].partition("--output")[0]
    for path in (ROOT / "templates" / "base" / "profiles").glob("*.yaml"):
        assert path.stem in profiles


def test_options_choose_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(make_skirmish()))
    exit_code, output = run_print(
        file, "--only", "street*", "--copies", "3", "--variant", "ink"
    )
    assert exit_code == 0, output
    assert "list-cards.pdf: 6 cards 120x70" in output
    assert "Harbour patrol: 2 of 4 units, 24 of 68 pts" in output
    assert "Total" not in output
    exit_code, output = run_print(file, "--only", "Nobody")
    assert exit_code == 2
    assert "no unit is called Nobody" in output
    assert "Units of this list: Lamp captain, Street guard, Fog hound." in output
    exit_code, output = run_print(file, "--only", "Reference")
    assert exit_code == 0, output
    assert "Cards: 1 reference" in output
    assert "0 of 4 units" in output
    exit_code, output = run_print(file)
    assert "Cards: 4 units, 1 title, 1 reference" in output
    assert "Theme: plain (default)" in output
    system = load_theme("arena").systems[0].encode()
    file.write_bytes(
        write_xml(make_skirmish()).replace(b"system-Lamps and Fog", system)
    )
    assert "Theme: arena (by the game system)" in run_print(file, "--only", "title")[1]
    options = (
        "--no-reference",
        "--text-size",
        "9",
        "--theme",
        "arena",
        "--size",
        "63x88",
    )
    exit_code, output = run_print(file, *options)
    assert exit_code == 0, output
    # 4 cards of units, and the list
    assert "list-cards.pdf: 5 cards 63x88" in output
    assert "Theme: arena\n" in output


def count_dark_pixels(file: Path, page: int) -> int:
    """Return the number of dark pixels of a page."""
    image = PdfDocument(file)[page].render(scale=0.5).to_pil().convert("L")
    return sum(image.histogram()[:100])


def test_the_sheet_of_the_ink_variant_has_no_dark_areas(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(make_skirmish()))
    run(tmp_path, "new", "mygame")
    roster = tmp_path / "mygame/cards/mygame/rosters/first-squad.yaml"
    for source, options in ((file, ()), (roster, ("--lang", "en"))):
        counts = []
        for variant in ("full", "ink"):
            target = tmp_path / f"{variant}.pdf"
            exit_code, output = run_print(
                source, *options, "--variant", variant, "--output", str(target)
            )
            assert exit_code == 0, output
            counts.append(count_dark_pixels(target, len(PdfDocument(target)) - 1))
        assert counts[1] < counts[0] / 4


def read_pages(file: Path) -> list[str]:
    """Return the text of each page of a PDF."""
    return [page.get_textpage().get_text_range() for page in PdfDocument(file)]


def test_units_of_one_name_have_letters(tmp_path: Path) -> None:
    roster = make_skirmish()
    selections = roster["forces"][0]["selections"]
    for number in (1, 2):
        rules = [
            rule(f"Rule {index}", f"Words of {number}. " * 60) for index in range(5)
        ]
        name = "Bell knights"
        selections.append(selection(name, "unit", costs=[cost(number)], rules=rules))
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(roster))
    exit_code, output = run_print(file, "--size", "63x88")
    assert exit_code == 0, output
    pages = read_pages(tmp_path / "list-cards.pdf")
    for text in (
        "Bell knights A",
        "Bell knights A (2)",
        "Bell knights B",
        "Bell knights B (2)",
    ):
        assert text in " ".join(pages)
    assert "Bell knights A" in pages[-1]
    assert "Bell knights B" in pages[-1]
    assert "Fog hound A" not in " ".join(pages)


def test_a_list_without_costs_has_no_zeros(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    data = re.sub(rb'(<cost [^>]*value=)"[^"]*"', rb'\1"0"', write_xml(make_skirmish()))
    file.write_bytes(data)
    exit_code, output = run_print(file, "--only", "*")
    assert exit_code == 0, output
    assert "Total" not in output
    imported = read_imported_list(file)
    assert imported is not None
    title = make_title_card(imported, "en")
    assert title.tables[0].columns == ()
    assert [row.values for row in title.tables[0].rows] == [()] * len(imported.cards)
    assert title.code.splitlines()[1:] == [
        f"{card.copies}x {format_full_name(card)}" for card in imported.cards
    ]


def test_each_model_of_a_unit_can_have_a_card(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(SYSTEMS["regiments"]()))
    exit_code, output = run_print(file, "--cards", "model")
    assert exit_code == 0, output
    assert "3 units" in output
    assert "275 on cards, 0 without a card" in output
    pages = PdfDocument(tmp_path / "list-cards.pdf")
    # The list is printed first, then the units in its order.
    assert pages[0].get_textpage().get_text_bounded().startswith("Kiln road")


def test_a_theme_is_written_from_a_list(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(make_skirmish()))
    process = run(tmp_path, "theme", "new", file)
    assert process.returncode == 0, process.stderr
    assert "written: list-theme.yaml" in process.stdout
    assert "name: Lamps and Fog" in (tmp_path / "list-theme.yaml").read_text("utf-8")
    assert run(tmp_path, "theme", "new", file).returncode == 2
    exit_code, output = run_print(file, "--theme", str(tmp_path / "list-theme.yaml"))
    assert exit_code == 0, output


def test_a_list_without_units_is_an_error(tmp_path: Path) -> None:
    roster = make_skirmish()
    roster["forces"][0]["selections"] = [selection("Battle size")]
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(roster))
    exit_code, output = run_print(file)
    assert exit_code == 3
    assert "no unit or model" in output


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(write_xml(make_skirmish())[:900])
    exit_code, output = run_print(file)
    assert exit_code == 3
    assert "list.ros: the file is not valid XML: line 2, column " in output
    file.write_bytes(b'{"roster": {"forces": [,]}}')
    assert (
        "list.ros: the file is not valid JSON: line 1, column 24" in run_print(file)[1]
    )


def test_the_pdf_never_replaces_the_list(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    data = write_xml(make_skirmish())
    file.write_bytes(data)
    link = tmp_path / "link.ros"
    link.symlink_to(file)
    for source, target in ((file, file), (link, file), (file, link)):
        exit_code, output = run_print(source, "--output", str(target))
        assert exit_code == 2, output
        assert "is the list itself" in output
        assert file.read_bytes() == data


@pytest.mark.parametrize(
    "escape", [r"\ud800", r"\udc00", r"\uffff", r"\ufdd0", r"\u007f"]
)
def test_characters_that_no_file_can_contain_are_dropped(
    tmp_path: Path, escape: str
) -> None:
    data = WRITERS["new-recruit"](make_skirmish())
    file = tmp_path / "list.json"
    file.write_bytes(data.replace(b'"name": "', b'"name": "' + escape.encode()))
    assert escape.encode() in file.read_bytes()
    exit_code, output = run_print(file)
    assert exit_code == 0, output


@pytest.mark.parametrize("number", ["NaN", "abc", "1e30"])
def test_numbers_that_cannot_be_read_are_reported(tmp_path: Path, number: str) -> None:
    file = tmp_path / "list.ros"
    data = write_xml(make_skirmish()).replace(
        b'value="9"', f'value="{number}"'.encode()
    )
    file.write_bytes(data)
    exit_code, output = run_print(file)
    assert exit_code == 0, output
    assert (
        f"warning import/number: Fog hound: the cost '{number}' is not a number"
        in output
    )


UNREADABLE_FILES = {
    "an empty file": b"",
    "an empty object": b"{}",
    "an empty list": b"[]",
    "a broken list": b"[[",
    "a roster without selections": b'{"roster": {"forces": []}}',
    "text in UTF-16": '{"roster": {"forces": []}}'.encode("utf-16"),
    "a wrong byte": b'{"roster": {"forces": [\xff]}}',
    "a damaged zip file": b"PK\3\4junk",
    "a zip file with two rosters": write_zip(
        {"a.ros": b"<roster/>", "b.ros": b"<roster/>"}
    ),
    "deep nesting": b"[" * 100_000,
    "a catalogue": b"<catalogue/>",
    "a picture": b"\x89PNG\r\n",
    "a text": b"2x Lamp captain, 40 pts",
}


@pytest.mark.parametrize("name", ["list.ros", "list.rosz", "list.json", "list.txt"])
@pytest.mark.parametrize("content", UNREADABLE_FILES)
def test_a_file_without_a_list_is_unreadable(
    tmp_path: Path, content: str, name: str
) -> None:
    file = tmp_path / name
    file.write_bytes(UNREADABLE_FILES[content])
    with pytest.raises(InputUnreadable) as error:
        read_imported_list(file)
    assert str(file) in error.value.message
    assert error.value.remedy


def test_an_unreadable_file_has_exit_code_3(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_bytes(b"{}")
    exit_code, output = run_print(file)
    assert exit_code == 3, output
    assert "list.json: the JSON file contains no roster with forces" in output


def test_errors_name_the_unit_and_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # after several attempts, a text of any length is spread over enough cards
    monkeypatch.setattr(print_list_module, "MAX_LAYOUT_ATTEMPTS", 1)
    file = tmp_path / "list.ros"
    roster = make_skirmish()
    hound = roster["forces"][0]["selections"][-1]
    hound["name"] = "W" * 400
    hound["categories"] = []
    hound["profiles"][0]["characteristics"][0]["$text"] = "W " * 4_000
    file.write_bytes(write_xml(roster))
    imported = read_imported_list(file)
    assert imported is not None
    printed = print_list_module.print_list(imported, file, PrintOptions())
    assert printed.file is None
    errors = [
        finding for finding in printed.findings if finding.code == "import/too-long"
    ]
    assert any(": WWWW" in finding.message for finding in errors), printed.findings
    assert all(finding.location.file == str(file) for finding in errors)


def test_unusual_characters_and_long_words_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "list.ros"
    roster = make_skirmish()
    hound = roster["forces"][0]["selections"][-1]
    hound["name"] = "Hund \u05e9 \U0001f525 \U000e0fff\U00012000"
    hound["rules"] = [rule("Howl \u25b2", "W" * 2_000 + " \ue123 and **bold**")]
    file.write_bytes(write_xml(roster))
    exit_code, output = run_print(file)
    assert exit_code == 0, output
    assert (tmp_path / "list-cards.pdf").exists()
