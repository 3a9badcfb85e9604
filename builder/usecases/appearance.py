"""What a pack looks like, judged before anything is set: pictures, drawings, style sheets, icons, fonts, letters.

What was found of a file is remembered as long as the file keeps its size and times.
"""

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from pydantic import JsonValue

from builder.cache import Value, fingerprint
from builder.checks.appearance.drawings import BROKEN, FONT, NEVER_DRAWN
from builder.checks.appearance.pictures import FORMATS, PIXELS
from builder.checks.appearance.styles import TOO_MUCH
from builder.checks.registry import run
from builder.files import files_within, read_limited
from builder.findings import Finding, Location, has_errors, in_order
from builder.messages import gettext as _, os_error
from builder.model.loaded import (
    TOLD,
    DrawingFile,
    LoadedPack,
    LooksFile,
    PackLetters,
    PictureFile,
    StyleSheet,
    TemplateFile,
)
from builder.model.pack import Pack
from builder.packs import file_codes
from builder.packs.project import Project
from builder.render import render_codes
from builder.render.engines.support import (
    EngineSupport,
    find_lost_in_style_sheet,
    format_lost_feature,
    load_support,
)
from builder.render.fonts import FAMILIES, compared, letters_of
from builder.render.html.icons import icon_font
from builder.render.html.packfonts import PackFonts, pack_fonts
from builder.usecases.build.build_options import places
from builder.usecases.build.records import findings_of

SORTS: dict[str, type[LooksFile]] = {
    **dict.fromkeys(FORMATS, PictureFile),
    ".svg": DrawingFile,
    ".css": StyleSheet,
    ".j2": TemplateFile,
    ".html": TemplateFile,
}
"""What a file is, by the ending of its name."""
LARGEST = {
    PictureFile: 64_000_000,
    DrawingFile: 2_000_000,
    StyleSheet: 4_000_000,
    TemplateFile: 4_000_000,
}
"""Bytes that a file may have."""
WRITTEN = 500_000
"""Signs of a template or style sheet besides the pictures that stand in it."""


SVG = "http://www.w3.org/2000/svg"
_EMBEDDED = re.compile(r"data:image/(png|jpe?g|gif|webp|svg\+xml);base64,([A-Za-z0-9+/=]+)")
_GAP, _TAG = re.compile(r"\{\{[^{}]*\}\}"), re.compile(r"\{[%#][^{}]*\}")
ENDLESS = frozenset({TOO_MUCH.code, PIXELS.code})
"""Codes of what could take all memory or time if it were set."""

ABOUT_FILES = frozenset({render_codes.MISSING.code, render_codes.ENGINE.code})
"""Codes of what an engine says of a file that it cannot open or draw."""


def judge_looks(project: Project, loaded: LoadedPack) -> tuple[Finding, ...]:
    """All that is wrong with the files that shape a pack's cards, and with the letters of their texts."""
    pack = loaded.whole.id
    spots = places(project, pack)
    fonts = pack_fonts(spots, is_written=False)
    icons = icon_font(
        spots.templates / "icons",
        spots.cache,
        spots.shown(spots.templates / "icons"),
        is_written=False,
    )
    letters = PackLetters(loaded, letters_of(fonts.paths, fonts.hash, project.cache))
    return in_order(
        (
            *icons.findings,
            *fonts.findings,
            *_files(project, pack, fonts),
            *_find_lost_features(project, loaded.whole),
            *run("appearance", letters),
        )
    )


def judge_files(project: Project, pack: str) -> tuple[Finding, ...]:
    """What is wrong with the pictures, drawings, style sheets and templates of a pack."""
    return in_order(_files(project, pack, pack_fonts(places(project, pack), is_written=False)))


