"""`squadpress check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from builder.cli.options import as_of_option, format_option, lang_option, project_option

if TYPE_CHECKING:
    from builder.store.project import Project


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
    from builder.findings import has_errors
    from builder.report.findings import FORMATS
    from builder.usecases.check import check_packs

    findings = check_packs(project, pack, as_of)
    click.echo(FORMATS[form](findings, lang), nl=False)
    return 1 if has_errors(findings) else 0
