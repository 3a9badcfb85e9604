"""Checks of files before rendering: pictures, drawings, style sheets, icons, fonts.

The findings about a file are cached as long as the file keeps its size and times.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from pydantic import JsonValue

from builder.cache import Value, fingerprint
from builder.checks.appearance.drawings import BROKEN, FONT, NEVER_DRAWN
from builder.checks.appearance.pictures import FORMATS, PIXELS
from builder.checks.appearance.styles import TOO_MUCH
from builder.checks.registry import run_checks
from builder.files import find_files, read_limited
from builder.findings import Finding, Location, has_errors, sort_findings
from builder.messages import describe_os_error, gettext as _
from builder.model.loaded import (
    MAX_FINDINGS_PER_FILE,
    AppearanceFile,
    DrawingFile,
    LoadedPack,
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
    SVG_ELEMENT,
    EngineSupport,
    find_lost_in_style_sheet,
    format_lost_feature,
    load_support,
)
from builder.render.fonts import FAMILIES, find_covered_characters, fold_family_name
from builder.render.html.icons import load_icon_font
from builder.render.html.packfonts import PackFonts, load_pack_fonts
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.build.records import read_findings

FILE_TYPES: dict[str, type[AppearanceFile]] = {
    **dict.fromkeys(FORMATS, PictureFile),
    ".svg": DrawingFile,
    ".css": StyleSheet,
    ".j2": TemplateFile,
    ".html": TemplateFile,
}
"""The type of a file by its file extension."""
MAX_FILE_BYTES = {
    PictureFile: 64_000_000,
    DrawingFile: 2_000_000,
    StyleSheet: 4_000_000,
    TemplateFile: 4_000_000,
}
MAX_TEXT_CHARACTERS = 500_000
"""The length of a template or style sheet, not counting the pictures that it contains."""

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
_EMBEDDED = re.compile(
    r"data:image/(png|jpe?g|gif|webp|svg\+xml);base64,([A-Za-z0-9+/=]+)"
)
"""A picture in a data URL: its format and its content."""
_EXPRESSION = re.compile(r"\{\{[^{}]*\}\}")
_STATEMENT = re.compile(r"\{[%#][^{}]*\}")
"""A statement or a comment of a template."""
ENDLESS = frozenset({TOO_MUCH.code, PIXELS.code})
"""Codes of files that could take all memory or time if they were rendered."""
FILE_CODES = frozenset({render_codes.MISSING.code, render_codes.ENGINE.code})
"""Codes of an engine's findings about a file that it cannot open or draw."""


def check_appearance(project: Project, loaded: LoadedPack) -> tuple[Finding, ...]:
    """Check the files that shape a pack's cards: pictures, drawings, styles, icons and fonts.

    Texts with characters that no font has are reported too.
    """
    pack = loaded.whole.id
    places = get_render_folders(project, pack)
    fonts = load_pack_fonts(places, is_written=False)
    icons_folder = places.templates / "icons"
    icons_name = places.format_path(icons_folder)
    icons = load_icon_font(icons_folder, places.cache, icons_name, is_written=False)
    ranges = find_covered_characters(fonts.paths, fonts.hash, project.cache)
    findings = [
        *icons.findings,
        *fonts.findings,
        *_check_pack_files(project, pack, fonts),
    ]
    findings += _find_lost_features(
        project, with_chosen_engine(places, loaded)[0].whole
    )
    findings += run_checks("appearance", PackLetters(loaded, ranges))
    return sort_findings(findings)


def check_appearance_files(project: Project, pack: str) -> tuple[Finding, ...]:
    """Check the pictures, drawings, style sheets and templates of a pack."""
    fonts = load_pack_fonts(get_render_folders(project, pack), is_written=False)
    return sort_findings(_check_pack_files(project, pack, fonts))


