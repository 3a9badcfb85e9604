"""List the cards that can be added to a squad, and for every other card the reason why not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice

from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.costs import UNCOUNTED_COPIES, calculate_next_cost, count_cards
from builder.roster.operations import Add, Operations, Remove
from builder.roster.resolve import Squad, make_addition
from builder.rules.choices import Chooser, Option
from builder.rules.format import Formatter
from builder.rules.removal_options import RefusalFix, find_refusal_fix
from builder.rules.violation import Repair, Violation
from builder.usecases.roster.check_roster import CheckedRoster, check_size


@dataclass(frozen=True)
class Offer:
    """A card of the pack, with the copies that can be added or the reasons against it.

    `more` are texts such as "for Ann: 2 more"; empty for a refused card. `fitting` are the
    places where it can be added. `tell` and `change` compute `notes` and `swaps` on first
    access, because few offers are read in detail.
    """

    id: str
    kind: str
    name: str
    cost: int | float | None
    more: tuple[str, ...]
    tell: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)
    fitting: tuple[Option, ...] = ()
    change: Callable[[], tuple[tuple[str, Operations], ...]] = field(
        default=tuple, repr=False, compare=False
    )

    @property
    def open(self) -> bool:
        """True if the card can be added."""
        return bool(self.more)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The cards that this card needs, or the rules that refuse it and the cards to remove."""
        return self.tell()

    @cached_property
    def swaps(self) -> tuple[tuple[str, Operations], ...]:
        """Edits that replace other cards by a refused card: their descriptions and operations."""
        return self.change()


class Offers(Mapping[str, Offer]):
    """The offers of all cards of a pack, computed on access. Empty for an unreadable roster.

    `owned` are owned copies by card, only painted ones if `painted`; no more copies are
    offered. `by` formats rules. Raise UsageError if the squad is too large.
    """

    def __init__(
        self,
        result: CheckedRoster,
        owned: Mapping[str, int] | None = None,
        painted: bool = False,
        by: type[Formatter] = Formatter,
    ) -> None:
        self.offers: dict[str, Offer] = {}
        self.chooser: Chooser | None = None
        if result.checker is not None and result.squad is not None:
            check_size(result.squad.roster)
            evaluator = result.checker.evaluator
            self.chooser = Chooser(result.squad, evaluator)
            self.presenter = _OfferPresenter(
                result.squad, by(evaluator, result.lang), owned or {}, painted
            )

    def __getitem__(self, card: str) -> Offer:
        if card not in self.offers:
            options = self.chooser.find_options(card) if self.chooser is not None else None
            if options is None:
                raise KeyError(card)
            if options:
                self.offers[card] = self.presenter.offer(options)
            else:
                self.offers[card] = self.presenter.offer_without_bearer(card)
        return self.offers[card]

    def __iter__(self) -> Iterator[str]:
        return iter(self.chooser.list_cards() if self.chooser is not None else ())

    def __len__(self) -> int:
        return sum(1 for _card in self)