def without_consequences(
    set_findings: Iterable[Finding], looks: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Return what setting found, without what an engine says of files that have an error of their own."""
    damaged_files = {finding.location.file for finding in looks if has_errors((finding,))}
    return tuple(
        finding
        for finding in set_findings
        if finding.code not in ABOUT_FILES or finding.location.file not in damaged_files
    )


def _files(project: Project, pack: str, fonts: PackFonts) -> Iterator[Finding]:
    """What is wrong with each file; only those that changed are read."""
    families = frozenset(map(compared, (*FAMILIES, *fonts.families)))
    known = project.cache.value("looks", pack) or {}
    made_by = [fingerprint("checks", "model", libraries=("pillow",)), *sorted(families)]
    noted: Value = {}
    for folder, pattern in (
        (project.templates_dir(pack), "**/*"),
        (project.cards_dir(pack), "art/**/*"),
    ):
        for path in files_within(folder, pattern) if folder.is_dir() else ():
            sort = SORTS.get(path.suffix.lower())
            if sort is None:
                continue
            file, status = project.relative(path), path.stat()
            state: list[JsonValue] = [
                *made_by,
                status.st_size,
                status.st_mtime_ns,
                status.st_ctime_ns,
            ]
            entry = known.get(file)
            found = (
                findings_of(entry)
                if isinstance(entry, dict) and entry.get("state") == state
                else None
            )
            if found is None:
                found = _judged(path, file, sort, families)
            noted[file] = {"state": state, "findings": [finding.to_json() for finding in found]}
            yield from found
    if noted != known:
        project.cache.write("looks", pack, noted)


def _find_lost_features(project: Project, pack: Pack) -> Iterator[Finding]:
    """Find what the pack's engine leaves out of drawings, inline drawings and style sheets. Files that did not change
    are not read again.
    """
    support = load_support(pack.manifest.engine)
    known = project.cache.value("lost", pack.id) or {}
    made_by = [fingerprint("render/engines"), support.engine, support.version]
    noted: Value = {}
    for folder, pattern in (
        (project.templates_dir(pack.id), "**/*"),
        (project.cards_dir(pack.id), "art/**/*"),
    ):
        for path in files_within(folder, pattern) if folder.is_dir() else ():
            kind = SORTS.get(path.suffix.lower(), PictureFile)
            if kind is PictureFile:
                continue
            file, status = project.relative(path), path.stat()
            state: list[JsonValue] = [
                *made_by,
                status.st_size,
                status.st_mtime_ns,
                status.st_ctime_ns,
            ]
            entry = known.get(file)
            findings = (
                findings_of(entry)
                if isinstance(entry, dict) and entry.get("state") == state
                else None
            )
            if findings is None:
                with suppress(OSError):  # the other checks report what cannot be read
                    findings = tuple(
                        islice(
                            _find_lost_in_file(
                                kind(file, read_limited(path, LARGEST[kind])), support
                            ),
                            TOLD,
                        )
                    )
            findings = findings or ()
            noted[file] = {"state": state, "findings": [finding.to_json() for finding in findings]}
            yield from findings
    if noted != known:
        project.cache.write("lost", pack.id, noted)


def _find_lost_in_file(file: LooksFile, support: EngineSupport) -> Iterator[Finding]:
    """Find what an engine leaves out of one file."""
    if isinstance(file, StyleSheet):
        for complaint in find_lost_in_style_sheet(file.text, support):
            line, column = complaint.at or (1, 1)
            yield complaint.finding(Location(file.file, line, column))
        return
    for found in re.finditer(r"<svg\b.*?</svg\s*>", file.text, re.DOTALL | re.IGNORECASE):
        for lost in support.find_lost(found[0]):
            # looks/undrawn reports these, at a better place.
            if isinstance(file, DrawingFile) and {lost.element, lost.attribute} & NEVER_DRAWN:
                continue
            place = file.at(found.start() + lost.offset)
            yield render_codes.UNDRAWN_FEATURE.finding(format_lost_feature(support, lost), place)


def _judged(
    path: Path, file: str, sort: type[LooksFile], families: frozenset[str]
) -> tuple[Finding, ...]:
    try:
        data = read_limited(path, LARGEST[sort])
    except OSError as error:
        return (_refused(file, os_error(error)),)
    if sort in (StyleSheet, TemplateFile) and len(data) > WRITTEN < len(
        _EMBEDDED.sub("", sort(file, data).text)
    ):
        return (_refused(file, _("larger than {most:.3g} MB", most=WRITTEN / 1e6)),)
    judged = DrawingFile(file, data, families) if sort is DrawingFile else sort(file, data)
    return in_order((*run("appearance", judged), *islice(_within(judged, families), TOLD)))


def _refused(file: str, reason: str) -> Finding:
    message = _("{file}: {reason}", file=Path(file).name, reason=reason)
    return file_codes.UNREADABLE.finding(message, LooksFile(file, b"").at())


def _within(held: LooksFile, families: frozenset[str]) -> Iterator[Finding]:
    """What is wrong with pictures and drawings that stand in the text of another file, at their places there."""
    if isinstance(held, PictureFile):
        return
    text = held.text
    for found in _EMBEDDED.finditer(text):
        with suppress(ValueError):
            data, drawn = b64decode(found[2], validate=True), found[1] == "svg+xml"
            name = f"{held.file}.{found[1]}"
            for one in run(
                "appearance",
                DrawingFile(name, data, families) if drawn else PictureFile(name, data),
            ):
                yield replace(one, location=held.at(found.start()))
    start = text.find("<svg") if isinstance(held, TemplateFile) else -1
    while start >= 0 and (end := text.find("</svg>", start)) >= 0:
        for one in _inline(text[start : end + 6], held.file, families):
            yield replace(one, location=held.at(start))
        start = text.find("<svg", end)


def _inline(drawing: str, file: str, families: frozenset[str]) -> Iterator[Finding]:
    """What is wrong with a drawing that stands in a template, as far as it can be read without what fills its gaps."""
    whole = _GAP.sub("1", _TAG.sub("", drawing))
    if "xmlns=" not in whole:
        whole = whole.replace("<svg", f'<svg xmlns="{SVG}"', 1)
    unsure = {BROKEN.code, FONT.code} if _GAP.search(drawing) else {BROKEN.code}
    yield from (
        one
        for one in run("appearance", DrawingFile(file, whole.encode(), families))
        if one.code not in unsure
    )
