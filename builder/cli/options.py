"""Options that several commands share."""

import os
from pathlib import Path

import click

from builder.cli.language import interface_language
from builder.store.project import find_project

PATH = click.Path(path_type=Path)
"""A file or folder, given to the command as a path."""

DAY = click.DateTime(["%Y-%m-%d"])

CORES = min(os.cpu_count() or 1, 8)
"""Processes that set cards where none asks for another number."""

project_option = click.option(
    "--project",
    type=PATH,
    callback=lambda _context, _option, folder: find_project(folder or Path.cwd()),
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

lang_option = click.option(
    "--lang",
    metavar="LANG",
    default=interface_language,
    help="Language in which findings are told. Default: the interface's.",
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
