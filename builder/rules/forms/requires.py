"""The `requires` form: each selected pick needs another pick in the roster."""

from collections.abc import Iterator

from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.rules import Requires, Source
from builder.roster.operations import Add
from builder.roster.resolve import Pick, Squad
from builder.rules.candidates import Candidate, additions, removed
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.forms.base import EndlessRoom, RuleForm, Wants
from builder.rules.names import Names
from builder.rules.query import Selector, always, asked_choices, likeness
from builder.rules.rule_index import RuleIndex
from builder.rules.violation import Violation
from builder.rules.wording import selection


class RequiresForm(RuleForm):
    """A compiled requires rule."""

    rule: Requires
    pick_room = EndlessRoom
    counts_lines = False
    later_kinds = frozenset({"needs"})

    def __init__(self, rule: Requires, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.needs = Selector(rule.needs)
        self.asked = asked_choices(rule.needs)

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every pick whose need no other model or card answers; copies on one line answer each other's."""
        groups: dict[tuple[str, ...], list[Pick]] = {}
        for pick in squad.picks(self.needs.source):
            groups.setdefault((pick.source, *likeness(pick, self.asked)), []).append(pick)
        copies = {key: sum(pick.count for pick in picks) for key, picks in groups.items()}
        answers: dict[tuple[str, ...], int] = {}
        for pick in self.selector.of(squad):
            key = (pick.source, *likeness(pick, self.asked))
            if key not in answers:
                fits = [other for other, picks in groups.items() if self.needs.takes(picks[0], pick)]
                answers[key] = sum(copies[other] for other in fits) - (key in fits)
            if answers[key] < 1:
                yield self.refuse("needs", pick)

    def sentence(self, names: Names) -> str:
        """Who needs what."""
        select, needs = selection(self.rule.select, names), selection(self.rule.needs, names)
        return names.say(_("{select} need in the roster: {needs}", select=select, needs=needs))

    def message(self, violation: Violation, names: Names) -> str:
        """The pick and what it lacks."""
        subject, needs = names.subject(violation), selection(self.rule.needs, names)
        return names.say(_("{subject} needs {needs}, and there is none", subject=subject, needs=needs))

    def index(self, number: int, index: RuleIndex) -> None:
        """Asked where a card may need something."""
        index.ask(number, self.rule.select)

    def repairs(self, violation: Violation, squad: Squad, domains: ChoiceDomains) -> Iterator[Candidate]:
        """Bring in what the pick needs, or take it out."""
        subject = next(
            (p for p in squad.picks(Source.ALL) if violation.subject and p.path == violation.subject.path), None
        )
        bearer = self.needs.bearer or always
        for card, source in additions(self.needs, self.pack, subject):
            if source is not Source.ATTACHMENTS:
                yield (Add(card.id, source),)
            else:
                yield from ((Add(card.id, source, pick.line),) for pick in squad.entries if bearer(pick, subject))
        yield from removed(violation)

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each pick that needs another has it."""
        program = writer.program
        for part, literal in writer.taken(self.selector):
            answers = [
                program.all_of([program.at_least(other.many, 1 + (other is part)), meant])
                for other, meant in writer.taken(self.needs, part)
            ]
            program.clause([~part.on, ~literal, *answers], when)

    def wants(self, weak: bool) -> Wants:
        """What a pick that is there needs."""
        needs = self.selector_of(self.rule.needs, weak)
        return lambda pick, asking: any(needs.takes(pick, other) for other in asking)
