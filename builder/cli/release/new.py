"""`squadpress release new`."""

from datetime import date
from typing import TYPE_CHECKING

import click

from builder.cli.console import ProgressBar, echo, echo_engine, echo_findings, write
from builder.cli.options import (
    Day,
    format_option,
    lang_option,
    pack_option,
    project_option,
)
from builder.errata.change import summarize_changes
from builder.errors import UsageError
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.findings import format_worklist
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_states import choose_pack

if TYPE_CHECKING:
    from builder.usecases.release.new import MadeRelease


@click.command()
@click.argument("version")
@click.option(
    "--effective",
    type=Day(),
    help="Date from which the release applies in play. With --from-draft: the draft's date.",
)
@click.option(
    "--released", type=Day(), help="Publication date. Default: the effective date."
)
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
@click.option(
    "--announcement", metavar="URL", help="The page on which the release is announced."
)
@click.option(
    "--pictures/--no-pictures", help=("Also store a digest of the pixels of each face.")
)
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
    announcement: str | None,
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
    from builder.usecases.release.new import ReleaseRequest, make_release
    from builder.usecases.release.printing import check_print

    name = choose_pack(project, pack)
    packs = PackFiles(project)
    if from_draft and effective is None:
        stored_draft = packs.open_releases(name).drafts.load_state(version)[0]
        effective = stored_draft.effective
        released = released or stored_draft.released
    if effective is None:
        raise UsageError(
            _("the effective date is missing"), _("Add --effective YYYY-MM-DD.")
        )
    if from_draft and (draft or only):
        raise UsageError(
            _("a draft is released as it is"), _("Leave out --draft and --only.")
        )
    if announcement and not announcement.startswith(("https://", "http://")):
        raise UsageError(
            _("{value!r} is not an address", value=announcement),
            _("Give an address such as https://example.org/news."),
        )
    request = ReleaseRequest(
        version,
        effective,
        released or effective,
        dry=dry_run,
        only=only,
        staged=from_draft,
        draft=draft,
        continues_withdrawn=continues_withdrawn,
        announcement=announcement or "",
    )
    with ProgressBar(form != "text") as bar:
        workers = WorkerPool(CORES, progress=bar.step)
        prove_print = check_print(project, name, workers, pixels=pictures)
        result = make_release(packs, name, request, prove_print)
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


def _describe_new_release(
    result: "MadeRelease", version: str, draft: bool, folder: str
) -> str:
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
        return _(
            "Draft {version} created: {cards} cards.", version=version, cards=cards
        )
    return _(
        "{version} released: {cards} cards saved in {folder}",
        version=version,
        cards=cards,
        folder=folder,
    )
