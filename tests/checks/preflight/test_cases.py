"""Every code of preflight has a file that gives it at its place, and a file that does not."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

from builder.checks.preflight.job import PreflightJob, check_page_batches
from builder.checks.registry import list_checks, run_checks
from builder.findings import Box, Finding
from builder.model.pdf import InkLimitViolations, InkSpot, Pdf, PdfText
from builder.model.shop import Preset
from builder.pdfinfo.read import read_in_portions, read_pdf
from tests.checks.preflight.cases import (
    CASES,
    FLAT,
    OPAQUE,
    PICTURE,
    Case,
    group,
    make_boxed_file,
    make_drawing,
    make_preset,
)
from tests.checks.preflight.make import GROUND, TEXT, File, Sheet, picture, write
from tests.messages.speech import speaks_russian

ELSEWHERE = {"ink", "ink-unmeasured", "encrypted", "one-back", "fronts-for-backs"}
"""Codes with tests of their own: what they judge is not in a page's objects."""


def find_code(path: Path, file: File, shop: Preset, code: str = "") -> list[Finding]:
    findings = check_page_batches([read_pdf(write(path / "a.pdf", file))], shop)[0]
    return [
        finding
        for finding in findings
        if finding.code == f"preflight/{code}" or not code
    ]


def shop(case: Case) -> Preset:
    return make_preset(**(case.shop or {}))


def test_a_sound_file_is_clean(tmp_path: Path) -> None:
    assert find_code(tmp_path, File(), make_preset()) == []


@pytest.mark.parametrize("code", sorted(CASES))
def test_the_spoilt_file_gives_it_at_its_place(code: str, tmp_path: Path) -> None:
    case = CASES[code]
    first = find_code(tmp_path, case.bad, shop(case), code)[0]
    assert first.location.page == case.page
    assert speaks_russian(first), first.translate("ru")
    if case.where:
        box = first.location.box
        assert box is not None
        assert (box.x, box.y, box.width, box.height) == pytest.approx(
            case.where, abs=0.05
        )


@pytest.mark.parametrize("code", sorted(CASES))
def test_the_sound_file_does_not(code: str, tmp_path: Path) -> None:
    case = CASES[code]
    judge_by = shop(case) if case.sound_shop is None else make_preset(**case.sound_shop)
    assert find_code(tmp_path, case.good, judge_by, code) == []


def test_every_code_has_a_case() -> None:
    codes = {code.code for check in list_checks("preflight") for code in check.codes}
    assert codes == {f"preflight/{name}" for name in {*CASES, *ELSEWHERE}}


@pytest.mark.parametrize(
    ("code", "bad", "severity"),
    [
        ("low-resolution", make_drawing(PICTURE, resources=picture(100)), "error"),
        ("low-resolution", make_drawing(PICTURE, resources=picture(200)), "warning"),
        (
            "art-ends-at-cut",
            File((Sheet(f"0.1 0.2 0 0 k 3 3 63 88 re f {TEXT}"), Sheet())),
            "error",
        ),
        (
            "art-ends-at-cut",
            File((Sheet("0.2 0 0 0 k 3 40 63 20 re f"), Sheet())),
            "warning",
        ),
        ("output-intent", File(intent=None, standard=""), "error"),
        ("output-intent", File(intent="SWOP 2006"), "warning"),
    ],
)
def test_the_same_mistake_is_as_bad_as_it_is_large(
    code: str, bad: File, severity: str, tmp_path: Path
) -> None:
    assert {
        finding.severity.value
        for finding in find_code(tmp_path, bad, make_preset(), code)
    } == {severity}


@pytest.mark.parametrize(
    ("code", "space", "shop"),
    [
        ("rgb", "DeviceRGB", make_preset()),
        ("transparency", "DeviceCMYK", make_preset(**OPAQUE)),
    ],
)
def test_a_group_is_reported_like_what_it_would_hold(
    code: str, space: str, shop: Preset, tmp_path: Path
) -> None:
    grouped = replace(FLAT, sheets=make_boxed_file(keys={"Group": group(space)}).sheets)
    assert [
        finding.location.page for finding in find_code(tmp_path, grouped, shop, code)
    ] == [1, 2]
    assert find_code(tmp_path, FLAT, shop, code) == []


