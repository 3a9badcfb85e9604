"""All rules of a pack, compiled once. The full check of a rule decides about a squad."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from builder.findings import Severity
from builder.model.base import find_mentions
from builder.model.card import Card
from builder.model.pack import Pack, Role
from builder.model.roster import Roster
from builder.model.rules import (
    Allow,
    Limit,
    LinkRule,
    Ref,
    Requires,
    Rule,
    RuleBase,
    Slots,
    Source,
    Where,
)
from builder.roster.resolve import (
    Problem,
    SelectedCard,
    Squad,
    make_test_selection,
    resolve_roster,
)
from builder.rules.assumed import assume_choices
from builder.rules.choice_domains import IDENTITY_FIELDS, CardClasses, ChoiceDomains
from builder.rules.forms.allow import AllowForm
from builder.rules.forms.base import RuleForm
from builder.rules.forms.limit import LimitForm
from builder.rules.forms.link import LinkForm
from builder.rules.forms.requires import RequiresForm
from builder.rules.forms.slots import SlotsForm
from builder.rules.query import (
    CardTest,
    compile_condition,
    find_choices,
    find_path_choices,
    list_tests,
)
from builder.rules.violation import Violation

FORMS: dict[type[RuleBase], type[RuleForm]] = {
    Limit: LimitForm,
    Slots: SlotsForm,
    Allow: AllowForm,
    LinkRule: LinkForm,
    Requires: RequiresForm,
}
"""The form of each rule in rules.yaml.

