"""What may be added to a squad, and for every other card why not: ready to be printed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice

from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.rules import Source
from builder.roster.costs import ANY, next_cost, used
from builder.roster.operations import Add, Operations, Remove
from builder.roster.resolve import Squad, added
from builder.rules.choices import Chooser, Option
from builder.rules.format import Formatter
from builder.rules.removal_options import Remedy, remedy
from builder.rules.violation import Repair, Violation
from builder.usecases.roster.check_roster import JudgedRoster, check_size


@dataclass(frozen=True)
class Offer:
    """One card. `more` says how many in words (per bearer for attachments), empty for a refused card; `fitting` are the
    places where it may stand. What few will read is told when it is asked for: `tell` and `change`."""

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
        """True if it may be added."""
        return bool(self.more)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What it would need then, or which rule refuses it and what would have to go."""
        return self.tell()

    @cached_property
    def swaps(self) -> tuple[tuple[str, Operations], ...]:
        """What lets a refused card in: in words, and as one edit."""
        return self.change()


class Offers(Mapping[str, Offer]):
    """Every card that may stand in a roster of the pack, each worked out when it is asked for; none for a roster that
    could not be read. UsageError for a squad too large.

    With `owned` (copies of every card; only the painted ones if `painted`) no more is offered than the squad leaves on
    the shelf; `by` tells of rules.
    """

    def __init__(
        self, judged: JudgedRoster, owned: Mapping[str, int] | None = None, painted: bool = False,
        by: type[Formatter] = Formatter,
    ) -> None:  # fmt: skip
        self.known: dict[str, Offer] = {}
        self.chooser: Chooser | None = None
        if judged.judge is not None and judged.squad is not None:
            check_size(judged.squad.roster)
            evaluator = judged.judge.evaluator
            self.chooser = Chooser(judged.squad, evaluator)
            self.presenter = _OfferPresenter(
                judged.squad, by(evaluator, judged.lang), owned or {}, painted
            )

    def __getitem__(self, card: str) -> Offer:
        if card not in self.known:
            if self.chooser is None or (options := self.chooser.options_of(card)) is None:
                raise KeyError(card)
            self.known.setdefault(
                card, self.presenter.offer(options) if options else self.presenter.bearerless(card)
            )
        return self.known[card]

    def __iter__(self) -> Iterator[str]:
        return iter(self.chooser.cards() if self.chooser is not None else ())

    def __len__(self) -> int:
        return sum(1 for _card in self)


