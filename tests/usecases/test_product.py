"""Products: what a box holds, counted on sheets, in orders and by what is refused."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pikepdf
import pytest

from builder.checks.registry import check_loaded_pack
from builder.errors import InputUnreadable, UsageError
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult, Selection
from builder.usecases.build.product import (
    apply_product,
    find_product,
    list_product_cards,
)
from tests.usecases.toy import build_options, edit, toy_project


@pytest.fixture
def lanterns(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def part(project: Project, *only: str) -> list[tuple[str, str]]:
    loaded = load_pack(project, "lanterns")
    assert loaded.pack is not None
    return list_product_cards(
        loaded.pack, find_product(loaded, "marsh-box"), only, "en"
    )


def test_a_named_card_goes_before_a_condition_and_decks_keep_their_order(
    lanterns: Project,
) -> None:
    cards = part(lanterns)
    assert list(dict.fromkeys(deck for deck, _ in cards)) == ["spirits", "charms"]
    assert Counter(card for _, card in cards) == {
        "old-wick": 1,
        "dusk-moth": 3,
        "reed-mother": 1,
        "amber-brooch": 2,
        "heron-quill": 2,
        "willow-flute": 1,
    }
    file = lanterns.get_cards_dir("lanterns") / "products.yaml"
    edit(
        file,
        "- {where: {kind: spirit}}\n          - {card: dusk-moth, copies: 3}",
        "- {card: dusk-moth, copies: 3}\n          - {where: {kind: spirit}, copies: 2}",
    )
    assert Counter(card for deck, card in part(lanterns) if deck == "spirits") == {
        "dusk-moth": 3,
        "old-wick": 2,
        "reed-mother": 2,
    }
    assert {card for _, card in part(lanterns, "*quill,*flute")} == {
        "heron-quill",
        "willow-flute",
    }


def test_what_is_no_product_or_language_of_it_is_refused(lanterns: Project) -> None:
    loaded = load_pack(lanterns, "lanterns")
    with pytest.raises(UsageError) as error:
        apply_product(lanterns, loaded, Selection(product="marshbox"))
    assert "marsh-box" in error.value.remedy
    with pytest.raises(UsageError):
        apply_product(lanterns, loaded, Selection(product="marsh-box", langs=("de",)))
    with pytest.raises(UsageError):
        apply_product(
            lanterns, loaded, Selection(product="marsh-box", roster=Path("squad.yaml"))
        )
    assert apply_product(
        lanterns, loaded, Selection(product="marsh-box", langs=("all",))
    )[1].langs == ("en",)


@pytest.mark.parametrize("shown", ["{card: amber-broch}", "{art: nope.png}"])
def test_a_box_that_shows_what_is_not_there_is_refused_before_anything_is_set(
    lanterns: Project, shown: str
) -> None:
    edit(
        lanterns.get_cards_dir("lanterns") / "products.yaml",
        "front: {card: amber-brooch}",
        f"front: {shown}",
    )
    with pytest.raises(InputUnreadable, match=r"nope|amber-broch"):
        apply_product(
            lanterns, load_pack(lanterns, "lanterns"), Selection(product="marsh-box")
        )


@pytest.mark.parametrize("copies", ["-1", "many", "2000"])
def test_copies_that_are_none_are_found_at_their_place(
    lanterns: Project, copies: str
) -> None:
    edit(
        lanterns.get_cards_dir("lanterns") / "products.yaml",
        "copies: 3",
        f"copies: {copies}",
    )
    (finding,) = load_pack(lanterns, "lanterns").findings
    assert (finding.location.line, finding.location.column) == (11, 39)
    assert finding.location.path == "products.marsh-box.decks.spirits.cards.1.copies"


def build(project: Project, profile: str) -> BuildResult:
    return build_pack(
        project,
        "lanterns",
        build_options(workers=0, product="marsh-box", profile=profile),
    )


@pytest.mark.slow
def test_an_order_counts_copies_by_deck_and_reports_where_a_deck_is_too_large(
    lanterns: Project,
) -> None:
    presets = lanterns.root / "templates" / "presets"
    presets.mkdir(parents=True)
    (presets / "few.yaml").write_text(
        "id: few\nname: {en: Few}\nbleed: 3\ncolour: {space: rgb}\ncopies: listed\nmost_cards: 4\n",
        encoding="utf-8",
    )
    result = build(lanterns, "shop:few")
    findings = [finding for finding in result.findings if finding.code == "press/parts"]
    assert [finding.location.line for finding in findings] == [8, 13]
    folder = result.files[0].path
    assert folder.name == "lanterns-marsh-box-en-few"
    assert "The Marsh Box (Lanterns of Lowmarsh)" in (
        folder / "manifest.json"
    ).read_text("utf-8")
    cards = json.loads((folder / "manifest.json").read_text("utf-8"))["cards"]
    assert (
        Counter({(card["deck"], card["id"]): card["copies"] for card in cards})[
            "charms", "heron-quill"
        ]
        == 2
    )
    with (folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["copies"]) for row in rows) == 10 == result.files[0].cards
    assert {row["front"] for row in rows} <= {
        path.name for path in folder.glob("*.pdf")
    }
    assert {
        row["front"].split("-63x88-")[-1] for row in rows if row["deck"] == "spirits"
    } == {
        "spirits-part1.pdf",
        "spirits-part2.pdf",
    }


@pytest.mark.slow
def test_sheets_at_home_hold_every_copy(lanterns: Project) -> None:
    file, *boxes = build(lanterns, "home-a4").files
    assert (file.path.name, file.cards) == ("lanterns-marsh-box-en-home-a4.pdf", 10)
    assert [box.path.name for box in boxes] == [
        f"lanterns-marsh-box-en-box-charms.{end}" for end in ("pdf", "svg")
    ]
    with pikepdf.open(boxes[0].path) as pdf:
        (page,) = pdf.pages
        assert [str(layer.Name) for layer in pdf.Root.OCProperties.OCGs] == [
            "Art",
            "Dieline",
        ]
        assert len(page.Resources.XObject) == 1, "a card's front covers one wall"
        trim = [float(edge) / 72 * 25.4 for edge in page.TrimBox]
        wall = pikepdf.PdfImage(
            next(iter(page.Resources.XObject.values()))
        ).as_pil_image()
        top = wall.crop((0, 0, wall.width, round(9 / 25.4 * 300)))
        assert top.getcolors() == [(top.width * top.height, (0x23, 0x30, 0x3A))], (
            "the notch takes nothing of the card"
        )
    wide, high, deep = 44 + 1.8, 63 + 1.8, 5 * 0.32 + 1.8
    assert (trim[2], trim[3]) == pytest.approx(
        (12 + 2 * wide + 2 * deep, high + 2 * deep + 28), abs=0.01
    )
    assert not any(file.changed for file in build(lanterns, "home-a4").files)


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("{card: amber-broch}", "cards/unknown-card"),
        ("{art: box.png}", "cards/unknown-art"),
    ],
)
def test_what_covers_a_box_must_be_there(
    lanterns: Project, named: str, code: str
) -> None:
    file = lanterns.get_cards_dir("lanterns") / "products.yaml"
    edit(file, "{card: amber-brooch}", named)
    (finding,) = check_loaded_pack(load_pack(lanterns, "lanterns"))
    assert (finding.code, finding.location.line) == (code, 17)


def test_a_tuck_box_is_refused_in_a_language_written_from_right_to_left(
    lanterns: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "builder.usecases.build.tuckbox.get_text_direction", lambda _lang: "rtl"
    )
    with pytest.raises(UsageError, match="tuck boxes cannot be printed in en"):
        build_pack(lanterns, "lanterns", build_options(workers=0, product="marsh-box"))
