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
    compare_roster,
    count_by_card,
    make_comparison,
)
from builder.usecases.release.update import find_update, put_update
from builder.usecases.roster.roster_files import RosterFiles, list_roster_files


@click.command("impact")
@click.argument("old")
@click.argument("new")
@click.argument("rosters", nargs=-1, type=PATH)
@click.option(
    "--write",
    is_flag=True,
    help=("Write renamed ids into the roster files. Comments are kept."),
)
@lang_option
@play_format_option
@on_option
@pack_option
@project_option
def show_impact(
    old: str,
    new: str,
    rosters: tuple[Path, ...],
    write: bool,
    lang: str | None,
    play_format: str | None,
    day: date | None,
    pack: str | None,
    project: Project,
) -> int:
    """Show what the changes from OLD to NEW do to squads. ROSTERS are files or folders of files.

    Without rosters, list the rules and cards that make legal squads illegal. Exit code: 1 if a
    legal squad becomes illegal.
    """
    name, packs = choose_pack(project, pack), PackFiles(project)
    before, after, findings = load_two_states(packs, name, old, new)
    comparison = make_comparison(before, after, lang, play_format, day, findings)
    return print_impact(comparison, rosters, project, findings, write=write)


def print_impact(
    comparison: Comparison,
    rosters: Sequence[Path],
    project: Project,
    findings: Sequence[Finding],
    *,
    write: bool,
    since: Callable[[str], Comparison] | None = None,
) -> int:
    """Compare squads in both states and print the result.

    With `write`, update the ids in their files.

    With `since`, each squad is compared from the version it is pinned to. It is then pinned to the
    new version, unless it would become illegal. Return the exit code.
    """
    roster_files = RosterFiles(
        project, list_roster_files(rosters), comparison.after.pack.manifest.roster
    )
    impacts = []
    target = parse_version(comparison.new.label)
    newer_files = set()
    for file in roster_files.names():
        squad = roster_files.load(file)
        pinned = (squad.roster and squad.roster.version) or ""
        pinned_version = parse_version(pinned)
        if since and pinned_version is not None and target is not None and pinned_version > target:
            newer_files.add(file)  # pinned to a planned release: it is not moved back
        by = since(pinned) if since else comparison
        impacts.append(compare_roster(by, squad, project.shorten_path(Path(file))))
    print_lines(
        "\n".join(_format_squads(comparison, impacts) if impacts else _format_risks(comparison))
    )
    for finding in (*findings, *comparison.findings):
        say(format_finding(finding, comparison.lang), err=True)
    if write:
        for file, impact in zip(roster_files.names(), impacts, strict=True):
            form = (
                _("{file}: now uses {version}") if since else _("{file}: ids updated to {version}")
            )
            if since and (impact.worse or file in newer_files):
                echo(_("{file}: unchanged", file=impact.file), comparison.lang)
            elif impact.migrated is not None and roster_files.migrate(
                file, impact.migrated, comparison.new.label, bool(since)
            ):
                echo(_(form, file=impact.file, version=comparison.new.label), comparison.lang)
    return 1 if any(impact.worse for impact in impacts) else 0


MAX_NAMED_CARDS = 12
"""Number of cards of a changed rule that are named."""


def _format_squads(comparison: Comparison, impacts: Sequence[Impact]) -> list[str]:
    """Return each squad's result, the number of legal ones, and the cards that caused changes."""
    total = ngettext(
        "{count} squad: {legal} legal, {worse} no longer legal",
        "{count} squads: {legal} legal, {worse} no longer legal",
        len(impacts),
        legal=sum(impact.legal_after for impact in impacts),
        worse=sum(impact.worse for impact in impacts),
    )
    lines = []
    for impact in impacts:
        lines += format_impact(impact, comparison)
    form = _("{card}: in {squads} of them; breaks {broken}")
    counted = [
        _(form, card=comparison.name_card(c.card), squads=c.squads, broken=c.broken)
        for c in count_by_card(impacts)
    ]
    ends = [translate(text, comparison.lang) for text in (total, *counted)]
    return [*lines, *ends]


