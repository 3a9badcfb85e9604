"""`squadpress release withdraw`."""

from datetime import date

import click

from builder.cli.console import echo, echo_findings
from builder.cli.options import Day, lang_option, pack_option, project_option
from builder.errata.snapshot import Withdrawal
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.pack_states import choose_pack
from builder.usecases.release.cards import group_notes_by_language


@click.command()
@click.argument("version")
@click.option(
    "--reason",
    multiple=True,
    required=True,
    metavar="[LANG=]TEXT",
    help="Reason. Can be given per language.",
)
@click.option("--successor", metavar="VERSION", help="Release that replaces it.")
@click.option(
    "--date", "day", type=Day(), help=("First day of the withdrawal. Default: today.")
)
@lang_option
@pack_option
@project_option
def withdraw(
    version: str,
    reason: tuple[str, ...],
    successor: str | None,
    day: date | None,
    lang: str,
    pack: str | None,
    project: Project,
) -> int:
    """Withdraw a release. It is kept but no longer in force. Warns about withdrawn values that the
    successor still has.
    """
    from builder.usecases.release.withdraw import (
        check_reason_languages,
        find_values_kept_by,
    )

    name = choose_pack(project, pack)
    packs = PackFiles(project)
    reasons = group_notes_by_language(packs.load_pack(name), reason)
    if not all(text.strip() for text in reasons.values()):
        raise UsageError(_("{value} is empty", value="--reason"))
    if successor == version:
        raise UsageError(
            _("the chain of successors is a circle"), f"--successor {version}"
        )
    on = day or date.today()
    releases = packs.open_releases(name)
    for named_version in filter(None, (version, successor)):
        releases.load_state(named_version)  # says which releases there are
    if successor in {mark.version for mark in releases.load_withdrawals()[0]}:
        raise UsageError(
            _("{version} is itself withdrawn", version=successor),
            _("Give a release that is not withdrawn, or leave out --successor."),
        )
    releases_by_version = {
        release.version: release for release in releases.list_releases()
    }
    withdrawn = releases_by_version.get(version)
    if withdrawn is not None and on < withdrawn.released:
        form = _("{version} was only released on {day}")
        raise UsageError(
            _(form, version=version, day=withdrawn.released), f"--date {on}"
        )
    check_reason_languages(packs.load_pack(name), reasons)
    file = releases.write_withdrawal(
        Withdrawal(version=version, date=on, reason=reasons, successor=successor)
    )
    echo(
        _(
            "{version} is withdrawn from {day}: {file}",
            version=version,
            day=on,
            file=project.shorten_path(file),
        ),
        lang,
    )
    if successor is not None:
        echo_findings(find_values_kept_by(releases, version, successor), lang, err=True)
    return 0
