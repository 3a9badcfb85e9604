"""`squadpress release impact` and `update`: what a newer state of a game does to squads."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from pathlib import Path

import click

from builder.cli.console import echo, print_lines, write as say
from builder.cli.options import PATH, pack_option, project_option
from builder.cli.roster.options import lang_option, on_option, play_format_option
from builder.errata.difference import compare_states
from builder.errata.notes import compose_notes
from builder.errata.release import parse_version
from builder.findings import Finding
from builder.messages import gettext as _, ngettext, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.report.findings import format_finding
from builder.report.release import format_heading
from builder.usecases.pack_states import choose_pack, load_two_states
from builder.usecases.release.impact import (
    Comparison,
    Impact,
    compare,
    compare_roster,
    count_by_card,
)
from builder.usecases.release.update import find_update, put_update
from builder.usecases.roster.roster_files import RosterFiles, list_roster_files


@click.command("impact")
@click.argument("old")
@click.argument("new")
@click.argument("rosters", nargs=-1, type=PATH)
@click.option(
    "--write", is_flag=True, help=("Write renamed ids into the roster files. Comments are kept.")
)
@lang_option
@play_format_option
@on_option
@pack_option
@project_option
def show_impact(
    old: str, new: str, rosters: tuple[Path, ...], write: bool, lang: str | None, play_format: str | None,
    day: date | None, pack: str | None, project: Project,
) -> int:  # fmt: skip
    """Show what the changes from OLD to NEW do to squads. ROSTERS are files or folders of files.

    Without rosters, list the rules and cards that make legal squads illegal. Exit code: 1 if a
    legal squad becomes illegal.
    """
    name, packs = choose_pack(project, pack), PackFiles(project)
    before, after, found = load_two_states(packs, name, old, new)
    comparison = compare(before, after, lang, play_format, day, found)
    return print_impact(comparison, rosters, project, found, write=write)


def print_impact(
    comparison: Comparison, rosters: Sequence[Path], project: Project, findings: Sequence[Finding],
    *, write: bool, since: Callable[[str], Comparison] | None = None,
) -> int:  # fmt: skip
    """Judge squads by both states, tell it, move their ids if they are to be written; the exit code. With `since` each
    is judged from the version that it keeps to, and pinned to the new one unless it would be legal no longer.
    """
    kept = RosterFiles(project, list_roster_files(rosters), comparison.after.pack.manifest.roster)
    judged = []
    target = parse_version(comparison.new.label)
    newer_files = set()
    for file in kept.names():
        squad = kept.load(file)
        pinned = (squad.roster and squad.roster.version) or ""
        own = parse_version(pinned)
        if since and own is not None and target is not None and own > target:
            newer_files.add(file)  # pinned to a planned release: it is not moved back
        by = since(pinned) if since else comparison
        judged.append(compare_roster(by, squad, project.relative(Path(file))))
    print_lines("\n".join(_squads(comparison, judged) if judged else _risks(comparison)))
    for finding in (*findings, *comparison.findings):
        say(format_finding(finding, comparison.lang), err=True)
    if write:
        for file, one in zip(kept.names(), judged, strict=True):
            form = (
                _("{file}: now uses {version}") if since else _("{file}: ids updated to {version}")
            )
            if since and (one.worse or file in newer_files):
                echo(_("{file}: unchanged", file=one.file), comparison.lang)
            elif one.migrated is not None and kept.migrate(
                file, one.migrated, comparison.new.label, bool(since)
            ):
                echo(_(form, file=one.file, version=comparison.new.label), comparison.lang)
    return 1 if any(one.worse for one in judged) else 0


MOST = 12
"""So many cards that a changed rule looks at are named."""


def _squads(comparison: Comparison, judged: Sequence[Impact]) -> list[str]:
    """What becomes of each squad, how many are still legal, and which cards are behind it."""
    total = ngettext(
        "{count} squad: {legal} legal, {worse} no longer legal",
        "{count} squads: {legal} legal, {worse} no longer legal",
        len(judged),
        legal=sum(one.legal_after for one in judged),
        worse=sum(one.worse for one in judged),
    )
    form = _("{card}: in {squads} of them; breaks {broken}")
    counted = [
        _(form, card=comparison.name_card(c.card), squads=c.squads, broken=c.broken)
        for c in count_by_card(judged)
    ]
    ends = [translate(text, comparison.lang) for text in (total, *counted)]
    return [*(line for one in judged for line in lines(one, comparison)), *ends]


def _risks(comparison: Comparison) -> list[str]:
    """Each way in which squads break, and how many there are."""
    told = []
    for risk in comparison.risks:
        parts = filter(None, (risk.rule, comparison.name_card(risk.card) if risk.card else ""))
        selected = comparison.list_selected_cards(risk.rule) if risk.rule and not risk.card else ()
        cards = [comparison.name_card(card) for card in selected]
        rest = ", ..." if len(cards) > MOST else ""
        about = f" ({', '.join(cards[:MOST])}{rest})" if cards else ""
        told.append(f"{' · '.join(parts)}: {translate(risk.reason, comparison.lang)}{about}")
    total = ngettext(
        "{count} way in which a legal squad can become illegal",
        "{count} ways in which a legal squad can become illegal",
        len(told),
    )
    return [*told, translate(total, comparison.lang)]


def _points_text(points: int | float | None, lang: str) -> str:
    """What a squad costs; a word where the cost of one of its cards is not known."""
    return translate(_("unknown"), lang) if points is None else f"{points:g}"


def lines(one: Impact, comparison: Comparison) -> list[str]:
    """One squad as lines of text."""
    lang, named = comparison.lang, comparison.name_card
    words = [translate(word, lang) for word in (_("BROKEN"), _("legal"), _("illegal"), _("unread"))]
    wide = max(map(len, words))
    if one.migrated is None:
        return [f"{words[3]:{wide}} {one.file}"]
    word = words[0 if one.worse else 1 if one.legal_after else 2]
    before, after = (_points_text(points, lang) for points in (one.points_before, one.points_after))
    points_text = before if before == after else f"{before} -> {after}"
    found = [_("{old} is now {new}", old=item.old, new=item.new) for item in one.migrated.moved]
    for lost in one.migrated.lost:
        form = _("{old} was split into {heirs}") if lost.heirs else _("{old} was removed")
        found.append(_(form, old=lost.old, heirs=", ".join(lost.heirs)))
    if one.changed:
        found.append(_("changed: {listed}", listed=", ".join(map(named, one.changed))))
    told = [f"{word:{wide}} {one.file}  {one.name}  {points_text}"]
    told += [f"    {translate(text, lang)}" for text in dict.fromkeys(found)]
    for item in one.broken:
        because = translate(
            _(" (because of {listed})", listed=", ".join(map(named, item.cards))), lang
        )
        told.append(f"    {item.rule}: {item.message}{because if item.cards else ''}")
        told += [f"        {text}" for text in item.hint.splitlines()]
    return told


@click.command()
@click.argument("place", metavar="FOLDER|ARCHIVE", type=PATH)
@click.argument("rosters", nargs=-1, type=PATH)
@click.option(
    "--write",
    is_flag=True,
    help=("Save the new releases in this project, and move the squads to the release in force."),
)
@click.option(
    "--to",
    metavar="VERSION",
    help=("Move squads to this release instead, even if it is not in force yet."),
)
@lang_option
@project_option
def update(
    place: Path,
    rosters: tuple[Path, ...],
    write: bool,
    to: str | None,
    lang: str | None,
    project: Project,
) -> int:
    """Show what a newer release of a game changes for squads. Download the publication first; it
    is verified here. Without --write, nothing is saved.

    Squads are moved to the release in force today.

    ROSTERS are files or folders of files. Exit code: 1 if a legal squad becomes illegal.
    """
    found = find_update(project, place, to)
    comparison = compare(found.old, found.new, lang, findings=found.findings)
    told = compose_notes(
        found.old, found.new, compare_states(found.old, found.new), comparison.lang
    )
    echo(_("All files match the publication's checksums."), comparison.lang)
    if found.new.label == found.old.label or (not found.fresh and to is None):
        echo(
            _(
                "{pack}: there is no release newer than {version}",
                pack=found.pack,
                version=found.old.label,
            ),
            comparison.lang,
        )
    else:
        print_lines("\n".join((format_heading(told), *(f"  {line}" for line in told.summary))))
    for planned in found.planned:
        form = _(
            "{version} takes effect on {day}. Squads stay at {current}. Use --to {version} "
            "to move them now."
        )
        values = {"version": planned.version, "day": planned.effective, "current": found.new.label}
        echo(_(form, **values), comparison.lang)
    releases = PackFiles(project).releases(found.pack)

    @cache
    def since(version: str) -> Comparison:
        kept = version != found.old.label and releases.has(version)
        if not kept:
            return comparison
        old, flaws = releases.load(version)
        return compare(old, found.new, lang, findings=flaws)

    status = print_impact(comparison, rosters, project, found.findings, write=write, since=since)
    if write:
        folders = put_update(project, found)
        count = ngettext("{count} release added", "{count} releases added", len(folders))
        echo(translate(count, comparison.lang))
        form = _(
            "The files in cards/{pack} were not changed. Squads without a release still use them."
        )
        echo(_(form, pack=found.pack), comparison.lang)
    return status
