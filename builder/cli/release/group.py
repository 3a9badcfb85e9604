"""`squadpress release`: freeze, compare, announce and publish releases of a pack."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from builder.cli.groups import HelpfulGroup
from builder.cli.options import format_option, lang_option, pack_option, project_option
from builder.cli.release.impact import impact
from builder.cli.release.notes import notes
from builder.cli.release.publish import publish
from builder.messages import gettext as _
from builder.messages import translate

if TYPE_CHECKING:
    from datetime import datetime

    from builder.store.project import Project

day = click.DateTime(["%Y-%m-%d"])


@click.group(cls=HelpfulGroup)
def release() -> None:
    """Freeze, compare, announce and publish releases of a pack."""


@release.command("new")
@click.argument("version")
@click.option("--effective", type=day, required=True, help="The day from which play uses it.")
@click.option("--released", type=day, help="The day it is published; the effective day where absent.")
@click.option("--no-pictures", is_flag=True, help="Do not set the cards: their looks are then not remembered.")
@click.option("--dry-run", is_flag=True, help="Only judge; write nothing.")
@lang_option
@pack_option
@format_option
@project_option
def new(
    version: str,
    effective: datetime,
    released: datetime | None,
    no_pictures: bool,
    dry_run: bool,
    lang: str,
    pack: str | None,
    form: str,
    project: Project,
) -> int:
    """Freeze the pack as VERSION, unless something stands against it."""
    from builder.cli.console import Bar
    from builder.findings import has_errors
    from builder.report.findings import FORMATS
    from builder.usecases.build.faces import pack_pictures
    from builder.usecases.files import PackFiles
    from builder.usecases.release.new import make_release
    from builder.usecases.release.states import one_pack

    date = (released or effective).date()
    with Bar(form != "text") as bar:
        pictures = None if no_pictures else pack_pictures(project, min(os.cpu_count() or 1, 8), bar.step)
        name, packs = one_pack(project, pack), PackFiles(project)
        made = make_release(packs, name, version, effective.date(), date, dry=dry_run, pictures=pictures)
    click.echo(FORMATS[form](made.findings, lang), nl=False)
    if has_errors(made.findings):
        click.echo(translate(_("{version} was not released.", version=version), lang), err=True)
        return 1
    cards = len(made.proposal.state.cards)
    if not made.frozen:
        form = _("{version} could be released: {cards} cards, {many} of them differ.")
        told = _(form, version=version, cards=cards, many=len(made.proposal.difference.cards))
    else:
        form = _("{version} released: {cards} cards frozen in {folder}")
        told = _(form, version=version, cards=cards, folder=project.relative(packs.releases(name).folder / version))
    click.echo(translate(told, lang))
    return 0


release.add_command(impact)
release.add_command(notes)
release.add_command(publish)


@release.command("diff")
@click.argument("old")
@click.argument("new", default="work")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@lang_option
@pack_option
@project_option
def diff(old: str, new: str, form: str, lang: str, pack: str | None, project: Project) -> int:
    """What changed from OLD to NEW: versions, days, `work` (the default of NEW), or folders of other projects."""
    from builder.cli.console import show
    from builder.errata.difference import difference
    from builder.report.findings import as_text
    from builder.report.release import FORMATS
    from builder.usecases.files import PackFiles
    from builder.usecases.release.states import one_pack, state_of

    name, packs = one_pack(project, pack), PackFiles(project)
    before, old_findings = state_of(packs, name, old)
    after, new_findings = state_of(packs, name, new)
    told = FORMATS[form](difference(before, after), lang)
    if form == "text":
        show(told)
    else:
        click.echo(told, nl=False)
    findings = (*old_findings, *new_findings)
    if findings:
        click.echo(as_text(findings, lang), nl=False, err=True)
    return 0
