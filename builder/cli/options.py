"""Options that several commands share."""

import inspect
from collections.abc import Callable
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TypeAlias

import click

from builder.cli.language import interface_language
from builder.messages import gettext as _, translate
from builder.model.engines import ENGINE_NAMES
from builder.packs.project import find_project

Command: TypeAlias = Callable[..., int]


def grouped(
    name: str, make: Callable[..., object], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Options that reach a command as one argument, `name`: `make` gets those that are parameters of it."""
    known = inspect.signature(make).parameters

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**given: object) -> int:
            taken = {key: given.pop(key) for key in known if key in given}
            return command(**given, **{name: make(**taken)})

        found: Command = run
        for option in reversed(options):
            found = option(found)
        return found

    return decorate


PATH = click.Path(path_type=Path)
"""A file or folder, given to the command as a path."""


class Day(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.3
    """A day of the calendar, given to the command as a date."""

    name = "YYYY-MM-DD"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read it; BadParameter for what is none."""
        try:
            return date.fromisoformat(value)
        except ValueError:
            message = _("{value!r} is not a date such as 2026-01-31 (YYYY-MM-DD)", value=value)
            self.fail(translate(message, interface_language()), param, ctx)


project_option = click.option(
    "--project",
    type=PATH,
    callback=lambda _context, _option, folder: find_project(folder or Path()),
    metavar="DIR",
    help="Folder of the project. Default: the project that contains the current folder.",
)
"""`--project DIR`, given to the command as a Project; UsageError where there is none."""
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="Format of errors and warnings.",
)
lang_option = click.option(
    "--lang",
    metavar="LANG",
    default=interface_language,
    help="Language of errors and warnings. Default: the language of the program.",
)
"""`--lang`, given to the command as `lang`: of the program's words, not of the cards."""


class StateName(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.3
    """The name of a release or a day. An empty one, as from a variable that is not set, is refused."""

    name = "VERSION|DAY"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; BadParameter for an empty one: it would mean the edited files."""
        if not value.strip():
            self.fail(translate(_("the name is empty"), interface_language()), param, ctx)
        return value


as_of_option = click.option(
    "--as-of",
    type=StateName(),
    metavar="VERSION|DAY",
    help="Use the cards and rules of a release: its version, or a date (YYYY-MM-DD).",
)
engine_option = click.option(
    "--engine",
    type=click.Choice(ENGINE_NAMES),
    help="Render with this engine. Default: the one that pack.yaml names, or the one that is chosen.",
)
pack_option = click.option(
    "--pack", metavar="PACK", help="The pack. Can be left out if there is only one."
)
