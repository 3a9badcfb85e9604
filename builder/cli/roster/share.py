"""`squadpress roster share`."""

from pathlib import Path

import click

from builder.cli.console import echo, make_console, write
from builder.cli.options import PATH, project_option
from builder.cli.roster.options import file_argument, lang_option, print_result
from builder.errors import UsageError
from builder.files import is_within, write_atomic
from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.packs.project import Project
from builder.usecases.imports.share_list import FOREIGN_FORMATS, share_list
from builder.usecases.roster.roster_files import check_roster_file
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
    type=click.Choice(["token", "text", "markdown", "json", "qr", *FOREIGN_FORMATS]),
    default="token",
    show_default=True,
    help=(
        "Format: a token for `roster open`, text, JSON, or a QR code of the token. An imported "
        "squad also as a file for the program that it came from: ros, rosz or newrecruit."
    ),
)
@click.option(
    "--output",
    type=PATH,
    metavar="OUT",
    help="Output file. A QR code is written as SVG.",
)
@project_option
def share(
    file: Path, lang: str | None, form: str, output: Path | None, project: Project
) -> int:
    """Share the squad in FILE as a short text. `roster open` reads it without a server."""
    if form == "qr" and output is not None and output.suffix != ".svg":
        raise UsageError(
            _("{file} has an unknown extension", file=output),
            _("Known extensions: {listed}", listed=".svg"),
        )
    result = check_roster_file(project, file, lang)
    if result.roster is None or result.checker is None:
        print_result(make_console(), result)
        return 1
    if form in FOREIGN_FORMATS:
        return share_imported(project, result.roster, form, output)
    if form == "qr":
        token = make_token(result)
        text = draw_qr_text(token) if output is None else draw_qr_svg(token).decode()
    elif form == "token":
        text = f"{make_token(result)}\n"
    elif form == "json":
        text = format_json(result)
    else:
        text = format_text(result, form == "markdown")
    if output is None:
        write(text, nl=False)
    else:
        write_atomic(output, text.encode())
        echo(_("written: {file}", file=output), result.lang)
    return 0


def share_imported(
    project: Project, roster: Roster, form: str, output: Path | None
) -> int:
    """Write an imported squad in the file format of the program that it came from."""
    if form == "rosz" and output is None:
        raise UsageError(
            _("a packed file cannot be printed"), _("Name the file: --output OUT")
        )
    originals = project.get_cards_dir(roster.pack) / "imports"
    if output is not None and is_within(originals, output):
        message = _("{folder} contains the original files", folder=originals)
        raise UsageError(message, _("Choose another folder."))
    shared_list = share_list(project, roster, form)
    for remark in shared_list.remarks:
        echo(remark, err=True)
    if output is None:
        click.echo(shared_list.data, nl=False)
    else:
        write_atomic(output, shared_list.data)
        echo(_("written: {file}", file=output))
    return 0
