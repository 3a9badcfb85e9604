"""`squadpress release`: create, compare, announce and publish releases of a pack."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.console import ProgressBar, echo, echo_engine, echo_findings, print_lines, write
from builder.cli.groups import HelpfulGroup
from builder.cli.options import PATH, Day, format_option, lang_option, pack_option, project_option
from builder.cli.release.impact import show_impact
from builder.cli.release.notes import show_difference, write_notes
from builder.errata.change import summarize_changes
from builder.errata.difference import compare_states
from builder.errata.release import describe_state
from builder.errata.snapshot import Withdrawal
from builder.errors import UsageError
from builder.findings import has_errors
from builder.messages import gettext as _, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.package import open_package
from builder.report.findings import format_worklist
from builder.report.release import format_text
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_states import choose_pack
from builder.usecases.release.cards import group_notes_by_language

if TYPE_CHECKING:
    from builder.usecases.release.new import MadeRelease


@click.group(cls=HelpfulGroup)
def release() -> None:
    """Create, compare, announce and publish releases of a pack."""


for command in (show_impact, show_difference, write_notes):
    release.add_command(command)


@release.command()
@click.argument("version")
@click.option(
    "--effective",
    type=Day(),
    help="Date from which the release applies in play. With --from-draft: the draft's date.",
)
@click.option("--released", type=Day(), help="Publication date. Default: the effective date.")
@click.option(
    "--draft",
    is_flag=True,
    help="Create a draft. A draft can be replaced and is not part of the history.",
)
@click.option("--from-draft", is_flag=True, help="Release the draft of VERSION.")
@click.option(
    "--only",
    multiple=True,
    metavar="CARD",
    help="Take only this card from the working files. Can be repeated.",
)
@click.option("--pictures/--no-pictures", help=("Also store a digest of the pixels of each face."))
@click.option("--dry-run", is_flag=True, help="Run all checks but write nothing.")
@click.option(
    "--continue",
    "continues_withdrawn",
    is_flag=True,
    help="Allow a release that is based on a withdrawn release.",
)
@lang_option
@pack_option
@format_option
@project_option
def new(
    version: str,
    effective: date | None,
    released: date | None,
    draft: bool,
    from_draft: bool,
    only: tuple[str, ...],
    pictures: bool,
    dry_run: bool,
    continues_withdrawn: bool,
    lang: str,
    pack: str | None,
    form: str,
    project: Project,
) -> int:
    """Create release VERSION. Refuses cards that cannot be printed, and changes without a history
    entry. With --draft, cards that cannot be printed are reported, and the exit code is 1.
    """
    from builder.usecases.release.new import make_release
    from builder.usecases.release.printing import check_print

    name, packs = choose_pack(project, pack), PackFiles(project)
    if from_draft and effective is None:
        stored_draft = packs.open_releases(name).drafts.load_state(version)[0]
        effective, released = stored_draft.effective, released or stored_draft.released
    if effective is None:
        raise UsageError(_("the effective date is missing"), _("Add --effective YYYY-MM-DD."))
    if from_draft and (draft or only):
        raise UsageError(_("a draft is released as it is"), _("Leave out --draft and --only."))
    with ProgressBar(form != "text") as bar:
        workers = WorkerPool(CORES, progress=bar.step)
        result = make_release(
            packs,
            name,
            version,
            effective,
            released or effective,
            dry=dry_run,
            only=only,
            staged=from_draft,
            draft=draft,
            pictures=check_print(project, name, workers, pixels=pictures),
            continues_withdrawn=continues_withdrawn,
        )
    if form == "text":
        write(format_worklist(result.findings, lang), nl=False)
    else:
        echo_findings(result.findings, lang, form)
    if result.refused:
        echo(_("{version} was not created.", version=version), lang, err=True)
        return 1
    if form == "text":
        echo_engine(name, result.engine_choice, lang)
    folder = project.shorten_path(packs.open_releases(name).folder / version)
    echo(_describe_new_release(result, version, draft, folder), lang)
    return 1 if has_errors(result.findings) else 0


def _describe_new_release(result: "MadeRelease", version: str, draft: bool, folder: str) -> str:
    """Return the message about a release, a draft, or a release that was only checked."""
    cards = len(result.proposal.state.cards)
    if not result.frozen:
        return _(
            "{version} can be released: {cards} cards; {changes}.",
            version=version,
            cards=cards,
            changes=summarize_changes(result.proposal.difference.cards),
        )
    if draft:
        return _("Draft {version} created: {cards} cards.", version=version, cards=cards)
    return _(
        "{version} released: {cards} cards saved in {folder}",
        version=version,
        cards=cards,
        folder=folder,
    )


@release.command()
@click.option(
    "--output", type=PATH, metavar="DIR", help=("Output folder. Default: output/PACK/publish.")
)
@click.option("--no-pdf", is_flag=True, help="Write no PDFs.")
@lang_option
@pack_option
@project_option
def publish(
    output: Path | None, no_pdf: bool, lang: str, pack: str | None, project: Project
) -> int:
    """Write all releases as files for a web server: JSON, notes, PDFs, and SHA256SUMS."""
    from builder.usecases.release.publish import make_printer, publish_releases

    name = choose_pack(project, pack)
    folder = output or project.get_output_dir(name) / "publish"
    with ProgressBar() as bar:
        prints = None if no_pdf else make_printer(project, WorkerPool(CORES, progress=bar.step))
        files, findings = publish_releases(PackFiles(project).open_releases(name), name, prints)
    echo_findings(findings, lang, err=True)
    if files:
        with open_package(folder) as box:
            for path, data in files.items():
                box.write_file(path, data)
            box.write_sums()
        form = _("{many} files in {folder}. Verify them there with: sha256sum -c SHA256SUMS")
        echo(_(form, many=len(box.hashes), folder=folder), lang)
        for item in PackFiles(project).open_releases(name).list_releases():
            if item.effective > date.today() and item.withdrawal is None:
                form = _("{version} takes effect on {day}. Publish again on that day.")
                echo(_(form, version=item.version, day=item.effective), lang)
    return 1 if has_errors(findings) else 0


@release.command("list")
@click.option("--on", "day", type=Day(), help="Date of play. Default: today.")
@lang_option
@pack_option
@project_option
def list_releases(day: date | None, lang: str, pack: str | None, project: Project) -> int:
    """List all releases with their effective dates and states, and verify the chain of digests."""
    releases = PackFiles(project).open_releases(choose_pack(project, pack))
    all_releases, on = releases.list_releases(), day or date.today()
    width = max((len(item.version) for item in all_releases), default=0)
    for item in all_releases:
        state = translate(describe_state(item, all_releases, on), lang)
        write(f"{item.version:{width}}  {item.released}  {item.effective}  {state}")
    for item in releases.drafts.list_releases():
        state = translate(
            _("draft, based on {version}", version=item.previous or _("nothing")), lang
        )
        write(f"{item.version:{width}}  {item.released}  {item.effective}  {state}")
    links = [link for link in releases.list_links() if link.predecessors]
    covered: set[str] = set()
    for link in links:
        covered.update(link.predecessors)
    if not links:
        echo(
            _("No release refers to the digest of another release yet. The next release will."),
            lang,
        )
    else:
        open_ends = ", ".join(item.version for item in all_releases if item.version not in covered)
        echo(
            _(
                "The chain of digests verifies {many} of {all} releases.",
                many=len(covered),
                all=len(all_releases),
            ),
            lang,
        )
        echo(
            _(
                "Not verified, because no later release refers to them: {list}",
                list=open_ends,
            ),
            lang,
        )
    return echo_findings(releases.find_damage(), lang, err=True)


@release.command()
@click.argument("version")
@click.option(
    "--reason",
    multiple=True,
    required=True,
    metavar="[LANG=]TEXT",
    help="Reason. Can be given per language.",
)
@click.option("--successor", metavar="VERSION", help="Release that replaces it.")
@click.option("--date", "day", type=Day(), help=("First day of the withdrawal. Default: today."))
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
    from builder.usecases.release.withdraw import find_values_kept_by

    name, packs = choose_pack(project, pack), PackFiles(project)
    reasons = group_notes_by_language(packs.load_pack(name), reason)
    if not all(text.strip() for text in reasons.values()):
        raise UsageError(_("{value} is empty", value="--reason"))
    if successor == version:
        raise UsageError(_("the chain of successors is a circle"), f"--successor {version}")
    on = day or date.today()
    releases = packs.open_releases(name)
    for named_version in filter(None, (version, successor)):
        releases.load_state(named_version)  # says which releases there are
    if successor in {mark.version for mark in releases.load_withdrawals()[0]}:
        raise UsageError(
            _("{version} is itself withdrawn", version=successor),
            _("Give a release that is not withdrawn, or leave out --successor."),
        )
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


@release.command()
@click.argument("version")
@click.option("--dry-run", is_flag=True, help="Show the changes but write nothing.")
@lang_option
@pack_option
@project_option
def rebase(version: str, dry_run: bool, lang: str, pack: str | None, project: Project) -> int:
    """Update the draft of VERSION to the latest release, and show what that changes.

    Fields that changed on one side only are merged. Fields that changed differently on both
    sides are conflicts (exit code 1).
    """
    from builder.usecases.release.new import rebase_draft

    draft = rebase_draft(
        PackFiles(project).open_releases(choose_pack(project, pack)), version, dry=dry_run
    )
    print_lines(format_text(compare_states(draft.before, draft.after), lang))
    if draft.findings and echo_findings(draft.findings, lang):
        echo(_("The draft was not changed."), lang, err=True)
        return 1
    if not dry_run:
        echo(
            _("The draft of {version} is now based on {onto}.", version=version, onto=draft.onto),
            lang,
        )
    return 0