def drop_consequences(
    render_findings: Iterable[Finding], file_findings: Iterable[Finding]
) -> tuple[Finding, ...]:
    """Remove a rendering engine's findings about files that already have an error of their own."""
    damaged_files = {
        finding.location.file for finding in file_findings if has_errors((finding,))
    }
    return tuple(
        finding
        for finding in render_findings
        if finding.code not in FILE_CODES or finding.location.file not in damaged_files
    )


CheckFile: TypeAlias = Callable[[Path, str, type[AppearanceFile]], Iterable[Finding]]
"""Checks one file: its path, its name in findings, its type."""


def _check_pack_files(
    project: Project, pack: str, fonts: PackFonts
) -> Iterator[Finding]:
    families = frozenset(map(fold_family_name, (*FAMILIES, *fonts.families)))
    # Whether a family is known decides a finding, so another list of families is another check.
    versions = [
        fingerprint("checks", "model", libraries=("pillow",)),
        *sorted(families),
    ]

    def check_file(
        path: Path, file: str, file_type: type[AppearanceFile]
    ) -> Iterable[Finding]:
        return _check_file(path, file, file_type, families)

    return _check_changed_files(project, pack, "looks", versions, check_file)


def _find_lost_features(project: Project, pack: Pack) -> Iterator[Finding]:
    """Find features of drawings and style sheets that the pack's rendering engine does not draw."""
    support = load_support(pack.manifest.engine)
    versions = [fingerprint("render/engines"), support.engine, support.version]

    def check_file(
        path: Path, file: str, file_type: type[AppearanceFile]
    ) -> Iterable[Finding]:
        if file_type is PictureFile:
            return ()
        try:
            data = read_limited(path, MAX_FILE_BYTES[file_type])
        except OSError:  # `_check_file` reports it
            return ()
        return islice(
            _find_lost_in_file(file_type(file, data), support), MAX_FINDINGS_PER_FILE
        )

    return _check_changed_files(project, pack.id, "lost", versions, check_file)


def _check_changed_files(
    project: Project,
    pack: str,
    cache_area: str,
    versions: Iterable[str],
    check: CheckFile,
) -> Iterator[Finding]:
    """Yield the findings about each file of a pack. Unchanged files are not checked again.

    Their findings come from `cache_area` of the cache. All files are checked again if one of the
    `versions` changes.
    """
    cached_entries = project.cache.value(cache_area, pack) or {}
    entries: Value = {}
    for path in _list_appearance_files(project, pack):
        file_type = FILE_TYPES.get(path.suffix.lower())
        if file_type is None:
            continue
        file = project.shorten_path(path)
        status = path.stat()
        # Copying may keep the time of the last edit, but not the time of the last change (ctime).
        times = (status.st_mtime_ns, status.st_ctime_ns)
        state: list[JsonValue] = [*versions, status.st_size, *times]
        entry = cached_entries.get(file)
        findings = None
        if isinstance(entry, dict) and entry.get("state") == state:
            findings = read_findings(entry)
        if findings is None:
            findings = tuple(check(path, file, file_type))
        entries[file] = {
            "state": state,
            "findings": [finding.to_json() for finding in findings],
        }
        yield from findings
    if entries != cached_entries:
        project.cache.write(cache_area, pack, entries)


def _list_appearance_files(project: Project, pack: str) -> Iterator[Path]:
    """Yield the templates and pictures of a pack."""
    templates_folder = project.get_templates_dir(pack)
    cards_folder = project.get_cards_dir(pack)
    for folder, pattern in ((templates_folder, "**/*"), (cards_folder, "art/**/*")):
        if folder.is_dir():
            yield from find_files(folder, pattern)


def _find_lost_in_file(
    file: AppearanceFile, support: EngineSupport
) -> Iterator[Finding]:
    """Find features of one file that a rendering engine does not draw."""
    if isinstance(file, StyleSheet):
        for complaint in find_lost_in_style_sheet(file.text, support):
            line, column = complaint.at or (1, 1)
            yield complaint.finding(Location(file.file, line, column))
        return
    for drawing in SVG_ELEMENT.finditer(file.text):
        for lost in support.find_lost(drawing[0]):
            # looks/undrawn reports these, at a better place.
            if (
                isinstance(file, DrawingFile)
                and {lost.element, lost.attribute} & NEVER_DRAWN
            ):
                continue
            place = file.locate_offset(drawing.start() + lost.offset)
            message = format_lost_feature(support, lost)
            yield render_codes.UNDRAWN_FEATURE.finding(message, place)


