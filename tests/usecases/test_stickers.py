"""Correction stickers show exactly the changed block of the new card, in true size."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from builder.errata.reader import NoteReader
from builder.findings import Box
from builder.geometry.stickers import MARK_SPACE_MM
from builder.model.pdf import grow_box
from builder.packs.pack_files import PackFiles
from builder.packs.profiles import load_profile
from builder.packs.project import Project
from builder.pdfinfo.pictures import render_pages
from builder.pdfinfo.read import read_pdf
from builder.render.sheets.marks import TextStamp
from builder.units import from_points
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.build.faces import FaceName
from builder.usecases.pack_states import load_named_state, load_two_states
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.stickers import (
    LabelWriter,
    StickerRequest,
    StickerSheet,
    print_stickers,
)
from tests.program import run
from tests.usecases.toy import build_options, bump, edit, toy_project

pytestmark = pytest.mark.slow
FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)
DPI = 600
BLOCKS = (("title fit", "title"), ("price", "price"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The pack released once; the parts of a spirit's front are blocks."""
    project = Project(toy_project(tmp_path))
    front = project.get_templates_dir("lanterns") / "spirit" / "front.html.j2"
    for classes, block in BLOCKS:
        edit(
            front,
            f'<div class="{classes}',
            f'<div data-block="{block}" class="{classes}',
        )
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    )
    assert release_result.frozen, release_result.findings
    return project


def find_card(project: Project, card: str) -> Path:
    return project.get_cards_dir("lanterns") / "spirit" / f"{card}.yaml"


def make_dearer(project: Project) -> None:
    edit(find_card(project, "old-wick"), "cost: 5", "cost: 7")
    bump(project, "old-wick", {"en": "Costs 7.", "de": "Kostet 7."}, SECOND)


def print_sheet(project: Project, **options: object) -> StickerSheet:
    packs = PackFiles(project)
    old, new, findings = load_two_states(packs, "lanterns", "1.0.0", "work")
    assert not findings
    request = StickerRequest(("en",), **options)  # type: ignore[arg-type]
    profile = load_profile(project, "home-letter")
    sheets, _notes = print_stickers(
        project, (old, new), profile, request, WorkerPool(1)
    )
    return sheets[0]


def test_an_untranslated_card_is_named_with_this_reason(project: Project) -> None:
    make_dearer(project)
    translation = project.get_cards_dir("lanterns") / "i18n/de/spirit/old-wick.yaml"
    translation.unlink()
    command = ("release", "stickers", "1.0.0", "--lang", "de", "--only", "old-wick")
    process = run(project.root, *command)
    assert "sie ist nicht auf Deutsch übersetzt" in (process.stdout + process.stderr)
    notes = run(project.root, "release", "notes", "1.0.0", "--lang", "de")
    words = "i18n/missing: old-wick hat Texte, die nicht auf Deutsch"
    assert (notes.returncode, words in notes.stderr) == (0, True), notes.stderr
    assert run(project.root, "release", "notes", "1.0.0", "--lang", "en").stderr == ""


def test_labels_of_cards_with_one_name_have_the_id(project: Project) -> None:
    state = load_named_state(PackFiles(project), "lanterns", "work")[0]
    reader = NoteReader(state, "en")
    face = FaceName("en", "old-wick", "front")
    labels = LabelWriter(reader, "1.1.0", TextStamp())
    assert labels.write_label(face) == ("Old Wick", "1.1.0 · front")
    labels = replace(labels, shared_names=frozenset({"Old Wick"}))
    assert labels.write_label(face) == ("old-wick", "1.1.0 · front")


def find_cut(path: Path) -> Box:
    """Return the rectangle that the cut marks of the only sticker on a sheet frame."""
    boxes = [shape.box for shape in read_pdf(path).pages[0].shapes]
    # The card's own lines begin outside of the paper; the check line lies at its bottom.
    (marks,) = (box for box in boxes if box.x > 0 and box.bottom < 100)
    return grow_box(marks, -MARK_SPACE_MM)


