"""Hydrophilia's gauges, measured in the finished file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from builder.findings import Box
from builder.geometry.gauges.art import CHECK_TAG, CUT_TAG, MARK_TAG
from builder.model.loaded import Document, LoadedPack
from builder.model.pdf import Pdf, Shape
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from builder.units import from_inches
from builder.usecases.build.gauges import GaugeOptions, build_gauges, render_gauges
from tests.messages.speech import CYRILLIC

ROOT = Path(__file__).resolve().parents[2]
PROJECT = Project(ROOT)
EXACT = 0.1
"""What a gauge may be off, in mm."""


@pytest.fixture(scope="module")
def pack() -> LoadedPack:
    return load_pack(PROJECT, "hydrophilia")


@pytest.fixture(scope="module", params=[("ru", "a4"), ("en", "letter")], ids=str)
def pdf(
    request: pytest.FixtureRequest,
    pack: LoadedPack,
    tmp_path_factory: pytest.TempPathFactory,
) -> Pdf:
    rendered_gauges = render_gauges(PROJECT, pack, *request.param)
    assert rendered_gauges.findings == ()
    path = tmp_path_factory.mktemp("gauges") / "g.pdf"
    path.write_bytes(rendered_gauges.data)
    return read_pdf(path)


def tagged(pdf: Pdf, gauge: str, tag: str) -> list[list[Shape]]:
    """Return the shapes with this tag, per printed piece; a piece ends with its cut line."""
    pieces: list[list[Shape]] = [[]]
    for page in pdf.pages:
        for shape in page.shapes:
            if f"Gauge:{gauge}" not in shape.look.tags:
                continue
            pieces[-1].append(shape)
            if CUT_TAG in shape.look.tags:
                pieces.append([])
    return [
        [shape for shape in piece if tag in shape.look.tags]
        for piece in pieces
        if piece
    ]


def cuts(pdf: Pdf, gauge: str) -> list[Box]:
    return [shape.box for piece in tagged(pdf, gauge, CUT_TAG) for shape in piece]


def sides(box: Box) -> tuple[float, float]:
    return tuple(sorted((box.width, box.height)))  # type: ignore[return-value]


SIZES = {
    "height": [(28, 5 * 35 + 4)] * 2,
    "ruler-6": [(24, from_inches(6))],
    "ruler-12": [(34, from_inches(6))] * 2,
    "stick-1": [(22, from_inches(1))] * 2,
    "stick-2": [(22, from_inches(2))],
    "stick-3": [(22, from_inches(3))],
    "epicentre": [(25, 25)] * 4,
    "blast": [(25, 25), (2 * (12.5 + from_inches(2)),) * 2],
    "base-25": [(25, 25)] * 2,
    "base-32": [(32, 32)] * 2,
    "base-40": [(40, 40)],
    "base-50": [(50, 50)],
    "base-60": [(60, 60)],
    "engaged": [(22, 22)] * 6,
}


@pytest.mark.parametrize("gauge", SIZES)
def test_every_gauge_has_its_size_on_paper(pdf: Pdf, gauge: str) -> None:
    measured_sides = [sides(box) for box in cuts(pdf, gauge)]
    assert len(measured_sides) == len(SIZES[gauge])
    for measured, expected in zip(measured_sides, SIZES[gauge], strict=True):
        assert measured == pytest.approx(expected, abs=EXACT)


def places(piece: list[Shape], outline: Box) -> list[float]:
    """How far each mark lies from the start of its strip, along the strip."""
    if outline.width > outline.height:
        return [mark.box.x - outline.x for mark in piece]
    return [mark.box.y - outline.y for mark in piece]


def test_the_height_ruler_reads_from_the_base_and_turned_over_from_the_table(
    pdf: Pdf,
) -> None:
    for piece, outline in zip(
        tagged(pdf, "height", MARK_TAG), cuts(pdf, "height"), strict=True
    ):
        lies = outline.width > outline.height
        heights = {
            round(place if lies else outline.height - place, 2)
            for place in places(piece, outline)
        }
        assert heights == {round(17.5 * k, 2) for k in range(11)}
        turned_heights = {round(179 - height - 4, 2) for height in heights}
        assert turned_heights == heights


def test_every_quarter_inch_is_marked_where_it_is(pdf: Pdf) -> None:
    (piece,), (outline,) = tagged(pdf, "ruler-6", MARK_TAG), cuts(pdf, "ruler-6")
    assert sorted(places(piece, outline)) == pytest.approx(
        [from_inches(k / 4) for k in range(25)], abs=EXACT
    )


def test_the_parts_of_a_long_ruler_join_without_a_step(pdf: Pdf) -> None:
    parts = list(
        zip(tagged(pdf, "ruler-12", MARK_TAG), cuts(pdf, "ruler-12"), strict=True)
    )
    marks: list[float] = []
    for index, (piece, outline) in enumerate(parts):
        marks += [place + index * from_inches(6) for place in places(piece, outline)]
    expected_marks = [
        *(from_inches(k / 4) for k in range(49)),
        *(float(k) for k in range(301)),
    ]
    assert all(
        min(abs(place - mark) for mark in expected_marks) < EXACT for place in marks
    )
    assert all(
        min(abs(place - mark) for place in marks) < EXACT for mark in expected_marks
    )


def test_every_page_carries_a_true_check_line(pdf: Pdf) -> None:
    for page in pdf.pages:
        (check,) = [shape for shape in page.shapes if CHECK_TAG in shape.look.tags]
        assert check.box.width == pytest.approx(100, abs=EXACT)
        ticks = [
            s.extent
            for s in page.shapes
            if s.box.height > 1 and s.box.width < 0.01 and s.box.y > check.box.y - 3
        ]
        assert len(ticks) == 11
        reach = max(t.x + t.width for t in ticks) - min(t.x for t in ticks)
        assert reach == pytest.approx(100, abs=0.01)


def test_groups_share_pages_and_pieces_with_backs_lie_together(pdf: Pdf) -> None:
    """Six groups take four sheets.

    Only one sheet is printed on both sides, and each names the groups it has.
    """
    page_texts = [" ".join(text.text for text in page.texts) for page in pdf.pages]
    assert len(page_texts) == 5
    assert sum(word in page for page in page_texts for word in ("ОБОРОТ", "BACKS")) == 1
    shared = (("ЛИНЕЙКИ", "ЭПИЦЕНТР"), ("RULERS", "EPICENTRE"))
    assert any(
        first_id in page and second_id in page
        for page in page_texts
        for first_id, second_id in shared
    )


def test_every_back_lies_behind_its_front(pdf: Pdf) -> None:
    """Turned over the long edge the middle of each back falls on the middle of its front."""
    pairs = 0
    for front, back_page in zip(pdf.pages, pdf.pages[1:], strict=False):
        for gauge in ("activated", "ruptured"):
            cut_boxes = [
                s.box
                for s in front.shapes
                if f"Gauge:{gauge}" in s.look.tags and CUT_TAG in s.look.tags
            ]
            gauge_items = [
                s for s in back_page.items if f"Gauge:{gauge}" in s.look.tags
            ]
            grounds = [
                s for s in gauge_items if isinstance(s, Shape) and s.box.width > 23
            ]
            if not cut_boxes or not grounds:
                continue
            middles = sorted((b.x + b.width / 2, b.y + b.height / 2) for b in cut_boxes)
            width = back_page.media.width
            mirrored_middles = sorted(
                (width - s.box.x - s.box.width / 2, s.box.y + s.box.height / 2)
                for s in grounds
            )
            assert [v for m in mirrored_middles for v in m] == pytest.approx(
                [v for m in middles for v in m], abs=EXACT
            )
            assert all(
                s.box.width >= b.width + 2
                for s, b in zip(grounds, cut_boxes, strict=True)
            )
            pairs += len(cut_boxes)
    assert pairs == 16


def test_nothing_is_drawn_outside_the_paper_and_all_fonts_are_embedded(
    pdf: Pdf,
) -> None:
    assert all(font.embedded and font.subset for font in pdf.fonts)
    for page in pdf.pages:
        for item in page.items:
            assert item.box.x >= 5
            assert item.box.y >= 5
            assert item.box.x + item.box.width <= page.media.width - 5
            assert item.box.y + item.box.height <= page.media.height - 5


def test_every_letter_can_be_read(pdf: Pdf) -> None:
    assert min(text.size for page in pdf.pages for text in page.texts) >= 6.49


def test_the_same_gauges_give_the_same_bytes(pack: LoadedPack) -> None:
    assert render_gauges(PROJECT, pack, "en", "a4") == render_gauges(
        PROJECT, pack, "en", "a4"
    )


def test_a_second_build_leaves_the_files_alone(
    tmp_path: Path, pack: LoadedPack
) -> None:
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    first = build_gauges(Project(tmp_path), pack, ["ru"], GaugeOptions("letter"))
    second_result = build_gauges(
        Project(tmp_path), pack, ["ru"], GaugeOptions("letter")
    )
    (file,) = first.files
    assert (
        file.path
        == tmp_path / "output" / "hydrophilia" / "hydrophilia-ru-gauges-letter.pdf"
    )
    assert (file.changed, [file.changed for file in second_result.files]) == (
        True,
        [False],
    )
    assert second_result.files[0].cards == file.cards > 100


def test_saving_ink_changes_no_size(tmp_path: Path, pack: LoadedPack) -> None:
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    full = build_gauges(Project(tmp_path), pack, ["ru"]).files[0].path
    pale = (
        build_gauges(Project(tmp_path), pack, ["ru"], GaugeOptions(save_ink=True))
        .files[0]
        .path
    )
    assert pale.name == "hydrophilia-ru-gauges-a4-ink.pdf"
    for gauge in SIZES:
        assert cuts(read_pdf(pale), gauge) == cuts(read_pdf(full), gauge)
    inks = [
        sum(
            (1 - sum(s.fill.values) / 3) * s.box.width * s.box.height
            for page in read_pdf(path).pages
            for s in page.shapes
            if s.fill
        )
        for path in (full, pale)
    ]
    assert inks[1] < inks[0] / 2


@pytest.mark.parametrize(
    ("gauge", "code"),
    [
        ({"type": "disc", "diameter": "20in"}, "gauges/too-large"),
        (
            {"type": "token", "size": 12, "faces": [{"text": {"ru": "Тихоокеанский"}}]},
            "gauges/text-too-long",
        ),
        ({"type": "disc", "diameter": 60, "label": "漢"}, "gauges/missing-letter"),
    ],
)
def test_what_cannot_be_printed_is_said_and_not_written(
    tmp_path: Path, pack: LoadedPack, gauge: dict[str, object], code: str
) -> None:
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    complete_gauge = {"id": "x", "name": {"ru": "Х"}, **gauge}
    gauges = Document(
        "gauges.yaml",
        {"groups": [{"id": "g", "title": {"ru": "Г"}, "gauges": [complete_gauge]}]},
    )
    result = build_gauges(
        Project(tmp_path), replace(pack, sources={"gauges.yaml": gauges}), ["ru"]
    )
    assert [finding.code for finding in result.findings] == [code]
    assert CYRILLIC.search(result.findings[0].translate("ru").message)
    assert result.files == ()
    assert not (tmp_path / "output").exists()


def test_the_titles_of_many_groups_on_one_sheet_take_two_lines(
    tmp_path: Path, pack: LoadedPack
) -> None:
    (tmp_path / "templates").symlink_to(ROOT / "templates")
    disc = {"id": "d", "name": {"ru": "Д"}, "type": "disc", "diameter": 20}
    groups = [
        {
            "id": f"g{n}",
            "title": {"ru": f"Жетоны и счётчики отряда {n}"},
            "gauges": [{**disc, "id": f"d{n}"}],
        }
        for n in range(5)
    ]
    gauges = Document("gauges.yaml", {"groups": groups})
    result = build_gauges(
        Project(tmp_path), replace(pack, sources={"gauges.yaml": gauges}), ["ru"]
    )
    assert result.findings == ()
    (page,) = read_pdf(result.files[0].path).pages
    assert all(any(f"ОТРЯДА {n}" in text.text for text in page.texts) for n in range(5))


def test_gauges_are_refused_in_a_language_written_from_right_to_left(
    pack: LoadedPack, tmp_path: Path
) -> None:
    result = build_gauges(PROJECT, pack, ["he", "en"], GaugeOptions(folder=tmp_path))
    assert [built.path.name for built in result.files] == [
        "hydrophilia-en-gauges-a4.pdf"
    ]
    assert [(finding.code, finding.severity.value) for finding in result.findings] == [
        ("i18n/direction", "error")
    ]
    assert "gauges cannot be printed in he" in result.findings[0].message
