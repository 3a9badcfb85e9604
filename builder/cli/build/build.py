"""`squadpress build`."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from builder.cli.build.options import (
    home_options,
    publishing_options,
    selection_options,
    worker_options,
)
from builder.cli.console import (
    ProgressBar,
    echo,
    echo_engine,
    echo_findings,
    echo_old_files,
    shorten_path,
)
from builder.cli.options import project_option
from builder.errors import UsageError
from builder.findings import Finding, has_errors, sort_findings
from builder.messages import gettext as _, ngettext
from builder.packs.project import Project
from builder.usecases.build.build_options import (
    DRAFT_MARK,
    SHOP,
    BuildOptions,
    BuildResult,
    BuiltFile,
    HomeOptions,
    PublishOptions,
    Selection,
    WorkerPool,
)


@click.command()
@click.argument("pack", required=False)
@click.option("--pack", "pack_option", metavar="PACK", help="The same as the argument.")
@selection_options
@click.option(
    "--changed-since",
    metavar="VERSION|DAY",
    help="Print only the cards whose faces differ from a release. With --as-of, as they are in "
    "that release.",
)
@publishing_options
@click.option(
    "--quiet",
    "is_quiet",
    is_flag=True,
    help="Print only errors, warnings and failures.",
)
@worker_options
@home_options
@project_option
def build(
    project: Project,
    pack: str | None,
    pack_option: str | None,
    changed_since: str | None,
    is_quiet: bool,
    select: Selection,
    publish: PublishOptions,
    home: HomeOptions,
    workers: WorkerPool,
) -> int:
    """Build printable PDFs of the cards of PACK, or of one squad.

    Unchanged faces come from the cache. If nothing changed, nothing is rendered and the files
    stay as they are. If a card does not fit, a draft is written next to the files: its name ends
    in -draft, and the faults have a red frame. After other errors no file is written.

    Exit code: 0, or 1 if there are errors.
    """
    if pack and pack_option and pack != pack_option:
        form = _("two packs are given: {pack} and {pack_option}")
        message = _(form, pack=pack, pack_option=pack_option)
        raise UsageError(message, _("Give only one of them."))
    results = []
    for pack_id in _choose_packs(project, pack or pack_option, select.roster):
        start = time.monotonic()
        with ProgressBar(is_quiet) as bar:
            worker_pool = replace(workers, progress=bar.step)
            options = BuildOptions(select, replace(publish, home=home), worker_pool)
            results.append(_build_or_reuse(project, pack_id, options, changed_since))
        if not is_quiet:
            _echo_result(pack_id, results[-1], changed_since, time.monotonic() - start)
    all_findings: list[Finding] = []
    for result in results:
        all_findings += result.findings
    findings = sort_findings(all_findings)
    sys.stdout.flush()
    return echo_findings(findings, err=not has_errors(findings))


def _build_or_reuse(
    project: Project, pack: str, options: BuildOptions, since: str | None
) -> BuildResult:
    """Build a pack, or return the result of the last build if nothing was edited since."""
    # The files of an order are checked again each time.
    is_order = options.publish.profile.startswith(SHOP)
    if since or options.select.as_of or is_order:
        return _render_pack(project, pack, options, since)
    # An unchanged build imports nothing else, because the engines take long to import.
    from builder.usecases.build.records import BuildRecord

    record = BuildRecord(project, pack, options.outcome)
    result = record.find_result()
    if result is None:
        result = _render_pack(project, pack, options, since)
        record.save_result(result)
    return result


def _render_pack(
    project: Project, pack: str, options: BuildOptions, since: str | None
) -> BuildResult:
    """Build all files of a pack. With `since`, only cards that differ from that release."""
    if since is None:
        from builder.usecases.build.build import build_pack

        return build_pack(project, pack, options)
    from builder.usecases.build.changed import build_changed

    return build_changed(project, pack, since, options)


def _choose_packs(
    project: Project, pack: str | None, roster: Path | None
) -> tuple[str, ...]:
    """Return the packs to build: the named one, the one of a squad file, or all."""
    if pack is None and roster is not None:
        from builder.usecases.build.select import read_roster

        return (read_roster(project, roster).pack,)
    return project.choose_packs(pack)


def _echo_result(
    pack: str, result: BuildResult, since: str | None, seconds: float
) -> None:
    echo_engine(pack, result.engine_choice)
    for file in result.files:
        _echo_built_file(file)
    for path in result.removed:
        form = _("{file}: removed, because {pack} no longer has this language")
        if path.stem.endswith(DRAFT_MARK):
            form = _("{file}: removed, because all cards fit now")
        echo(_(form, file=shorten_path(path), pack=pack))
    if since and not result.files and not has_errors(result.findings):
        echo(_("{pack}: no card looks different from {since}", pack=pack, since=since))
    if result.rendered_count or result.cached_count:
        message = ngettext(
            "{pack}: {count} face rendered, {known} from the cache, {seconds:.1f} s",
            "{pack}: {count} faces rendered, {known} from the cache, {seconds:.1f} s",
            result.rendered_count,
            pack=pack,
            known=result.cached_count,
            seconds=seconds,
        )
        echo(message)
    drafts = [file.path for file in result.files if file.draft]
    if drafts:
        echo(_("{pack}: only drafts were written, because there are errors", pack=pack))
        for unit in result.unwritten_units:
            echo(
                _(
                    "{pack}: not written next to drafts: {files}",
                    pack=pack,
                    files=UNIT_NAMES[unit],
                )
            )
        echo_old_files(drafts)
    if not result.files and has_errors(result.findings):
        echo(_("{pack}: no file was written, because there are errors", pack=pack))


UNIT_NAMES = {
    "cuts": _("files for the cutting machine"),
    "boxes": _("tuck boxes"),
    "gauges": _("gauges"),
}


def _echo_built_file(file: BuiltFile) -> None:
    what = {
        "cards": ngettext("{count} card", "{count} cards", file.cards),
        "gauges": ngettext(
            "{count} gauge or token", "{count} gauges and tokens", file.cards
        ),
        "cuts": ngettext("{count} cut line", "{count} cut lines", file.cards),
        "boxes": ngettext("{count} tuck box", "{count} tuck boxes", file.cards),
    }[file.unit]
    pages = ngettext("{count} page", "{count} pages", file.pages)
    form = _("{file}: {what} on {pages}, unchanged")
    if file.changed:
        form = _("{file}: {what} on {pages}")
    if file.draft:
        form = _("{file}: draft, {what} on {pages}")
    echo(_(form, file=shorten_path(file.path), what=what, pages=pages))
