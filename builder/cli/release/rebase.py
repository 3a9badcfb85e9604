"""`squadpress release rebase`."""

from dataclasses import replace

import click

from builder.cli.console import echo, echo_findings, print_lines
from builder.cli.options import lang_option, pack_option, project_option
from builder.errata.difference import compare_states
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.release import format_text
from builder.usecases.pack_states import choose_pack


@click.command()
@click.argument("version")
@click.option("--dry-run", is_flag=True, help="Show the changes but write nothing.")
@lang_option
@pack_option
@project_option
def rebase(
    version: str, dry_run: bool, lang: str, pack: str | None, project: Project
) -> int:
    """Update the draft of VERSION to the latest release, and show what that changes.

    Fields that changed on one side only are merged. Fields that changed differently on both
    sides are conflicts (exit code 1).
    """
    from builder.usecases.release.new import rebase_draft

    draft = rebase_draft(
        PackFiles(project).open_releases(choose_pack(project, pack)),
        version,
        dry=dry_run,
    )
    changes = compare_states(draft.before, draft.after)
    # Both states have the version of the draft, so their bases distinguish them.
    old = f"{version} ({draft.base})" if draft.base else version
    changes = replace(changes, old=old, new=f"{version} ({draft.onto})")
    print_lines(format_text(changes, lang))
    if draft.findings and echo_findings(draft.findings, lang):
        echo(_("The draft was not changed."), lang, err=True)
        return 1
    if not dry_run:
        echo(
            _(
                "The draft of {version} is now based on {onto}.",
                version=version,
                onto=draft.onto,
            ),
            lang,
        )
    return 0
