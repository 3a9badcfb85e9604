"""`squadpress roster open`."""

from pathlib import Path

import click

from builder.cli.console import make_console, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import lang_option, print_result
from builder.messages import Message, gettext as _, translate
from builder.model.roster import Roster
from builder.packs.pack_files import PackFiles, read_text
from builder.packs.project import Project
from builder.packs.rosters import format_roster
from builder.usecases.imports.foreign_lists import (
    refuse_foreign_list,
    refuse_foreign_text,
)
from builder.usecases.roster.check_roster import find_pack_language
from builder.usecases.roster.reading import read_roster_text, read_squad, read_token
from builder.usecases.roster.roster_files import RosterFiles, check_roster_file


@click.command("open")
@click.argument("token")
@lang_option
@click.option(
    "--output", type=PATH, metavar="OUT", help="Write the roster into this new file."
)
@project_option
def open_squad(
    token: str, lang: str | None, output: Path | None, project: Project
) -> int:
    """Import a squad from TOKEN, or from a file with @FILE: a list (.txt, .md), JSON or YAML.

    The squad is printed, or written to a file. Lines that were not understood are listed.
    """
    packs = PackFiles(project)
    roster, remarks = _read_squad(packs, token)
    for remark in remarks:
        interface = find_pack_language(packs, roster.pack, lang)
        write(
            f"{translate(_('note'), interface)}: {translate(remark, interface)}",
            err=True,
        )
    if output is None:
        write(format_roster(roster), nl=False)
        return 0
    RosterFiles(project).create(str(output), roster)
    result = check_roster_file(project, output, lang)
    print_result(make_console(), result)
    return 0


def _read_squad(packs: PackFiles, token: str) -> tuple[Roster, tuple[Message, ...]]:
    """Read a squad from a token, or from a file after `@`. Return it with remarks."""
    file = Path(token.removeprefix("@"))
    refuse_foreign_list(file)
    if not token.startswith("@"):
        refuse_foreign_text(token)
        squad = read_token(packs, token)
        return squad.roster, squad.remarks
    text = read_text(file)
    if file.suffix in (".txt", ".md"):
        squad = read_squad(packs, text)
    else:
        squad = read_roster_text(packs, text, str(file))
    remarks = [_("not understood: {line}", line=line) for line in squad.unread]
    return squad.roster, (*squad.remarks, *remarks)
