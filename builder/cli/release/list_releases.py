"""`squadpress release list`."""

from datetime import date

import click

from builder.cli.console import echo, echo_findings, write
from builder.cli.options import Day, lang_option, pack_option, project_option
from builder.errata.release import describe_state
from builder.messages import gettext as _, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.pack_states import choose_pack


@click.command("list")
@click.option("--on", "day", type=Day(), help="Date of play. Default: today.")
@lang_option
@pack_option
@project_option
def list_releases(
    day: date | None, lang: str, pack: str | None, project: Project
) -> int:
    """List all releases with their effective dates and states, and verify the chain of digests."""
    name = choose_pack(project, pack)
    releases = PackFiles(project).open_releases(name)
    all_releases = releases.list_releases()
    on = day or date.today()
    width = max((len(item.version) for item in all_releases), default=0)
    # Without the list of withdrawn releases, no state is certain.
    has_states = not releases.load_withdrawals()[1]
    for item in all_releases:
        state = translate(_("unknown"), lang)
        if has_states:
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
    if not all_releases:
        form = _(
            "{pack} has no release. Create the first with `squadpress release new VERSION "
            "--effective DATE`."
        )
        echo(_(form, pack=name), lang)
    elif not links:
        echo(
            _(
                "No release refers to the digest of another release yet. The next release will."
            ),
            lang,
        )
    else:
        open_ends = ", ".join(
            item.version for item in all_releases if item.version not in covered
        )
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
