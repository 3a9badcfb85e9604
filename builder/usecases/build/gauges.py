"""Print a pack's gauges and tokens, true to scale."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from builder.errors import UsageError
from builder.findings import Finding, Location, has_errors
from builder.geometry.gauges.art import Piece
from builder.geometry.gauges.colours import lighten_backgrounds
from builder.geometry.gauges.context import Context
from builder.geometry.gauges.packing import PlacedPiece
from builder.geometry.gauges.sheet import (
    PAPERS,
    TITLE,
    OverwideText,
    Sheet,
    draw_gauge,
    find_free_area,
    find_overwide_texts,
    lay_out_sheets,
)
from builder.messages import gettext as _
from builder.model.gauge import GaugeSet
from builder.model.languages import DIRECTION, get_text_direction
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.profile import Paper, Profile
from builder.packs.project import Project
from builder.render.prepress.raster import open_document, render_cut_out
from builder.render.sheets.gauges import gauge_codes
from builder.render.sheets.gauges.shapes import Typefaces
from builder.render.sheets.gauges.write import write_gauge_sheets
from builder.report.tabletop import MAX_SHEET_PIXELS
from builder.units import MM_PER_INCH, to_pixels
from builder.usecases.build.build_options import BuildResult, BuiltFile
from builder.usecases.build.records import write_output

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MAX_UNPRINTED_LENGTH_MM = 2000.0
"""The longest piece of a picture: rulers are split into parts for paper only."""


@dataclass(frozen=True, slots=True)
class GaugeOptions:
    """The paper and the folder of a file of gauges, and the gauges in it.

    `folder` is the pack's output folder by default. `only` has the ids of the gauges to print, all
    by default. `stem` replaces the pack's id in the file name.
    """

    paper: str = "a4"
    folder: Path | None = None
    save_ink: bool = False
    only: Collection[str] | None = None
    stem: str = ""


def build_gauges(
    project: Project,
    loaded: LoadedPack,
    languages: Iterable[str],
    options: GaugeOptions = GaugeOptions(),
) -> BuildResult:
    """Write one PDF per language: <folder>/<pack>-<lang>-gauges-<paper>[-ink].pdf.

    A file whose findings include an error is not written. Raise UsageError for an unknown paper,
    and OutputNotWritten.
    """
    if loaded.pack is None or find_gauges(loaded, options.only) is None:
        return BuildResult()
    paper, save_ink = options.paper, options.save_ink
    if paper not in PAPERS:
        message = _("there is no paper {paper!r} for gauges", paper=paper)
        raise UsageError(message, _("Known papers: {listed}", listed=", ".join(PAPERS)))
    pack_id = loaded.pack.id
    folder = options.folder or project.get_output_dir(pack_id)
    suffix = f"gauges-{paper}-ink.pdf" if save_ink else f"gauges-{paper}.pdf"
    files: list[BuiltFile] = []
    findings: list[Finding] = []
    for lang in languages:
        if get_text_direction(lang) == "rtl":
            # Gauges are drawn character by character, from left to right.
            form = _("gauges cannot be printed in {lang}, a right-to-left language")
            hint = _("Print the gauges in another language of the pack.")
            findings.append(DIRECTION.finding(_(form, lang=lang), hint=hint))
            continue
        path = folder / f"{options.stem or pack_id}-{lang}-{suffix}"
        gauges = render_gauges(
            project, loaded, lang, paper, save_ink=save_ink, only=options.only
        )
        findings += gauges.findings
        if not has_errors(gauges.findings):
            is_changed = write_output(project, path, (pack_id, lang), gauges.write_to)
            files.append(
                BuiltFile(path, gauges.pages, gauges.pieces, is_changed, "gauges")
            )
    return BuildResult(tuple(files), tuple(dict.fromkeys(findings)))


def find_gauges(loaded: LoadedPack, only: Collection[str] | None) -> GaugeSet | None:
    """Return the pack's gauges, or those with these ids. None if there are none."""
    gauges = loaded.gauges
    if gauges is None or only is None:
        return gauges
    groups = []
    for group in gauges.groups:
        selected_gauges = tuple(gauge for gauge in group.gauges if gauge.id in only)
        if selected_gauges:
            groups.append(group.model_copy(update={"gauges": selected_gauges}))
    return gauges.model_copy(update={"groups": tuple(groups)}) if groups else None


def find_paper_name(profile: Profile) -> str:
    """Return the name of the profile's paper in either orientation. Other sizes are "a4"."""
    if profile.paper is not None:
        sides = sorted((profile.paper.width, profile.paper.height))
        for name, paper in PAPERS.items():
            # Sizes in inches may be rounded to whole mm.
            paper_sides = sorted((paper.width, paper.height))
            if math.dist(sides, paper_sides) < 1:
                return name
    return "a4"


def _find_icons(project: Project, pack: Pack) -> dict[str, Path]:
    folder = project.get_templates_dir(pack.id) / "icons"
    return {name: folder / f"{name}.svg" for name in pack.icons}


@dataclass(frozen=True, slots=True)
class RenderedGauges:
    """The PDF of gauges in one language, with its findings, before it is written."""

    data: bytes
    pages: int
    pieces: int
    findings: tuple[Finding, ...]

    def write_to(self, out: IO[bytes]) -> str:
        """Write the file. Return its SHA-256."""
        out.write(self.data)
        return hashlib.sha256(self.data).hexdigest()


