"""Cards that do not fit are drafts with marked faults and never reach a good file."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

import pypdfium2
import pytest

from builder.findings import Box, Location, Severity
from builder.geometry.boxes import FaceBoxes
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render import render_codes
from builder.render.cache import DRAFTS, FaceCache
from builder.render.drafts import can_be_drawn, list_faults
from builder.render.sheets.record import CachedSides
from builder.usecases.build.build_options import BuildResult, Selection, WorkerPool
from builder.usecases.build.pictures import PictureOptions
from builder.usecases.build.screens import build_screens
from builder.usecases.release.new import ReleaseRequest, make_release
from tests.hostile.attacks import call
from tests.render.conftest import Build
from tests.usecases.toy import bump, edit

RELEASE_DAY = date(2026, 4, 1)
RED = (217, 0, 26)
LONG = "A text that is far too long for its box. " * 40


def add_long_text(project: Project) -> Path:
    """Give a card a text that does not fit at any size."""
    path = project.get_cards_dir("lanterns") / "charm" / "heron-quill.yaml"
    edit(path, "Subtract 1 from", f"{LONG}Subtract 1 from")
    return path


def name_files(result: BuildResult) -> list[str]:
    return sorted(file.path.name for file in result.files)


def count_red_pixels(path: Path) -> int:
    """Return how many pixels of a PDF have the colour of the frames."""
    count = 0
    for page in pypdfium2.PdfDocument(path):
        picture = page.render(scale=2).to_pil().convert("RGB")
        colours = picture.getcolors(maxcolors=1 << 24) or []
        count += sum(number for number, colour in colours if near(colour))
    return count


def near(colour: object) -> bool:
    assert isinstance(colour, tuple)
    return all(
        abs(part - wanted) <= 2 for part, wanted in zip(colour, RED, strict=True)
    )


def test_a_text_that_does_not_fit_is_drawn_in_a_red_frame(
    lanterns: Project, build: Build
) -> None:
    (good,) = build(lanterns, langs=("en",)).files
    bytes_before = good.path.read_bytes()
    assert count_red_pixels(good.path) == 0
    add_long_text(lanterns)
    result = build(lanterns, langs=("en",))
    assert [
        finding.code
        for finding in result.findings
        if finding.severity is Severity.ERROR
    ] == ["render/overflow"]
    (draft,) = result.files
    assert draft.draft
    assert draft.path.name == good.path.name.replace(".pdf", "-draft.pdf")
    assert draft.cards == good.cards
    assert count_red_pixels(draft.path) > 1000
    assert good.path.read_bytes() == bytes_before


def test_a_second_draft_renders_nothing_and_is_the_same(
    lanterns: Project, build: Build
) -> None:
    add_long_text(lanterns)
    (draft,) = build(lanterns, langs=("en",)).files
    bytes_before = draft.path.read_bytes()
    again = build(lanterns, langs=("en",))
    assert again.rendered_count == 0
    assert again.files[0].path.read_bytes() == bytes_before


def test_sheets_of_good_builds_and_drafts_come_from_the_cache(
    lanterns: Project, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    results: list[bool] = []
    load_sides = FaceCache.load_sides

    def record_result(cache: FaceCache, key: str) -> CachedSides | None:
        sides = load_sides(cache, key)
        results.append(sides is not None)
        return sides

    monkeypatch.setattr(FaceCache, "load_sides", record_result)
    add_long_text(lanterns)
    for is_draft in (True, False):
        if not is_draft:
            path = lanterns.get_cards_dir("lanterns") / "charm" / "heron-quill.yaml"
            path.write_text(path.read_text("utf-8").replace(LONG, ""), "utf-8")
        (file,) = build(lanterns, langs=("en",)).files
        bytes_before = file.path.read_bytes()
        file.path.unlink()
        results.clear()
        (again,) = build(lanterns, langs=("en",)).files
        assert (again.draft, again.path.read_bytes()) == (is_draft, bytes_before)
        assert results
        assert all(results)


def test_a_good_build_removes_its_draft(lanterns: Project, build: Build) -> None:
    path = lanterns.get_cards_dir("lanterns") / "charm" / "heron-quill.yaml"
    text = path.read_text("utf-8")
    add_long_text(lanterns)
    (draft,) = build(lanterns, langs=("en",)).files
    path.write_text(text, "utf-8")
    result = build(lanterns, langs=("en",))
    assert result.removed == (draft.path,)
    assert not draft.path.exists()
    assert "draft" not in "".join(name_files(result))


def test_a_draft_that_somebody_changed_stays(lanterns: Project, build: Build) -> None:
    path = lanterns.get_cards_dir("lanterns") / "charm" / "heron-quill.yaml"
    text = path.read_text("utf-8")
    add_long_text(lanterns)
    (draft,) = build(lanterns, langs=("en",)).files
    draft.path.write_bytes(b"mine")
    path.write_text(text, "utf-8")
    assert build(lanterns, langs=("en",)).removed == ()
    assert draft.path.read_bytes() == b"mine"


def test_strict_writes_no_draft(lanterns: Project, build: Build) -> None:
    add_long_text(lanterns)
    result = build(lanterns, langs=("en",), strict=True)
    assert result.files == ()
    assert result.findings


def test_a_missing_picture_is_drawn(lanterns: Project, build: Build) -> None:
    template = lanterns.get_templates_dir("lanterns") / "charm" / "front.html.j2"
    template.write_text(
        template.read_text("utf-8") + '<img src="art/gone.png">', "utf-8"
    )
    (draft,) = build(lanterns, langs=("en",)).files
    assert draft.draft
    assert count_red_pixels(draft.path) > 1000


def test_the_place_of_a_missing_picture_is_framed(
    lanterns: Project, build: Build
) -> None:
    template = lanterns.get_templates_dir("lanterns") / "charm" / "front.html.j2"
    window = "position: absolute; left: 10mm; top: 20mm; width: 25mm; height: 30mm"
    picture = (
        '<img src="art/gone.png" style="width: 100%; height: 100%; object-fit: cover">'
    )
    text = template.read_text("utf-8")
    template.write_text(f'{text}<div style="{window}">{picture}</div>', "utf-8")
    for _run in range(2):  # the second one reads the draft from the cache
        result = build(lanterns, langs=("en",))
        missing = [
            item for item in result.findings if item.code == render_codes.MISSING.code
        ]
        assert {item.message.partition(": ")[2] for item in missing} == {
            "the pack has no file art/gone.png"
        }
        for item in missing:
            box = item.location.box
            assert box is not None
            edges = (box.x, box.y, box.width, box.height)
            assert edges == pytest.approx((10, 20, 25, 30), abs=0.01)


def test_a_text_that_fills_several_pages_is_drawn(
    lanterns: Project, build: Build
) -> None:
    path = lanterns.get_cards_dir("lanterns") / "charm" / "heron-quill.yaml"
    edit(path, "Subtract 1 from", f"{LONG * 10}Subtract 1 from")
    result = build(lanterns, langs=("en",))
    errors = {item.code for item in result.findings if item.severity is Severity.ERROR}
    assert errors <= {render_codes.PAGES.code, render_codes.OVERFLOW.code}
    (draft,) = result.files
    assert (draft.draft, draft.cards) == (True, 7)
    assert count_red_pixels(draft.path) > 1000


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING])
def test_a_contrast_that_is_an_error_makes_a_draft(
    severity: Severity, lanterns: Project, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        render_codes, "CONTRAST", replace(render_codes.CONTRAST, severity=severity)
    )
    style = lanterns.get_templates_dir("lanterns") / "pack.css"
    style.write_text(
        style.read_text("utf-8")
        + ".face .fit-effect, .face .fit-effect * { color: #eeeeee }\n",
        "utf-8",
    )
    result = build(lanterns, langs=("en",))
    assert render_codes.CONTRAST.code in {item.code for item in result.findings}
    (file,) = result.files
    assert (file.draft, file.cards) == (severity is Severity.ERROR, 7)
    assert (count_red_pixels(file.path) > 1000) == file.draft


def test_a_broken_template_is_not_drawn(lanterns: Project, build: Build) -> None:
    template = lanterns.get_templates_dir("lanterns") / "charm" / "front.html.j2"
    template.write_text("{{ card.nothing }}", "utf-8")
    assert build(lanterns, langs=("en",)).files == ()


def test_a_card_that_cannot_be_drawn_is_left_out_of_the_draft(
    lanterns: Project, build: Build
) -> None:
    template = lanterns.get_templates_dir("lanterns") / "spirit" / "back.html.j2"
    template.write_text("{{ card.nothing }}", "utf-8")
    add_long_text(lanterns)
    (draft,) = build(lanterns, langs=("en",)).files
    assert draft.draft
    assert draft.cards == 4  # of 7, 3 are spirits


def test_unreadable_data_is_not_drawn(lanterns: Project, build: Build) -> None:
    path = add_long_text(lanterns)
    edit(path, "cost: 1", "cost: many")
    assert build(lanterns, langs=("en",)).files == ()


def test_a_squad_and_pictures_are_drawn_as_drafts(
    lanterns: Project, build: Build
) -> None:
    add_long_text(lanterns)
    roster = lanterns.get_cards_dir("lanterns") / "rosters" / "dim-quill.yaml"
    result = build(lanterns, langs=("en",), roster=roster)
    assert name_files(result) == ["dim-quill-en-home-a4-draft.pdf"]
    pictures = build_screens(
        lanterns,
        "lanterns",
        Selection(langs=("en",)),
        PictureOptions("gallery"),
        WorkerPool(0),
    )
    assert name_files(pictures) == ["lanterns-en-gallery-draft"]
    assert (pictures.files[0].path / "index.html").is_file()
    strict = PictureOptions("gallery", strict=True)
    refused = build_screens(
        lanterns, "lanterns", Selection(langs=("en",)), strict, WorkerPool(0)
    )
    assert refused.files == ()


def test_no_good_face_comes_from_a_draft(lanterns: Project, build: Build) -> None:
    add_long_text(lanterns)
    build(lanterns, langs=("en",))
    with sqlite3.connect(lanterns.cache_dir / "cache.db") as database:
        rows = database.execute(
            "SELECT key FROM entries WHERE area = ?", (DRAFTS,)
        ).fetchall()
    keys = [key.decode() for (key,) in rows]
    assert len(keys) == 2  # the face, and the face with its fault marked
    assert len(FaceCache(lanterns.cache_dir, DRAFTS).load_facts(keys)) == 2
    assert FaceCache(lanterns.cache_dir).load_facts(keys) == {}
    result = build(lanterns, langs=("en",), strict=True)
    assert (result.files, result.rendered_count) == ((), 1)


BOXES = FaceBoxes(Box(0, 0, 50, 70), Box(3, 3, 44, 64), Box(6, 6, 38, 58))


def test_only_faults_of_layout_can_be_drawn() -> None:
    box = Location(box=Box(5, 5, 10, 10))
    overflow = render_codes.OVERFLOW.finding("too long", box)
    glyph = render_codes.GLYPH.finding("no letter")
    warning = render_codes.UNSAFE.finding("near the edge", box)
    assert can_be_drawn([overflow, warning])
    assert not can_be_drawn([overflow, glyph])
    faults = list_faults(
        [overflow, warning, render_codes.MISSING.finding("no file")], BOXES, "en"
    )
    assert [(fault.text, fault.box) for fault in faults] == [
        ("too long", Box(5, 5, 10, 10)),
        ("no file", BOXES.trim),
    ]


def test_a_build_of_drafts_says_what_it_did_not_write(lanterns: Project) -> None:
    command = (
        "build",
        "lanterns",
        "--product",
        "marsh-box",
        "--cut",
        "dxf",
        "--lang",
        "en",
    )
    code, output = call(lanterns.root, *command)
    assert code == 0, output
    folder = lanterns.get_output_dir("lanterns")
    names = {path.name for path in folder.iterdir()}
    add_long_text(lanterns)
    code, output = call(lanterns.root, *command)
    assert code == 1
    assert "lanterns: only drafts were written, because there are errors" in output
    assert (
        "lanterns: not written next to drafts: files for the cutting machine" in output
    )
    assert "lanterns: not written next to drafts: tuck boxes" in output
    assert "not written next to drafts: gauges" not in output  # the pack has none
    old_name = "lanterns-marsh-box-en-home-a4.pdf: not written again, it is from an earlier build"
    assert old_name in output
    new_names = {path.name for path in folder.iterdir()} - names
    assert new_names == {"lanterns-marsh-box-en-home-a4-draft.pdf"}


def test_pictures_of_drafts_name_the_older_folder(lanterns: Project) -> None:
    command = ("screens", "lanterns", "--lang", "en")
    assert call(lanterns.root, *command)[0] == 0
    add_long_text(lanterns)
    code, output = call(lanterns.root, *command)
    assert code == 1
    assert re.search(
        r"lanterns-en-\w+: not written again, it is from an earlier build", output
    )


def test_changed_cards_are_drawn_as_drafts(lanterns: Project) -> None:
    made = make_release(
        PackFiles(lanterns),
        "lanterns",
        ReleaseRequest("1.0.0", RELEASE_DAY, RELEASE_DAY),
    )
    assert made.frozen, made.findings
    add_long_text(lanterns)
    bump(lanterns, "heron-quill", {"en": "Longer.", "de": "Länger."}, date(2026, 6, 1))
    command = ("build", "lanterns", "--changed-since", "1.0.0", "--lang", "en")
    code, output = call(lanterns.root, *command)
    assert code == 1, output
    assert "render/overflow" in output
    assert "draft, 1 card on" in output
    (draft,) = lanterns.get_output_dir("lanterns").glob("*.pdf")
    assert draft.stem.endswith("-draft")
    assert count_red_pixels(draft) > 500
    assert call(lanterns.root, *command, "--strict")[0] == 1


@pytest.mark.parametrize("options", [(), ("--pictures",)])
def test_a_release_refuses_cards_that_do_not_fit(
    options: tuple[str, ...], lanterns: Project
) -> None:
    style = lanterns.get_templates_dir("lanterns") / "charm/card.css"
    low_box = ".kind-charm .text { height: 2mm }"
    style.write_text(f"{style.read_text('utf-8')}{low_box}\n", "utf-8")
    command = ("release", "new", "1.0.0", "--effective", "2027-01-01", *options)
    code, output = call(lanterns.root, *command)
    assert code == 1, output
    assert "block 'effect' is too large" in output
    releases = lanterns.get_cards_dir("lanterns") / "releases"
    assert not releases.exists()
    code, output = call(lanterns.root, *command, "--draft")
    assert code == 1, output
    assert "block 'effect' is too large" in output
    assert (releases / ".drafts" / "1.0.0").is_dir()
    code, output = call(lanterns.root, *command[:3], "--from-draft")
    assert code == 1, output
    assert not (releases / "1.0.0").exists()


def test_a_squad_with_a_card_that_does_not_fit_is_a_draft(lanterns: Project) -> None:
    add_long_text(lanterns)
    roster = lanterns.get_cards_dir("lanterns") / "rosters" / "dim-quill.yaml"
    command = ("build", "--roster", roster, "--lang", "en")
    code, output = call(lanterns.root, *command)
    assert code == 1, output
    assert "dim-quill-en-home-a4-draft.pdf: draft, " in output
    assert "lanterns: only drafts were written, because there are errors" in output
    (draft,) = lanterns.get_output_dir("lanterns").glob("*.pdf")
    assert count_red_pixels(draft) > 1000
