"""Options that several commands share."""

import inspect
import re
from collections.abc import Callable
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TypeAlias

import click

from builder.cli.language import get_interface_language
from builder.messages import gettext as _, translate
from builder.model.days import parse_day
from builder.model.engines import ENGINE_NAMES
from builder.packs.project import find_project

Command: TypeAlias = Callable[..., int]
WEB_ADDRESS = re.compile(r"https?://[^\s/?#]+[^\s?#]*")


def group_options(
    name: str, make: Callable[..., object], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Make a decorator that adds options to a command and passes them as one argument `name`.

    `make` builds the argument from the options that are its parameters.
    """
    parameters = inspect.signature(make).parameters

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**arguments: object) -> int:
            grouped = {
                key: arguments.pop(key) for key in parameters if key in arguments
            }
            return command(**arguments, **{name: make(**grouped)})

        decorated: Command = run
        # The decorator that is applied last is the first in the help.
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


PATH = click.Path(path_type=Path)
"""The type of an option or argument that is a file or folder."""


class Day(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.3
    """The type of a command option that is a date (YYYY-MM-DD)."""

    name = "YYYY-MM-DD"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> date:
        """Parse the date. Raise BadParameter if the text is not a date."""
        day = parse_day(value)
        if day is None:
            message = _(
                "{value!r} is not a date such as 2026-01-31 (YYYY-MM-DD)", value=value
            )
            self.fail(translate(message, get_interface_language()), param, ctx)
        return day


project_option = click.option(
    "--project",
    type=PATH,
    callback=lambda _context, _option, folder: find_project(folder or Path()),
    metavar="DIR",
    help="Folder of the project. Default: the project that contains the current folder.",
)
"""`--project DIR` as a Project. Raises UsageError if there is none."""
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
    default=get_interface_language,
    help="Language of errors and warnings. Default: the language of the program.",
)
"""`--lang` as the language of messages, not of cards."""


class StateName(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.3
    """The type of a command option that names a release by version or day.

    An empty name is refused, because it may come from an unset shell variable. It would silently
    mean the edited files.
    """

    name = "VERSION|DAY"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name. Raise BadParameter if it is empty."""
        if not value.strip():
            self.fail(
                translate(_("the name is empty"), get_interface_language()), param, ctx
            )
        day = parse_day(value)
        return value if day is None else day.isoformat()


class WebAddress(click.ParamType):  # type: ignore[type-arg]  # as above
    """The type of a command option that is a web address. Empty means none."""

    name = "URL"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the address. Raise BadParameter if a browser could not open it."""
        if value and not WEB_ADDRESS.fullmatch(value):
            message = _(
                "{value!r} is no web address such as https://example.org", value=value
            )
            self.fail(translate(message, get_interface_language()), param, ctx)
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
    help=(
        "Render with this engine. Default: the engine in pack.yaml, or the best one for the pack."
    ),
)
pack_option = click.option(
    "--pack", metavar="PACK", help="The pack. Can be left out if there is only one."
)
