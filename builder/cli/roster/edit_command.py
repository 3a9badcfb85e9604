"""The frame of all commands that edit a roster file: options, saving, messages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from builder.cli.console import make_console, run_uninterrupted, write
from builder.cli.options import project_option
from builder.cli.roster.options import lang_option, print_result
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.roster.operations import Edit
from builder.rules.names import Names
from builder.usecases.roster.check_roster import resolve_language
from builder.usecases.roster.edit import Editor, open_editor
from builder.usecases.roster.roster_files import RosterFiles, check_roster_file


@dataclass(frozen=True, slots=True)
class RosterEdit:
    """An edit of a squad, with the message about it. `pattern` is filled with `values`."""

    edit: Edit
    pattern: str
    values: dict[str, object]


count_option = click.option(
    "--count", type=click.IntRange(1, 99), help="Number of copies."
)


def open_roster_editor(project: Project, file: Path) -> Editor:
    """Open a roster file of a project for editing."""
    return open_editor(PackFiles(project), RosterFiles(project), str(file))


def edit_command(command: Callable[..., RosterEdit]) -> Callable[..., int]:
    """Turn a function that returns an edit into a command that saves and reports it.

    Then the squad is checked. An illegal squad is reported and not refused.
    """

    @lang_option
    @project_option
    @wraps(command)
    def run(file: Path, lang: str | None, project: Project, **arguments: object) -> int:
        # The lock keeps other programs from moving the lines that the options name by number.
        with RosterFiles(project).lock(str(file)):
            editor = open_roster_editor(project, file)
            roster_edit = command(editor, **arguments)
            # The names are those before the edit: it may remove the card.
            message = _translate_message(roster_edit, editor, lang)
            with run_uninterrupted():
                editor.make_edit(roster_edit.edit, message)
        write(message)
        print_result(make_console(), check_roster_file(project, file, lang))
        return 0

    return run


def _translate_message(
    roster_edit: RosterEdit, editor: Editor, lang: str | None
) -> str:
    """Translate the message of an edit, with the name of its card in place of the id."""
    names = Names(editor.pack, resolve_language(editor.pack, lang))
    values = dict(roster_edit.values)
    if "card" in values:
        values["card"] = names.name_card(str(values["card"]))
    return names.translate(_(roster_edit.pattern, **values))


def format_count(count: int | None) -> str:
    """Format a number of copies as ` ×2`. Empty for one copy."""
    return f" ×{count}" if count and count > 1 else ""
