"""The appearance of the cards of an imported pack. Later imports use that of the first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from builder.errors import UsageError
from builder.imported.card import ImportedList
from builder.imported.cardmaker import CardScope
from builder.messages import gettext as _
from builder.model.import_record import ImportDesign
from builder.usecases.imports.import_files import ImportFiles
from builder.usecases.imports.print_list import (
    DEFAULT_TEXT_SIZE_PT,
    PrintOptions,
    choose_format,
)

THEME_FILE = "imports/theme.yaml"
"""The copy of a theme's file, from the folder of the pack."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The options of an import. Options that are not set come from earlier imports.

    `theme` is a theme of the program, or a file. `text_size` is in pt.
    """

    size: str | None = None
    cards: str | None = None
    text_size: float | None = None
    theme: str | None = None
    lang: str | None = None


def make_print_options(request: ImportRequest) -> PrintOptions:
    """Return the print options that a first import uses."""
    return PrintOptions(
        format=request.size,
        lang=request.lang,
        theme=request.theme,
        text_size=request.text_size or DEFAULT_TEXT_SIZE_PT,
        scope=CardScope(request.cards or CardScope.UNIT),
    )


def choose_design(
    files: ImportFiles, pack: str, request: ImportRequest, imported: ImportedList
) -> ImportDesign:
    """Choose the appearance of a new imported pack. A theme file is copied into the pack."""
    options = make_print_options(request)
    theme, theme_file = request.theme, _find_theme_file(request)
    if theme_file is not None:
        theme = THEME_FILE
        files.write_file(
            files.project.get_cards_dir(pack) / THEME_FILE, theme_file.read_bytes()
        )
    return ImportDesign(
        size=request.size or choose_format(imported, options),
        cards=options.scope.value,
        text_size=options.text_size,
        theme=theme,
    )


def _find_theme_file(request: ImportRequest) -> Path | None:
    """Return the theme file of a request. None for a theme of the program."""
    path = Path(request.theme or "")
    return path if path.suffix in (".yaml", ".yml") and path.is_file() else None


def require_same_design(
    files: ImportFiles, pack: str, design: ImportDesign, request: ImportRequest
) -> None:
    """Raise UsageError if an option differs from the first import into a pack."""
    stored_theme = files.read_file(files.project.get_cards_dir(pack) / THEME_FILE)
    has_same_theme = request.theme in (None, design.theme)
    theme_file = _find_theme_file(request)
    if theme_file is not None:
        # The copy in the pack has another name.
        has_same_theme = theme_file.read_bytes() == stored_theme
    comparisons = {
        "--size": (request.size in (None, design.size), design.size),
        "--cards": (request.cards in (None, design.cards), design.cards),
        "--text-size": (
            request.text_size in (None, design.text_size),
            design.text_size,
        ),
        "--theme": (has_same_theme, design.theme or _("by the game system")),
    }
    for option, (is_same, value) in comparisons.items():
        if not is_same:
            form = _("{pack} was imported with {option} {value}")
            message = _(form, pack=pack, option=option, value=value)
            hint = _("Leave out {option}, or import into a new folder.", option=option)
            raise UsageError(message, hint)


def apply_design(
    files: ImportFiles, pack: str, design: ImportDesign, options: PrintOptions
) -> PrintOptions:
    """Return the print options of a later import, with the design of the first one."""
    theme = design.theme
    stored_theme = files.project.get_cards_dir(pack) / THEME_FILE
    if theme == THEME_FILE:
        # During the first import, the copy is not yet on the disk.
        theme = str(stored_theme) if stored_theme.exists() else options.theme
    return replace(
        options,
        format=design.size,
        scope=CardScope(design.cards),
        text_size=design.text_size,
        theme=theme,
    )
