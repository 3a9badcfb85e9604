"""`squadpress release faq`."""

from pathlib import Path

import click

from builder.cli.console import echo_findings, write
from builder.cli.language import get_requested_language
from builder.cli.options import PATH, pack_option, project_option
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.packs.project import Project
from builder.usecases.pack_states import choose_pack


@click.command("faq")
@click.option(
    "--lang",
    multiple=True,
    metavar="LANG",
    help="Language. Can be repeated. Default: all in files, else the language of the program.",
)
@click.option(
    "--output",
    type=PATH,
    metavar="DIR",
    help="Write files into this folder instead of printing the text.",
)
@click.option(
    "--html", is_flag=True, help="With --output: also an HTML page in one file."
)
@click.option("--pdf", is_flag=True, help="With --output: also a printable PDF.")
@pack_option
@project_option
def faq(
    lang: tuple[str, ...],
    output: Path | None,
    html: bool,
    pdf: bool,
    pack: str | None,
    project: Project,
) -> int:
    """Write the rulings of a pack as questions and answers, by card and by rule."""
    from builder.usecases.release.faq import write_faq

    name = choose_pack(project, pack)
    forms = ["md"]
    forms += [
        form for form, is_requested in (("html", html), ("pdf", pdf)) if is_requested
    ]
    if len(forms) > 1 and output is None:
        raise UsageError(_("no output folder is given"), _("Add --output DIR."))
    requested_lang = get_requested_language() if output is None else ""
    langs = lang or ((requested_lang,) if requested_lang else ())
    files, findings = write_faq(project, name, langs, forms)
    for file, data in files.items():
        if output is None:
            write(data.decode())
        else:
            write_atomic(output / file, data)
            write(str(output / file))
    return echo_findings(findings, err=True)
