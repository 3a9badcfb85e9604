"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.language import interface_language

if TYPE_CHECKING:
    from builder.store.project import Project


def _project(_: click.Context, __: click.Parameter, value: Path | None) -> Project:
    from builder.store.project import find_project

    return find_project(value or Path.cwd())


project_option = click.option(
    "--project",
    type=click.Path(path_type=Path),
    callback=_project,
    metavar="DIR",
    help="The project's folder; by default the one around the working folder.",
)
"""`--project DIR`, given to the command as a Project; UsageError where there is none."""

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How findings are written.",
)
"""`--format NAME`, given to the command as `form`."""


def _lang(_: click.Context, __: click.Parameter, value: str | None) -> str:
    return value or interface_language()


lang_option = click.option(
    "--lang", metavar="LANG", callback=_lang, help="Language in which findings are told. Default: the interface's."
)
"""`--lang`, given to the command as `lang`: of the program's words, not of the cards."""

as_of_option = click.option(
    "--as-of",
    metavar="VERSION|DAY",
    help="Use the cards and rules of a release, named by its version or by a day (YYYY-MM-DD) of play.",
)
"""`--as-of`, given to the command as `as_of`."""

pack_option = click.option("--pack", metavar="PACK", help="The pack; may be left out where there is only one.")
"""`--pack`, given to the command as `pack`."""
