"""`squadpress build`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from builder.cli.build.home_options import home_options, take_home
from builder.cli.build.worker_options import take_workers, worker_options
from builder.cli.language import interface_language
from builder.cli.options import as_of_option, project_option
from builder.findings import has_errors, in_order
from builder.messages import gettext as _
from builder.messages import ngettext, translate

if TYPE_CHECKING:
    from builder.store.project import Project
    from builder.usecases.build.built import BuildResult, Built


@click.command()
@click.argument("pack", required=False)
@click.option("--pack", "pack_option", metavar="PACK", help="The same as the argument.")
@click.option("--lang", multiple=True, metavar="LANG", help="A language, or all; may be given again. Default: all.")
@click.option("--only", multiple=True, metavar="SELECTOR", help="kind=A,B · faction=A,B · id patterns 'A*,B'.")
@click.option("--roster", type=click.Path(path_type=Path), metavar="FILE", help="Print just this squad.")
@click.option(
    "--profile", default="home-a4", show_default=True, help="home-a4, home-letter, screen, proof ... or shop:PRESET."
)
@click.option("--variant", type=click.Choice(["full", "ink"]), default="full", show_default=True, help="ink saves ink.")
@as_of_option
@click.option("--changed-since", metavar="VERSION|DAY", help="Print only the cards whose face differs from a release.")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Where files go. Default: output/PACK.")
@click.option("--gauges", is_flag=True, help="Only rulers, templates and tokens, which a whole set brings along.")
@click.option("--quiet", is_flag=True, help="Print nothing but findings and failures.")
@click.option("--zip", "zipped", is_flag=True, help="A print shop's package as an archive instead of a folder.")
@click.option(
    "--icc", type=click.Path(path_type=Path), metavar="FILE", help="The ICC profile a print shop's files are made for."
)
@worker_options
@home_options
@project_option
def build(project: Project, pack: str | None, pack_option: str | None, quiet: bool, **options: Any) -> int:
    """Set the cards of PACK, or of one squad, and compose printable files.

    Faces that did not change are taken from the cache; with nothing changed no face is set and the files stay as they
    are. If one card fails, all findings are shown and no file is touched. Ends with 0, or 1 if there are errors.
    """
    from builder.errors import UsageError
    from builder.report.findings import FORMATS

    if pack and pack_option and pack != pack_option:
        raise UsageError(
            _("two packs are named: {pack} and {pack_option}", pack=pack, pack_option=pack_option), _("Name one.")
        )
    results, lang = [], interface_language()
    builder = _Builder(project, options, quiet)
    for each in _packs(project, pack or pack_option, options["roster"]):
        result = builder.build(each)
        results.append(result)
        if not quiet:
            _tell(each, result, builder, lang)
    findings = in_order(finding for result in results for finding in result.findings)
    if findings:
        sys.stdout.flush()
        click.echo(FORMATS["text"](findings, lang), nl=False, err=not has_errors(findings))
    return 1 if has_errors(findings) else 0


class _Builder:
    """Builds packs as the options say. What sets cards is loaded in a process of its own as soon as one is needed."""

    def __init__(self, project: Project, options: dict[str, Any], quiet: bool) -> None:
        self.project = project
        self.since = options.pop("changed_since")
        self.workers, self.shared = take_workers(options)
        self.options = options
        self.quiet = quiet
        self.seconds = 0.0
        self._ready = False

    def build(self, pack: str) -> BuildResult:
        """One pack; at once where nothing was edited since the last time."""
        start = time.monotonic()
        last = None
        order = self.options["profile"].startswith("shop:")  # a folder of files, each judged again
        if not (self.since or self.options["as_of"] or order):
            from builder.usecases.build.lastbuild import LastBuild

            last = LastBuild(self.project, pack, self.options)
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
        if self.workers > 1:
            from builder.render.workers import preload

            preload(self.project.cache_dir)

    def _make(self, pack: str) -> BuildResult:
        if not self._ready and not self.shared:
            self._get_ready()
        from builder.cli.progress import Bar
        from builder.usecases.build.build import build_pack
        from builder.usecases.build.setting import BuildOptions

        options = dict(self.options)
        langs, gauges = options.pop("lang"), "only" if options.pop("gauges") else "with"
        home = take_home(options)
        here = {"workers": self.workers, "shared": self.shared}
        asked = BuildOptions(langs, gauges=gauges, home=home, **here, **options)  # type: ignore[arg-type]
        with Bar(self.quiet) as bar:
            if self.since is None:
                return build_pack(self.project, pack, asked, bar.step)
            from builder.usecases.build.since import build_changed

            return build_changed(self.project, pack, self.since, asked, bar.step)


def _tell(pack: str, result: BuildResult, builder: _Builder, lang: str) -> None:
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
