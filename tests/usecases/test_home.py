"""Printing at home as a publisher does it: a printer measured, backs moved, sheets tailored."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from builder.errors import InputUnreadable, UsageError
from builder.findings import Box
from builder.model.pdf import Page
from builder.model.profile import Paper, Profile
from builder.packs.profiles import find_printer, load_printers, store_printer
from builder.packs.project import Project, find_settings_folder
from builder.pdfinfo.read import read_pdf
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult, HomeOptions
from builder.usecases.build.home import (
    adapt_profile,
    measure_misprint,
    save_printer,
    write_calibration,
)
from tests.usecases.toy import build_options, toy_project

PLAIN_PROFILE = Profile(id="home", name={}, paper=Paper(width=210, height=297))


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def lanterns(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path / "project"))


def build(project: Project, **home: object) -> BuildResult:
    options = build_options(workers=0, langs=("en",), home=HomeOptions(**home))  # type: ignore[arg-type]
    return build_pack(project, "lanterns", options)


def test_a_printer_is_remembered_changed_and_forgotten() -> None:
    save_printer("kitchen", (0.5, -1), None)
    save_printer("kitchen", None, 0.2)
    assert find_printer("kitchen").back_offset == (0.5, -1)
    assert find_printer("kitchen").back_rotation == 0.2
    store_printer("kitchen", None)
    assert not load_printers().printers


def test_what_no_printer_is_is_refused() -> None:
    with pytest.raises(UsageError):
        find_printer("nobody")
    with pytest.raises(UsageError):
        save_printer("kitchen", (90, 0), None)
    with pytest.raises(UsageError):
        save_printer("My Printer!", (1, 0), None)


def test_broken_settings_are_named() -> None:
    find_settings_folder().mkdir(parents=True)
    (find_settings_folder() / "printers.json").write_text("{")
    with pytest.raises(InputUnreadable, match=r"printers\.json"):
        load_printers()


def test_two_readings_give_offset_and_rotation() -> None:
    assert measure_misprint((0.5, -1), (0.5, -1), 130) == ((0.5, -1), 0)
    offset, rotation = measure_misprint((0, -1), (0, 1), 130)
    assert offset == (0, 0)
    assert rotation == pytest.approx(math.degrees(math.atan(2 / 130)), abs=0.001)


def middle(path: Path) -> tuple[float, float]:
    """Between the middles of the two rulers of the back."""
    lines = [shape.extent for shape in read_pdf(path).pages[1].shapes]
    return (
        sum(box.x + box.width / 2 for box in lines) / len(lines),
        sum(box.y + box.height / 2 for box in lines) / len(lines),
    )


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_calibration_sheets_back_moves_as_the_printer_says(
    tmp_path: Path, paper: str
) -> None:
    save_printer("kitchen", (1.5, -2), None)
    write_calibration(paper, None, tmp_path / "plain.pdf", "en")
    write_calibration(paper, "kitchen", tmp_path / "moved.pdf", "en")
    plain_middle, moved_middle = (
        middle(tmp_path / "plain.pdf"),
        middle(tmp_path / "moved.pdf"),
    )
    assert moved_middle == pytest.approx(
        (plain_middle[0] + 1.5, plain_middle[1] - 2), abs=0.02
    )
    assert len(read_pdf(tmp_path / "plain.pdf").pages) == 2


@pytest.mark.slow
def test_backs_are_moved_and_fronts_are_not(lanterns: Project) -> None:
    save_printer("kitchen", (2, 1), None)
    sheets = [
        read_pdf(build(lanterns, **home).files[0].path)
        for home in ({}, {"printer": "kitchen"})
    ]
    for page, shift in ((0, (0, 0)), (1, (2, 1))):
        first, second = (next(iter(sheet.pages[page].texts)).box for sheet in sheets)
        assert (second.x - first.x, second.y - first.y) == pytest.approx(
            shift, abs=0.02
        )


def faces(page: Page) -> list[Box]:
    """Where the cards of a sheet lie: what each face is clipped to."""
    boxes_by_face = {
        (round(clip.x, 2), round(clip.y, 2)): clip
        for item in page.items
        if (clip := item.look.clip)
    }
    sides = {box: sorted((box.width, box.height)) for box in boxes_by_face.values()}
    return [
        box
        for box, (short, long) in sides.items()
        if 62 < short < 65 and 87 < long < 90
    ]


def mirror_box(box: Box, page: Page, edge: str) -> Box:
    """A position on the back as seen from the front, turned over the long or short edge."""
    across = (edge == "long-edge") == (page.media.width < page.media.height)
    if across:
        return Box(page.media.width - box.x - box.width, box.y, box.width, box.height)
    return Box(box.x, page.media.height - box.y - box.height, box.width, box.height)


def middles(boxes: list[Box]) -> list[tuple[float, float]]:
    return sorted(
        (round(box.x + box.width / 2, 2), round(box.y + box.height / 2, 2))
        for box in boxes
    )


@pytest.mark.slow
@pytest.mark.parametrize("edge", ["long-edge", "short-edge"])
@pytest.mark.parametrize("grid", [(3, 2), (4, 2)], ids=["upright", "lying"])
@pytest.mark.parametrize("rotation", [0.0, 1.0])
def test_each_back_lies_behind_its_front_where_the_printer_errs_as_was_measured(
    lanterns: Project, edge: str, grid: tuple[int, int], rotation: float
) -> None:
    """The printer moves each back by the opposite of the measured offset, on the paper."""
    save_printer("kitchen", (2.0, -1.0), rotation)
    result = build(lanterns, grid=grid, duplex=edge, printer="kitchen")
    front, back_page = read_pdf(result.files[0].path).pages[:2]
    assert front.media.width < front.media.height
    sign = (
        1 if edge == "long-edge" else -1
    )  # measured over the long edge; over the other the back stands on its head
    middle = (back_page.media.width / 2, back_page.media.height / 2)
    angle = math.radians(-rotation)
    printed = []
    for box in faces(back_page):
        x, y = (
            box.x + box.width / 2 - sign * 2.0 - middle[0],
            box.y + box.height / 2 + sign * 1.0 - middle[1],
        )
        x, y = (
            x * math.cos(angle) - y * math.sin(angle),
            x * math.sin(angle) + y * math.cos(angle),
        )
        printed.append(Box(x + middle[0], y + middle[1], 0, 0))
    seen = middles([mirror_box(box, back_page, edge) for box in printed])
    assert seen
    for spot in seen:
        assert min(math.dist(spot, middle) for middle in middles(faces(front))) < 0.05


@pytest.mark.slow
def test_the_cut_file_of_a_lying_sheet_lies_as_the_sheet_is_printed(
    lanterns: Project,
) -> None:
    save_printer("kitchen", (2.0, -1.0), None)
    result = build(lanterns, grid=(4, 2), printer="kitchen", cut=("svg",))
    page = read_pdf(result.files[0].path).pages[0]
    text = next(
        file.path for file in result.files if "63x88-cut" in file.path.name
    ).read_text("utf-8")
    assert 'viewBox="0 0 210 297"' in text
    cut = [
        tuple(map(float, numbers))
        for numbers in re.findall(r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', text)
    ]
    for box in faces(page):
        assert (
            min(math.dist((box.x, box.y, box.width), cut_line) for cut_line in cut)
            < 0.05
        )


def test_what_was_measured_over_one_edge_is_the_opposite_over_the_other() -> None:
    save_printer("kitchen", (2.0, -1.0), 0.5)
    long, short = (
        adapt_profile(PLAIN_PROFILE, HomeOptions(printer="kitchen", duplex=edge))
        for edge in ("long-edge", "short-edge")
    )
    assert (long.back_shift, short.back_shift) == ((2.0, -1.0), (-2.0, 1.0))
    assert long.back_turn == short.back_turn == 0.5
    save_printer("kitchen", None, None, "short-edge")
    assert adapt_profile(
        PLAIN_PROFILE, HomeOptions(printer="kitchen", duplex="short-edge")
    ).back_shift == (
        2.0,
        -1.0,
    )


@pytest.mark.slow
def test_cut_lines_lie_beside_the_sheets(lanterns: Project) -> None:
    result = build(lanterns, cut=("svg", "dxf"))
    names = {file.path.name for file in result.files}
    assert {
        "lanterns-en-home-a4-63x88-cut.svg",
        "lanterns-en-home-a4-63x88-cut.dxf",
    } <= names
    assert not build(lanterns, cut=("svg",)).files[1].changed


@pytest.mark.slow
def test_folded_sheets_have_no_backs(lanterns: Project) -> None:
    assert len(read_pdf(build(lanterns, fold=True).files[0].path).pages) == 2
    assert len(read_pdf(build(lanterns).files[0].path).pages) == 4


@pytest.mark.slow
def test_a_profile_without_sheets_cannot_be_tailored(lanterns: Project) -> None:
    options = build_options(
        workers=0, langs=("en",), profile="screen", home=HomeOptions(gap=3)
    )
    with pytest.raises(UsageError):
        build_pack(lanterns, "lanterns", options)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["crosses", "outline"])
def test_marks_on_cards_have_a_white_edge_and_marks_beside_them_none(
    lanterns: Project, style: str
) -> None:
    def strokes(marks: str) -> list[tuple[float, bool]]:
        page = read_pdf(build(lanterns, marks=marks).files[0].path).pages[0]
        shapes = [
            shape
            for shape in page.shapes
            if shape.stroke is not None and shape.look.form == 0
        ]
        return [
            (round(shape.width, 2), shape.stroke.values in ((1,), (1.0,)))
            for shape in shapes
            if shape.stroke
        ]

    mark_strokes = strokes(style)
    assert {(0.4, True), (0.1, False)} == set(mark_strokes)
    first = mark_strokes.index((0.4, True))
    assert (0.1, False) in mark_strokes[first:]
    assert (0.4, True) not in strokes("ticks")


@pytest.mark.slow
def test_round_cards_are_clipped_and_outer_bleed_ends_between_cards(
    lanterns: Project,
) -> None:
    manifest = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    text = manifest.read_text("utf-8")
    built = build(lanterns, outer_bleed=True, marks="off")
    sheet = read_pdf(built.files[0].path).pages[0]
    clips = {
        tuple(round(edge, 1) for edge in (clip.width, clip.height))
        for i in sheet.items
        if (clip := i.look.clip)
    }
    assert (66.0, 91.0) in clips, "bleed on the two outer sides of a corner's card"
    manifest.write_text(
        text.replace(
            "{width: 44, height: 63}", "{width: 63, height: 63, shape: round}"
        ),
        "utf-8",
    )
    result = build(lanterns, cut=("svg",))
    codes = {finding.code for finding in result.findings}
    assert "render/cut-off" in codes, "what stands in the corners is cut off"
