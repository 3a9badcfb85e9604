"""`squadpress explain`."""

import click

from builder.cli.console import write
from builder.cli.language import get_interface_language
from builder.report.findings import format_code_list, format_explanation
from builder.usecases.explain_code import find_code, load_codes, read_example


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain the error or warning CODE and how to fix it. Without CODE, list all codes."""
    lang = get_interface_language()
    if code is None:
        text = format_code_list(load_codes().values(), lang)
    else:
        definition = find_code(code)
        text = format_explanation(definition, read_example(definition), lang, code)
    write(text, nl=False)
