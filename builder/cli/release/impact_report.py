"""Print what a newer state of a game does to squads."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.cli.console import echo, print_lines, write
from builder.errata.change import LANGUAGE, describe_language
from builder.errata.impact import MigratedRoster
from builder.errata.release import parse_version
from builder.findings import Finding
from builder.messages import Message, gettext as _, ngettext, translate
from builder.model.loaded import LoadedRoster
from builder.packs.project import Project
from builder.report.findings import format_finding
from builder.usecases.release.impact import (
    Comparison,
    Impact,
    compare_roster,
    count_by_card,
)
from builder.usecases.roster.roster_files import RosterFiles, list_roster_files

MAX_LISTED_CARDS = 12
"""Number of cards of a changed rule that are listed."""


@dataclass(frozen=True, slots=True)
class SquadUpdate:
    """Compares squad files with a new release, and updates them.

    With `find_comparison`, each squad is compared from the version it is pinned to, and is then
    pinned to the new version. Without it, ids are updated, and the version of pinned squads.
    """

    comparison: Comparison
    files: RosterFiles
    find_comparison: Callable[[str], Comparison] | None = None
    withdrawn: Collection[str] = ()
    """Versions that nobody may use any more, so that squads leave them for an earlier one."""

    def compare_squad(self, file: str) -> Impact:
        """Check the squad in a file in both states."""
        squad = self.files.load(file)
        comparison = self.comparison
        if self.find_comparison is not None:
            comparison = self.find_comparison(_get_pinned_version(squad))
        return compare_roster(
            comparison, squad, self.files.project.shorten_path(Path(file))
        )

    def update_file(self, file: str, impact: Impact) -> Message:
        """Write new card ids and the version into a squad file.

        Return a message about the result.

        A squad that would become illegal stays pinned to its version. So does one that is pinned to
        a later release, which may be planned, unless that release is withdrawn.
        """
        pins = self.find_comparison is not None
        version = self.comparison.new.label
        reason = self._find_obstacle(file, impact, pins)
        if reason is None:
            assert impact.migrated is not None
            if not self.files.migrate(file, impact.migrated, version, pins):
                reason = _describe_lost_ids(impact.migrated)
                if pins:
                    reason = _("it already uses {version}", version=version)
        if reason is not None:
            form = _("{file}: unchanged, because {reason}")
            return _(form, file=impact.file, reason=reason)
        form = (
            _("{file}: now uses {version}")
            if pins
            else _("{file}: ids updated to {version}")
        )
        return _(form, file=impact.file, version=version)

    def _find_obstacle(self, file: str, impact: Impact, pins: bool) -> Message | None:
        """Return the reason why a file must stay as it is, or None if it can be updated."""
        version = self.comparison.new.label
        if impact.migrated is None:
            pack = self.comparison.new.pack
            return _("it is not a squad of {pack} that can be read", pack=pack)
        pinned = _get_pinned_version(self.files.load(file))
        if not pins and not pinned:
            return None
        if parse_version(version) is None:
            # The squad is checked by its release, which does not know new ids.
            form = _("it uses {pinned}, and {version} is not a release")
            return _(form, pinned=pinned, version=version)
        if impact.worse:
            return _("the squad would be illegal in {version}", version=version)
        if self._is_later(pinned) and pinned not in self.withdrawn:
            form = _("it uses {pinned}, which is later than {version}")
            return _(form, pinned=pinned, version=version)
        return None

    def list_versions(self) -> list[str]:
        """Return the version of each squad. Empty for squads that are not pinned."""
        squads = [self.files.load(file) for file in self.files.list_names()]
        pack = self.comparison.new.pack
        return [
            _get_pinned_version(squad)
            for squad in squads
            if squad.roster is not None and squad.roster.pack == pack
        ]

    def _is_later(self, pinned: str) -> bool:
        """Return True if a version is later than the new state."""
        pinned_version = parse_version(pinned)
        new_version = parse_version(self.comparison.new.label)
        if pinned_version is None or new_version is None:
            return False
        return pinned_version > new_version


def _describe_lost_ids(migrated: MigratedRoster) -> Message:
    """Return the reason why no id of a squad was replaced."""
    if not migrated.lost:
        return _("it has no old ids")
    listed = ", ".join(dict.fromkeys(item.old for item in migrated.lost))
    form = _("{listed} has no single successor. Replace it by hand")
    if len({item.old for item in migrated.lost}) > 1:
        form = _("{listed} have no single successors. Replace them by hand")
    return _(form, listed=listed)


def _get_pinned_version(squad: LoadedRoster) -> str:
    """Return the version that a squad is pinned to, or an empty text if there is none."""
    return (squad.roster and squad.roster.version) or ""


def open_squads(
    comparison: Comparison,
    rosters: Sequence[Path],
    project: Project,
    find_comparison: Callable[[str], Comparison] | None = None,
    withdrawn: Collection[str] = (),
) -> SquadUpdate:
    """Find the files of squads."""
    manifest = comparison.after.pack.manifest
    files = RosterFiles(project, list_roster_files(rosters), manifest.roster)
    return SquadUpdate(comparison, files, find_comparison, withdrawn)


def print_impact(
    update: SquadUpdate, findings: Sequence[Finding], *, write_files: bool
) -> int:
    """Compare squads in both states and print the result. Return the exit code.

    With `write_files`, update the files as SquadUpdate describes.
    """
    comparison, files = update.comparison, update.files
    impacts = [update.compare_squad(file) for file in files.list_names()]
    lines = (
        _format_squads(comparison, impacts) if impacts else _format_risks(comparison)
    )
    print_lines("\n".join(lines))
    for finding in (*findings, *comparison.findings):
        write(format_finding(finding, comparison.lang), err=True)
    if write_files:
        for file, impact in zip(files.list_names(), impacts, strict=True):
            echo(update.update_file(file, impact), comparison.lang)
    return 1 if any(impact.worse for impact in impacts) else 0


def _format_squads(comparison: Comparison, impacts: Sequence[Impact]) -> list[str]:
    """Format the results of squads, the number of legal ones, and the cards that caused changes."""
    lines = []
    for impact in impacts:
        lines += format_impact(impact, comparison)
    legal_count = sum(impact.legal_after for impact in impacts)
    worse_count = sum(impact.worse for impact in impacts)
    total = ngettext(
        "{count} squad: {legal} legal, {worse} no longer legal, {others} illegal before",
        "{count} squads: {legal} legal, {worse} no longer legal, {others} illegal before",
        len(impacts),
        legal=legal_count,
        worse=worse_count,
        # Squads that cannot be read are among them, because they never were legal.
        others=len(impacts) - legal_count - worse_count,
    )
    lines.append(translate(total, comparison.lang))
    form = _("{card}: in {squads} of them; breaks {broken}")
    for item in count_by_card(impacts):
        name = comparison.name_card(item.card)
        message = _(form, card=name, squads=item.squads, broken=item.broken)
        lines.append(translate(message, comparison.lang))
    return lines


def _format_risks(comparison: Comparison) -> list[str]:
    """Format the ways in which squads can become illegal."""
    lines = []
    for risk in comparison.risks:
        subjects = [risk.rule] if risk.rule else []
        cards: list[str] = []
        if risk.card:
            subjects.append(comparison.name_card(risk.card))
        elif risk.rule:
            selected_ids = comparison.list_selected_cards(risk.rule)
            cards = [comparison.name_card(card) for card in selected_ids]
        listed_cards = ", ".join(cards[:MAX_LISTED_CARDS])
        if len(cards) > MAX_LISTED_CARDS:
            listed_cards += ", ..."
        line = f"{' · '.join(subjects)}: {translate(risk.reason, comparison.lang)}"
        lines.append(f"{line} ({listed_cards})" if cards else line)
    risk_count = len(lines)
    lines += _list_harmless_changes(comparison)
    total = ngettext(
        "{count} way in which a legal squad can become illegal",
        "{count} ways in which a legal squad can become illegal",
        risk_count,
    )
    return [*lines, translate(total, comparison.lang)]


def _list_harmless_changes(comparison: Comparison) -> list[str]:
    """Return lines about changed languages and appearance, which make no squad illegal."""
    parts = [part for part in comparison.difference.parts if part.part == LANGUAGE]
    messages: list[Message | str] = [describe_language(part) for part in parts]
    restyled_count = len(comparison.difference.restyled)
    if restyled_count:
        count = ngettext(
            "{count} card only looks different",
            "{count} cards only look different",
            restyled_count,
        )
        messages.append(count)
    return [translate(message, comparison.lang) for message in messages]


def _format_points(points: int | float | None, lang: str) -> str:
    """Return the points of a squad, or "unknown" if the cost of a card is not known."""
    return translate(_("unknown"), lang) if points is None else f"{points:g}"


def _get_state_word(impact: Impact) -> str:
    if impact.migrated is None:
        return _("unreadable")
    if impact.worse:
        return _("BROKEN")
    return _("legal") if impact.legal_after else _("illegal")


def format_impact(impact: Impact, comparison: Comparison) -> list[str]:
    """Format the effect of a release on one squad as lines of text."""
    lang, name_card = comparison.lang, comparison.name_card
    states = (_("BROKEN"), _("legal"), _("illegal"), _("unreadable"))
    width = max(len(translate(state, lang)) for state in states)
    word = translate(_get_state_word(impact), lang)
    if impact.migrated is None:
        return [f"{word:{width}} {impact.file}"]
    points = _format_points(impact.points_before, lang)
    points_after = _format_points(impact.points_after, lang)
    if points_after != points:
        points = f"{points} -> {points_after}"
    lines = [f"{word:{width}} {impact.file}  {impact.name}  {points}"]
    changes = dict.fromkeys(_list_changes(impact.migrated, comparison))
    lines += [f"    {translate(change, lang)}" for change in changes]
    if impact.changed:
        changed_cards = ", ".join(map(name_card, impact.changed))
        lines.append(
            f"    {translate(_('changed: {listed}', listed=changed_cards), lang)}"
        )
    for item in impact.broken:
        line = f"    {item.rule}: {item.message}"
        if item.cards:
            cause = _(
                " (because of {listed})", listed=", ".join(map(name_card, item.cards))
            )
            line += translate(cause, lang)
        lines.append(line)
        lines += [f"        {text}" for text in item.hint.splitlines()]
    return lines


def _list_changes(migrated: MigratedRoster, comparison: Comparison) -> list[Message]:
    """Return messages about ids that were replaced, split or removed."""
    changes = [
        _("{old} is now {new}", old=item.old, new=item.new)
        for item in migrated.moved_ids
    ]
    for lost in migrated.lost:
        form = (
            _("{old} was split into {heirs}. Choose the one to replace it.")
            if lost.heirs
            else _("{old} was removed. Remove or replace it in the squad.")
        )
        heirs = [f"{heir} ({comparison.name_card(heir)})" for heir in lost.heirs]
        changes.append(_(form, old=lost.old, heirs=", ".join(heirs)))
    return changes
