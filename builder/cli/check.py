"""`squadpress check`, and `explain` for what it finds."""

import click

from builder.cli.console import echo_findings, write
from builder.cli.language import interface_language
from builder.cli.options import as_of_option, format_option, lang_option, project_option
from builder.packs.project import Project
from builder.report.findings import explanation, listing
from builder.usecases import check_pack as codes
from builder.usecases.check_pack import check_packs


@click.command()
@click.argument("pack", required=False)
@lang_option
@as_of_option
@format_option
@project_option
def check(pack: str | None, lang: str, as_of: str | None, form: str, project: Project) -> int:
    """Judge PACK, or every pack of the project: data, references, texts, translations.

    Ends with 0 if nothing is wrong and with 1 if there are errors.
    """
    return echo_findings(check_packs(project, pack, as_of), lang, form)


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain a finding's CODE: why it exists and how to mend it. Without CODE, list all codes."""
    lang = interface_language()
    told = (
        listing(codes.all_codes().values(), lang)
        if code is None
        else explanation(codes.explain(code), lang, code)
    )
    write(told, nl=False)