def test_a_sticker_shows_the_block_of_the_new_card(
    project: Project, tmp_path: Path
) -> None:
    make_dearer(project)
    sheet = print_sheet(project)
    (sticker,) = sheet.stickers
    assert (sticker.face, sticker.blocks) == (("en", "old-wick", "front"), ("price",))
    assert not sheet.reasons
    path = tmp_path / "sheet.pdf"
    path.write_bytes(sheet.data)
    (placed,) = sheet.pages[0]
    cut = find_cut(path)
    for measured, expected in (
        (cut.width, sticker.box.width),
        (cut.height, sticker.box.height),
        (cut.x, placed.box.x),
        (cut.y, placed.box.y),
    ):
        assert abs(measured - expected) < 0.1
    # The block on the card itself, as the finished PDF of one card a page shows it.
    result = build_pack(
        project,
        "lanterns",
        build_options(langs=("en",), only=("old-wick",), profile="screen"),
    )
    (card_page, *_back_page) = render_pages(result.files[0].path, DPI)
    (sheet_page,) = render_pages(path, DPI)
    on_card, on_sheet = crop(card_page, sticker.box), crop(sheet_page, placed.box)
    assert on_card.size == on_sheet.size
    grey = ImageChops.difference(on_card, on_sheet).convert("L")
    # Only the edges of letters may differ, because both lie at other parts of a pixel.
    assert sum(grey.histogram()[128:]) < 0.02 * grey.width * grey.height
    blank = Image.new("RGB", on_card.size, on_card.getpixel((0, 0)))
    assert ImageChops.difference(on_card, blank).getbbox() is not None


def crop(picture: Image.Image, box: Box) -> Image.Image:
    scale = DPI / 25.4
    x, y = round(box.x * scale), round(box.y * scale)
    return picture.crop(
        (x, y, x + round(box.width * scale), y + round(box.height * scale))
    )


def test_a_sticker_covers_the_old_and_the_new_place_of_a_block(
    project: Project,
) -> None:
    edit(find_card(project, "old-wick"), "name: Old Wick", "name: Very Old Wick")
    bump(project, "old-wick", {"en": "Named anew.", "de": "Neuer Name."}, SECOND)
    longer = print_sheet(project).stickers[0]
    edit(find_card(project, "old-wick"), "name: Very Old Wick", "name: Old")
    shorter = print_sheet(project).stickers[0]
    assert longer.blocks == shorter.blocks == ("title",)
    assert longer.box.x == shorter.box.x
    assert longer.box.width > shorter.box.width > 15


def test_cards_that_need_more_than_stickers_are_listed(project: Project) -> None:
    edit(find_card(project, "dusk-moth"), "lumen: 1", "lumen: 2")
    bump(project, "dusk-moth", {"en": "Brighter.", "de": "Heller."}, SECOND)
    process = run(
        project.root, "release", "stickers", "1.0.0", "--lang", "en", "--output", "out"
    )
    assert process.returncode == 0, process.stderr
    assert "0 stickers" in process.stdout
    assert (
        "dusk-moth [en]: no sticker, because it changed outside of its blocks"
        in process.stderr
    )
    assert "squadpress build lanterns --only 'dusk-moth'" in process.stdout
    (file,) = (project.root / "out").iterdir()
    text = "".join(text.text for text in read_pdf(file).pages[-1].texts)
    assert "Dusk" in text


def test_a_picture_and_a_template_need_a_new_card(project: Project) -> None:
    css = project.get_templates_dir("lanterns") / "charm" / "card.css"
    css.write_text(css.read_text("utf-8") + ".face { background: #123456; }\n", "utf-8")
    reasons = {
        card: str(reason) for card, reason in print_sheet(project).reasons.items()
    }
    assert set(reasons.values()) == {"its template changed"}


def test_a_collection_or_a_squad_gets_a_sticker_for_each_copy(project: Project) -> None:
    make_dearer(project)
    assert len(print_sheet(project, copies={"old-wick": 3}).stickers) == 3
    assert not print_sheet(project, copies={"dusk-moth": 2}).data
    collection_file = project.root / "own.yaml"
    collection_file.write_text(
        "pack: lanterns\nowned: {old-wick: 2, dusk-moth: 1}\n", "utf-8"
    )
    process = run(
        project.root,
        "release",
        "stickers",
        "1.0.0",
        "--lang",
        "en",
        "--own",
        str(collection_file),
    )
    assert "lanterns-en-stickers-1.0.0-work.pdf: 2 stickers" in process.stdout
    roster = project.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    process = run(
        project.root,
        "release",
        "stickers",
        "1.0.0",
        "--lang",
        "en",
        "--roster",
        str(roster),
    )
    assert process.returncode == 0, process.stderr
    assert (
        run(
            project.root,
            "release",
            "stickers",
            "1.0.0",
            "--own",
            str(collection_file),
            "--roster",
            str(roster),
        ).returncode
        == 2
    )


def test_nothing_changed_prints_nothing(project: Project) -> None:
    assert not print_sheet(project).data
    assert from_points(72) == 25.4
