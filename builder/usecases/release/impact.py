"""What a release does to saved squads: judged before and after, moved to new ids, told why and what would mend it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from builder.model.loaded import LoadedRoster
from builder.model.roster import Roster
from builder.roster.costs import costs
from builder.rules.candidates import additions
from builder.rules.format import Formatter
from builder.rules.judge import Judge, Verdict
from builder.rules.names import Names
from builder.usecases.pack_states import apply_format, find_missing_rules, find_verdict_flaws
from builder.usecases.roster.check_roster import resolve_language


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule broken, or a problem met, now and not before; `cards` were counted and changed in what the rule reads."""

    rule: str
    message: str
    hint: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """One roster before and after. Points are in the pack's currency; None where a card's cost is unknown."""

    file: str
    name: str
    legal_before: bool = False
    legal_after: bool = False
    points_before: int | float | None = None
    points_after: int | float | None = None
    migrated: MigratedRoster | None = None
    changed: tuple[str, ...] = ()
    broken: tuple[Broken, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def worse(self) -> bool:
        """True if it was legal and no longer is."""
        return self.legal_before and not self.legal_after


@dataclass
class Comparison:
    """Two states of one pack, ready to judge squads by both."""

    old: Snapshot
    new: Snapshot
    difference: Difference
    before: Judge
    after: Judge
    lang: str
    findings: tuple[Finding, ...] = ()
    changed: dict[str, CardChange] = field(default_factory=dict)
    day: date | None = None

    def judges(self, roster: Roster) -> tuple[Judge, Judge]:
        """Those of both states, by a squad's own play format where none is named for all."""
        own, then = roster.play_format or "", self.day or self.old.effective or date.today()
        days = (then, self.day or self.new.effective or then)
        return self.before.playing(FormatDay(own, days[0])), self.after.playing(
            FormatDay(own, days[1])
        )

    @cached_property
    def risks(self) -> tuple[Risk, ...]:
        """What breaks squads, without looking at any."""
        return find_risks(self.old, self.new, self.difference)

    def selected(self, rule: str) -> tuple[str, ...]:
        """The cards that a rule of the new state looks at; none where it looks at all, or is gone."""
        pack = self.after.pack
        forms = (form for form in self.after.evaluator.forms if form.rule.id == rule)
        cards = {card.id for form in forms for card, _source in additions(form.selector, pack)}
        playable = sum(pack.role(card) != "none" for card in pack.cards.values())
        return tuple(sorted(cards)) if len(cards) < playable else ()

    def named(self, card: str) -> str:
        """A card by its name, of the new state if it is in that."""
        judge = self.after if card in self.after.pack.cards else self.before
        return Names(judge.pack, self.lang).card(card)


def compare(
    old: Snapshot, new: Snapshot, lang: str | None, play_format: str | None = None, day: date | None = None,
    findings: Iterable[Finding] = (),
) -> Comparison:  # fmt: skip
    """Compile both states, with a play format if one is named: on a day, else each on its own day of effect.

    `findings` are what reading the states found. PackUnreadable if one of the states cannot be read as a whole or has
    no rules; UsageError if the new one has no such format.
    """
    if errors := find_verdict_flaws(findings):
        raise PackUnreadable(new.pack, errors)
    judges: list[Judge] = []
    found: list[Finding] = []
    same = {card for card, raw in new.cards.items() if raw is old.cards.get(card)}
    for state in (old, new):
        known = {
            card: one for judge in judges for card, one in judge.pack.cards.items() if card in same
        }
        loaded = load_snapshot(state, state.label, known)
        release = "" if state.label == WORK else state.label
        errors = loaded.verdict_errors or (loaded.findings if loaded.pack is None else ())
        if loaded.pack is None or (
            errors := errors or tuple(find_missing_rules(loaded, release, Severity.ERROR))
        ):
            raise PackUnreadable(state.pack, errors)
        pack, on = loaded.pack, day or state.effective or old.effective
        if (
            play_format is not None
            and on is not None
            and (state is new or play_format in pack.formats)
        ):
            pack = apply_format(pack, FormatDay(play_format, on))
        judges.append(Judge(pack))
        found += loaded.findings
    what = compare_states(old, new)
    changed = {name: card for card in what.cards for name in (card.id, card.old_id) if name}
    told = resolve_language(judges[1].pack, lang)
    return Comparison(old, new, what, judges[0], judges[1], told, tuple(found), changed, day)


def compare_roster(comparison: Comparison, loaded: LoadedRoster, name: str = "") -> Impact:
    """One squad, by the name that messages call it."""
    roster = loaded.roster
    if roster is None or roster.pack != comparison.after.pack.id:
        return Impact(name, "", findings=loaded.findings)
    moved = migrate_roster(roster, comparison.new.migrations, comparison.after.pack.cards)
    own_ids = dict.fromkeys(card for _place, card in list_ids(roster))
    roster = _with_old_ids(comparison, roster)
    old, new = comparison.judges(roster)
    own = roster.play_format
    if own in new.pack.formats and own not in old.pack.formats:  # it comes with the new state
        roster = roster.model_copy(update={"play_format": None})
    before, after = old.check(roster, repaired=False), new.check(moved.roster, repaired=False)
    since = migrate_roster(roster, comparison.new.migrations, comparison.after.pack.cards)
    ids_now = {item.old: item.new for item in since.moved}
    known = {(item.rule, ids_now.get(item.group, item.group)) for item in before.violations}
    if any(
        item.key not in known for item in after.violations
    ):  # repairs cost a search each: only for what is new
        after = new.check(moved.roster)
    told = {(item.code, ids_now.get(item.value, item.value)) for item in before.problems}
    told |= {("unknown-card", item.old) for item in moved.lost}
    unknown = {
        (item.code, item.value): item
        for item in after.problems
        if (item.code, item.value) not in told
    }
    fresh = Verdict(
        tuple(unknown.values()), tuple(item for item in after.violations if item.key not in known)
    )
    return Impact(
        file=name,
        name=roster.name,
        legal_before=before.legal,
        legal_after=after.legal,
        points_before=_calculate_points(old, roster),
        points_after=_calculate_points(new, moved.roster),
        migrated=moved,
        changed=tuple(
            card
            for card in own_ids
            if card in comparison.changed and comparison.changed[card].matters
        ),
        broken=tuple(_find_broken_rules(comparison, new, moved.roster, fresh)),
        findings=loaded.findings,
    )


def _with_old_ids(comparison: Comparison, roster: Roster) -> Roster:
    """The roster with the ids of the old state, whether it names cards as they were called before that or since."""
    cards = comparison.before.pack.cards
    known = migrate_roster(roster, comparison.old.migrations, cards).roster
    return return_to_predecessors(known, comparison.new.migrations, cards)


def _calculate_points(judge: Judge, roster: Roster) -> int | float | None:
    """What a roster costs; None if it names a card that the state does not have."""
    squad = judge.resolve(roster)
    named_count = (
        len(roster.entries)
        + sum(len(entry.attachments) for entry in roster.entries)
        + len(roster.deck)
    )
    resolved_count = len(squad.entries) + len(squad.attachments) + len(squad.deck)
    return costs(squad).total if resolved_count == named_count else None


@dataclass(frozen=True, slots=True)
class CardCount:
    """How many squads use a card that changed or breaks them, and how many it breaks."""

    card: str
    squads: int
    broken: int


def count_by_card(judged: Sequence[Impact]) -> tuple[CardCount, ...]:
    """The cards behind what became of all squads by their new ids, those that break the most first."""
    gone = [
        {item.old for item in one.migrated.lost} & {*one.changed} if one.migrated else ()
        for one in judged
    ]
    broken = [
        {*lost, *(card for item in one.broken for card in item.cards)}
        for one, lost in zip(judged, gone, strict=True)
    ]
    uses: Counter[str] = Counter()
    for one, cards in zip(judged, broken, strict=True):
        # A squad may name a renamed card by its old id, while what it breaks is counted under the new one.
        new_ids = {item.old: item.new for item in one.migrated.moved} if one.migrated else {}
        uses.update({*(new_ids.get(card, card) for card in one.changed), *cards})
    breaks = Counter(card for cards in broken for card in cards)
    return tuple(
        CardCount(card, uses[card], breaks[card])
        for card in sorted(uses, key=lambda c: (-breaks[c], c))
    )


def _find_broken_rules(
    comparison: Comparison, judge: Judge, roster: Roster, fresh: Verdict
) -> Iterator[Broken]:
    formatter = Formatter(judge.evaluator, comparison.lang)
    for item in fresh.violations:
        counted = dict.fromkeys(one.card for one in item.counted)
        read = {risk.card for risk in comparison.risks if risk.rule == item.rule}
        cards = tuple(
            card for card in counted if card in read or (":" in item.rule and card == item.group)
        )
        told = f"{formatter.title(item)}: {formatter.message(item)}"
        yield Broken(item.rule, told, formatter.hint(item, roster), cards)
    for finding in (
        report_problem(problem, None, formatter.names.say) for problem in fresh.problems
    ):
        yield Broken(finding.code, finding.message, finding.hint, ())