def _format_risks(comparison: Comparison) -> list[str]:
    """Return each way in which a squad can become illegal, and their number."""
    lines = []
    for risk in comparison.risks:
        parts = filter(None, (risk.rule, comparison.name_card(risk.card) if risk.card else ""))
        selected = comparison.list_selected_cards(risk.rule) if risk.rule and not risk.card else ()
        cards = [comparison.name_card(card) for card in selected]
        rest = ", ..." if len(cards) > MAX_NAMED_CARDS else ""
        about = f" ({', '.join(cards[:MAX_NAMED_CARDS])}{rest})" if cards else ""
        lines.append(f"{' · '.join(parts)}: {translate(risk.reason, comparison.lang)}{about}")
    total = ngettext(
        "{count} way in which a legal squad can become illegal",
        "{count} ways in which a legal squad can become illegal",
        len(lines),
    )
    return [*lines, translate(total, comparison.lang)]


def _format_points(points: int | float | None, lang: str) -> str:
    """Return the points of a squad, or "unknown" if the cost of a card is not known."""
    return translate(_("unknown"), lang) if points is None else f"{points:g}"


def format_impact(impact: Impact, comparison: Comparison) -> list[str]:
    """One squad as lines of text."""
    lang, name_card = comparison.lang, comparison.name_card
    words = [
        translate(word, lang) for word in (_("BROKEN"), _("legal"), _("illegal"), _("unreadable"))
    ]
    width = max(map(len, words))
    if impact.migrated is None:
        return [f"{words[3]:{width}} {impact.file}"]
    word = words[0 if impact.worse else 1 if impact.legal_after else 2]
    before, after = (
        _format_points(points, lang) for points in (impact.points_before, impact.points_after)
    )
    points_text = before if before == after else f"{before} -> {after}"
    changes = [
        _("{old} is now {new}", old=item.old, new=item.new) for item in impact.migrated.moved
    ]
    for lost in impact.migrated.lost:
        form = _("{old} was split into {heirs}") if lost.heirs else _("{old} was removed")
        changes.append(_(form, old=lost.old, heirs=", ".join(lost.heirs)))
    if impact.changed:
        changes.append(_("changed: {listed}", listed=", ".join(map(name_card, impact.changed))))
    lines = [f"{word:{width}} {impact.file}  {impact.name}  {points_text}"]
    lines += [f"    {translate(text, lang)}" for text in dict.fromkeys(changes)]
    for item in impact.broken:
        because = translate(
            _(" (because of {listed})", listed=", ".join(map(name_card, item.cards))), lang
        )
        lines.append(f"    {item.rule}: {item.message}{because if item.cards else ''}")
        lines += [f"        {text}" for text in item.hint.splitlines()]
    return lines


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
    newer = find_update(project, place, to)
    comparison = make_comparison(newer.old, newer.new, lang, findings=newer.findings)
    notes = compose_notes(
        newer.old, newer.new, compare_states(newer.old, newer.new), comparison.lang
    )
    echo(_("All files match the publication's checksums."), comparison.lang)
    if newer.new.label == newer.old.label or (not newer.new_files and to is None):
        echo(
            _(
                "{pack}: there is no release newer than {version}",
                pack=newer.pack,
                version=newer.old.label,
            ),
            comparison.lang,
        )
    else:
        print_lines("\n".join((format_heading(notes), *(f"  {line}" for line in notes.summary))))
    for planned in newer.planned:
        form = _(
            "{version} takes effect on {day}. Squads stay at {current}. Use --to {version} "
            "to move them now."
        )
        values = {"version": planned.version, "day": planned.effective, "current": newer.new.label}
        echo(_(form, **values), comparison.lang)
    releases = PackFiles(project).open_releases(newer.pack)

    @cache
    def since(version: str) -> Comparison:
        roster_files = version != newer.old.label and releases.has_version(version)
        if not roster_files:
            return comparison
        old, flaws = releases.load_state(version)
        return make_comparison(old, newer.new, lang, findings=flaws)

    status = print_impact(comparison, rosters, project, newer.findings, write=write, since=since)
    if write:
        folders = put_update(project, newer)
        count = ngettext("{count} release added", "{count} releases added", len(folders))
        echo(translate(count, comparison.lang))
        form = _(
            "The files in cards/{pack} were not changed. Squads without a release still use them."
        )
        echo(_(form, pack=newer.pack), comparison.lang)
    return status
