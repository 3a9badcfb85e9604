"""The `requires` form: each selected pick needs another pick in the roster."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.rules import Requires, Source
from builder.roster.operations import Add
from builder.roster.resolve import Pick, Squad, picks_of
from builder.rules.bounds import Params
from builder.rules.candidates import Candidate, additions, removed
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.forms.base import EndlessRoom, RuleForm, Wants, watch_for
from builder.rules.names import Names
from builder.rules.query import Selector, always, asked_choices, likeness, weaker
from builder.rules.rule_index import Watch
from builder.rules.violation import Violation
from builder.rules.wording import selection


class RequiresForm(RuleForm):
    """A compiled requires rule."""

    rule: Requires
    pick_room = EndlessRoom
    later_kinds = frozenset({"needs"})

    def __init__(self, rule: Requires, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.needs = Selector(rule.needs)
        self.asked = asked_choices(rule.needs)

    @cached_property
    def another(self) -> bool:
        """True if a pick may be what such picks need, but for itself."""
        takes, needs = Selector(weaker(self.rule.select)), Selector(weaker(self.rule.needs))
        return any(
            takes.comes_from(pick)
            and takes.passes(pick, None)
            and needs.comes_from(pick)
            and needs.passes(pick, pick)
            for pick in picks_of(self.pack).values()
        )

    def judge(self, squad: Squad) -> Iterator[Violation]:
        """Every pick whose need too few other models or cards answer; copies on one line answer each other's."""
        groups: dict[tuple[str, ...], list[Pick]] = {}
        for pick in squad.picks(self.needs.source):
            groups.setdefault((pick.source, *likeness(pick, self.asked)), []).append(pick)
        copies = {key: sum(pick.count for pick in picks) for key, picks in groups.items()}
        answers: dict[tuple[str, ...], int] = {}
        for pick in self.selector.of(squad):
            key = (pick.source, *likeness(pick, self.asked))
            if key not in answers:
                fits = [
                    other for other, picks in groups.items() if self.needs.takes(picks[0], pick)
                ]
                answers[key] = sum(copies[other] for other in fits) - (key in fits)
            if answers[key] < self.rule.count:
                yield replace(self.refuse("needs", pick), actual=answers[key])

    def sentence(self, names: Names) -> str:
        """Who needs what."""
        form = (
            _("{select} require another card in the roster: {needs}")
            if self.another
            else _("{select} require in the roster: {needs}")
        )
        select, needs, count = (
            selection(self.rule.select, names),
            selection(self.rule.needs, names),
            self.rule.count,
        )
        told = names.say(_(form, select=select, needs=needs))
        return (
            told
            if count == 1
            else told + "; " + names.say(_("at least {count} of them", count=count))
        )

    def message(self, violation: Violation, names: Names) -> str:
        """The pick and what it lacks."""
        subject, needs = names.subject(violation), selection(self.rule.needs, names)
        form = _("{subject} needs {needs}, but there is none")
        if self.rule.count > 1:
            form = _("{subject} needs {count} of {needs}, but there are {actual}")
        elif self.another:
            form = _("{subject} needs another one of {needs}, but there is none")
        told = {"count": self.rule.count, "actual": f"{violation.actual:g}"}
        return names.say(_(form, subject=subject, needs=needs, **told))

    def watch_picks(self, params: Params) -> Watch:
        """Return a watch for the cards that may need something."""
        return watch_for(self.rule.select)

    def repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Bring in what the pick needs, or take it out."""
        subject = next(
            (
                p
                for p in squad.picks(Source.ALL)
                if violation.subject and p.path == violation.subject.path
            ),
            None,
        )
        bearer, lack = self.needs.bearer or always, self.rule.count - int(violation.actual)
        for card, source in additions(self.needs, self.pack, subject):
            if source is not Source.ATTACHMENTS:
                yield (Add(card.id, source, count=lack),)
            else:
                yield from (
                    (Add(card.id, source, pick.line),) * lack
                    for pick in squad.entries
                    if bearer(pick, subject)
                )
        yield from removed(violation)

    def rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each pick that needs another has it."""
        program = writer.program
        for part, literal in writer.taken(self.selector):
            found = writer.taken(self.needs, part)
            own = [(program.positive(meant), -1) for other, meant in found if other is part]
            copies = [(program.times(other.many, meant), 1) for other, meant in found]
            program.add([*copies, *own], low=self.rule.count, when=(*when, part.on, literal))

    def wants(self, weak: bool) -> Wants:
        """What a pick that is there needs."""
        needs = self.selector_of(self.rule.needs, weak)
        return lambda pick, asking: any(needs.takes(pick, other) for other in asking)

    def needed_copies(self, squad: Squad) -> Iterator[int]:
        """As many as answer one need, and the one that needs them."""
        yield self.rule.count + 1
