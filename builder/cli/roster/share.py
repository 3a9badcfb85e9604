"""`squadpress roster share`, `open`, `seal` and `reveal`: share squads, openly or sealed."""

import json
from functools import partial
from pathlib import Path

import click

from builder.cli.console import echo, make_console, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import file_argument, lang_option, print_result
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import Message, gettext as _, translate
from builder.model.roster import Roster
from builder.packs.exchange import read_json
from builder.packs.pack_files import PackFiles, read_text, write_json
from builder.packs.project import Project
from builder.packs.rosters import format_roster
from builder.usecases.imports.foreign_lists import refuse_foreign_list, refuse_foreign_text
from builder.usecases.roster.check_roster import find_pack_language
from builder.usecases.roster.reading import read_roster_text, read_squad, read_token
from builder.usecases.roster.roster_files import RosterFiles, judge_file
from builder.usecases.roster.seal import (
    check_disclosure as prove,
    make_disclosure,
    read_copy,
    seal_roster as close,
    suggest_command,
)
from builder.usecases.roster.sealing import REASONS
from builder.usecases.roster.share import (
    draw_qr_svg,
    draw_qr_text,
    format_json,
    format_text,
    make_token,
)


@click.command()
@file_argument
@lang_option
@click.option(
    "--as",
    "form",
    type=click.Choice(["token", "text", "markdown", "json", "qr"]),
    default="token",
    show_default=True,
    help="Format: a token for `roster open`, text, JSON, or a QR code of the token.",
)
@click.option(
    "--output", type=PATH, metavar="OUT", help="Output file. A QR code is written as SVG."
)
@project_option
def share(file: Path, lang: str | None, form: str, output: Path | None, project: Project) -> int:
    """Share the squad in FILE as a short text. `roster open` reads it without a server."""
    if form == "qr" and output is not None and output.suffix != ".svg":
        raise UsageError(
            _("{file} has an unknown extension", file=output),
            _("Known extensions: {listed}", listed=".svg"),
        )
    result = judge_file(project, file, lang)
    if result.roster is None or result.judge is None:
        print_result(make_console(), result)
        return 1
    if form == "qr":
        text = (
            draw_qr_text(make_token(result))
            if output is None
            else draw_qr_svg(make_token(result)).decode()
        )
    elif form == "token":
        text = f"{make_token(result)}\n"
    else:
        text = format_json(result) if form == "json" else format_text(result, form == "markdown")
    if output is None:
        write(text, nl=False)
    else:
        write_atomic(output, text.encode())
        echo(_("written: {file}", file=output), result.lang)
    return 0


@click.command("open")
@click.argument("token")
@lang_option
@click.option("--output", type=PATH, metavar="OUT", help="Write the roster into this new file.")
@project_option
def open_(token: str, lang: str | None, output: Path | None, project: Project) -> int:
    """Import a squad from TOKEN, or from a file with @FILE: a list (.txt, .md), JSON or YAML.

    The squad is printed, or written to a file. Lines that were not understood are listed.
    """
    packs = PackFiles(project)
    roster, remarks = _read_squad(packs, token)
    for remark in remarks:
        interface = find_pack_language(packs, roster.pack, lang)
        write(f"{translate(_('note'), interface)}: {translate(remark, interface)}", err=True)
    if output is None:
        write(format_roster(roster), nl=False)
        return 0
    RosterFiles(project).create(str(output), roster)
    result = judge_file(project, output, lang)
    print_result(make_console(), result)
    return 0


def _read_squad(packs: PackFiles, token: str) -> tuple[Roster, tuple[Message, ...]]:
    """Return the squad in a token, or in a file after `@`, and remarks about it."""
    file = Path(token.removeprefix("@"))
    refuse_foreign_list(file)
    if not token.startswith("@"):
        refuse_foreign_text(token)
        squad = read_token(packs, token)
        return squad.roster, squad.remarks
    text = read_text(file)
    squad = (
        read_squad(packs, text)
        if file.suffix in (".txt", ".md")
        else read_roster_text(packs, text, str(file))
    )
    unread = (_("not understood: {line}", line=line) for line in squad.unread)
    return squad.roster, (*squad.remarks, *unread)


@click.command()
@file_argument
@lang_option
@project_option
def seal(file: Path, lang: str | None, project: Project) -> int:
    """Write NAME.sealed.json, a copy of the legal squad in FILE for the opponent, and
    NAME.key.json, which you keep.

    The copy shows the models. Equipment and deck are sealed, each separately. Both players
    write down the fingerprint of the copy: it shows if the copy is exchanged later.
    """
    result = judge_file(project, file, lang)
    sealed = close(result)
    copy, key = file.with_name(f"{file.stem}.sealed.json"), file.with_name(f"{file.stem}.key.json")
    if key.exists():
        remedy = _("Move it away first. Without it, the earlier seal cannot be proved.")
        raise UsageError(_("{file} already exists", file=key), remedy)
    write_json(key, sealed.key, private=True)
    write_json(copy, sealed.copy)
    echo(_("written: {file} (for your opponent)", file=copy), result.lang)
    echo(_("written: {file} (keep it secret)", file=key), result.lang)
    echo(_("fingerprint of the copy: {mark}", mark=sealed.fingerprint), result.lang)
    return 0


@click.command()
@file_argument
@click.option(
    "--open",
    "names",
    multiple=True,
    metavar="NAME",
    help="With a key: disclose this secret (#1.2, deck.1). Can be repeated.",
)
@click.option("--proof", type=PATH, metavar="PROOF", help="Verify the copy with this disclosure.")
@lang_option
@project_option
def reveal(
    file: Path, names: tuple[str, ...], proof: Path | None, lang: str | None, project: Project
) -> int:
    """With a key FILE: print the disclosure of the given secrets, or of the whole squad.

    With a sealed FILE: print the models it shows. With --proof, also report whether each
    disclosed secret is the sealed one and belongs to these models. Exit code: 1 if not.
    """
    packs = PackFiles(project)
    value = read_json(file, suggest_command("key" if proof is None else "sealed copy"))
    copy_of_opponent = (
        read_copy(packs, value, str(file), lang) if proof is None and not names else None
    )
    if copy_of_opponent is not None:
        write(format_text(copy_of_opponent[0]), nl=False)
        echo(
            _("fingerprint of the copy: {mark}", mark=copy_of_opponent[1]), copy_of_opponent[0].lang
        )
        return 0
    if proof is None:
        write(
            json.dumps(
                make_disclosure(value, names or ("whole",), str(file)), ensure_ascii=False, indent=1
            )
        )
        return 0
    disclosure = prove(
        packs, value, read_json(proof, suggest_command("disclosure")), (str(file), str(proof)), lang
    )
    say = partial(translate, lang=lang or disclosure.lang)
    for item in disclosure.secrets:
        content = (
            say(_("the whole squad"))
            if item.name == "whole"
            else disclosure.format_value(item.value)
        )
        proved = say(_("NOT PROVED") if item.flaw else _("as sealed "))
        write(f"{proved} {item.name}: {say(_('nothing')) if item.value is None else content}")
        if item.flaw:
            write(f"  {say(_(REASONS[item.flaw], places=item.places))}")
    if disclosure.squad is not None:
        write(format_text(disclosure.squad), nl=False)
    write(say(_("fingerprint of the copy: {mark}", mark=disclosure.fingerprint)))
    return 0 if disclosure.secrets and not any(item.flaw for item in disclosure.secrets) else 1
