"""Print a pack's gauges and tokens, true to scale."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from builder.cache import fingerprint
from builder.errors import UsageError
from builder.findings import Finding, Location, has_errors
from builder.geometry.gauges.art import Piece
from builder.geometry.gauges.context import Context, ink_saving
from builder.geometry.gauges.sheet import (
    PAPERS,
    TITLE,
    PlacedPiece,
    Sheet,
    TooLong,
    area,
    draw,
    overlong,
    sheets,
)
from builder.messages import catalogue_fingerprint, gettext as _
from builder.model.gauge import GaugeSet
from builder.model.languages import DIRECTION, text_direction
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.profile import Paper, Profile
from builder.packs.project import Project
from builder.render.keys import engine_hash
from builder.render.prepress.raster import cut_out, opened
from builder.render.sheets.gauges import gauge_codes
from builder.render.sheets.gauges.shapes import Typefaces
from builder.render.sheets.gauges.write import write
from builder.report.tabletop import WIDEST
from builder.units import MM_PER_INCH, to_pixels
from builder.usecases.build.build_options import BuildResult, Built
from builder.usecases.build.records import OutputFacts, OutputRecord

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

LONGEST = 2000.0
"""The longest piece on a table, in mm: where nothing is printed nothing is glued."""


def build_gauges(
    project: Project,
    loaded: LoadedPack,
    languages: Iterable[str],
    paper: str = "a4",
    folder: Path | None = None,
    *,
    save_ink: bool = False,
    only: Collection[str] | None = None,
    stem: str = "",
) -> BuildResult:
    """One PDF per language: <folder>/<pack>-<lang>-gauges-<paper>[-ink].pdf; none for a pack without gauges.

    `only` are the ids of those that are printed; `stem` is what the file is called by in the pack's stead.
    With an error among the findings of a language its file is not written. Raises UsageError for an unknown paper,
    OutputNotWritten.
    """
    chosen = chosen_gauges(loaded, only)
    if loaded.pack is None or chosen is None:
        return BuildResult()
    if paper not in PAPERS:
        message = _("no paper {paper!r} for gauges", paper=paper)
        raise UsageError(message, _("Known: {listed}", listed=", ".join(PAPERS)))
    pack_id = loaded.pack.id
    ending = f"gauges-{paper}{'-ink' if save_ink else ''}.pdf"
    files: list[Built] = []
    findings: list[Finding] = []
    for lang in languages:
        if text_direction(lang) == "rtl":
            # Gauges are drawn letter by letter, from left to right.
            message = _(
                "gauges cannot be printed in {lang}, which is written from right to left", lang=lang
            )
            findings.append(
                DIRECTION.finding(
                    message, hint=_("Print the gauges in another language of the pack.")
                )
            )
            continue
        path = (folder or project.output_dir(pack_id)) / f"{stem or pack_id}-{lang}-{ending}"
        record = OutputRecord(
            project, path, _wanted(project, loaded, lang, paper, only), (pack_id, lang)
        )
        known = record.known()
        if known is not None:
            files.append(Built(path, known.pages, known.count, False, "gauges"))
            continue
        made = set_gauges(project, loaded, lang, paper, save_ink=save_ink, only=only)
        findings += made.findings
        if not has_errors(made.findings):
            files.append(Built(path, made.pages, made.pieces, record.write(made.fill)[1], "gauges"))
    return BuildResult(tuple(files), tuple(dict.fromkeys(findings)))


def chosen_gauges(loaded: LoadedPack, only: Collection[str] | None) -> GaugeSet | None:
    """The pack's gauges, or those of them with these ids; None where there are none."""
    gauges = loaded.gauges
    if gauges is None or only is None:
        return gauges
    groups = (
        (group, tuple(gauge for gauge in group.gauges if gauge.id in only))
        for group in gauges.groups
    )
    kept = tuple(group.model_copy(update={"gauges": found}) for group, found in groups if found)
    return gauges.model_copy(update={"groups": kept}) if kept else None


def paper_name(profile: Profile) -> str:
    """The paper of a profile by its name; A4 where the profile has none of the known sizes."""
    if profile.paper is None:
        return "a4"
    asked = sorted((profile.paper.width, profile.paper.height))
    sizes = {name: sorted((paper.width, paper.height)) for name, paper in PAPERS.items()}
    return next((name for name, size in sizes.items() if math.dist(asked, size) < 1), "a4")


def _icons(project: Project, pack: Pack) -> dict[str, Path]:
    folder = project.templates_dir(pack.id) / "icons"
    return {name: folder / f"{name}.svg" for name in pack.icons}


