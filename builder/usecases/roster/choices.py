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
from builder.usecases.roster.check_roster import CheckedRoster, require_searchable_size

MAX_REASONS = 6
"""Reasons or removals that are listed of one card."""
MAX_SWAPS = 3
"""Ways to make room for a card."""


@dataclass(frozen=True)
class Offer:
    """A card with the number of copies that can be added to a squad, or the reasons why not.

    `more` are texts such as "for Ann: 2 more"; empty for a refused card. `fitting` are the
    places where it can be added.
    """

    id: str
    kind: str
    name: str
    cost: int | float | None
    more: tuple[str, ...]
    # Notes and swaps are computed on first access, because few offers are read in detail.
    make_notes: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)
    fitting: tuple[Option, ...] = ()
    make_swaps: Callable[[], tuple[tuple[str, Operations], ...]] = field(
        default=tuple, repr=False, compare=False
    )

    @property
    def open(self) -> bool:
        """True if at least one copy can be added."""
        return bool(self.more)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Cards that must be added too, or the rules that refuse this card."""
        return self.make_notes()

    @cached_property
    def swaps(self) -> tuple[tuple[str, Operations], ...]:
        """Edits that replace other cards by a refused card, each with its description."""
        return self.make_swaps()


class Offers(Mapping[str, Offer]):
    """A mapping from card id to the offer of each card of a pack. Computed on access.

    It is empty for an unreadable squad. `owned` limits the copies by card. With `painted`, these
    are painted ones. `by` formats rules. Raise UsageError if the squad is too large.
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
            require_searchable_size(result.squad.roster)
            evaluator = result.checker.evaluator
            formatter = by(evaluator, result.lang)
            self.chooser = Chooser(result.squad, evaluator)
            self.presenter = _OfferPresenter(
                result.squad, formatter, owned or {}, painted
            )

    def __getitem__(self, card: str) -> Offer:
        if card not in self.offers:
            options = (
                self.chooser.find_options(card) if self.chooser is not None else None
            )
            if options is None:
                raise KeyError(card)
            if options:
                self.offers[card] = self.presenter.make_offer(options)
            else:
                self.offers[card] = self.presenter.make_offer_without_host(card)
        return self.offers[card]

    def __iter__(self) -> Iterator[str]:
        return iter(self.chooser.list_cards() if self.chooser is not None else ())

    def __len__(self) -> int:
        return sum(1 for _card in self)