class _OfferPresenter:
    """Describes the cards that can be added to a checked roster."""

    def __init__(
        self, squad: Squad, formatter: Formatter, shelf: Mapping[str, int], painted: bool
    ) -> None:
        self.squad, self.roster, self.shelf = squad, squad.roster, shelf
        self.formatter = formatter
        self.evaluator = formatter.evaluator
        self.say = formatter.names.translate
        self.pack = formatter.evaluator.pack
        self.used = count_cards(squad.roster)
        self.remedies: dict[int, RefusalFix] = {}
        self.lacking = _("owned: {owned}, already in the squad: {used}")
        if painted:
            self.lacking = _("painted: {owned}, already in the squad: {used}")

    def offer(self, options: Sequence[Option]) -> Offer:
        """Return the offer of one card for all places where it could be added."""
        card = options[0].card
        owned = self.shelf.get(card.id)
        used_copies = self.used[card.id]
        remaining = owned - used_copies if owned is not None else UNCOUNTED_COPIES
        if remaining < 1:
            reason = self.say(_(self.lacking, owned=owned, used=used_copies))
            return self._offer(card, (), lambda: (reason,))
        fitting = tuple(option for option in options if option.more != 0)
        needs_nothing = any(not option.then for option in fitting)
        counts: dict[str, list[Option]] = {}
        notes: dict[str, list[Option]] = {}
        for option in fitting:
            limit = min(remaining, UNCOUNTED_COPIES if option.more is None else option.more)
            copies = limit // option.bundle * option.bundle
            if not copies:
                form = _("owned: {owned}, already in the squad: {used}; one line has {bundle}")
                lacking = _(form, owned=owned, used=used_copies, bundle=option.bundle)
                notes[self.say(lacking)] = []
                continue
            is_unlimited = copies >= UNCOUNTED_COPIES - used_copies - option.bundle
            counts.setdefault(self._format_count(option, copies, is_unlimited), []).append(option)
            for note in self._list_needs(option, is_brief=needs_nothing):
                notes.setdefault(note, []).append(option)
        explain: Callable[[], tuple[str, ...]] = partial(self._list_refusals, options)
        if counts or notes:
            explain = partial(self._name_bearers, notes, with_places=False)
        offer = replace(
            self._offer(card, self._name_bearers(counts), explain),
            cost=self._find_cost(options[0]),
            fitting=fitting,
        )
        if counts:
            return offer
        return replace(offer, change=lambda: tuple(islice(self._find_swaps(options), MAX_SWAPS)))

    def _offer(
        self, card: Card, more: tuple[str, ...], tell: Callable[[], tuple[str, ...]]
    ) -> Offer:
        names = self.formatter.names
        return Offer(
            card.id, names.name_kind(card.kind), names.name_card(card.id), card.cost, more, tell
        )

    def _find_cost(self, option: Option) -> int | float | None:
        bearer = next((entry for entry in self.squad.entries if entry.line == option.line), None)
        pick = make_addition(option.card, option.source, bearer, self.squad)
        if option.source is Source.ENTRIES:
            pick = replace(pick, count=option.bundle, copies_per_model=option.bundle)
        return calculate_next_cost(self.squad, pick)

    def _find_swaps(self, options: Sequence[Option]) -> Iterator[tuple[str, Operations]]:
        """Yield removals that make room for a card, if a single rule refuses it."""
        for option in options:
            if len(option.refusals) != 1:
                continue
            for removals in self._find_remedy(option.refusals[0], option).sets:
                if any(removal.card == option.card.id for removal in removals):
                    continue  # the same card would leave and come
                choices = tuple(option.choices.items())
                add = Add(
                    option.card.id, option.source, option.line, option.bundle, choices=choices
                )
                steps: Operations = (*removals, add)
                yield self.formatter.format_repair(Repair(steps, True), self.roster), steps

    def _find_remedy(self, item: Violation, option: Option) -> RefusalFix:
        """Return the changes after which a rule allows a card. Results are cached."""
        if id(item) not in self.remedies:
            self.remedies[id(item)] = find_refusal_fix(item, option, self.squad, self.evaluator)
        return self.remedies[id(item)]

    def _format_count(self, option: Option, copies: int, is_unlimited: bool) -> str:
        count = self.say(_("any number"))
        if not is_unlimited:
            count = self.say(_("{many} more", many=copies))
        if option.bundle > 1:
            return self.say(_("{many}, {bundle} per line", many=count, bundle=option.bundle))
        return count

    def _name_bearers(
        self, texts: Mapping[str, Sequence[Option]], with_places: bool = True
    ) -> tuple[str, ...]:
        """Return each text after its models or choices: `with Job: cook: 2 more`."""
        named_texts = []
        for text, options in texts.items():
            has_choices = any(option.choices for option in options)
            bearers = self._name_options(options) if with_places or has_choices else ""
            named_texts.append(f"{bearers}: {text}" if bearers else text)
        return tuple(named_texts)

    def _name_options(self, options: Sequence[Option]) -> str:
        """Return the models or choices of options: `for Ann`, `with Job: cook`.

        Empty if there are none.
        """
        choices: list[str] = []
        combinations = 1
        for name in options[0].choices:
            field = f"{self.formatter.names.name_field(f'choice.{name}')}: "
            values: dict[str, None] = {}
            for option in options:
                if name in option.choices:
                    text = self.formatter.format_choice(name, option.choices[name])
                    values[text.removeprefix(field)] = None
            choices.append(field + " / ".join(values))
            combinations *= len(values)
        if choices and len(options) == combinations:
            return self.say(_("with {told}", told=", ".join(choices)))
        return ", ".join(dict.fromkeys(filter(None, map(self._place, options))))

    def _place(self, option: Option) -> str:
        """Return the model of one option, or its choices."""
        if option.source is Source.ATTACHMENTS:
            return self.say(
                _("for {bearer}", bearer=self.formatter.format_line(self.roster, option.line))
            )
        choices = [
            self.formatter.format_choice(name, value) for name, value in option.choices.items()
        ]
        return self.say(_("with {told}", told=", ".join(choices))) if choices else ""

    def _list_needs(self, option: Option, is_brief: bool) -> list[str]:
        """Return the cards that an added card requires. With `is_brief`, as one line."""
        needs = [self._format_violation(violation) for violation in option.then]
        if needs and is_brief:
            needs = [", ".join(dict.fromkeys(map(self.formatter.format_title, option.then)))]
        return [self.say(_("then also needed: {told}", told=need)) for need in needs]

    def offer_without_bearer(self, card: str) -> Offer:
        """Return the offer of an attachment in a squad without models that could carry it."""
        nobody = self.say(_("no model can carry it"))
        return self._offer(self.pack.cards[card], (), lambda: (nobody, self._list_carriers(card)))

    def _list_refusals(self, options: Sequence[Option]) -> tuple[str, ...]:
        """Return the rules that refuse the card at its best places, with changes that make room."""
        fewest = min(len(option.refusals) for option in options)
        reasons: dict[str, None] = {}
        needs_bearer = False
        for option in options:
            if len(option.refusals) != fewest:
                continue
            place = f"{self._place(option)}: " if option.choices else ""
            for violation in option.refusals:
                text = self._format_violation(violation) + self._describe_room(violation, option)
                reasons[place + text] = None
                form = self.evaluator.get_form(violation.rule)
                needs_bearer = needs_bearer or form.is_about_host
        listed = tuple(self._shorten(list(reasons)))
        return (*listed, self._list_carriers(options[0].card.id)) if needs_bearer else listed

    def _shorten(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the first texts, and the number of the others."""
        if len(texts) <= MAX_REASONS + 1:
            return texts
        rest = self.say(_("and {many} more", many=len(texts) - MAX_REASONS))
        return [*texts[:MAX_REASONS], rest]

    def _list_carriers(self, card: str) -> str:
        carriers = self.evaluator.find_hosts(self.pack.cards[card])
        if not carriers:
            return self.say(_("no card of the pack can have it attached"))
        names = self._shorten([self.formatter.names.name_card(carrier) for carrier in carriers])
        return self.say(_("could carry it: {names}", names=", ".join(names)))

    def _format_violation(self, item: Violation) -> str:
        return f"{self.formatter.format_heading(item)}: {self.formatter.format_message(item)}"

    def _describe_room(self, violation: Violation, option: Option) -> str:
        """Describe the cards to remove or change, or say that no change helps."""
        remedy_found = self._find_remedy(violation, option)
        ways: list[str] = []
        if remedy_found.sets:
            removals: dict[str, None] = {}
            for steps in remedy_found.sets:
                removals[" + ".join(map(self._format_removal, steps))] = None
            form = _("must be removed: {names}")
            if len(removals) > 1:
                form = _("one of these must be removed: {names}")
            ways.append(_(form, names="; ".join(self._shorten(tuple(removals)))))
        if remedy_found.dormant:
            names = ", ".join(map(self._format_removal, remedy_found.dormant))
            ways.append(_("the rule would not apply without: {names}", names=names))
        if remedy_found.choice_changes:
            changes = []
            for line, name, value in remedy_found.choice_changes:
                model = self.formatter.format_line(self.roster, line)
                changes.append(f"{model} ({self.formatter.format_choice(name, value)})")
            ways.append(_("needs another choice: {names}", names="; ".join(changes)))
        no_room = self.evaluator.get_form(violation.rule).no_removal_message
        if not ways and no_room:
            ways.append(self._explain_no_room(no_room, option, remedy_found))
        return "; " + self.say(_("; or ")).join(map(self.say, ways)) if ways else ""

    def _explain_no_room(self, no_room: str, option: Option, remedy_found: RefusalFix) -> str:
        """Return why no removal from the squad could make room."""
        if remedy_found.param:
            param = self.formatter.names.name_param(remedy_found.param)
            return _("only another value of “{param}” allows it", param=param)
        if remedy_found.shared_copies:
            form = _("all {many} models of the line would carry it; put one into its own line")
            return _(form, many=remedy_found.shared_copies)
        if remedy_found.alone and option.choices:
            return _("no legal squad can have this card with this choice")
        return _("no legal squad can have this card") if remedy_found.alone else no_room

    def _format_removal(self, step: Remove) -> str:
        return self.formatter.names.name_card(step.card) + (
            f" ×{step.count}" if step.count > 1 else ""
        )


MAX_REASONS, MAX_SWAPS = 6, 3
"""Reasons or removals that are listed of one card; ways to make room for it."""