def _check_file(
    path: Path, file: str, file_type: type[AppearanceFile], families: frozenset[str]
) -> tuple[Finding, ...]:
    try:
        data = read_limited(path, MAX_FILE_BYTES[file_type])
    except OSError as error:
        return (_report_unreadable(file, describe_os_error(error)),)
    looks_file = _make_appearance_file(file, data, file_type, families)
    if file_type in (StyleSheet, TemplateFile) and len(data) > MAX_TEXT_CHARACTERS:
        text = _EMBEDDED.sub("", looks_file.text)
        if len(text) > MAX_TEXT_CHARACTERS:
            message = _("larger than {most:.3g} MB", most=MAX_TEXT_CHARACTERS / 1e6)
            return (_report_unreadable(file, message),)
    findings = [*run_checks("appearance", looks_file)]
    findings += islice(
        _check_embedded_pictures(looks_file, families), MAX_FINDINGS_PER_FILE
    )
    return sort_findings(findings)


def _make_appearance_file(
    file: str, data: bytes, file_type: type[AppearanceFile], families: frozenset[str]
) -> AppearanceFile:
    if file_type is DrawingFile:
        return DrawingFile(file, data, families)
    return file_type(file, data)


def _report_unreadable(file: str, reason: str) -> Finding:
    message = _("{file}: {reason}", file=Path(file).name, reason=reason)
    return file_codes.UNREADABLE.finding(
        message, AppearanceFile(file, b"").locate_offset()
    )


def _check_embedded_pictures(
    file: AppearanceFile, families: frozenset[str]
) -> Iterator[Finding]:
    """Check pictures and drawings inside a text file. Findings have their place in the file."""
    if isinstance(file, PictureFile):
        return
    for data_url in _EMBEDDED.finditer(file.text):
        file_type = DrawingFile if data_url[1] == "svg+xml" else PictureFile
        # The engine leaves out a picture whose base64 is wrong, and the build reports it.
        with suppress(ValueError):
            data = b64decode(data_url[2], validate=True)
            picture = _make_appearance_file(
                f"{file.file}.{data_url[1]}", data, file_type, families
            )
            for finding in run_checks("appearance", picture):
                yield replace(finding, location=file.locate_offset(data_url.start()))
    if isinstance(file, TemplateFile):
        yield from _check_inline_drawings(file, families)


def _check_inline_drawings(
    file: TemplateFile, families: frozenset[str]
) -> Iterator[Finding]:
    text = file.text
    start = text.find("<svg")
    while start >= 0:
        end = text.find("</svg>", start)
        if end < 0:
            return
        drawing = text[start : end + len("</svg>")]
        for finding in _check_inline_drawing(drawing, file.file, families):
            yield replace(finding, location=file.locate_offset(start))
        start = text.find("<svg", end)


def _check_inline_drawing(
    drawing: str, file: str, families: frozenset[str]
) -> Iterator[Finding]:
    """Check an SVG drawing in a template, with "1" in place of each expression.

    Errors that expressions may cause are left out: broken XML, and unknown fonts.
    """
    text = _EXPRESSION.sub("1", _STATEMENT.sub("", drawing))
    # HTML needs no namespace, but a drawing file does.
    if "xmlns=" not in text:
        text = text.replace("<svg", f'<svg xmlns="{SVG_NAMESPACE}"', 1)
    undecided_codes = {BROKEN.code}
    if _EXPRESSION.search(drawing):
        undecided_codes.add(FONT.code)
    for finding in run_checks("appearance", DrawingFile(file, text.encode(), families)):
        if finding.code not in undecided_codes:
            yield finding
