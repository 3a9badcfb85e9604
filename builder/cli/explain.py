"""`squadpress explain`."""

from __future__ import annotations

import click


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain a finding's CODE: why it exists and how to mend it. Without CODE, list all codes."""
    from builder.report.findings import explanation, listing
    from builder.usecases import explain as verb

    click.echo(listing(verb.all_codes().values()) if code is None else explanation(verb.explain(code)), nl=False)
