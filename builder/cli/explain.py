"""`squadpress explain`."""

from __future__ import annotations

import click

from builder.cli.language import interface_language


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain a finding's CODE: why it exists and how to mend it. Without CODE, list all codes."""
    from builder.report.findings import explanation, listing
    from builder.usecases import explain as verb

    lang = interface_language()
    if code is None:
        click.echo(listing(verb.all_codes().values(), lang), nl=False)
    else:
        click.echo(explanation(verb.explain(code), lang), nl=False)
