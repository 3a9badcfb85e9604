"""`squadpress roster undo`."""

from pathlib import Path

import click

from builder.cli.console import echo, make_console, run_uninterrupted
from builder.cli.options import project_option
from builder.cli.roster.edit_command import open_roster_editor
from builder.cli.roster.options import (
    file_argument,
    get_exit_code,
    lang_option,
    print_result,
)
from builder.messages import gettext as _
from builder.packs.project import Project
from builder.usecases.roster.check_roster import resolve_language
from builder.usecases.roster.roster_files import RosterFiles, check_roster_files


@click.command()
@file_argument
@lang_option
@project_option
def undo(file: Path, lang: str | None, project: Project) -> int:
    """Undo the last edit of FILE. Repeat to undo earlier edits."""
    # An unknown language is an error before anything is undone.
    if lang is not None:
        resolve_language(open_roster_editor(project, file).pack, lang)
    with run_uninterrupted():
        message = RosterFiles(project).undo(str(file))
    (result,) = check_roster_files(project, (file,), lang)
    echo(_("undone: {what}", what=message), result.lang)
    print_result(make_console(), result)
    return get_exit_code((result,)) if result.unreadable else 0
