"""`squadpress release notes`."""

from dataclasses import replace
from pathlib import Path

import click

from builder.cli.console import ProgressBar, echo_findings, write
from builder.cli.language import get_requested_language
from builder.cli.options import PATH, pack_option, project_option
from builder.errata.notes import Notes
from builder.errors import UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.model.words import NOTE_PARTS
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import refuse_imported
from builder.packs.project import Project
from builder.packs.rulings import load_rulings
from builder.report.chat import format_chat
from builder.report.release import format_notes
from builder.usecases.build.build_options import CORES, WorkerPool
from builder.usecases.pack_states import choose_pack, load_two_states


@click.command("notes")
@click.argument("old")
@click.argument("new", default="work")
@click.option(
    "--lang",
    multiple=True,
    metavar="LANG",
    help=(
        "Language. Can be repeated. Default: all in files, else the language of the program."
    ),
)
@click.option(
    "--output",
    type=PATH,
    metavar="DIR",
    help=("Write files into this folder instead of printing the text."),
)
@click.option(
    "--pdf",
    is_flag=True,
    help="With --output: also a printable PDF with the cards before and after.",
)
@click.option(
    "--chat",
    is_flag=True,
    help="Plain text for one chat message of at most 2,000 characters.",
)
@click.option(
    "--html", is_flag=True, help="With --output: also an HTML page in one file."
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(NOTE_PARTS),
    multiple=True,
    help="Only this part of the notes.",
)
@click.option(
    "--faction",
    "factions",
    multiple=True,
    metavar="FACTION",
    help="Only cards of this faction. Can be repeated.",
)
@pack_option
@project_option
def write_notes(
    old: str,
    new: str,
    lang: tuple[str, ...],
    output: Path | None,
    pdf: bool,
    html: bool,
    chat: bool,
    parts: tuple[str, ...],
    factions: tuple[str, ...],
    pack: str | None,
    project: Project,
) -> int:
    """Write release notes from OLD to NEW, based on the cards' histories: a summary, changed
    costs, and each card with its old and new values.
    """
    from builder.usecases.build.build_options import get_render_folders
    from builder.usecases.release.notes import compose_release_notes, print_notes
    from builder.usecases.release.past import compare_with_past, find_published_state
    from builder.usecases.release.release_templates import (
        explain_errors,
        find_release_project,
    )
    from builder.usecases.release.untranslated import warn_untranslated

    forms = [form for form, is_wanted in (("pdf", pdf), ("html", html)) if is_wanted]
    if forms and output is None:
        raise UsageError(_("no output folder is given"), _("Add --output DIR."))
    name = choose_pack(project, pack)
    packs = PackFiles(project)
    refuse_imported(project, name)
    before, after, damage = load_two_states(packs, name, old, new)
    if echo_findings(damage, err=True):
        return 1
    requested_lang = get_requested_language() if output is None else ""
    langs = lang or ((requested_lang,) if requested_lang else ())
    rulings, ruling_findings = load_rulings(project, name)
    if echo_findings(ruling_findings, err=True):
        return 1
    after, spans_releases = find_published_state(packs, before, after)
    changes = compare_with_past(packs, before, after)
    all_notes = compose_release_notes(before, after, langs, factions, rulings, changes)
    all_notes = _mark_notes(all_notes, spans_releases)
    echo_findings(warn_untranslated(after, all_notes), err=True)
    for notes in all_notes:
        text = format_chat(notes) if chat else format_notes(notes, parts or NOTE_PARTS)
        file = f"{name}-{notes.new}-notes-{notes.lang}.{'txt' if chat else 'md'}"
        _write_text(output, file, text)
    if not forms or output is None:
        return 0
    with ProgressBar() as bar:
        workers = WorkerPool(CORES, progress=bar.step)
        drawn_project = find_release_project(project, name, after.label)
        places = get_render_folders(drawn_project, name)
        files, findings = print_notes(places, before, after, all_notes, workers, forms)
    for file, data in files.items():
        write_atomic(output / file, data)
        write(str(output / file))
    findings = explain_errors(project, name, after.label, findings)
    return echo_findings(findings, err=True)


def _mark_notes(
    all_notes: tuple[Notes, ...], spans_releases: bool
) -> tuple[Notes, ...]:
    """Mark release notes that span several releases, so that their heading says so."""
    return tuple(replace(notes, spans_releases=spans_releases) for notes in all_notes)


def _write_text(output: Path | None, file: str, text: str) -> None:
    """Write a text to a file in a folder, or print it without a folder."""
    if output is None:
        write(text)
        return
    write_atomic(output / file, text.encode("utf-8"))
    write(str(output / file))
