"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.messages import languages

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

LANGUAGE = "SQUADPRESS_LANG"
"""The variable of the environment that stands for `--lang` where a command says what it found."""

lang_option = click.option(
    "--lang",
    metavar="LANG",
    envvar=LANGUAGE,
    default="en",
    show_default=True,
    help=f"Language in which findings are told: en, ru; by default that of {LANGUAGE}.",
)
"""`--lang`, given to the command as `lang`: of the program's words, not of the cards."""


def spoken(langs: Iterable[str], environment: Mapping[str, str] = os.environ) -> str:
    """The language of the program's words where `--lang` is that of the cards: the first that it has words for, else
    that of the environment, else English.
    """
    known = (lang for lang in langs if lang.partition("-")[0] in languages())
    return next(known, environment.get(LANGUAGE, "en"))


as_of_option = click.option(
    "--as-of",
    metavar="VERSION|DAY",
    help="Use the cards and rules of a release, named by its version or by a day (YYYY-MM-DD) of play.",
)
"""`--as-of`, given to the command as `as_of`."""

pack_option = click.option("--pack", metavar="PACK", help="The pack; may be left out where there is only one.")
"""`--pack`, given to the command as `pack`."""
