"""`squadpress roster add`, `remove`, `equip`, `move`, `rename`, `duplicate`, `undo`: edits of a roster's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.options import project_option
from builder.cli.roster_options import console, print_judged

if TYPE_CHECKING:
    from builder.roster.operations import Edit
    from builder.store.project import Project
    from builder.usecases.roster_edit import Editor

file_argument = click.argument("file", type=click.Path(path_type=Path))
count_option = click.option("--count", type=click.IntRange(1, 99), help="How many copies.")


def _editor(project: Project, file: Path) -> Editor:
    from builder.usecases.roster_edit import Editor

    return Editor(project, file)


def _done(editor: Editor, edit: Edit, what: str) -> int:
    """Make the edit, then say how the squad stands: an illegal state is reported, not refused."""
    editor.do(edit, what)
    return _report(editor.project, editor.file, what)


def _report(project: Project, file: Path, what: str) -> int:
    from builder.usecases.roster_check import judge_rosters

    click.echo(what)
    for judged in judge_rosters(project, (file,)):
        print_judged(console(), judged)
    return 0


@click.command()
@file_argument
@click.argument("card")
@click.option("--to", "who", metavar="WHO", help="Who carries it: a line's number, its id, its name or its card.")
@count_option
@click.option("--slot", help="The slot it is meant for.")
@project_option
def add(file: Path, card: str, who: str | None, count: int | None, slot: str | None, project: Project) -> int:
    """Put CARD into the squad in FILE: as a model, into the deck, or to the model named by --to."""
    from builder.errors import UsageError
    from builder.model.rules import Source
    from builder.roster.operations import Add

    editor = _editor(project, file)
    source = editor.source(card)
    if (source is Source.ATTACHMENTS) is not (who is not None):
        needs = "has to be given to a model" if who is None else "is not carried by a model"
        raise UsageError(f"{card} {needs}", "Say --to WHO for what a model carries, and only for that.")
    line = editor.line(who) if who is not None else -1
    many = f" ×{count}" if count and count > 1 else ""
    beside = f" to #{line + 1}" if line >= 0 else ""
    return _done(editor, Add(card, source, line, count or 1, slot), f"added {card}{many}{beside}")


@click.command()
@file_argument
@click.argument("who")
@click.argument("card")
@click.option("--slot", help="The slot it is meant for.")
@project_option
def equip(file: Path, who: str, card: str, slot: str | None, project: Project) -> int:
    """Give CARD to the model WHO of the squad in FILE."""
    from builder.errors import UsageError
    from builder.model.rules import Source
    from builder.roster.operations import Add

    editor = _editor(project, file)
    if editor.source(card) is not Source.ATTACHMENTS:
        raise UsageError(f"{card} is not carried by a model", "`squadpress roster add` puts it into the squad.")
    line = editor.line(who)
    return _done(editor, Add(card, Source.ATTACHMENTS, line, slot=slot), f"gave {card} to #{line + 1}")


@click.command()
@file_argument
@click.argument("what")
@click.option("--from", "who", metavar="WHO", help="The model that carries it.")
@count_option
@project_option
def remove(file: Path, what: str, who: str | None, count: int | None, project: Project) -> int:
    """Take WHAT out of the squad in FILE: a model with all it carries, a card of the deck, or what WHO carries."""
    editor = _editor(project, file)
    edit = editor.held(editor.line(who), what) if who is not None else editor.pick(what, count)
    return _done(editor, edit, f"removed {edit.card}" + (f" ×{count}" if count else ""))


@click.command()
@file_argument
@click.argument("card")
@click.option("--from", "giver", metavar="WHO", required=True, help="The model that carries it now.")
@click.option("--to", "taker", metavar="WHO", required=True, help="The model that shall carry it.")
@project_option
def move(file: Path, card: str, giver: str, taker: str, project: Project) -> int:
    """Give CARD from one model of the squad in FILE to another."""
    from builder.roster.operations import Move

    editor = _editor(project, file)
    held, line = editor.held(editor.line(giver), card), editor.line(taker)
    return _done(editor, Move(held.path, card, line), f"moved {card} to #{line + 1}")


@click.command()
@file_argument
@click.argument("name")
@click.option("--entry", "who", metavar="WHO", help="The model to be named; the squad itself if absent.")
@project_option
def rename(file: Path, name: str, who: str | None, project: Project) -> int:
    """Call the squad in FILE, or one of its models, NAME."""
    from builder.roster.operations import Rename

    editor = _editor(project, file)
    return _done(editor, Rename(name, editor.line(who) if who is not None else -1), f"named {name}")


@click.command()
@file_argument
@click.argument("who")
@project_option
def duplicate(file: Path, who: str, project: Project) -> int:
    """Put another model like WHO, with all it carries, into the squad in FILE."""
    from builder.roster.operations import Duplicate

    editor = _editor(project, file)
    line = editor.line(who)
    return _done(editor, Duplicate(line), f"duplicated {editor.roster.entries[line].card}")


@click.command()
@file_argument
@project_option
def undo(file: Path, project: Project) -> int:
    """Take the last edit of FILE back; again for the one before."""
    from builder.errors import InputUnreadable
    from builder.store.history import History

    if not file.is_file():
        raise InputUnreadable(f"{file}: there is no such file", "Name a roster file.")
    return _report(project, file, f"took back: {History(project, file).undo()}")
