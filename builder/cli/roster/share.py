"""`squadpress roster share` and `open`."""

from pathlib import Path

import click

from builder.cli.console import console, echo, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import file_argument, lang_option, print_judged
from builder.files import write_atomic
from builder.messages import Message, gettext as _, translate
from builder.model.roster import Roster
from builder.store.project import Project
from builder.store.rosters import dump
from builder.usecases.files import PackFiles, text_of
from builder.usecases.roster.check import language_of_pack
from builder.usecases.roster.files import RosterFiles, judge_files
from builder.usecases.roster.reading import from_file, read_squad
from builder.usecases.roster.share import as_json, as_text, from_token, qr_svg, qr_text, token


@click.command()
@file_argument
@lang_option
@click.option(
    "--as", "form", type=click.Choice(["token", "text", "markdown", "json", "qr"]), default="token", show_default=True,
    help="A token for `roster open`, a list to read, JSON, or the token as a QR code."
)  # fmt: skip
@click.option("--output", type=PATH, metavar="OUT", help="Write it into this file, a QR code as SVG.")
@project_option
def share(file: Path, lang: str | None, form: str, output: Path | None, project: Project) -> int:
    """Hand the squad in FILE on: one short text from which `roster open` reads the squad, without any server."""
    (judged,) = judge_files(project, (file,), lang)
    if judged.roster is None or judged.judge is None:
        print_judged(console(), judged)
        return 1
    if form == "qr":
        text = qr_text(token(judged)) if output is None else qr_svg(token(judged)).decode()
    elif form == "token":
        text = f"{token(judged)}\n"
    else:
        text = as_json(judged) if form == "json" else as_text(judged, form == "markdown")
    if output is None:
        write(text, nl=False)
    else:
        write_atomic(output, text.encode())
        echo(_("written: {file}", file=output), judged.lang)
    return 0


@click.command("open")
@click.argument("token")
@lang_option
@click.option("--output", type=PATH, metavar="OUT", help="Write the roster into this new file.")
@project_option
def open_(token: str, lang: str | None, output: Path | None, project: Project) -> int:
    """Read a squad from TOKEN, or from a file as @FILE: a list (.txt, .md), JSON, or YAML.

    The squad is printed, or written into a file; lines of a list that were not understood are named.
    """
    packs = PackFiles(project)
    roster, remarks = _read(packs, token)
    for remark in remarks:
        interface = language_of_pack(packs, roster.pack, lang)
        write(f"{translate(_('note'), interface)}: {translate(remark, interface)}", err=True)
    if output is None:
        write(dump(roster), nl=False)
        return 0
    RosterFiles(project).create(str(output), roster)
    for judged in judge_files(project, (output,), lang):
        print_judged(console(), judged)
    return 0


def _read(packs: PackFiles, token: str) -> tuple[Roster, tuple[Message, ...]]:
    """The squad in a token or, after `@`, in a file, and what there is to say about it."""
    if not token.startswith("@"):
        return from_token(packs, token)
    file = Path(token[1:])
    text = text_of(file)
    read = read_squad(packs, text) if file.suffix in (".txt", ".md") else from_file(packs, text, str(file))
    unread = (_("not understood: {line}", line=line) for line in read.unread)
    return read.roster, (*read.remarks, *unread)
