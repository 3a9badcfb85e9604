"""`squadpress release list` and `withdraw`: the releases of a pack in time."""

from datetime import date

import click

from builder.cli.console import echo, echo_findings, show, write
from builder.cli.options import Day, lang_option, pack_option, project_option
from builder.errata.difference import difference
from builder.errata.release import state_on
from builder.errata.snapshot import Withdrawal
from builder.errors import UsageError
from builder.messages import gettext as _, translate
from builder.report.release import as_text
from builder.store.project import Project
from builder.usecases.files import PackFiles
from builder.usecases.release.card_bump import by_language
from builder.usecases.storage import one_pack


@click.command("list")
@click.option("--on", "day", type=Day(), help="The day of play that is asked about; today where absent.")
@lang_option
@pack_option
@project_option
def list_releases(day: date | None, lang: str, pack: str | None, project: Project) -> int:
    """All releases by day of effect: which is in force, planned, withdrawn; and what the chain of digests proves."""
    releases = PackFiles(project).releases(one_pack(project, pack))
    known, on = releases.all(), day or date.today()
    wide = max((len(one.version) for one in known), default=0)
    for one in known:
        state = translate(state_on(one, known, on), lang)
        write(f"{one.version:{wide}}  {one.released}  {one.effective}  {state}")
    for one in releases.drafts.all():
        state = translate(_("draft, made from {version}", version=one.previous or _("nothing")), lang)
        write(f"{one.version:{wide}}  {one.released}  {one.effective}  {state}")
    named = [link for link in releases.links() if link.predecessors]
    covered = {version for link in named for version in link.predecessors}
    if not named:
        echo(_("No release names the digest of another yet: the next one begins the chain."), lang)
    else:
        open_ends = ", ".join(one.version for one in known if one.version not in covered)
        echo(_("The chain of digests proves {many} of {all} releases.", many=len(covered), all=len(known)), lang)
        echo(_("Named by none yet, so that nobody would notice if they were removed: {list}", list=open_ends), lang)
    damage = releases.damaged()
    return echo_findings(damage, lang, err=True) if damage else 0


@click.command("withdraw")
@click.argument("version")
@click.option("--reason", multiple=True, required=True, metavar="[LANG=]TEXT", help="Why; may be given per language.")
@click.option("--successor", metavar="VERSION", help="The release that is to be used in its stead.")
@click.option("--date", "day", type=Day(), help="From this day on; today where absent.")
@lang_option
@pack_option
@project_option
def withdraw(
    version: str, reason: tuple[str, ...], successor: str | None, day: date | None, lang: str, pack: str | None,
    project: Project,
) -> int:  # fmt: skip
    """Mark a release as withdrawn: it is kept, and in force no more."""
    name, packs = one_pack(project, pack), PackFiles(project)
    said = by_language(packs.load(name), reason)
    if not all(text.strip() for text in said.values()):
        raise UsageError(_("{value} is empty", value="--reason"))
    if successor == version:
        raise UsageError(_("a reference leads back to itself"), f"--successor {version}")
    on = day or date.today()
    releases = packs.releases(name)
    for known in filter(None, (version, successor)):
        releases.load(known)  # says which releases there are
    file = releases.withdraw(Withdrawal(version=version, date=on, reason=said, successor=successor))
    echo(_("{version} is withdrawn from {day} on: {file}", version=version, day=on, file=project.relative(file)), lang)
    return 0


@click.command("rebase")
@click.argument("version")
@click.option("--dry-run", is_flag=True, help="Only show what it changes; write nothing.")
@lang_option
@pack_option
@project_option
def rebase(version: str, dry_run: bool, lang: str, pack: str | None, project: Project) -> int:
    """Bring the draft of VERSION onto the release made since, and show what that changes in it.

    Field by field: what only one of them changed is kept; what both changed otherwise is a conflict, and ends with 1.
    """
    from builder.usecases.release.new import rebase_draft

    made = rebase_draft(PackFiles(project).releases(one_pack(project, pack)), version, dry=dry_run)
    show(as_text(difference(made.before, made.after), lang))
    if made.findings and echo_findings(made.findings, lang):
        echo(_("The draft stays as it was."), lang, err=True)
        return 1
    if not dry_run:
        echo(_("The draft of {version} now follows {onto}.", version=version, onto=made.onto), lang)
    return 0
