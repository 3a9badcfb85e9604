"""Print a pack's gauges and tokens, true to scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.store.atomic import write_atomic
from builder.store.project import Project

if TYPE_CHECKING:
    from builder.layout.gauges.packing import TooLarge
    from builder.model.sheetwords import SheetWordsFile

TOO_LARGE = define(
    "gauges/too-large",
    "A gauge fits on no page",
    "A gauge is printed true to scale; what is larger than the paper would be cut off.",
    "Make it smaller, print on larger paper, or use a ruler: rulers are printed in parts to be joined.",
)
MISSING_LETTER = define(
    "gauges/missing-letter",
    "A letter is in no font",
    "It would be printed as nothing.",
    "Use a letter that the font has, or an icon.",
)


@dataclass(frozen=True, slots=True)
class GaugeResult:
    """What was written, and what could not be printed."""

    files: tuple[Path, ...] = ()
    findings: tuple[Finding, ...] = ()


def build_gauges(
    project: Project, loaded: LoadedPack, languages: Iterable[str], papers: Iterable[str] = ("a4",)
) -> GaugeResult:
    """One PDF per language and paper: output/<pack>/<pack>-<lang>-gauges-<paper>.pdf; none for a pack without gauges.

    Raises UsageError for an unknown paper, OutputNotWritten.
    """
    from builder.layout.gauges.sheet import PAPERS

    if loaded.pack is None or loaded.gauges is None:
        return GaugeResult()
    files: list[Path] = []
    findings: list[Finding] = []
    for paper in papers:
        if paper not in PAPERS:
            raise UsageError(f"no paper {paper!r} for gauges", f"Known: {', '.join(PAPERS)}.")
        for lang in languages:
            target = project.output_dir(loaded.pack.id) / f"{loaded.pack.id}-{lang}-gauges-{paper}.pdf"
            data, found = set_gauges(project, loaded, lang, paper)
            write_atomic(target, data)
            files.append(target)
            findings += found
    return GaugeResult(tuple(files), tuple(dict.fromkeys(findings)))


def set_gauges(project: Project, loaded: LoadedPack, lang: str, paper: str) -> tuple[bytes, list[Finding]]:
    """The PDF of one language and paper, and what could not be printed."""
    from builder.layout.gauges.context import Context
    from builder.layout.gauges.sheet import PAPERS, sheets
    from builder.render.gauges.typeface import Typefaces
    from builder.render.gauges.write import write

    assert loaded.pack is not None
    assert loaded.gauges is not None
    manifest, page, typefaces = loaded.pack.manifest, PAPERS[paper], Typefaces()
    source = manifest.languages.source
    longest = max(page.area.width, page.area.height)
    context = Context(lang, source, loaded.gauges.style, _words(project).of(lang), typefaces, longest)
    title = context.say(manifest.name)
    pages, lost = sheets(loaded.gauges, context, page, title)
    folder = project.templates_dir(manifest.id) / "icons"
    icons = {name: folder / f"{name}.svg" for name in loaded.pack.icons}
    data = write(pages, page, typefaces, icons, f"{title}: {context.words.gauges}")
    return data, [*_lost(loaded, lost), *_letters(loaded, typefaces.missing)]


def _words(project: Project) -> SheetWordsFile:
    from builder.model.sheetwords import SheetWordsFile
    from builder.store.models import parse_model
    from builder.store.yaml import read_document

    path = project.base_templates / "gauges.yaml"
    document, found = read_document(path, path.name)
    words, wrong = parse_model(SheetWordsFile, document) if document else (None, ())
    if words is None:
        raise RuntimeError(f"{path}: {[finding.message for finding in (*found, *wrong)]}")
    return words


def _place(loaded: LoadedPack, gauge: str) -> Location:
    document = loaded.sources["gauges.yaml"]
    assert loaded.gauges is not None
    for g, group in enumerate(loaded.gauges.groups):
        for i, one in enumerate(group.gauges):
            if one.id == gauge:
                return document.locate(("groups", g, "gauges", i))
    return document.locate()


def _lost(loaded: LoadedPack, lost: Iterable[TooLarge]) -> list[Finding]:
    found = []
    for item in dict.fromkeys((one.piece.gauge, one.piece.width, one.piece.height) for one in lost):
        message = f"{item[0]} measures {item[1]:.1f} x {item[2]:.1f} mm and fits on no page"
        found.append(TOO_LARGE.finding(message, _place(loaded, item[0])))
    return found


def _letters(loaded: LoadedPack, missing: Iterable[str]) -> list[Finding]:
    document = loaded.sources["gauges.yaml"]
    return [MISSING_LETTER.finding(f"{letter!r} is in no font", document.locate()) for letter in missing]