class _OfferPresenter:
    """Describes in a language which cards can be added to a squad, and why not."""

    def __init__(
        self,
        squad: Squad,
        formatter: Formatter,
        owned_copies: Mapping[str, int],
        painted: bool,
    ) -> None:
        self.squad = squad
        self.roster = squad.roster
        self.owned_copies = owned_copies
        self.formatter = formatter
        self.evaluator = formatter.evaluator
        self.translate = formatter.names.translate
        self.pack = formatter.evaluator.pack
        self.used_copies = count_cards(squad.roster)
        self.fixes_by_violation: dict[int, RefusalFix] = {}
        self.shortage_form = _("owned: {owned}, already in the squad: {used}")
        if painted:
            self.shortage_form = _("painted: {owned}, already in the squad: {used}")

    def make_offer(self, options: Sequence[Option]) -> Offer:
        """Return the offer of one card, from all places where it could be added."""
        card = options[0].card
        owned = self.owned_copies.get(card.id)
        used = self.used_copies[card.id]
        remaining = owned - used if owned is not None else UNCOUNTED_COPIES
        if remaining < 1:
            reason = self.translate(_(self.shortage_form, owned=owned, used=used))
            return self._make_offer(card, (), lambda: (reason,))
        fitting = tuple(option for option in options if option.more != 0)
        needs_nothing = any(not option.then for option in fitting)
        counts: dict[str, list[Option]] = {}
        notes: dict[str, list[Option]] = {}
        for option in fitting:
            limit = remaining if option.more is None else min(remaining, option.more)
            # A line holds whole bundles only.
            copies = limit // option.bundle * option.bundle
            if not copies:
                form = _(
                    "owned: {owned}, already in the squad: {used}; one line has {bundle}"
                )
                shortage = _(form, owned=owned, used=used, bundle=option.bundle)
                notes[self.translate(shortage)] = []
                continue
            # Copies without a limit are UNCOUNTED_COPIES, less the used ones, in whole bundles.
            is_unlimited = copies >= UNCOUNTED_COPIES - used - option.bundle
            count_text = self._format_count(option, copies, is_unlimited)
            counts.setdefault(count_text, []).append(option)
            for note in self._list_needs(option, is_brief=needs_nothing):
                notes.setdefault(note, []).append(option)
        make_notes: Callable[[], tuple[str, ...]] = partial(
            self._list_refusals, options
        )
        if counts or notes:
            make_notes = partial(self._add_hosts, notes, with_places=False)
        offer = self._make_offer(card, self._add_hosts(counts), make_notes)
        offer = replace(offer, cost=self._find_cost(options[0]), fitting=fitting)
        if counts:
            return offer
        return replace(
            offer,
            make_swaps=lambda: tuple(islice(self._find_swaps(options), MAX_SWAPS)),
        )

    def _make_offer(
        self,
        card: Card,
        more: tuple[str, ...],
        make_notes: Callable[[], tuple[str, ...]],
    ) -> Offer:
        names = self.formatter.names
        kind = names.name_kind(card.kind)
        return Offer(
            card.id, kind, names.name_card(card.id), card.cost, more, make_notes
        )

    def _find_cost(self, option: Option) -> int | float | None:
        host = next(
            (entry for entry in self.squad.entries if entry.line == option.line), None
        )
        addition = make_addition(option.card, option.source, host, self.squad)
        if option.source is Source.ENTRIES:
            addition = replace(
                addition, count=option.bundle, copies_per_model=option.bundle
            )
        return calculate_next_cost(self.squad, addition)

    def _find_swaps(
        self, options: Sequence[Option]
    ) -> Iterator[tuple[str, Operations]]:
        """Yield the swaps after which a card can be added, if only one rule refuses it."""
        for option in options:
            if len(option.refusals) != 1:
                continue
            for removals in self._find_refusal_fix(option.refusals[0], option).sets:
                if any(removal.card == option.card.id for removal in removals):
                    continue  # the swap would remove and add the same card
                choices = tuple(option.choices.items())
                addition = Add(
                    option.card.id,
                    option.source,
                    option.line,
                    option.bundle,
                    choices=choices,
                )
                steps: Operations = (*removals, addition)
                yield (
                    self.formatter.format_repair(Repair(steps, True), self.roster),
                    steps,
                )

    def _find_refusal_fix(self, violation: Violation, option: Option) -> RefusalFix:
        """Return the changes of the squad after which a rule allows a card."""
        # Notes and swaps of one offer need the same fix. A violation holds dicts, so no hash.
        key = id(violation)
        if key not in self.fixes_by_violation:
            fix = find_refusal_fix(violation, option, self.squad, self.evaluator)
            self.fixes_by_violation[key] = fix
        return self.fixes_by_violation[key]

    def _format_count(self, option: Option, copies: int, is_unlimited: bool) -> str:
        count = self.translate(_("any number"))
        if not is_unlimited:
            count = self.translate(_("{many} more", many=copies))
        if option.bundle > 1:
            return self.translate(
                _("{many}, {bundle} per line", many=count, bundle=option.bundle)
            )
        return count

    def _add_hosts(
        self, texts: Mapping[str, Sequence[Option]], with_places: bool = True
    ) -> tuple[str, ...]:
        """Put the models or choices before each text, as in `with Job: cook: 2 more`."""
        prefixed_texts = []
        for text, options in texts.items():
            has_choices = any(option.choices for option in options)
            hosts = self._name_options(options) if with_places or has_choices else ""
            prefixed_texts.append(f"{hosts}: {text}" if hosts else text)
        return tuple(prefixed_texts)

    def _name_options(self, options: Sequence[Option]) -> str:
        """Format the models or choices of options, as `for Ann` or `with Job: cook`."""
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
        # Joined values stand for all their combinations, so each must be an option.
        if choices and len(options) == combinations:
            return self.translate(_("with {told}", told=", ".join(choices)))
        places = (self._name_place(option) for option in options)
        return ", ".join(dict.fromkeys(filter(None, places)))

    def _name_place(self, option: Option) -> str:
        """Format the model or the choices of one option."""
        if option.source is Source.ATTACHMENTS:
            host = self.formatter.format_line(self.roster, option.line)
            return self.translate(_("for {bearer}", bearer=host))
        choices = [
            self.formatter.format_choice(name, value)
            for name, value in option.choices.items()
        ]
        return (
            self.translate(_("with {told}", told=", ".join(choices))) if choices else ""
        )

    def _list_needs(self, option: Option, is_brief: bool) -> list[str]:
        """Return sentences about cards that must be added together with a card."""
        needs = [self._format_violation(violation) for violation in option.then]
        if needs and is_brief:
            titles = map(self.formatter.format_title, option.then)
            needs = [", ".join(dict.fromkeys(titles))]
        return [
            self.translate(_("then also needed: {told}", told=need)) for need in needs
        ]

    def make_offer_without_host(self, card: str) -> Offer:
        """Return the refused offer of an attachment that no model of the squad can carry."""
        reason = self.translate(_("no model can carry it"))
        return self._make_offer(
            self.pack.cards[card], (), lambda: (reason, self._name_hosts(card))
        )

    def _list_refusals(self, options: Sequence[Option]) -> tuple[str, ...]:
        """Return the rules that refuse a card where the fewest do, with ways to make room."""
        min_refusals = min(len(option.refusals) for option in options)
        reasons: dict[str, None] = {}
        needs_host = False
        for option in options:
            if len(option.refusals) != min_refusals:
                continue
            place = f"{self._name_place(option)}: " if option.choices else ""
            for violation in option.refusals:
                text = self._format_violation(violation) + self._describe_room(
                    violation, option
                )
                reasons[place + text] = None
                form = self.evaluator.get_form(violation.rule)
                needs_host = needs_host or form.is_about_host
        notes = [*self._shorten_list(list(reasons))]
        if needs_host:
            notes.append(self._name_hosts(options[0].card.id))
        return tuple(notes)

    def _shorten_list(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the first texts, followed by the number of others."""
        # "and 1 more" would be no shorter than the text itself.
        if len(texts) <= MAX_REASONS + 1:
            return texts
        rest = self.translate(_("and {many} more", many=len(texts) - MAX_REASONS))
        return [*texts[:MAX_REASONS], rest]

    def _name_hosts(self, card: str) -> str:
        """Return a sentence with the cards of the pack that can carry a card."""
        hosts = self.evaluator.find_hosts(self.pack.cards[card])
        if not hosts:
            return self.translate(_("no card of the pack can have it attached"))
        names = self._shorten_list(
            [self.formatter.names.name_card(host) for host in hosts]
        )
        return self.translate(_("could carry it: {names}", names=", ".join(names)))

    def _format_violation(self, item: Violation) -> str:
        return f"{self.formatter.format_heading(item)}: {self.formatter.format_message(item)}"

    def _describe_room(self, violation: Violation, option: Option) -> str:
        """Describe which cards to remove or change so that a rule allows a card."""
        fix = self._find_refusal_fix(violation, option)
        ways: list[str] = []
        if fix.sets:
            removals: dict[str, None] = {}
            for steps in fix.sets:
                removals[" + ".join(map(self._format_removal, steps))] = None
            form = _("must be removed: {names}")
            if len(removals) > 1:
                form = _("one of these must be removed: {names}")
            ways.append(_(form, names="; ".join(self._shorten_list(tuple(removals)))))
        if fix.dormant:
            names = ", ".join(map(self._format_removal, fix.dormant))
            ways.append(_("the rule would not apply without: {names}", names=names))
        if fix.choice_changes:
            changes = []
            for line, name, value in fix.choice_changes:
                model = self.formatter.format_line(self.roster, line)
                changes.append(f"{model} ({self.formatter.format_choice(name, value)})")
            ways.append(_("needs another choice: {names}", names="; ".join(changes)))
        no_room = self.evaluator.get_form(violation.rule).no_removal_message
        if not ways and no_room:
            ways.append(self._explain_no_room(no_room, option, fix))
        if not ways:
            return ""
        return "; " + self.translate(_("; or ")).join(map(self.translate, ways))

    def _explain_no_room(self, no_room: str, option: Option, fix: RefusalFix) -> str:
        """Explain why no removal could make room for a card."""
        if fix.param:
            param = self.formatter.names.name_param(fix.param)
            return _("only another value of “{param}” allows it", param=param)
        if fix.shared_copies:
            form = _(
                "all {many} models of the line would carry it; put one into its own line"
            )
            return _(form, many=fix.shared_copies)
        if not fix.alone:
            return no_room
        if option.choices:
            return _("no legal squad can have this card with this choice")
        return _("no legal squad can have this card")

    def _format_removal(self, step: Remove) -> str:
        name = self.formatter.names.name_card(step.card)
        return f"{name} ×{step.count}" if step.count > 1 else name
