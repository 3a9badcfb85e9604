"""`squadpress release`: freeze, compare, announce and publish releases of a pack."""

from datetime import date
from pathlib import Path

import click

from builder.cli.console import Bar, echo, echo_findings, write
from builder.cli.groups import HelpfulGroup
from builder.cli.options import PATH, Day, format_option, lang_option, pack_option, project_option
from builder.cli.release.impact import judge_impact
from builder.cli.release.notes import show_difference, write_notes
from builder.cli.release.timeline import list_releases, rebase, withdraw
from builder.errata.change import tally
from builder.errors import UsageError
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.report.findings import worklist
from builder.store.package import package
from builder.store.project import Project
from builder.usecases.build.options import CORES, WorkerPool
from builder.usecases.files import PackFiles
from builder.usecases.storage import one_pack


@click.group(cls=HelpfulGroup)
def release() -> None:
    """Freeze, compare, announce and publish releases of a pack."""


for command in (judge_impact, show_difference, write_notes, list_releases, rebase, withdraw):
    release.add_command(command)


@release.command()
@click.argument("version")
@click.option("--effective", type=Day(), help="The day from which play uses it; that of the draft with --from-draft.")
@click.option("--released", type=Day(), help="The day it is published; the effective day where absent.")
@click.option("--draft", is_flag=True, help="Only stage it: a draft is no part of history and may be staged again.")
@click.option("--from-draft", is_flag=True, help="Publish what was staged as a draft of VERSION.")
@click.option("--only", multiple=True, metavar="CARD", help="Take this card alone from the files; may be given again.")
@click.option(
    "--pictures/--no-pictures", help="Set every face: what cannot be printed is refused, pixels are remembered."
)
@click.option("--dry-run", is_flag=True, help="Only judge; write nothing.")
@lang_option
@pack_option
@format_option
@project_option
def new(
    version: str, effective: date | None, released: date | None, draft: bool, from_draft: bool, only: tuple[str, ...],
    pictures: bool, dry_run: bool, lang: str, pack: str | None, form: str, project: Project,
) -> int:  # fmt: skip
    """Freeze the pack as VERSION, unless something stands against it."""
    from builder.usecases.build.faces import pack_looks
    from builder.usecases.build.typeset import places
    from builder.usecases.release.new import make_release

    name, packs = one_pack(project, pack), PackFiles(project)
    if from_draft and effective is None:
        own = packs.releases(name).drafts.load(version)[0]
        effective, released = own.effective, released or own.released
    if effective is None:
        raise UsageError(_("the day of effect is missing"), _("Name it with --effective YYYY-MM-DD."))
    if from_draft and (draft or only):
        raise UsageError(_("a draft is published as it was staged"), _("Leave out --draft and --only."))
    with Bar(form != "text") as bar:
        spots, workers = places(project, name), WorkerPool(CORES, progress=bar.step)
        made = make_release(
            packs, name, version, effective, released or effective, dry=dry_run, only=only, staged=from_draft,
            draft=draft, pictures=pack_looks(spots, workers if pictures else None),
        )  # fmt: skip
    if form == "text":
        write(worklist(made.findings, lang), nl=False)
    else:
        echo_findings(made.findings, lang, form)
    if has_errors(made.findings):
        echo(_("{version} was not released.", version=version), lang, err=True)
        return 1
    cards = len(made.proposal.state.cards)
    if not made.frozen:
        form = _("{version} could be released: {cards} cards; {changes}.")
        told = _(form, version=version, cards=cards, changes=tally(made.proposal.difference.cards))
    elif draft:
        told = _("{version} is staged as a draft of {cards} cards.", version=version, cards=cards)
    else:
        form = _("{version} released: {cards} cards frozen in {folder}")
        told = _(form, version=version, cards=cards, folder=project.relative(packs.releases(name).folder / version))
    echo(told, lang)
    return 0


@release.command()
@click.option("--output", type=PATH, metavar="DIR", help="Default: output/PACK/publish.")
@click.option("--no-pdf", is_flag=True, help="Leave out the printable files.")
@lang_option
@pack_option
@project_option
def publish(output: Path | None, no_pdf: bool, lang: str, pack: str | None, project: Project) -> int:
    """Write all releases as static files for a web server: JSON, notes, prints, and the digest of every byte."""
    from builder.usecases.release.publish import printer, publish as publish_releases

    name = one_pack(project, pack)
    folder = output or project.output_dir(name) / "publish"
    with Bar() as bar:
        prints = None if no_pdf else printer(project, WorkerPool(CORES, progress=bar.step))
        files, findings = publish_releases(PackFiles(project).releases(name), name, prints)
    if findings:
        echo_findings(findings, lang, err=True)
    if files:
        with package(folder) as box:
            for path, data in files.items():
                box.write(path, data)
            box.write_sums()
        form = _("{many} files in {folder}; prove them there with: sha256sum -c SHA256SUMS")
        echo(_(form, many=len(box.hashes), folder=folder), lang)
    return 1 if has_errors(findings) else 0