def _wanted(
    project: Project, loaded: LoadedPack, lang: str, paper: str, only: Collection[str] | None
) -> str:
    icons = [
        (name, path.read_bytes()) for name, path in sorted(_icons(project, loaded.whole).items())
    ]
    parts = (
        loaded.sources["gauges.yaml"].value,
        loaded.whole.manifest.name,
        lang,
        paper,
        only and sorted(only),
        icons,
        catalogue_fingerprint(),
        fingerprint("geometry", "model", "render", "usecases/build"),
        engine_hash(),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MadeGauges:
    """One language's file before it is written."""

    data: bytes
    pages: int
    pieces: int
    findings: tuple[Finding, ...]

    def fill(self, out: IO[bytes]) -> tuple[str, OutputFacts]:
        """Write it; its hash, and what is to be remembered of it."""
        out.write(self.data)
        return hashlib.sha256(self.data).hexdigest(), OutputFacts(self.pages, self.pieces)


def set_gauges(
    project: Project,
    loaded: LoadedPack,
    lang: str,
    paper: str,
    *,
    save_ink: bool = False,
    only: Collection[str] | None = None,
) -> MadeGauges:
    """The PDF of one language and paper, and what could not be printed."""
    gauges = chosen_gauges(loaded, only)
    assert gauges is not None
    if save_ink:
        gauges = ink_saving(gauges)
    manifest, page, typefaces = loaded.whole.manifest, PAPERS[paper], Typefaces()
    room = area(page)
    context = Context(
        lang, manifest.languages.source, gauges.style, typefaces, max(room.width, room.height)
    )
    title = context.say(manifest.name)
    pages, lost = sheets(gauges, context, page, title)
    data = write(
        pages, page, typefaces, _icons(project, loaded.whole), f"{title}: {context.say(TITLE)}"
    )
    findings = tuple(_flaws(loaded, lost, overlong(pages, context), typefaces.missing))
    pieces = sum(len(sheet.pieces) for sheet in pages if not sheet.back)
    return MadeGauges(data, len(pages), pieces, findings)


@dataclass(frozen=True, slots=True)
class GaugePicture:
    """A gauge or token as pictures: height in mm, `back` None where it has none, `cut_out`: it is no rectangle."""

    id: str
    name: str
    note: str
    height: float
    dpi: int
    front: Picture
    back: Picture | None
    cut_out: bool
    count: int


def gauge_pictures(
    project: Project, loaded: LoadedPack, lang: str, dpi: int, only: Collection[str] | None = None
) -> Iterator[GaugePicture]:
    """Every different piece of the pack's gauges, without captions; at most 4096 pixels a side."""
    gauges = chosen_gauges(loaded, only)
    if loaded.pack is None or gauges is None:
        return
    icons = _icons(project, loaded.pack)
    context = Context(
        lang, loaded.pack.manifest.languages.source, gauges.style, Typefaces(), LONGEST
    )
    for gauge in (gauge for group in gauges.groups for gauge in group.gauges):
        for piece, count in Counter(draw(gauge, context)).items():
            sides = [False, True] if piece.back is not None else [False]
            pages = [Sheet((), (PlacedPiece(piece, 0, 0),), back) for back in sides]
            data = write(
                pages,
                Paper(width=piece.width, height=piece.height),
                Typefaces(),
                icons,
                piece.gauge,
            )
            sharp = min(dpi, int(WIDEST * MM_PER_INCH / max(piece.width, piece.height)))
            pixels = to_pixels(piece.width, sharp), to_pixels(piece.height, sharp)
            with opened(data) as document:
                drawn = [cut_out(document, page, pixels) for page in range(len(pages))]
            note = piece.caption or context.say(gauge.note)
            yield GaugePicture(
                piece.gauge, context.say(gauge.name), note, piece.height, sharp,
                drawn[0][0], drawn[1][0] if len(drawn) > 1 else None, drawn[0][1], count,
            )  # fmt: skip


def _place(loaded: LoadedPack, gauge: str) -> Location:
    """Where a gauge is written; no place for gauges that no file states."""
    document = loaded.sources.get("gauges.yaml")
    gauges = loaded.gauges
    if document is None or gauges is None:
        return Location()
    every = ((one.id, ("groups", g, "gauges", i)) for g, group in enumerate(gauges.groups)
             for i, one in enumerate(group.gauges))  # fmt: skip
    return document.locate(next((path for name, path in every if name == gauge), ()))


def _flaws(
    loaded: LoadedPack, lost: Iterable[Piece], overlong: Iterable[TooLong], letters: Iterable[str]
) -> Iterator[Finding]:
    """What fits on no page, what does not fit into its piece, what no font can print."""
    for gauge, width, height in dict.fromkeys((one.gauge, one.width, one.height) for one in lost):
        form = _("{gauge} measures {width:.1f} × {height:.1f} mm and fits on no page")
        message = _(form, gauge=gauge, width=width, height=height)
        yield gauge_codes.TOO_LARGE.finding(message, _place(loaded, gauge))
    for item in overlong:
        form = _("{text!r} needs {wide:.1f} mm at the smallest type size but has {room:.1f} mm")
        message = _(form, text=item.text, wide=item.wide, room=item.room)
        yield gauge_codes.TOO_LONG.finding(message, _place(loaded, item.gauge))
    for letter in letters:
        yield gauge_codes.MISSING_LETTER.finding(
            _("{letter!r} is in no font", letter=letter), _place(loaded, "")
        )