def render_gauges(
    project: Project,
    loaded: LoadedPack,
    lang: str,
    paper: str,
    *,
    save_ink: bool = False,
    only: Collection[str] | None = None,
) -> RenderedGauges:
    """Return the PDF of gauges in one language. Findings report gauges that cannot be printed."""
    gauges = find_gauges(loaded, only)
    assert gauges is not None
    if save_ink:
        gauges = lighten_backgrounds(gauges)
    manifest = loaded.whole.manifest
    page = PAPERS[paper]
    typefaces = Typefaces()
    area = find_free_area(page)
    max_length = max(area.width, area.height)
    context = Context(
        lang, manifest.languages.source, gauges.style, typefaces, max_length
    )
    name = context.localize(manifest.name)
    sheets, too_large = lay_out_sheets(gauges, context, page, name)
    icons = _find_icons(project, loaded.whole)
    title = f"{name}: {context.localize(TITLE)}"
    data = write_gauge_sheets(sheets, page, typefaces, icons, title)
    findings = [
        *_report_large_pieces(loaded, too_large),
        *_report_long_texts(loaded, find_overwide_texts(sheets, context)),
    ]
    # The typefaces learn only while texts are drawn which characters are missing.
    place = _locate_gauge(loaded, "")
    for character in typefaces.missing_characters:
        message = _("no font has the character {letter!r}", letter=character)
        findings.append(gauge_codes.MISSING_LETTER.finding(message, place))
    piece_count = sum(len(sheet.pieces) for sheet in sheets if not sheet.is_back)
    return RenderedGauges(data, len(sheets), piece_count, tuple(findings))


@dataclass(frozen=True, slots=True)
class GaugePicture:
    """The pictures of a gauge's front and back; `height` is in mm.

    `back` is None for a one-sided gauge. `cut_out` is True if the shape is not a rectangle.
    """

    id: str
    name: str
    note: str
    height: float
    dpi: int
    front: Picture
    back: Picture | None
    cut_out: bool
    count: int


def render_gauge_pictures(
    project: Project,
    loaded: LoadedPack,
    lang: str,
    dpi: int,
    only: Collection[str] | None = None,
) -> Iterator[GaugePicture]:
    """Yield the pictures of each different gauge, without its caption.

    A picture has at most 4096 pixels a side.
    """
    gauges = find_gauges(loaded, only)
    if loaded.pack is None or gauges is None:
        return
    icons = _find_icons(project, loaded.pack)
    source_lang = loaded.pack.manifest.languages.source
    context = Context(
        lang, source_lang, gauges.style, Typefaces(), MAX_UNPRINTED_LENGTH_MM
    )
    for group in gauges.groups:
        for gauge in group.gauges:
            name = context.localize(gauge.name)
            note = context.localize(gauge.note)
            # Equal tokens become one picture with a number of copies.
            for piece, count in Counter(draw_gauge(gauge, context)).items():
                longest_side_mm = max(piece.width, piece.height)
                max_dpi = int(MAX_SHEET_PIXELS * MM_PER_INCH / longest_side_mm)
                piece_dpi = min(dpi, max_dpi)
                pictures, is_cut_out = _draw_pictures(piece, icons, piece_dpi)
                yield GaugePicture(
                    piece.gauge,
                    name,
                    piece.caption or note,
                    piece.height,
                    piece_dpi,
                    front=pictures[0],
                    back=pictures[1] if len(pictures) > 1 else None,
                    cut_out=is_cut_out,
                    count=count,
                )


def _draw_pictures(
    piece: Piece, icons: dict[str, Path], dpi: int
) -> tuple[list[Picture], bool]:
    """Return the pictures of front and back, and True if the front is not a rectangle."""
    # The page has the size of the piece, so that it becomes the picture.
    placed = (PlacedPiece(piece, 0, 0),)
    sheets = [Sheet((), placed)]
    if piece.back_art is not None:
        sheets.append(Sheet((), placed, is_back=True))
    paper = Paper(width=piece.width, height=piece.height)
    data = write_gauge_sheets(sheets, paper, Typefaces(), icons, piece.gauge)
    pixels = to_pixels(piece.width, dpi), to_pixels(piece.height, dpi)
    with open_document(data) as document:
        pictures = [
            render_cut_out(document, page, pixels) for page in range(len(sheets))
        ]
    return [picture for picture, _is_cut_out in pictures], pictures[0][1]


def _locate_gauge(loaded: LoadedPack, gauge_id: str) -> Location:
    """Return the gauge's place in gauges.yaml, else that of the file."""
    document = loaded.sources.get("gauges.yaml")
    gauges = loaded.gauges
    if document is None or gauges is None:
        return Location()
    for group_index, group in enumerate(gauges.groups):
        for index, gauge in enumerate(group.gauges):
            if gauge.id == gauge_id:
                return document.locate(("groups", group_index, "gauges", index))
    return document.locate(())


def _report_large_pieces(
    loaded: LoadedPack, pieces: Iterable[Piece]
) -> Iterator[Finding]:
    form = _("{gauge} measures {width:.1f} × {height:.1f} mm, larger than the page")
    findings: dict[Finding, None] = {}
    for piece in pieces:
        message = _(form, gauge=piece.gauge, width=piece.width, height=piece.height)
        place = _locate_gauge(loaded, piece.gauge)
        findings[gauge_codes.TOO_LARGE.finding(message, place)] = None
    yield from findings


def _report_long_texts(
    loaded: LoadedPack, texts: Iterable[OverwideText]
) -> Iterator[Finding]:
    form = _(
        "{text!r} needs {wide:.1f} mm at the smallest type size, but only {room:.1f} "
        "mm are available"
    )
    for text in texts:
        message = _(form, text=text.text, wide=text.width, room=text.max_width)
        yield gauge_codes.TOO_LONG.finding(message, _locate_gauge(loaded, text.gauge))