class _OfferPresenter:
    """Words for the options of one judged roster."""

    def __init__(
        self, squad: Squad, formatter: Formatter, shelf: Mapping[str, int], painted: bool
    ) -> None:
        self.squad, self.roster, self.shelf = squad, squad.roster, shelf
        self.formatter, self.evaluator, self.say = (
            formatter,
            formatter.evaluator,
            formatter.names.say,
        )
        self.pack, self.used = formatter.evaluator.pack, used(squad.roster)
        self.remedies: dict[int, Remedy] = {}
        self.lacking = _("owned: {owned}, already in the squad: {used}")
        if painted:
            self.lacking = _("painted: {owned}, already in the squad: {used}")

    def offer(self, options: Sequence[Option]) -> Offer:
        """One card at all its places."""
        card = options[0].card
        more: dict[str, list[Option]] = {}
        notes: dict[str, list[Option]] = {}
        left = self.shelf[card.id] - self.used[card.id] if card.id in self.shelf else ANY
        if left < 1:
            told = self.say(_(self.lacking, owned=self.shelf[card.id], used=self.used[card.id]))
            return self._offer(card, (), lambda: (told,))
        fitting = tuple(option for option in options if option.more != 0)
        free = any(not option.then for option in fitting)
        for option in fitting:
            fits = (
                min(left, ANY if option.more is None else option.more)
                // option.bundle
                * option.bundle
            )
            if fits:
                many = self._many(option, fits, fits >= ANY - self.used[card.id] - option.bundle)
                more.setdefault(many, []).append(option)
                for told in self._then(option, brief=free):
                    notes.setdefault(told, []).append(option)
            elif option.more != 0:
                form = _(
                    "owned: {owned}, already in the squad: {used}; they come {bundle} to a line"
                )
                counts = {
                    "owned": self.shelf[card.id],
                    "used": self.used[card.id],
                    "bundle": option.bundle,
                }
                notes[self.say(_(form, **counts))] = []
        tell = (
            partial(self._whom, notes, places=False)
            if more or notes
            else partial(self._refused, options)
        )
        made = replace(
            self._offer(card, self._whom(more), tell), cost=self._cost(options[0]), fitting=fitting
        )
        return (
            made
            if more
            else replace(made, change=lambda: tuple(islice(self._ways_in(options), SWAPS)))
        )

    def _offer(
        self, card: Card, more: tuple[str, ...], tell: Callable[[], tuple[str, ...]]
    ) -> Offer:
        names = self.formatter.names
        return Offer(card.id, names.kind(card.kind), names.card(card.id), card.cost, more, tell)

    def _cost(self, option: Option) -> int | float | None:
        bearer = next((entry for entry in self.squad.entries if entry.line == option.line), None)
        pick = added(option.card, option.source, bearer, self.squad)
        if option.source is Source.ENTRIES:
            pick = replace(pick, count=option.bundle, each=option.bundle)
        return next_cost(self.squad, pick)

    def _ways_in(self, options: Sequence[Option]) -> Iterator[tuple[str, Operations]]:
        """What could leave so that the card comes in, where one rule alone refuses it."""
        for option in options:
            for item in option.refusals if len(option.refusals) == 1 else ():
                for removals in self._remedy(item, option).sets:
                    if any(removal.card == option.card.id for removal in removals):
                        continue  # the same for the same
                    choices = tuple(option.choices.items())
                    add = Add(
                        option.card.id, option.source, option.line, option.bundle, choices=choices
                    )
                    steps: Operations = (*removals, add)
                    yield self.formatter.repair(Repair(steps, True, 0), self.roster), steps

    def _remedy(self, item: Violation, option: Option) -> Remedy:
        """What would let an option past a rule, looked for once."""
        if id(item) not in self.remedies:
            self.remedies[id(item)] = remedy(item, option, self.squad, self.evaluator)
        return self.remedies[id(item)]

    def _many(self, option: Option, fits: int, free: bool) -> str:
        many = self.say(_("any number")) if free else self.say(_("{many} more", many=fits))
        return (
            self.say(_("{many}, {bundle} to a line", many=many, bundle=option.bundle))
            if option.bundle > 1
            else many
        )

    def _whom(self, told: Mapping[str, Sequence[Option]], places: bool = True) -> tuple[str, ...]:
        """Each text with the bearers or the choices it holds for: `with Job: cook: 2 more`."""
        whom = {
            text: self._for(options) if places or any(option.choices for option in options) else ""
            for text, options in told.items()
        }
        return tuple(f"{bearers}: {text}" if bearers else text for text, bearers in whom.items())

    def _for(self, options: Sequence[Option]) -> str:
        """For whom, or with what choice: `for Ann`, `with Job: cook`; empty if anyhow."""
        ways: list[str] = []
        several = 1
        for name in options[0].choices:
            field = f"{self.formatter.names.field(f'choice.{name}')}: "
            named = (
                self.formatter.choice(name, one.choices[name])
                for one in options
                if name in one.choices
            )
            values = dict.fromkeys(value.removeprefix(field) for value in named)
            ways.append(field + " / ".join(values))
            several *= len(values)
        if ways and len(options) == several:
            return self.say(_("with {told}", told=", ".join(ways)))
        return ", ".join(dict.fromkeys(told for option in options if (told := self._place(option))))

    def _place(self, option: Option) -> str:
        """The bearer of one option, or what is chosen for it."""
        if option.source is Source.ATTACHMENTS:
            return self.say(_("for {bearer}", bearer=self.formatter.line(self.roster, option.line)))
        told = ", ".join(
            self.formatter.choice(name, value) for name, value in option.choices.items()
        )
        return self.say(_("with {told}", told=told)) if told else ""

    def _then(self, option: Option, brief: bool) -> list[str]:
        """What an added card would still need; in brief where another place or choice needs nothing."""
        told = [self._told(item) for item in option.then]
        if told and brief:
            told = [", ".join(dict.fromkeys(map(self.formatter.title, option.then)))]
        return [self.say(_("then needed: {told}", told=each)) for each in told]

    def bearerless(self, card: str) -> Offer:
        """An attachment in a squad without models."""
        nobody = self.say(_("there is nobody to carry it"))
        return self._offer(self.pack.cards[card], (), lambda: (nobody, self._carriers(card)))

    def _refused(self, options: Sequence[Option]) -> tuple[str, ...]:
        """Each rule that refuses the card, where it comes nearest to being let in; then what would make room."""
        nearest = min(len(option.refusals) for option in options)
        refused = [
            (option, item)
            for option in options
            if len(option.refusals) == nearest
            for item in option.refusals
        ]
        told: dict[str, None] = {}
        for option, item in refused:
            way = f"{self._place(option)}: " if option.choices else ""
            told[f"{way}{self._told(item)}{self._room(item, option)}"] = None
        reasons = tuple(self._clipped(list(told)))
        of_bearer = any(self.evaluator.form(item.rule).about_bearer for _option, item in refused)
        return (*reasons, self._carriers(options[0].card.id)) if of_bearer else reasons

    def _clipped(self, told: Sequence[str]) -> Sequence[str]:
        """The first of many, and how many there are besides."""
        return (
            told
            if len(told) <= LONG + 1
            else [*told[:LONG], self.say(_("and {many} more", many=len(told) - LONG))]
        )

    def _carriers(self, card: str) -> str:
        found = self.evaluator.carriers(self.pack.cards[card])
        names = ", ".join(self._clipped([self.formatter.names.card(name) for name in found]))
        return self.say(
            _("could carry it: {names}", names=names)
            if found
            else _("no card of the pack could carry it")
        )

    def _told(self, item: Violation) -> str:
        return f"{self.formatter.heading(item)}: {self.formatter.message(item)}"

    def _room(self, item: Violation, option: Option) -> str:
        """What would have to go or change; that nothing helps, where that is so."""
        found = self._remedy(item, option)
        ways: list[str] = []
        if found.sets:
            told = tuple(
                dict.fromkeys(" + ".join(map(self._removal, removals)) for removals in found.sets)
            )
            form = (
                _("would have to go: any of {names}")
                if len(told) > 1
                else _("would have to go: {names}")
            )
            ways.append(_(form, names="; ".join(self._clipped(told))))
        if found.dormant:
            names = ", ".join(map(self._removal, found.dormant))
            ways.append(_("the rule asks nothing without: {names}", names=names))
        if found.chosen:
            line, choice = self.formatter.line, self.formatter.choice
            changes = (
                f"{line(self.roster, number)} ({choice(name, value)})"
                for number, name, value in found.chosen
            )
            ways.append(_("would have to be chosen otherwise: {names}", names="; ".join(changes)))
        hopeless = self.evaluator.form(item.rule).no_room
        if not ways and hopeless:
            ways.append(self._hopeless(hopeless, option, found))
        return "; " + self.say(_("; or ")).join(map(self.say, ways)) if ways else ""

    def _hopeless(self, hopeless: str, option: Option, found: Remedy) -> str:
        """Why nothing in the squad could make room."""
        if found.param:
            return _(
                "only another value of “{param}” would allow it",
                param=self.formatter.names.param(found.param),
            )
        if found.each:
            return _(
                "all models of the line ({many}) would carry it: one needs a line of its own",
                many=found.each,
            )
        if found.alone and option.choices:
            return _("no squad may have this card with this choice")
        return _("no squad may have this card") if found.alone else hopeless

    def _removal(self, step: Remove) -> str:
        return self.formatter.names.card(step.card) + (f" ×{step.count}" if step.count > 1 else "")


LONG, SWAPS = 6, 3
"""Reasons or removals told of one card; ways to make room for it that can be taken as they are."""
