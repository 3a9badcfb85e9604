"""`squadpress build`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli.home_options import home_options, take_home
from builder.cli.options import as_of_option, project_option
from builder.cli.worker_options import take_workers, worker_options

if TYPE_CHECKING:
    from builder.store.project import Project


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
@worker_options
@click.option("--gauges", is_flag=True, help="Only rulers, templates and tokens, which a whole set brings along.")
@click.option("--quiet", is_flag=True, help="Print nothing but findings and failures.")
@click.option("--zip", "zipped", is_flag=True, help="A print shop's package as an archive instead of a folder.")
@click.option(
    "--icc", type=click.Path(path_type=Path), metavar="FILE", help="The ICC profile a print shop's files are made for."
)
@home_options
@project_option
def build(project: Project, pack: str | None, pack_option: str | None, quiet: bool, **options: object) -> int:
    """Set the cards of PACK, or of one squad, and compose printable files.

    Faces that did not change are taken from the cache; with nothing changed no face is set and the files stay as they
    are. If one card fails, all findings are shown and no file is touched. Ends with 0, or 1 if there are errors.
    """
    from builder.cli.progress import Bar
    from builder.errors import UsageError
    from builder.findings import has_errors
    from builder.report.formats import FORMATS
    from builder.usecases.build import build_pack
    from builder.usecases.setting import BuildOptions, collect

    if pack and pack_option and pack != pack_option:
        raise UsageError(f"two packs are named: {pack} and {pack_option}", "Name one.")
    workers, shared = take_workers(options)
    langs = options.pop("lang")
    gauges = "only" if options.pop("gauges") else "with"
    since = options.pop("changed_since")
    home = take_home(options)
    asked = BuildOptions(langs, workers=workers, shared=shared, gauges=gauges, home=home, **options)  # type: ignore[arg-type]
    packs = _packs(project, pack or pack_option, asked.roster)
    results = []
    for each in packs:
        with Bar(quiet) as bar:
            if since:
                from builder.usecases.build_changed import build_changed

                result = build_changed(project, each, str(since), asked, bar.step)
            else:
                result = build_pack(project, each, asked, bar.step)
        results.append(result)
        if not quiet:
            for file in result.files:
                _say(file.path, file.pages, f"{file.cards} {file.unit}", file.changed)
            if since and not result.files and not has_errors(result.findings):
                click.echo(f"{each}: no printed face differs from {since}")
            if result.fresh or result.known:
                click.echo(f"{each}: {result.fresh} faces set, {result.known} from cache, {bar.seconds:.1f} s")
    findings = collect(results)
    if findings:
        sys.stdout.flush()
        click.echo(FORMATS["text"](findings), nl=False, err=not has_errors(findings))
    return 1 if has_errors(findings) else 0


def _packs(project: Project, pack: str | None, roster: Path | None) -> tuple[str, ...]:
    """The packs to build: the named one, the squad's, or all."""
    if pack is None and roster is not None:
        from builder.usecases.select import roster_pack

        return (roster_pack(project, roster),)
    return project.choose(pack)


def _say(path: Path, pages: int, what: str, changed: bool) -> None:
    """One line per file."""
    try:
        shown = path.resolve().relative_to(Path.cwd())
    except ValueError:
        shown = path
    click.echo(f"{shown}: {what} on {pages} pages{'' if changed else ', unchanged'}")
