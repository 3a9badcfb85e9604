"""`squadpress check`, and `explain` for what it finds."""

import click

from builder.cli.console import echo_findings, write
from builder.cli.language import get_interface_language
from builder.cli.options import as_of_option, format_option, lang_option, project_option
from builder.packs.project import Project
from builder.report.findings import format_explanation, format_listing
from builder.usecases.check_pack import check_packs
from builder.usecases.explain_code import find_code, load_codes, read_example


@click.command()
@click.argument("pack", required=False)
@lang_option
@as_of_option
@format_option
@project_option
def check(pack: str | None, lang: str, as_of: str | None, form: str, project: Project) -> int:
    """Check PACK, or every pack of the project: data, references, texts, translations.

    Exit code: 0 if there are no errors, 1 if there are.
    """
    return echo_findings(check_packs(project, pack, as_of), lang, form)


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain the error or warning CODE and how to fix it. Without CODE, list all codes."""
    lang = get_interface_language()
    if code is None:
        text = format_listing(load_codes().values(), lang)
    else:
        definition = find_code(code)
        text = format_explanation(definition, read_example(definition), lang, code)
    write(text, nl=False)
