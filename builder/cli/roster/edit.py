"""`squadpress roster add`, `remove`, `equip`, `move`, `rename`, `duplicate`, `undo`.

Edits of a roster's file.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TypeAlias

import click

from builder.cli.console import echo, make_console, run_uninterrupted, write
from builder.cli.options import project_option
from builder.cli.roster.options import file_argument, get_exit_code, lang_option, print_result
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.rules import Source
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.roster.operations import Add, Duplicate, Edit, Move, Rename
from builder.rules.names import Names
from builder.usecases.roster.check_roster import resolve_language
from builder.usecases.roster.edit import Editor, open_editor
from builder.usecases.roster.roster_files import RosterFiles, judge_file, judge_files

EditOutcome: TypeAlias = tuple[Edit, str, dict[str, object]]
"""An edit, the pattern of its message, and the values of the message; cards by id."""

count_option = click.option("--count", type=click.IntRange(1, 99), help="Number of copies.")


def _open_editor(project: Project, file: Path) -> Editor:
    return open_editor(PackFiles(project), RosterFiles(project), str(file))


def edit_command(command: Callable[..., EditOutcome]) -> Callable[..., int]:
    """Return a command that saves the edit that `command` returns, and prints a message.

    Then the squad is checked. An illegal squad is reported and not refused.
    """

    @lang_option
    @project_option
    @wraps(command)
    def run(file: Path, lang: str | None, project: Project, **arguments: object) -> int:
        with RosterFiles(project).alone(
            str(file)
        ):  # a line meant by its number is that line until it is changed
            editor = _open_editor(project, file)
            edit, pattern, values = command(editor, **arguments)
            names = Names(editor.pack, resolve_language(editor.pack, lang))
            if "card" in values:
                values["card"] = names.name_card(str(values["card"]))
            message = names.translate(_(pattern, **values))
            with run_uninterrupted():
                editor.make_edit(edit, message)
        write(message)
        print_result(make_console(), judge_file(project, file, lang))
        return 0

    return run


def format_count(count: int | None) -> str:
    """Return ` ×2` for 2 copies, and an empty text for one."""
    return f" ×{count}" if count and count > 1 else ""


@click.command()
@file_argument
@click.argument("card")
@click.option(
    "--to",
    "who",
    metavar="WHO",
    help="Model: number, id, name or card of a line.",
)
@count_option
@click.option("--slot", help="Slot of the card.")
@edit_command
def add(
    editor: Editor, card: str, who: str | None, count: int | None, slot: str | None
) -> EditOutcome:
    """Add CARD to the squad in FILE: as a model, to the deck, or with --to to a model."""
    source = editor.find_source(card)
    if (source is Source.ATTACHMENTS) is not (who is not None):
        form = (
            _("{card} must be attached to a model")
            if who is None
            else _("{card} cannot be attached to a model")
        )
        raise UsageError(
            _(form, card=card), _("Use --to WHO only for cards that are attached to a model.")
        )
    line = editor.find_line(who) if who is not None else -1
    form = _("attached {card}{many} to #{line}") if line >= 0 else _("added {card}{many}")
    return (
        Add(card, source, line, count or 1, slot),
        form,
        {"card": card, "many": format_count(count), "line": line + 1},
    )


@click.command()
@file_argument
@click.argument("who")
@click.argument("card")
@click.option("--slot", help="Slot of the card.")
@edit_command
def equip(editor: Editor, who: str, card: str, slot: str | None) -> EditOutcome:
    """Attach CARD to the model WHO in the squad in FILE."""
    if editor.find_source(card) is not Source.ATTACHMENTS:
        message = _("{card} cannot be attached to a model", card=card)
        raise UsageError(message, _("Use `squadpress roster add` to add it to the squad."))
    line = editor.find_line(who)
    values: dict[str, object] = {"card": card, "many": "", "line": line + 1}
    return (
        Add(card, Source.ATTACHMENTS, line, slot=slot),
        _("attached {card}{many} to #{line}"),
        values,
    )


@click.command()
@file_argument
@click.argument("what")
@click.option("--from", "who", metavar="WHO", help="Model that has the card.")
@count_option
@edit_command
def remove(editor: Editor, what: str, who: str | None, count: int | None) -> EditOutcome:
    """Remove WHAT from the squad in FILE: a model with its equipment, a card of the deck, or a
    card attached to WHO.
    """
    if who is not None and count is not None:
        raise UsageError(
            _("attached cards are removed one at a time"),
            _("Leave out --count and repeat the command."),
        )
    edit = (
        editor.find_attachment(editor.find_line(who), what)
        if who is not None
        else editor.find_removal(what, count)
    )
    return edit, _("removed {card}{many}"), {"card": edit.card, "many": format_count(edit.count)}


@click.command()
@file_argument
@click.argument("card")
@click.option("--from", "giver", metavar="WHO", required=True, help="Model that has the card now.")
@click.option("--to", "taker", metavar="WHO", required=True, help="Model that gets the card.")
@edit_command
def move(editor: Editor, card: str, giver: str, taker: str) -> EditOutcome:
    """Move CARD from one model to another in the squad in FILE."""
    attachment, line = (
        editor.find_attachment(editor.find_line(giver), card),
        editor.find_line(taker),
    )
    return (
        Move(attachment.path, card, line),
        _("moved {card} to #{line}"),
        {"card": card, "line": line + 1},
    )


@click.command()
@file_argument
@click.argument("name")
@click.option("--entry", "who", metavar="WHO", help="Model to name. Default: the squad itself.")
@edit_command
def rename(editor: Editor, name: str, who: str | None) -> EditOutcome:
    """Name the squad in FILE, or one of its models."""
    if not name.strip():
        raise UsageError(_("the new name is empty"), _("Write it in quotes: 'The Long Night'."))
    return (
        Rename(name, editor.find_line(who) if who is not None else -1),
        _("named {name}"),
        {"name": name},
    )


@click.command()
@file_argument
@click.argument("who")
@edit_command
def duplicate(editor: Editor, who: str) -> EditOutcome:
    """Duplicate the model WHO with its equipment in the squad in FILE."""
    line = editor.find_line(who)
    return Duplicate(line), _("duplicated {card}"), {"card": editor.roster.entries[line].card}


@click.command()
@file_argument
@lang_option
@project_option
def undo(file: Path, lang: str | None, project: Project) -> int:
    """Undo the last edit of FILE. Repeat to undo earlier edits."""
    if lang is not None:
        resolve_language(_open_editor(project, file).pack, lang)
    with run_uninterrupted():
        message = RosterFiles(project).undo(str(file))
    (result,) = judge_files(project, (file,), lang)
    echo(_("undone: {what}", what=message), result.lang)
    print_result(make_console(), result)
    return get_exit_code((result,)) if result.unreadable else 0
