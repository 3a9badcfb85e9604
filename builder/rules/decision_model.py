"""A squad that may still become many: every pick that is there or may be added, each with its variables.

Knows no rule and no solver: forms of rules write rows about the parts, the solver finds values.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from builder.model.card import Card
from builder.model.linear import NO, YES, LinearProgram, Term
from builder.model.roster import MAX_COPIES
from builder.model.rules import Ref, Source, Where
from builder.roster.resolve import SelectedCard, Squad, make_addition
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_parts import CandidateTerm, DecisionLine, Part, StepCosts
from builder.rules.query import (
    COMPARE,
    Operand,
    Selector,
    convert_to_texts,
    find_path_choices,
    list_tests,
    list_values,
)


class DecisionModel:
    """All parts of a squad in the making, in one program."""

    def __init__(
        self,
        squad: Squad,
        domains: ChoiceDomains,
        keep: bool,
        more: Callable[[SelectedCard], int] = lambda _entry: 0,
    ) -> None:
        """The picks of the squad: with `keep` they and what is chosen for them stay as they are, else each may go;
        of an entry `more` tells how many copies may be added on its line."""
        self.squad = squad
        self.domains = domains
        self.program = LinearProgram()
        self.lines: list[DecisionLine] = []
        self.deck: list[Part] = []
        for entry in squad.entries:
            line = DecisionLine(self._old(entry, keep, min(more(entry), MAX_COPIES - entry.count)))
            self._open(
                line.entry, [name for name in domains.names if not (keep and name in entry.choices)]
            )
            line.attachments = [
                self._attached(selected, line, keep) for selected in squad.list_attachments(entry)
            ]
            self.lines.append(line)
        for selected in squad.deck:
            self.deck.append(
                self._counted(
                    selected, selected.count, selected.count if keep else 0, selected.count
                )
            )

    def add_entry(self, card: Card, lines: int, models: int = 1) -> None:
        """So many lines of up to so many models each that may be added; of equal ones the first come first."""
        before: Part | None = None
        for _ in range(lines):
            number = len(self.squad.roster.entries) + sum(
                not line.entry.old_copies for line in self.lines
            )
            entry = self._counted(
                SelectedCard(card, Source.ENTRIES, ("entries", number), number, 1, 1), models, 0, 0
            )
            self._open(entry, self.domains.names)
            self.lines.append(DecisionLine(entry))
            before = self._follow(entry, before)

    def add_attachment(self, card: Card, line: DecisionLine, copies: int) -> None:
        """So many copies that a line may be given."""
        host = line.entry.selected
        before: Part | None = None
        for _ in range(copies):
            place = (*host.path, "attachments", len(line.attachments))
            selected = SelectedCard(
                card, Source.ATTACHMENTS, place, host.line, host.count, 1, host=host
            )
            line.attachments.append(self._attached(selected, line, keep=False, was=0))
            before = self._follow(line.attachments[-1], before)

    def _follow(self, part: Part, before: Part | None) -> Part:
        """Of two equal parts the one before comes first."""
        if before is not None:
            self.program.add_clause([before.is_present, ~part.is_present])
        return part

    def add_deck(self, card: Card, copies: int) -> None:
        """A card for the deck, up to so many copies."""
        self.deck.append(
            self._counted(make_addition(card, Source.DECK, None, self.squad), copies, 0, 0)
        )

    def list_parts(self, source: Source = Source.ALL) -> Iterator[Part]:
        """The parts of one source."""
        if source in (Source.ENTRIES, Source.ALL):
            yield from (line.entry for line in self.lines)
        if source in (Source.ATTACHMENTS, Source.ALL):
            for line in self.lines:
                yield from line.attachments
        if source in (Source.DECK, Source.ALL):
            yield from self.deck

    @cached_property
    def costs(self) -> StepCosts:
        """What the parts cost; asked for when all parts are there."""
        return StepCosts(self.program, list(self.list_parts()), self.domains.pack.manifest.kinds)

    @cached_property
    def cost(self) -> list[Term]:
        """What all parts cost together."""
        return self.costs.make_terms([(part, YES) for part in self.list_parts()])

    def list_choice_literals(self) -> list[int]:
        """The literals of all open choices."""
        return [
            literal
            for line in self.lines
            for values in line.entry.domains.values()
            for literal in values.values()
        ]

    def _open(self, part: Part, names: Sequence[str]) -> None:
        """Leave choices of an entry open: one value of each at most, none for an entry that is not there."""
        for name in names:
            values = self.domains.list_values(
                name, part.selected.card, self.squad, part.selected.choices.get(name)
            )
            part.domains[name] = {value: self.program.add_variable() for value in values}
            self.program.add_row(
                [*((literal, 1) for literal in part.domains[name].values()), (part.is_present, -1)],
                high=0,
            )

    def _old(self, entry: SelectedCard, keep: bool, more: int) -> Part:
        """A line that is there, of which there may be so many copies more."""
        program, was = self.program, entry.count
        part = self._counted(entry, was + max(0, more), was if keep else 0, was)
        if more > 0:
            part.added_copies = program.add_variable(more)
            beyond = program.make_at_least(part.copies, was + 1)
            program.add_row(
                [(part.copies, 1), (part.added_copies, -1)], low=was, high=was, when=(beyond,)
            )
            program.add_row([(part.added_copies, 1)], high=0, when=(~beyond,))
        return part

    def _counted(self, selected: SelectedCard, high: int, low: int, was: int) -> Part:
        many = YES if low == high == 1 else self.program.add_variable(high, low)
        if high == 1 or low:
            return Part(selected, many, YES if low else many, was)
        on = self.program.add_variable()
        self.program.add_row([(many, 1), (on, -1)], low=0)
        self.program.add_row([(many, 1), (on, -high)], high=0)
        return Part(selected, many, on, was)

    def _attached(
        self, selected: SelectedCard, line: DecisionLine, keep: bool, was: int | None = None
    ) -> Part:
        """A part that every copy of its line carries."""
        program, entry = self.program, line.entry
        on = YES if keep else program.add_variable()
        program.add_clause([entry.is_present, ~on])
        freed = program.add_variable() if selected.slot is not None and not keep else None
        if freed is not None:
            program.add_clause([on, ~freed])
        part = Part(selected, on, on, 1 if was is None else was, freed, host=entry)
        if program.ranges[entry.copies][1] > 1:
            part.copies = program.make_product(entry.copies, on)
            part.old_copies = selected.count if was is None else was
        return part


@dataclass(eq=False)
class LinkDecision:
    """One entry's tie by one link: `named` and, per target's index, the literal that names it."""

    entry: Part
    link: str
    is_named: int
    targets: dict[int, int] = field(default_factory=dict)
    declared_target: int | None = None


class LinkDecisions:
    """The ties of a decision model; `ties[(entry's index, link)]`.

    `flows[(rule, entry's index)]` are, by the index of a target, the copies of an entry that names no target which
    that rule would link to it.
    """

    def __init__(self, model: DecisionModel) -> None:
        self.program = model.program
        self.entries = [line.entry for line in model.lines]
        self.links: dict[tuple[int, str], LinkDecision] = {}
        self.flows: dict[tuple[str, int], dict[int, int]] = {}
        self._fits: list[tuple[LinkDecision, Mapping[int, int], tuple[int, ...]]] = []
        lines = {part.selected.line: index for index, part in enumerate(self.entries)}
        self.declared_targets = {
            (lines[line], link): lines[target.line]
            for (line, link), target in model.squad.links.items()
            if line in lines and target.line in lines
        }

    def get_link(self, index: int, link: str) -> LinkDecision:
        """The tie of an entry, its variables made when first asked for."""
        if (index, link) not in self.links:
            entry, stated = self.entries[index], self.declared_targets.get((index, link))
            made = self.links[index, link] = LinkDecision(
                entry, link, self.program.add_variable(), declared_target=stated
            )
            self.program.add_clause([entry.is_present, ~made.is_named])
            if stated is not None:
                self.get_target(made, stated)
        return self.links[index, link]

    def get_target(self, tie: LinkDecision, other: int) -> int:
        """The literal that names one target."""
        if other not in tie.targets:
            tie.targets[other] = self.program.add_variable()
            self.program.add_clause([self.entries[other].is_present, ~tie.targets[other]])
        return tie.targets[other]

    def restrict_targets(
        self, tie: LinkDecision, fits: Mapping[int, int], when: tuple[int, ...]
    ) -> None:
        """Where `when` holds the tie names no target but these, each under its literal."""
        self._fits.append((tie, fits, when))

    def write_rows(self, keep: bool) -> None:
        """After all rules: a tie names one target, of those that fit; with `keep` the stated ones stay.

        A stated tie that no rule asks about is kept as long as its target is there.
        """
        program = self.program
        for index, link in self.declared_targets:
            self.get_link(index, link)
        for tie in self.links.values():
            program.add_row(
                [*((var, 1) for var in tie.targets.values()), (tie.is_named, -1)], low=0, high=0
            )
            if keep and tie.declared_target is not None:
                program.add_clause([tie.targets[tie.declared_target]])
        for tie, fits, when in self._fits:
            for other, var in tie.targets.items():
                program.add_clause([~var, fits.get(other, NO)], when=when)

    def list_changes(self) -> list[int]:
        """Literals that hold where a tie is named that was not, or is not any more what it was."""
        return [
            tie.is_named
            if tie.declared_target is None
            else self.program.make_all_of([tie.entry.is_present, ~tie.targets[tie.declared_target]])
            for tie in self.links.values()
            if tie.entry.old_copies
        ]

    def list_new_targets(self, values: Sequence[int]) -> list[int]:
        """Of a solution the literals that made it tie otherwise: the target named, or else that none is."""
        program, new = self.program, []
        for tie, literal in zip(
            (tie for tie in self.links.values() if tie.entry.old_copies),
            self.list_changes(),
            strict=True,
        ):
            if values[program.make_positive(literal)]:
                named = (
                    var
                    for other, var in tie.targets.items()
                    if other != tie.declared_target and values[var]
                )
                new.append(next(named, program.make_positive(literal)))
        return new


class RowWriter:
    """Asks conditions of a decision model's parts: a literal instead of an answer, YES or NO where no open choice is
    asked about."""

    def __init__(self, model: DecisionModel) -> None:
        self.model = model
        self.program = model.program
        self.params = model.squad.params
        self.links = LinkDecisions(model)

    def find_parts(self, selector: Selector, other: Part | None = None) -> list[CandidateTerm]:
        """The parts that a selection means or may mean."""
        meant = (
            (part, self.match_part(selector, part, other))
            for part in self.model.list_parts(selector.source)
        )
        return [(part, literal) for part, literal in meant if literal != NO]

    def make_presence(self, meant: Sequence[CandidateTerm]) -> int:
        """The literal that one of the parts is there and meant."""
        return self.program.make_any_of(
            [self.program.make_all_of([part.is_present, literal]) for part, literal in meant]
        )

    def match_part(self, selector: Selector, part: Part, other: Part | None = None) -> int:
        """The literal that a selection means a part, whether or not the part is there."""
        select = selector.select
        if not self._open(selector, part, other):
            return (
                YES
                if selector.matches_card(
                    part.selected, other.selected if other is not None else None
                )
                else NO
            )
        if not selector.matches_source(part.selected):
            return NO
        passes = self.match_where(select.where, part, other)
        if select.bearer is None or passes == NO:
            return passes
        if part.host is None:
            return NO
        return self.program.make_all_of([passes, self.match_where(select.bearer, part.host, other)])

    def match_where(self, where: Where, part: Part, other: Part | None = None) -> int:
        """The literal that a part passes a condition, seen from the other part of a comparison."""
        program, found = self.program, []
        for path, test in where.fields.items():
            for name, wanted in list_tests(test):
                found.append(self._test(path, name, wanted, part, other))
                if found[-1] == NO:
                    return NO
        found += [self.match_where(inner, part, other) for inner in where.all]
        if where.any:
            found.append(
                program.make_any_of([self.match_where(inner, part, other) for inner in where.any])
            )
        found += [~self.match_where(inner, part, other) for inner in where.none]
        return program.make_all_of(found)

    def list_values(self, part: Part, path: str) -> list[tuple[str, int]]:
        """The values at a path as text, each with the literal that the part has it."""
        if path.startswith("choice.") and path[7:] in part.domains:
            return list(part.domains[path[7:]].items())
        if self._chosen_step(part, path):
            return [
                (text, literal)
                for value, literal in self._values(part, path)
                for text in convert_to_texts(value)
            ]
        return [(value, YES) for value in list_values(part.selected, path)]

    def group_by_value(
        self, path: str, meant: Sequence[CandidateTerm]
    ) -> dict[str, list[CandidateTerm]]:
        """Parts by the values they have at a path, each with the literal that it is meant and has the value."""
        found: dict[str, list[CandidateTerm]] = {}
        for part, literal in meant:
            for value, held in self.list_values(part, path):
                found.setdefault(value, []).append(
                    (part, self.program.make_all_of([literal, held]))
                )
        return found

    def _open(self, selector: Selector, part: Part, other: Part | None) -> bool:
        """True if the answer may hang on an open choice."""
        if not selector.names_choices:
            return False
        return bool(part.domains or (other and other.domains) or (part.host and part.host.domains))

    def _values(self, part: Part | None, path: str) -> list[tuple[object, int]]:
        """The value at a path, or each value that may be chosen, None for none of them."""
        if part is None:
            return [(None, YES)]
        if path.startswith("choice.") and path[7:] in part.domains:
            domain = part.domains[path[7:]]
            return [*domain.items(), (None, ~self.program.make_any_of(domain.values()))]
        if name := self._chosen_step(part, path):
            domain, others = part.domains[name], part.selected.choices
            found = [
                (part.selected.get_chosen_value(path, {**others, name: item}), has)
                for item, has in domain.items()
            ]
            return [*found, (None, ~self.program.make_any_of(domain.values()))]
        return [(part.selected.get_value(path), YES)]

    def _chosen_step(self, part: Part, path: str) -> str:
        """The open choice whose value is a step of the path; empty if there is none."""
        return next(
            (name for name in find_path_choices(path) if "{" in path and name in part.domains), ""
        )

    def _test(self, path: str, name: str, wanted: Operand, part: Part, other: Part | None) -> int:
        compare = COMPARE[name]
        against = self._values(other, wanted.other) if isinstance(wanted, Ref) else [(wanted, YES)]
        return self.program.make_any_of(
            self.program.make_all_of([mine, theirs])
            for value, mine in self._values(part, path)
            for operand, theirs in against
            if not (isinstance(wanted, Ref) and operand is None) and compare(value, operand)
        )
