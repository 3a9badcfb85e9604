"""Show what a release does to saved squads: which become illegal, and why."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from builder.checks.roster.verdict import report_problem
from builder.errata.change import CardChange, Difference
from builder.errata.difference import compare_states
from builder.errata.impact import (
    MigratedRoster,
    Risk,
    find_risks,
    list_ids,
    migrate_roster,
    return_to_predecessors,
)
from builder.errata.snapshot import WORK, Snapshot, load_snapshot
from builder.errors import PackUnreadable
from builder.findings import Finding, Severity
from builder.model.formats import FormatDay
from builder.model.loaded import LoadedPack, LoadedRoster
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.roster.costs import calculate_costs
from builder.roster.resolve import Problem
from builder.rules.candidates import find_additions
from builder.rules.checker import RosterChecker, RosterResult
from builder.rules.format import Formatter
from builder.rules.names import Names
from builder.usecases.pack_states import (
    apply_play_format,
    find_missing_rules,
    find_verdict_flaws,
)
from builder.usecases.roster.check_roster import resolve_language


@dataclass(frozen=True, slots=True)
class NewProblem:
    """A rule that a squad breaks only in the new state, or another new problem.

    `cards` are the changed cards that the rule counts.
    """

    rule: str
    message: str
    hint: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """The effect of a change of state on one squad: its results before and after.

    Points are in the pack's currency; None if the cost of a card is unknown.
    """

    file: str
    name: str
    legal_before: bool = False
    legal_after: bool = False
    points_before: int | float | None = None
    points_after: int | float | None = None
    migrated: MigratedRoster | None = None
    changed: tuple[str, ...] = ()
    broken: tuple[NewProblem, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def worse(self) -> bool:
        """True if the squad was legal before and no longer is."""
        return self.legal_before and not self.legal_after


@dataclass
class Comparison:
    """Two states of a pack, each with a checker for squads."""

    old: Snapshot
    new: Snapshot
    difference: Difference
    before: RosterChecker
    after: RosterChecker
    lang: str
    findings: tuple[Finding, ...] = ()
    changed: dict[str, CardChange] = field(default_factory=dict)
    day: date | None = None

    def find_checkers(self, roster: Roster) -> tuple[RosterChecker, RosterChecker]:
        """Return the checkers of both states for a squad. Its play format counts if none is set."""
        play_format = roster.play_format or ""
        old_day = self.day or self.old.effective or date.today()
        new_day = self.day or self.new.effective or old_day
        before = self.before.get_format_checker(FormatDay(play_format, old_day))
        return before, self.after.get_format_checker(FormatDay(play_format, new_day))

    @cached_property
    def risks(self) -> tuple[Risk, ...]:
        """The ways in which squads can become illegal, without checking any squad."""
        return find_risks(self.old, self.new, self.difference)

    def list_selected_cards(self, rule: str) -> tuple[str, ...]:
        """Return the cards of the new state that a rule is about.

        None if it selects all, or no longer exists.
        """
        pack = self.after.pack
        cards: set[str] = set()
        for form in self.after.evaluator.forms:
            if form.rule.id == rule:
                cards.update(
                    card.id for card, _source in find_additions(form.selector, pack)
                )
        # A rule about all cards would list the whole pack as its cause.
        playable_count = sum(
            pack.find_role(card) != "none" for card in pack.cards.values()
        )
        return tuple(sorted(cards)) if len(cards) < playable_count else ()

    def name_card(self, card: str) -> str:
        """Return the name of a card in the new state, or else in the old one."""
        checker = self.after if card in self.after.pack.cards else self.before
        return Names(checker.pack, self.lang).name_card(card)


def make_comparison(
    old: Snapshot,
    new: Snapshot,
    lang: str | None,
    play_format: str | None = None,
    day: date | None = None,
    findings: Iterable[Finding] = (),
) -> Comparison:
    """Make the checkers for two states of a pack.

    The format applies on the given day, or in each state on its effective date. `findings` are
    errors from reading the states. Raise PackUnreadable if a state is damaged or has no rules,
    and UsageError if the new state does not have the play format.
    """
    verdict_flaws = find_verdict_flaws(findings)
    if verdict_flaws:
        raise PackUnreadable(new.pack, verdict_flaws)
    old_loaded = load_snapshot(old, old.label)
    old_pack = _require_rules(old_loaded, old)
    # Cards that did not change are parsed once for both states.
    parsed_cards = {
        card: old_pack.cards[card]
        for card, raw in new.cards.items()
        # `share_cards` makes unchanged cards the same object.
        if raw is old.cards.get(card) and card in old_pack.cards
    }
    new_loaded = load_snapshot(new, new.label, parsed_cards)
    new_pack = _require_rules(new_loaded, new)
    if play_format is not None:
        old_day = day or old.effective
        new_day = day or new.effective or old.effective
        if old_day is not None and play_format in old_pack.formats:
            old_pack = apply_play_format(old_pack, FormatDay(play_format, old_day))
        if new_day is not None:
            new_pack = apply_play_format(new_pack, FormatDay(play_format, new_day))
    difference = compare_states(old, new)
    changes: dict[str, CardChange] = {}
    for change in difference.cards:
        changes |= {name: change for name in (change.id, change.old_id) if name}
    return Comparison(
        old,
        new,
        difference,
        RosterChecker(old_pack),
        RosterChecker(new_pack),
        resolve_language(new_pack, lang),
        (*old_loaded.findings, *new_loaded.findings),
        changes,
        day,
    )


def _require_rules(loaded: LoadedPack, state: Snapshot) -> Pack:
    """Return the pack of a loaded state.

    Raise PackUnreadable if it is incomplete or has no rules.
    """
    release = "" if state.label == WORK else state.label
    if loaded.pack is None:
        raise PackUnreadable(state.pack, loaded.verdict_errors or loaded.findings)
    errors = loaded.verdict_errors or tuple(
        find_missing_rules(loaded, release, Severity.ERROR)
    )
    if errors:
        raise PackUnreadable(state.pack, errors)
    return loaded.pack


def compare_roster(
    comparison: Comparison, loaded: LoadedRoster, name: str = ""
) -> Impact:
    """Check a squad in both states, and return the difference. Messages use `name` for its file."""
    roster = loaded.roster
    if roster is None or roster.pack != comparison.after.pack.id:
        return Impact(name, "", findings=loaded.findings)
    migrations = comparison.new.migrations
    new_cards = comparison.after.pack.cards
    migrated = migrate_roster(roster, migrations, new_cards)
    own_ids = dict.fromkeys(card for _path, card in list_ids(roster))
    roster = _with_old_ids(comparison, roster)
    old, new = comparison.find_checkers(roster)
    play_format = roster.play_format
    if play_format in new.pack.formats and play_format not in old.pack.formats:
        # The old state does not know the format, and would report it instead of the rules.
        roster = roster.model_copy(update={"play_format": None})
    # Repairs cost a search each, and most squads are not broken.
    before = old.check(roster, repaired=False)
    after = new.check(migrated.roster, repaired=False)
    new_ids = {
        item.old: item.new
        for item in migrate_roster(roster, migrations, new_cards).moved_ids
    }
    old_keys = {
        (item.rule, new_ids.get(item.group, item.group)) for item in before.violations
    }
    if any(item.key not in old_keys for item in after.violations):
        after = new.check(migrated.roster)  # with repairs, each of which costs a search
    changes = comparison.changed
    return Impact(
        file=name,
        name=roster.name,
        legal_before=before.legal,
        legal_after=after.legal,
        points_before=_calculate_points(old, roster),
        points_after=_calculate_points(new, migrated.roster),
        migrated=migrated,
        changed=tuple(
            card for card in own_ids if card in changes and changes[card].matters
        ),
        broken=tuple(
            _find_broken_rules(
                comparison,
                new,
                migrated.roster,
                RosterResult(
                    _find_new_problems(before, after, migrated, new_ids),
                    tuple(
                        item for item in after.violations if item.key not in old_keys
                    ),
                ),
            )
        ),
        findings=loaded.findings,
    )


def _find_new_problems(
    before: RosterResult,
    after: RosterResult,
    migrated: MigratedRoster,
    new_ids: Mapping[str, str],
) -> tuple[Problem, ...]:
    """Return the problems of a squad that exist only in the new state."""
    old_keys = {
        (item.code, new_ids.get(item.value, item.value)) for item in before.problems
    }
    # A lost card is listed with its migration, so it is not reported a second time.
    old_keys |= {("unknown-card", item.old) for item in migrated.lost}
    new_problems: dict[tuple[str, str], Problem] = {}
    for problem in after.problems:
        if (problem.code, problem.value) not in old_keys:
            new_problems[problem.code, problem.value] = problem
    return tuple(new_problems.values())


def _with_old_ids(comparison: Comparison, roster: Roster) -> Roster:
    """Return a squad with the card ids of the old state."""
    cards = comparison.before.pack.cards
    old_roster = migrate_roster(roster, comparison.old.migrations, cards).roster
    return return_to_predecessors(old_roster, comparison.new.migrations, cards)


def _calculate_points(checker: RosterChecker, roster: Roster) -> int | float | None:
    """Return the cost of a squad. None if the state lacks one of its cards."""
    squad = checker.resolve_roster(roster)
    named_count = (
        len(roster.entries)
        + sum(len(entry.attachments) for entry in roster.entries)
        + len(roster.deck)
    )
    resolved_count = len(squad.entries) + len(squad.attachments) + len(squad.deck)
    # A cost without the unknown card would look like a reduction.
    return calculate_costs(squad).total if resolved_count == named_count else None


@dataclass(frozen=True, slots=True)
class CardCount:
    """The number of squads that use a changed card, and that it makes illegal."""

    card: str
    squads: int
    broken: int


def count_by_card(impacts: Sequence[Impact]) -> tuple[CardCount, ...]:
    """Count for each changed card the squads that use it and that it makes illegal."""
    uses: Counter[str] = Counter()
    breaks: Counter[str] = Counter()
    for impact in impacts:
        breaking_cards: set[str] = set()
        new_ids: dict[str, str] = {}
        if impact.migrated:
            breaking_cards = {item.old for item in impact.migrated.lost} & {
                *impact.changed
            }
            new_ids = {item.old: item.new for item in impact.migrated.moved_ids}
        for broken_rule in impact.broken:
            breaking_cards.update(broken_rule.cards)
        # A squad may name a renamed card by its old id, while what it breaks is counted under the
        # new one.
        used_cards = {new_ids.get(card, card) for card in impact.changed}
        uses.update(used_cards | breaking_cards)
        breaks.update(breaking_cards)
    cards = sorted(uses, key=lambda card: (-breaks[card], card))
    return tuple(CardCount(card, uses[card], breaks[card]) for card in cards)


def _find_broken_rules(
    comparison: Comparison,
    checker: RosterChecker,
    roster: Roster,
    new_verdict: RosterResult,
) -> Iterator[NewProblem]:
    formatter = Formatter(checker.evaluator, comparison.lang)
    for violation in new_verdict.violations:
        read_cards = {
            risk.card for risk in comparison.risks if risk.rule == violation.rule
        }
        if ":" in violation.rule:  # a rule of a play format
            read_cards.add(violation.group)
        counted_cards = dict.fromkeys(counted.card for counted in violation.counted)
        cards = tuple(card for card in counted_cards if card in read_cards)
        text = f"{formatter.format_title(violation)}: {formatter.format_message(violation)}"
        yield NewProblem(
            violation.rule, text, formatter.format_hint(violation, roster), cards
        )
    for problem in new_verdict.problems:
        finding = report_problem(problem, None, formatter.names.translate)
        yield NewProblem(finding.code, finding.message, finding.hint, ())