@pytest.mark.parametrize("code", sorted(CASES))
def test_page_by_page_a_file_is_checked_as_it_is_at_once(
    code: str, tmp_path: Path
) -> None:
    case = CASES[code]
    pdf = read_pdf(write(tmp_path / "a.pdf", case.bad))
    single_pages = [replace(pdf, pages=(page,)) for page in pdf.pages] or [pdf]
    assert check_page_batches(single_pages, shop(case)) == check_page_batches(
        [pdf], shop(case)
    )


@pytest.mark.parametrize("code", sorted(CASES))
def test_pages_in_brief_tell_as_much_of_the_whole_file(
    code: str, tmp_path: Path
) -> None:
    case = CASES[code]
    pdf = read_pdf(write(tmp_path / "a.pdf", case.bad))
    brief = replace(pdf, pages=tuple(page.brief for page in pdf.pages))
    inks = InkLimitViolations((InkSpot(1, Box(10, 10, 20, 5), 340),))
    assert run_checks("preflight", PreflightJob(brief, shop(case), inks)) == run_checks(
        "preflight", PreflightJob(pdf, shop(case), inks)
    )


def collect_pages(parts: Iterable[Pdf]) -> Iterator[Pdf]:
    """Each part with no garbage of those before.

    When that is collected depends on all that was loaded.
    """
    for part in parts:
        gc.collect()
        yield part


def test_a_file_of_many_pages_takes_up_hardly_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.pdfinfo.read.PAGES_PER_PORTION", 4)

    def peak(pages: int) -> int:
        sheets = (
            Sheet(f"% {page}\n" + f"{GROUND} 0 0 0 1 k 20 20 5 5 re f " * 12)
            for page in range(pages)
        )
        path = write(tmp_path / "a.pdf", File(tuple(sheets)))
        tracemalloc.start()
        check_page_batches(collect_pages(read_in_portions(path)), make_preset())
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak_bytes

    peak(2)  # what is loaded once
    assert (
        peak(40) - peak(20) < 20 * 10_000
    )  # a page in brief takes up 3 kB here, a whole one 25


def test_a_locked_file_is_named(tmp_path: Path) -> None:
    open_file = write(tmp_path / "plain.pdf", File())
    with pikepdf.open(open_file) as pdf:
        pdf.save(
            tmp_path / "locked.pdf",
            encryption=pikepdf.Encryption(owner="owner", user=""),
        )
    codes = [
        finding.code
        for finding in check_page_batches(
            [read_pdf(tmp_path / "locked.pdf")], make_preset()
        )[0]
    ]
    assert "preflight/encrypted" in codes
    assert "preflight/encrypted" not in [
        finding.code
        for finding in check_page_batches([read_pdf(open_file)], make_preset())[0]
    ]


def test_ink_is_checked_where_it_was_measured(tmp_path: Path) -> None:
    pdf = read_pdf(write(tmp_path / "a.pdf", File()))
    spot = InkSpot(2, Box(10, 10, 20, 5), 340)
    (finding,) = check_page_batches(
        [pdf], make_preset(), lambda _job: InkLimitViolations((spot,))
    )[0]
    assert (finding.code, finding.location.page, finding.location.box) == (
        "preflight/ink",
        2,
        spot.box,
    )
    assert (
        check_page_batches([pdf], make_preset(), lambda _job: InkLimitViolations())[0]
        == ()
    )
    (unseen,) = check_page_batches(
        [pdf], make_preset(), lambda _job: InkLimitViolations(missing="no such program")
    )[0]
    assert unseen.code == "preflight/ink-unmeasured"
    assert "no such program" in unseen.message


