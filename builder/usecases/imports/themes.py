"""Find the theme of a list, read themes from their files, and write a new one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import ValidationError

from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited
from builder.imported.card import ImportedList
from builder.imported.theme import COLOURS, Theme
from builder.messages import describe_os_error, gettext as _
from builder.model.base import Json
from builder.model.words import suggest_word
from builder.packs.yaml.editing import format_block
from builder.usecases.imports.import_files import parse_yaml

THEMES = Path(__file__).parents[2] / "data" / "imported" / "themes"
DEFAULT_THEME = "plain"
MAX_THEME_BYTES = 100_000
MAX_EXAMPLES = 2
MAX_NAME_CHARACTERS = 4
"""A longer name of a column is an example for a short name."""


def list_themes() -> list[str]:
    """Return the names of the program's themes."""
    return sorted(path.stem for path in THEMES.glob("*.yaml"))


def load_theme(name: str) -> Theme:
    """Load a theme of the program by name, or from a file.

    Raise UsageError for an unknown name, and InputUnreadable for a broken file.
    """
    # A name of the program's list cannot contain a path, so only files of this folder are opened.
    path = THEMES / f"{name}.yaml" if name in list_themes() else Path(name)
    if path.suffix not in (".yaml", ".yml"):
        hint = suggest_word(name, tuple(list_themes()), _("Themes"))
        raise UsageError(_("there is no theme {name!r}", name=name), hint)
    try:
        data = read_limited(path, MAX_THEME_BYTES)
    except OSError as error:
        message = _(
            "{file} cannot be read: {reason}",
            file=path,
            reason=describe_os_error(error),
        )
        raise InputUnreadable(message) from error
    try:
        return Theme.model_validate(parse_yaml(data, str(path)))
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(map(str, problem["loc"]))
        message = _(
            "{file}: {key}: {reason}", file=path, key=key, reason=problem["msg"]
        )
        raise InputUnreadable(message, _("Correct it; see docs/players.md.")) from error


@cache
def _list_system_themes() -> dict[str, str]:
    """Return the names of themes by game system id."""
    names: dict[str, str] = {}
    for name in list_themes():
        names |= dict.fromkeys(load_theme(name).systems, name)
    return names


def choose_theme(system_id: str, name: str | None = None) -> Theme:
    """Return the named theme, or that of the game system, or the default theme."""
    return load_theme(name or find_system_theme(system_id) or DEFAULT_THEME)


def find_system_theme(system_id: str) -> str | None:
    """Return the name of the theme for a game system. None if it has none."""
    return _list_system_themes().get(system_id)


def make_theme(imported: ImportedList) -> str:
    """Format a new theme file with the current values and examples from a list.

    Comments have examples with the columns, keywords and titles of the list.
    """
    theme = choose_theme(imported.system_id)
    colours = {**COLOURS, **theme.colours}
    values: dict[str, Json] = {
        "name": imported.system_name or imported.name,
        "systems": [imported.system_id] if imported.system_id else [],
        "colours": {str(name): colour for name, colour in colours.items()},
        "column_order": [*theme.column_order],
        "short_names": {**theme.short_names},
        "box_columns": [*theme.box_columns],
        "keywords": {
            "first": [*theme.keywords.first],
            "omitted": [*theme.keywords.omitted],
        },
        "phases": {**theme.phases},
    }
    examples = _make_examples(imported)
    lines = [
        "# A theme for `squadpress print --theme`. It changes nothing until you edit it."
    ]
    for key, value in values.items():
        lines += format_block({key: value})
        if examples.get(key):
            example_lines = format_block({key: examples[key]})
            lines += ["# Example:", *(f"#   {line}" for line in example_lines)]
    return "\n".join(lines) + "\n"


def _make_examples(imported: ImportedList) -> dict[str, Json]:
    """Return an example from the list for each key of a theme, where it has one."""
    columns: dict[str, None] = {}
    keywords: dict[str, None] = {}
    titles: dict[str, None] = {}
    for card in imported.cards:
        for table in (*card.stats, *card.tables):
            columns |= dict.fromkeys(table.columns)
        keywords |= dict.fromkeys(card.keywords)
        titles |= dict.fromkeys(
            passage.title for passage in card.passages if passage.title
        )
    long_names = [name for name in columns if len(name) > MAX_NAME_CHARACTERS]
    first_columns: list[Json] = [*list(columns)[:MAX_EXAMPLES]]
    first_keywords: list[Json] = [*list(keywords)[:MAX_EXAMPLES]]
    return {
        "column_order": first_columns,
        "short_names": {name: f"{name[:3]}." for name in long_names[:1]},
        "keywords": {"first": first_keywords} if first_keywords else None,
        "phases": {**dict.fromkeys(list(titles)[:1], COLOURS["accent"])},
    }
