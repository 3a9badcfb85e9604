"""`squadpress roster add`, `remove`, `equip`, `move`, `rename`, `duplicate`, `undo`: edits of a roster's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.console import console, echo
from builder.cli.options import project_option
from builder.cli.roster.options import file_argument, lang_option, print_judged
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.model.rules import Source
from builder.roster.operations import Add, Duplicate, Edit, Move, Rename
from builder.store.project import Project

if TYPE_CHECKING:
    from builder.usecases.roster.edit import Editor

count_option = click.option("--count", type=click.IntRange(1, 99), help="How many copies.")


def _editor(project: Project, file: Path) -> Editor:
    from builder.usecases.files import PackFiles, RosterFiles
    from builder.usecases.roster.edit import open_editor

    return open_editor(PackFiles(project), RosterFiles(project), str(file))


def _done(project: Project, editor: Editor, edit: Edit, lang: str | None, form: str, **told: object) -> int:
    """Make the edit, then say how the squad stands: an illegal state is reported, not refused."""
    from builder.rules.names import Names
    from builder.usecases.files import judge_files
    from builder.usecases.roster.check import resolve_language

    names = Names(editor.pack, resolve_language(editor.pack, lang))
    told |= {"card": names.card(str(told["card"]))} if "card" in told else {}
    what = names.say(_(form, **told))
    editor.do(edit, what)
    click.echo(what)
    for judged in judge_files(project, (Path(editor.name),), lang):
        print_judged(console(), judged)
    return 0


def _many(count: int | None) -> str:
    """` ×2`, nothing for one."""
    return f" ×{count}" if count and count > 1 else ""


@click.command()
@file_argument
@click.argument("card")
@click.option("--to", "who", metavar="WHO", help="Who carries it: a line's number, its id, its name or its card.")
@count_option
@click.option("--slot", help="The slot it is meant for.")
@lang_option
@project_option
def add(
    file: Path, card: str, who: str | None, count: int | None, slot: str | None, lang: str | None, project: Project
) -> int:
    """Put CARD into the squad in FILE: as a model, into the deck, or to the model named by --to."""
    editor = _editor(project, file)
    source = editor.source(card)
    if (source is Source.ATTACHMENTS) is not (who is not None):
        form = _("{card} has to be given to a model") if who is None else _("{card} is not carried by a model")
        raise UsageError(_(form, card=card), _("Say --to WHO for what a model carries, and only for that."))
    line = editor.line(who) if who is not None else -1
    edit = Add(card, source, line, count or 1, slot)
    form = _("gave {card}{many} to #{line}") if line >= 0 else _("added {card}{many}")
    return _done(project, editor, edit, lang, form, card=card, many=_many(count), line=line + 1)


@click.command()
@file_argument
@click.argument("who")
@click.argument("card")
@click.option("--slot", help="The slot it is meant for.")
@lang_option
@project_option
def equip(file: Path, who: str, card: str, slot: str | None, lang: str | None, project: Project) -> int:
    """Give CARD to the model WHO of the squad in FILE."""
    editor = _editor(project, file)
    if editor.source(card) is not Source.ATTACHMENTS:
        message = _("{card} is not carried by a model", card=card)
        raise UsageError(message, _("`squadpress roster add` puts it into the squad."))
    line = editor.line(who)
    edit = Add(card, Source.ATTACHMENTS, line, slot=slot)
    return _done(project, editor, edit, lang, _("gave {card}{many} to #{line}"), card=card, many="", line=line + 1)


@click.command()
@file_argument
@click.argument("what")
@click.option("--from", "who", metavar="WHO", help="The model that carries it.")
@count_option
@lang_option
@project_option
def remove(file: Path, what: str, who: str | None, count: int | None, lang: str | None, project: Project) -> int:
    """Take WHAT out of the squad in FILE: a model with all it carries, a card of the deck, or what WHO carries."""
    if who is not None and count is not None:
        raise UsageError(_("what a model carries is taken one by one"), _("Leave --count away, and say it again."))
    editor = _editor(project, file)
    edit = editor.held(editor.line(who), what) if who is not None else editor.pick(what, count)
    return _done(project, editor, edit, lang, _("removed {card}{many}"), card=edit.card, many=_many(edit.count))


@click.command()
@file_argument
@click.argument("card")
@click.option("--from", "giver", metavar="WHO", required=True, help="The model that carries it now.")
@click.option("--to", "taker", metavar="WHO", required=True, help="The model that shall carry it.")
@lang_option
@project_option
def move(file: Path, card: str, giver: str, taker: str, lang: str | None, project: Project) -> int:
    """Give CARD from one model of the squad in FILE to another."""
    editor = _editor(project, file)
    held, line = editor.held(editor.line(giver), card), editor.line(taker)
    edit = Move(held.path, card, line)
    return _done(project, editor, edit, lang, _("moved {card} to #{line}"), card=card, line=line + 1)


@click.command()
@file_argument
@click.argument("name")
@click.option("--entry", "who", metavar="WHO", help="The model to be named; the squad itself if absent.")
@lang_option
@project_option
def rename(file: Path, name: str, who: str | None, lang: str | None, project: Project) -> int:
    """Call the squad in FILE, or one of its models, NAME."""
    if not name.strip():
        raise UsageError(_("the new name is empty"), _("Give it in quotes: 'The Long Night'."))
    editor = _editor(project, file)
    edit = Rename(name, editor.line(who) if who is not None else -1)
    return _done(project, editor, edit, lang, _("named {name}"), name=name)


@click.command()
@file_argument
@click.argument("who")
@lang_option
@project_option
def duplicate(file: Path, who: str, lang: str | None, project: Project) -> int:
    """Put another model like WHO, with all it carries, into the squad in FILE."""
    editor = _editor(project, file)
    line = editor.line(who)
    return _done(project, editor, Duplicate(line), lang, _("duplicated {card}"), card=editor.roster.entries[line].card)


@click.command()
@file_argument
@lang_option
@project_option
def undo(file: Path, lang: str | None, project: Project) -> int:
    """Take the last edit of FILE back; again for the one before."""
    from builder.usecases.files import RosterFiles, judge_files
    from builder.usecases.roster.check import resolve_language

    if lang is not None:
        resolve_language(_editor(project, file).pack, lang)
    what = RosterFiles(project).undo(str(file))
    for judged in judge_files(project, (file,), lang):
        echo(_("took back: {what}", what=what), judged.lang)
        print_judged(console(), judged)
    return 0