def test_many_of_a_sort_on_one_page_are_counted_not_listed(tmp_path: Path) -> None:
    from tests.checks.preflight.cases import make_drawing

    lines = " ".join(f"10 {10 + number} m 30 {10 + number} l S" for number in range(8))
    findings = find_code(
        tmp_path, make_drawing(f"0 0 0 1 K 0.05 w {lines}"), make_preset(), "thin-line"
    )
    assert len(findings) == 3
    assert "and 5 more" in findings[-1].message


def test_a_picture_is_named_by_its_colour_space_and_by_no_one_colour(
    tmp_path: Path,
) -> None:
    from tests.checks.preflight.cases import PICTURE, make_drawing
    from tests.checks.preflight.make import picture

    (finding,) = find_code(
        tmp_path,
        make_drawing(PICTURE, resources=picture(240, "DeviceRGB")),
        make_preset(),
        "rgb",
    )
    assert finding.message == "image in DeviceRGB"


def test_a_border_filled_all_at_once_is_a_line_as_well(tmp_path: Path) -> None:
    from tests.checks.preflight.cases import make_drawing

    sides = "10 10 30 0.05 re 10 10 30 0 re"
    assert (
        len(
            find_code(
                tmp_path,
                make_drawing(f"0 0 0 1 k {sides} f*"),
                make_preset(),
                "thin-line",
            )
        )
        == 1
    )
    assert not find_code(
        tmp_path,
        make_drawing(f"0 0 0 1 k {sides} 10 10 30 0.2 re f*"),
        make_preset(),
        "thin-line",
    )


def draw_rings(*rings: tuple[float, float], operator: str = "f*") -> str:
    """Frames of these distances from 10 mm and thicknesses, all as one path."""
    rectangles = ""
    for away, thick in rings:
        for inset, way in ((away, 1), (away + thick, -1)):
            side = 30 - 2 * inset
            x = 10 + inset if way > 0 else 10 + inset + side
            rectangles += f"{x} {10 + inset} {way * side} {side} re "
    return f"0 0 0 1 k {rectangles}{operator}"


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (draw_rings((0, 0.05)), 1),
        (draw_rings((0, 0.1)), 0),
        (draw_rings((0, 0.05), operator="f"), 1),
        (draw_rings((0, 0.1), operator="f"), 0),
        (draw_rings((0, 1), (3, 0.05)), 1),
        (draw_rings((0, 1), (3, 0.2)), 0),
        ("0 0 0 1 k 10 10 30 30 re 10.05 10.5 29 29 re f*", 1),
        ("0 0 0 1 k 10 10 30 30 re 10 10.5 29 29 re f*", 0),
        ("0 0 0 1 k 10 10 30 30 re 10.05 10.05 29.9 29.9 re f", 0),
        (
            "0 0 0 1 k 10 10 m 40 10 l 40 40 l 39.95 40 l 39.95 10.05 l 10 10.05 l h f",
            1,
        ),
        ("0 0 0 1 k 10 10 m 40 10 l 40 40 l 39.8 40 l 39.8 10.2 l 10 10.2 l h f", 0),
        (
            "0 0 0 1 k 10 10 30 0.05 re 10 40 30 0.05 re 10 10 0.05 30 re 40 10 0.05 30 re f",
            1,
        ),
        (
            "0 0 0 1 k 10 10 30 0.2 re 10 40 30 0.2 re 10 10 0.2 30 re 40 10 0.2 30 re f",
            0,
        ),
        ("0 0 0 1 K 0.05 w 10 10 30 30 re S", 1),
        ("0 0 0 1 K 0.5 0 0 0 k 0.05 w 10 10 30 30 re B", 1),
        ("0 0 0 1 K 0 0 0 1 k 0.05 w 10 10 30 30 re B", 0),
        ("0 0 0 1 k 10 10 0.9 0.05 re f", 0),
        (
            "0 0 0 1 k 10 10 m 40 10 l 40 11 l 11 11 l 11 40 l 10 40 l h 15 40 20 -20 re f",
            0,
        ),
        (
            "0 0 0 1 k 10 10 m 40 10 l 40 11 l 11 11 l 11 40 l 10 40 l h 15 15 20 0.05 re f",
            1,
        ),
        ("0 0 0 1 K 0.05 w -30 10 m -10 10 l S", 0),
        ("0 0 0 1 K 0.05 w -30 10 m 10 10 l S", 1),
        ("0 0 0 1 k 10 -20 30 0.05 re f", 0),
        ("20 20 20 20 re W n 0 0 0 1 K 0.05 w 10 10 m 30 10 l S", 0),
        ("20 20 20 20 re W n 0 0 0 1 K 0.05 w 10 30 m 30 30 l S", 1),
        (
            "0.7 0.7 -0.7 0.7 30 10 cm 0 0 0 1 k 0 0 20 20 re 0.05 0.05 19.9 19.9 re f*",
            1,
        ),
        ("0.7 0.7 -0.7 0.7 30 10 cm 0 0 0 1 k 0 0 20 20 re 0.2 0.2 19.6 19.6 re f*", 0),
    ],
)
def test_frames_and_bars_are_lines_however_they_are_drawn(
    tmp_path: Path, content: str, lines: int
) -> None:
    from tests.checks.preflight.cases import make_drawing

    assert (
        len(find_code(tmp_path, make_drawing(content), make_preset(), "thin-line"))
        == lines
    )


