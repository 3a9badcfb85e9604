"""The `requires` form: each selected pick needs another pick in the roster."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from builder.messages import gettext as _
from builder.model.pack import Pack
from builder.model.rules import Requires, Source
from builder.roster.operations import Add
from builder.roster.resolve import SelectedCard, Squad, select_all_cards
from builder.rules.bounds import Params
from builder.rules.candidates import Candidate, find_additions, remove_subject
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.decision_model import RowWriter
from builder.rules.forms.base import NoAdditionLimit, RuleForm, WantedTest, make_presence_watch
from builder.rules.names import Names
from builder.rules.query import (
    Selector,
    find_choices,
    make_similarity_key,
    match_always,
    weaken_select,
)
from builder.rules.rule_index import Watch
from builder.rules.violation import Violation
from builder.rules.wording import format_selection


class RequiresForm(RuleForm):
    """A compiled requires rule."""

    rule: Requires
    limit_class = NoAdditionLimit
    kinds_fixed_by_additions = frozenset({"needs"})

    def __init__(self, rule: Requires, pack: Pack) -> None:
        super().__init__(rule, pack)
        self.needs = Selector(rule.needs)
        self.choice_names = find_choices(rule.needs)

    @cached_property
    def can_need_itself(self) -> bool:
        """True if a pick may be what such picks need, but for itself."""
        takes, needs = (
            Selector(weaken_select(self.rule.select)),
            Selector(weaken_select(self.rule.needs)),
        )
        return any(
            takes.matches_source(selected)
            and takes.where_matches(selected, None)
            and needs.matches_source(selected)
            and needs.where_matches(selected, selected)
            for selected in select_all_cards(self.pack).values()
        )

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Every pick whose need too few other models or cards answer; copies on one line answer each other's."""
        groups: dict[tuple[str, ...], list[SelectedCard]] = {}
        for selected in squad.list_cards(self.needs.source):
            groups.setdefault(
                (selected.source, *make_similarity_key(selected, self.choice_names)), []
            ).append(selected)
        copies = {key: sum(selected.count for selected in picks) for key, picks in groups.items()}
        answers: dict[tuple[str, ...], int] = {}
        for selected in self.selector.select_from(squad):
            key = (selected.source, *make_similarity_key(selected, self.choice_names))
            if key not in answers:
                fits = [
                    other
                    for other, picks in groups.items()
                    if self.needs.matches_card(picks[0], selected)
                ]
                answers[key] = sum(copies[other] for other in fits) - (key in fits)
            if answers[key] < self.rule.count:
                yield replace(self.make_refusal("needs", selected), actual=answers[key])

    def format_sentence(self, names: Names) -> str:
        """Who needs what."""
        form = (
            _("{select} require another card in the roster: {needs}")
            if self.can_need_itself
            else _("{select} require in the roster: {needs}")
        )
        select, needs, count = (
            format_selection(self.rule.select, names),
            format_selection(self.rule.needs, names),
            self.rule.count,
        )
        told = names.translate(_(form, select=select, needs=needs))
        return (
            told
            if count == 1
            else told + "; " + names.translate(_("at least {count} of them", count=count))
        )

    def format_message(self, violation: Violation, names: Names) -> str:
        """The pick and what it lacks."""
        subject, needs = names.name_subject(violation), format_selection(self.rule.needs, names)
        form = _("{subject} needs {needs}, but there is none")
        if self.rule.count > 1:
            form = _("{subject} needs {count} of {needs}, but there are {actual}")
        elif self.can_need_itself:
            form = _("{subject} needs another one of {needs}, but there is none")
        told = {"count": self.rule.count, "actual": f"{violation.actual:g}"}
        return names.translate(_(form, subject=subject, needs=needs, **told))

    def make_card_watch(self, params: Params) -> Watch:
        """Return a watch for the cards that may need something."""
        return make_presence_watch(self.rule.select)

    def find_repairs(
        self, violation: Violation, squad: Squad, domains: ChoiceDomains
    ) -> Iterator[Candidate]:
        """Bring in what the pick needs, or take it out."""
        subject = next(
            (
                p
                for p in squad.list_cards(Source.ALL)
                if violation.subject and p.path == violation.subject.path
            ),
            None,
        )
        host, lack = (
            self.needs.host_matches or match_always,
            self.rule.count - int(violation.actual),
        )
        for card, source in find_additions(self.needs, self.pack, subject):
            if source is not Source.ATTACHMENTS:
                yield (Add(card.id, source, count=lack),)
            else:
                yield from (
                    (Add(card.id, source, selected.line),) * lack
                    for selected in squad.entries
                    if host(selected, subject)
                )
        yield from remove_subject(violation)

    def write_rows(self, writer: RowWriter, when: tuple[int, ...]) -> None:
        """Each pick that needs another has it."""
        program = writer.program
        for part, literal in writer.find_parts(self.selector):
            found = writer.find_parts(self.needs, part)
            own = [(program.make_positive(meant), -1) for other, meant in found if other is part]
            copies = [(program.make_product(other.copies, meant), 1) for other, meant in found]
            program.add_row(
                [*copies, *own], low=self.rule.count, when=(*when, part.is_present, literal)
            )

    def make_wanted_test(self, weak: bool) -> WantedTest:
        """What a pick that is there needs."""
        needs = self.make_selector(self.rule.needs, weak)
        return lambda selected, asking: any(needs.matches_card(selected, other) for other in asking)

    def find_needed_copies(self, squad: Squad) -> Iterator[int]:
        """As many as answer one need, and the one that needs them."""
        yield self.rule.count + 1
