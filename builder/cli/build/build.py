"""`squadpress build`."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.build.options import home_options, publishing_options, selection_options, worker_options
from builder.cli.language import interface_language
from builder.cli.options import project_option
from builder.findings import has_errors, in_order
from builder.messages import gettext as _
from builder.messages import ngettext, translate

if TYPE_CHECKING:
    from builder.store.project import Project
    from builder.usecases.build.options import BuildOptions, BuildResult, Built, Home, Publishing, Selection, WorkerPool


@click.command()
@click.argument("pack", required=False)
@click.option("--pack", "pack_option", metavar="PACK", help="The same as the argument.")
@selection_options
@click.option("--changed-since", metavar="VERSION|DAY", help="Print only the cards whose face differs from a release.")
@publishing_options
@click.option("--quiet", is_flag=True, help="Print nothing but findings and failures.")
@worker_options
@home_options
@project_option
def build(
    project: Project, pack: str | None, pack_option: str | None, changed_since: str | None, quiet: bool,
    select: Selection, publish: Publishing, home: Home, workers: WorkerPool,
) -> int:  # fmt: skip
    """Set the cards of PACK, or of one squad, and compose printable files.

    Faces that did not change are taken from the cache; with nothing changed no face is set and the files stay as they
    are. If one card fails, all findings are shown and no file is touched. Ends with 0, or 1 if there are errors.
    """
    from builder.errors import UsageError
    from builder.report.findings import FORMATS
    from builder.usecases.build.options import BuildOptions

    if pack and pack_option and pack != pack_option:
        raise UsageError(
            _("two packs are named: {pack} and {pack_option}", pack=pack, pack_option=pack_option), _("Name one.")
        )
    results, lang = [], interface_language()
    builder = _PackBuilder(project, BuildOptions(select, replace(publish, home=home), workers), changed_since, quiet)
    for each in _packs(project, pack or pack_option, select.roster):
        result = builder.build(each)
        results.append(result)
        if not quiet:
            _tell(each, result, builder, lang)
    findings = in_order(finding for result in results for finding in result.findings)
    if findings:
        sys.stdout.flush()
        click.echo(FORMATS["text"](findings, lang), nl=False, err=not has_errors(findings))
    return 1 if has_errors(findings) else 0


class _PackBuilder:
    """Builds packs as the options say. What sets cards is loaded in a process of its own as soon as one is needed."""

    def __init__(self, project: Project, options: BuildOptions, since: str | None, quiet: bool) -> None:
        self.project = project
        self.since = since
        self.options = options
        self.quiet = quiet
        self.seconds = 0.0
        self._ready = False

    def build(self, pack: str) -> BuildResult:
        """One pack; at once where nothing was edited since the last time."""
        start = time.monotonic()
        from builder.usecases.build.options import SHOP

        last = None
        order = self.options.publish.profile.startswith(SHOP)  # a folder of files, each judged again
        if not (self.since or self.options.select.as_of or order):
            from builder.usecases.build.records import BuildRecord

            last = BuildRecord(self.project, pack, self.options.outcome)
        result = last.known() if last else None
        if result is None:
            result = self._make(pack)
            if last:
                last.note(result)
        self.seconds = time.monotonic() - start
        return result

    def _get_ready(self) -> None:
        """Load what sets cards meanwhile, in a process that others are forked from."""
        self._ready = True
        if self.options.workers.count > 1:
            from builder.render.workers import preload

            preload(self.project.cache_dir)

    def _make(self, pack: str) -> BuildResult:
        if not self._ready and not self.options.workers.shared:
            self._get_ready()
        from builder.cli.console import Bar
        from builder.usecases.build.build import build_pack

        with Bar(self.quiet) as bar:
            if self.since is None:
                return build_pack(self.project, pack, self.options, bar.step)
            from builder.usecases.build.changed import build_changed

            return build_changed(self.project, pack, self.since, self.options, bar.step)


def _tell(pack: str, result: BuildResult, builder: _PackBuilder, lang: str) -> None:
    """The lines of one pack."""
    for file in result.files:
        _say(file, lang)
    if builder.since and not result.files and not has_errors(result.findings):
        told = _("{pack}: no printed face differs from {since}", pack=pack, since=builder.since)
        click.echo(translate(told, lang))
    if result.fresh or result.known:
        told = ngettext(
            "{pack}: {count} face set, {known} from cache, {seconds:.1f} s",
            "{pack}: {count} faces set, {known} from cache, {seconds:.1f} s",
            result.fresh,
            pack=pack,
            known=result.known,
            seconds=builder.seconds,
        )
        click.echo(translate(told, lang))


def _packs(project: Project, pack: str | None, roster: Path | None) -> tuple[str, ...]:
    """The packs to build: the named one, the squad's, or all."""
    if pack is None and roster is not None:
        from builder.usecases.build.select import roster_pack

        return (roster_pack(project, roster),)
    return project.choose(pack)


def _say(file: Built, lang: str) -> None:
    """One line per file."""
    try:
        shown = file.path.resolve().relative_to(Path.cwd())
    except ValueError:
        shown = file.path
    what = {
        "cards": ngettext("{count} card", "{count} cards", file.cards),
        "gauges": ngettext("{count} gauge or token", "{count} gauges and tokens", file.cards),
        "cuts": ngettext("{count} cut line", "{count} cut lines", file.cards),
    }[file.unit]
    pages = ngettext("{count} page", "{count} pages", file.pages)
    form = _("{file}: {what} on {pages}") if file.changed else _("{file}: {what} on {pages}, unchanged")
    click.echo(translate(_(form, file=shown, what=what, pages=pages), lang))