def test_a_ring_of_curves_is_a_line_and_a_shop_has_its_own_limit(
    tmp_path: Path,
) -> None:
    from tests.checks.preflight.cases import make_drawing

    def circle(radius: float) -> str:
        c = radius * 0.5523
        quarters = [
            (radius, c, c, radius, 0, radius),
            (-c, radius, -radius, c, -radius, 0),
        ]
        quarters += [
            (-radius, -c, -c, -radius, 0, -radius),
            (c, -radius, radius, -c, radius, 0),
        ]
        first, second, third, fourth = quarters
        rest = " ".join(
            f"{' '.join(map(str, part))} c"
            for part in ((radius, *first[1:]), second, third, fourth)
        )
        return f"{radius} 0 m {rest} h "

    def ring(thick: float) -> File:
        return make_drawing(
            f"1 0 0 1 30 45 cm 0 0 0 1 k {circle(12)}{circle(12 - thick)}f*"
        )

    (finding,) = find_code(tmp_path, ring(0.06), make_preset(), "thin-line")
    assert finding.message == "a line is 0.17 pt wide"
    assert find_code(tmp_path, ring(0.12), make_preset(), "thin-line") == []
    assert (
        len(
            find_code(tmp_path, ring(0.12), make_preset(thinnest_line=0.5), "thin-line")
        )
        == 1
    )


def test_a_large_symbol_may_run_over_the_cut_as_art_does(tmp_path: Path) -> None:
    pdf = read_pdf(write(tmp_path / "a.pdf", CASES["text-cut"].bad))
    front = pdf.pages[0]
    text = next(front.texts)

    def judged(changed: PdfText) -> list[str]:
        page = replace(
            front,
            items=tuple(changed if item is text else item for item in front.items),
        )
        findings = check_page_batches(
            [replace(pdf, pages=(page, pdf.pages[1]))], make_preset()
        )[0]
        return [finding.code for finding in findings]

    assert "preflight/text-cut" in judged(text)
    assert "preflight/text-cut" in judged(replace(text, text="\ue001"))
    assert "preflight/text-cut" in judged(replace(text, size=90))
    assert "preflight/text-cut" not in judged(replace(text, text="\ue001", size=90))


def test_a_file_cut_short_is_damaged_even_where_a_reader_repairs_it(
    tmp_path: Path,
) -> None:
    complete_file = write(tmp_path / "whole.pdf", File())
    short = tmp_path / "short.pdf"
    short.write_bytes(complete_file.read_bytes()[:-200])
    codes = [
        (finding.code, finding.location.page)
        for finding in check_page_batches([read_pdf(short)], make_preset())[0]
    ]
    assert ("preflight/damaged", None) in codes
    assert read_pdf(complete_file).guessed_count == 0