A new one is a model, a module in `forms`, and a line here.
"""


def compile_rule(rule: Rule, pack: Pack) -> RuleForm:
    """Return the compiled form of a rule, which can check squads."""
    return FORMS[type(rule)](rule, pack)


class Evaluator:
    """Checks squads with the compiled rules of a pack, in the order of rules.yaml."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.forms = tuple(compile_rule(rule, pack) for rule in pack.rules.rules)
        self._form_by_id = {form.rule.id: form for form in self.forms}
        self._hosts: dict[tuple[str, bool], tuple[str, ...]] = {}

    def get_form(self, rule_id: str) -> RuleForm:
        """Return the compiled form of a rule."""
        return self._form_by_id[rule_id]

    def resolve_roster(self, roster: Roster) -> Squad:
        """Return the squad with its cards, and with every choice that has only one value."""
        squad = resolve_roster(roster, self.pack)
        if not self._needed_choices:
            return squad
        return assume_choices(squad, self._needed_choices, self.domains)

    @cached_property
    def _needed_choices(self) -> Mapping[str, CardTest]:
        """The compiled condition under which a model must make a choice, by the choice's name."""
        conditions = {}
        for name, choice in self.pack.manifest.roster.choices.items():
            if choice.needed is not None:
                conditions[name] = compile_condition(choice.needed)
        return conditions

    def find_error_forms(self, params: Mapping[str, int | str]) -> Iterator[RuleForm]:
        """Yield the rules that can make a squad with these parameters illegal."""
        for form in self.forms:
            if form.rule.severity is Severity.ERROR and form.can_apply(params):
                yield form

    def find_useless_settings(self, squad: Squad) -> Iterator[Problem]:
        """Yield a problem for each choice, link or slot that its model cannot have."""
        for entry in squad.entries:
            yield from self._find_wrong_choices(entry)
            for link in squad.roster.entries[entry.line].links:
                forms = self._forms_by_link.get(link)
                if forms and not any(
                    form.selector.matches_card(entry) for form in forms
                ):
                    yield Problem("idle-tie", (*entry.path, link), link)
        for selected in squad.attachments:
            if selected.slot is not None and not any(
                form.needs_slot(selected) for form in self.forms
            ):
                yield Problem("idle-slot", (*selected.path, "slot"), selected.slot)

    def _find_wrong_choices(self, entry: SelectedCard) -> Iterator[Problem]:
        declared = self.pack.manifest.roster.choices
        for name, value in entry.choices.items():
            if name not in declared:
                continue
            if not self.domains.is_made_by(name, entry.card):
                yield Problem("idle-choice", (*entry.path, name), name)
            elif declared[name].field is not None:
                items = self.domains.list_items(name, entry.card)
                if value not in items:
                    yield Problem("wrong-choice", (*entry.path, name), value, items)

    @cached_property
    def _forms_by_link(self) -> Mapping[str, Sequence[RuleForm]]:
        """The compiled rules about each link, by the link's name."""
        forms: dict[str, list[RuleForm]] = {
            link: [] for link in self.pack.manifest.roster.links
        }
        for form in self.forms:
            if form.link in forms:
                forms[form.link].append(form)
        return forms

    def find_violations(self, squad: Squad) -> Iterator[Violation]:
        """Yield all violations of a squad, rule by rule."""
        for number in range(len(self.forms)):
            yield from self.find_rule_violations(number, squad)

    def find_rule_violations(
        self, rule_index: int, squad: Squad
    ) -> Iterator[Violation]:
        """Yield the violations of one rule, given by its index in rules.yaml."""
        form = self.forms[rule_index]
        if form.is_in_force(squad):
            yield from form.find_violations(squad)

    def find_hosts(self, card: Card, ignore_choices: bool = False) -> tuple[str, ...]:
        """Return the ids of the cards that may have this attachment by every rule, sorted.

        With `ignore_choices` only rules that depend on no choice count.
        """
        key = (card.id, ignore_choices)
        # Each card is tested on every host, which takes long in a large pack.
        if key not in self._hosts:
            forms: Sequence[RuleForm] = self.forms
            if ignore_choices:
                forms = [
                    form
                    for form in forms
                    if not self.domains.names_by_rule[form.rule.id]
                ]
            host_ids = []
            for host_card in self.pack.list_cards_of_role(Role.ENTRY):
                host = make_test_selection(host_card)
                load = (make_test_selection(card, Source.ATTACHMENTS, host),)
                if all(form.allows_attachments(host, load) for form in forms):
                    host_ids.append(host_card.id)
            self._hosts[key] = tuple(sorted(host_ids))
        return self._hosts[key]

    @cached_property
    def domains(self) -> ChoiceDomains:
        """The values that models may choose, grouped by their effect on the rules."""
        choices_by_rule = {}
        for form in self.forms:
            names = set(find_choices(form.rule))
            for where in form.list_conditions():
                names.update(find_choices(where))
            choices_by_rule[form.rule.id] = frozenset(names)
        return ChoiceDomains(
            self.pack, choices_by_rule, self._conditions, self._paths_of_values
        )

    @cached_property
    def card_classes(self) -> CardClasses:
        """The cards of the pack, grouped so that no rule distinguishes the cards of a group."""
        texts_by_card = {}
        for card_id in self.pack.cards:
            texts_by_card[card_id] = tuple(
                form.describe_card(card_id) for form in self.forms
            )
        return CardClasses(
            self.pack.cards, self._conditions, self._paths_of_values, texts_by_card
        )

    @cached_property
    def _conditions(self) -> tuple[Where, ...]:
        """All conditions in the rules, and in the cards that rules refer to."""
        conditions: list[Where] = []
        for form in self.forms:
            conditions += form.list_conditions()
        return tuple(conditions)

    @cached_property
    def _paths_of_values(self) -> frozenset[str]:
        """The fields and choices that matter to a rule by their value, not only by a comparison."""
        paths = set()
        for form in self.forms:
            # As a key, a field is only tested. Elsewhere rules count or compare its value itself.
            for mention in find_mentions(form.rule):
                if (
                    mention.ref == "field"
                    and not mention.key
                    and mention.value not in IDENTITY_FIELDS
                ):
                    paths.add(mention.value)
        for kind in self.pack.manifest.kinds.values():
            paths.update(steps.field for steps in kind.costs if steps.field is not None)
        for where in self._conditions:
            paths |= _find_paths_of_values(where)
        return frozenset(paths)


def _find_paths_of_values(condition: Where) -> set[str]:
    """Return the fields and choices of a condition that are used for more than a comparison."""
    paths: set[str] = set()
    for path, test in condition.fields.items():
        if "{" in path:
            # each chosen item has fields of its own, so that no two values of the choice are alike
            paths.update(f"choice.{name}" for name in find_path_choices(path))
        for _name, operand in list_tests(test):
            if isinstance(operand, Ref) and not (
                path == operand.other and path in IDENTITY_FIELDS
            ):
                paths |= {path, operand.other}
    return paths
