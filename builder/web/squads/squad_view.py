"""A saved squad as its pages show it: lines, problems and choices, in the reader's language."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from builder.checks.roster.verdict import NOT_DECIDED, RULE_BROKEN
from builder.findings import Severity
from builder.messages import from_json, translate
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.roster import Entry
from builder.roster.costs import count_cards
from builder.rules.format import Formatter
from builder.rules.names import Names
from builder.rules.violation import Violation
from builder.usecases.roster.check_roster import CheckedRoster, OwnedCards
from builder.usecases.roster.choices import Offer, Offers
from builder.usecases.roster.show import CardLine, EntryLine, list_squad
from builder.web.cards.faces import FacePicture, Faces, get_faces
from builder.web.cards.library import cache_per_library, get_library, get_names
from builder.web.collection.counts import load_owned_cards
from builder.web.squads.models import SavedSquad, SquadStep
from builder.web.squads.roster_changes import load_bench
from builder.web.squads.sizes import get_size_message
from builder.web.templating import get_page_language

MAX_COST_CHOICES = 8
CardCounts = tuple[tuple[str, int], ...]
"""Copies by card. Empty if all cards may be chosen."""


@cache_per_library(500)
def check_text(text: str, name: str, lang: str, day: date) -> CheckedRoster:
    """Check the text of a squad for a day of play. The last results are cached."""
    return get_library().check_squad(text, name, lang, day)


@cache_per_library(200)
def list_offers(
    text: str,
    name: str,
    lang: str,
    day: date,
    available: CardCounts = (),
    only_painted: bool = False,
) -> Offers:
    """Return which cards can be added to a squad, by card."""
    return Offers(
        check_text(text, name, lang, day), dict(available), only_painted, PageFormatter
    )


class PageFormatter(Formatter):
    """Formats rules for pages, with titles instead of ids."""

    def format_heading(self, violation: Violation) -> str:
        """Return the rule's title.

        A rule of a play format, whose id has a colon, has its reason, too.
        """
        title = self.format_title(violation)
        reason = ""
        if ":" in violation.rule:
            reason = self.names.choose_name(violation.hint or {}, "").rstrip(".")
        return f"{title} · {reason}" if reason else title


@dataclass(frozen=True, slots=True)
class AttachmentRow:
    """A card that a model carries, or a card of the deck, on the squad page.

    `index` is its position in the list of the roster.
    """

    index: int
    card: str
    details: CardLine


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry on the squad page. `details` is None for an unknown card."""

    number: int
    entry: Entry
    name: str
    side: str
    details: EntryLine | None
    attachments: tuple[AttachmentRow, ...]
    face: FacePicture | None


@dataclass(frozen=True, slots=True)
class SquadProblem:
    """A broken rule on the squad page with its repairs, or an unreadable part of the squad."""

    number: int
    title: str
    source: str
    message: str
    hint: str
    error: bool
    repairs: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class SquadView:
    """The data of one squad for its pages. Each part is computed on first use."""

    row: SavedSquad
    lang: str
    day: date
    """The day of play."""
    available: CardCounts = ()
    """The cards to choose from."""
    only_painted: bool = False
    """True if only painted cards may be chosen."""
    reader: str = ""
    """The owner key of whoever reads the page."""

    @property
    def format_name(self) -> str:
        """The name of the squad's play format. Empty if it has none."""
        played = self.pack.played
        if not played:
            return ""
        return self.names.choose_name(
            self.pack.formats[played.format].name, played.format
        )

    @cached_property
    def result(self) -> CheckedRoster:
        """The result of checking the squad."""
        return check_text(self.row.text, str(self.row.id), self.lang, self.day)

    @cached_property
    def pack(self) -> Pack:
        """The game's pack."""
        checker = self.result.checker
        return checker.pack if checker else get_library().get_pack(self.row.pack)

    @cached_property
    def names(self) -> Names:
        """The translated names of the game."""
        return get_names(self.pack, self.lang)

    @cached_property
    def faces(self) -> Faces:
        """The pictures of the game's card faces."""
        return get_faces(self.pack, self.lang, self.row.release or None)

    @property
    def has_rules(self) -> bool:
        """False for a game without rules, whose squads are neither legal nor illegal."""
        return bool(self.pack.rules.rules)

    @property
    def currency(self) -> str:
        """The unit of costs, such as `pts`."""
        return self.names.choose_name(self.pack.manifest.roster.currency, "")

    def get_front(self, card: str) -> FacePicture | None:
        """Return the picture of a card's front. None if it is not rendered yet."""
        return next(iter(self.faces.get(card, ())), None)

    @cached_property
    def entries(self) -> tuple[EntryRow, ...]:
        """The rows of the entries in the order of the squad's text."""
        roster = self.result.roster
        listing = list_squad(self.result)
        if roster is None:
            return ()
        details_by_number = (
            {line.number: line for line in listing.lines} if listing else {}
        )
        return tuple(
            self._make_entry(number, entry, details_by_number.get(number))
            for number, entry in enumerate(roster.entries, 1)
        )

    def _make_entry(
        self, number: int, entry: Entry, details: EntryLine | None
    ) -> EntryRow:
        attachments = []
        if self.result.squad and details:
            squad_cards = self.result.squad.attachments
            selected = [item for item in squad_cards if item.line == number - 1]
            for item, card_details in zip(selected, details.attachments, strict=False):
                attachments.append(
                    AttachmentRow(int(item.path[3]), item.card.id, card_details)
                )
        card = self.pack.cards.get(entry.card)
        return EntryRow(
            number,
            entry,
            entry.name or self.names.name_card(entry.card),
            (card.faction or "") if card else "",
            details,
            tuple(attachments),
            self.get_front(entry.card),
        )

    @cached_property
    def deck(self) -> tuple[AttachmentRow, ...]:
        """The rows of cards that belong to no model."""
        listing = list_squad(self.result)
        squad = self.result.squad
        if listing is None or squad is None:
            return ()
        pairs = zip(squad.deck, listing.deck, strict=True)
        return tuple(
            AttachmentRow(int(card.path[1]), card.card.id, details)
            for card, details in pairs
        )

    @cached_property
    def bench(self) -> tuple[EntryRow, ...]:
        """The rows of the bench: unused models, numbered from 0."""
        rows = []
        for index, entry in enumerate(load_bench(self.row.bench)):
            name = entry.name or self.names.name_card(entry.card)
            rows.append(
                EntryRow(index, entry, name, "", None, (), self.get_front(entry.card))
            )
        return tuple(rows)

    @cached_property
    def problems(self) -> tuple[SquadProblem, ...]:
        """The broken rules, then the parts of the squad that cannot be read."""
        return (*self._list_broken_rules(), *self._list_unread_parts())

    def _list_broken_rules(self) -> Iterator[SquadProblem]:
        verdict = self.result.verdict
        checker = self.result.checker
        roster = self.result.roster
        if verdict is None or checker is None or roster is None:
            return
        formatter = Formatter(checker.evaluator, self.lang)
        for number, violation in enumerate(verdict.violations):
            # Repairs with equal texts are the same for the reader: the last one is offered.
            repairs = {
                formatter.format_repair(repair, roster): position
                for position, repair in enumerate(violation.repairs)
            }
            yield SquadProblem(
                number,
                formatter.format_title(violation),
                formatter.names.choose_name(violation.source, ""),
                formatter.format_message(violation),
                formatter.names.choose_name(violation.hint, "")
                if violation.hint
                else "",
                violation.severity == "error",
                tuple((position, text) for text, position in repairs.items()),
            )

    def _list_unread_parts(self) -> Iterator[SquadProblem]:
        for finding in self.result.findings:
            if finding.code in (RULE_BROKEN.code, NOT_DECIDED.code):
                continue
            if finding.severity is not Severity.NOTE:
                text = finding.translate(self.lang)
                is_error = finding.severity is Severity.ERROR
                yield SquadProblem(-1, "", "", text.message, text.hint, is_error)

    @cached_property
    def squad_cards(self) -> tuple[Card, ...]:
        """The cards of the game that can be part of a squad."""
        cards = self.pack.cards.values()
        return tuple(card for card in cards if self.pack.find_role(card) != "none")

    @cached_property
    def keywords(self) -> tuple[tuple[str, str], ...]:
        """The keywords of these cards and their names, sorted by name."""
        keys: set[str] = set()
        for card in self.squad_cards:
            keys.update(card.keywords)
        named_keywords = ((key, self.names.name_value("keywords", key)) for key in keys)
        return tuple(sorted(named_keywords, key=lambda item: (item[1], item[0])))

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """Some of the cards' costs, for choosing a limit in the filter."""
        costs = sorted({int(card.cost) for card in self.squad_cards if card.cost})
        step = max(1, len(costs) // MAX_COST_CHOICES)
        return tuple(costs[::step]) if len(costs) > 1 else ()

    @cached_property
    def copies(self) -> Counter[str]:
        """The number of copies of each card in the squad."""
        return (
            count_cards(self.result.roster)
            if self.result.roster is not None
            else Counter()
        )

    @property
    def side(self) -> str:
        """The side of the squad's first model that has one."""
        return next((entry.side for entry in self.entries if entry.side), "")

    @property
    def is_own(self) -> bool:
        """True if the reader owns the squad. Only the owner can see and edit its notes.

        False for whoever edits by a link.
        """
        return bool(self.reader) and self.reader == self.row.owner

    @property
    def size_message(self) -> str:
        """The message about a limit that an old squad exceeds. Empty if it exceeds none."""
        roster = self.result.roster
        return (get_size_message(roster) or "") if roster is not None else ""

    @cached_property
    def offers(self) -> Mapping[str, Offer]:
        """Which cards can be added, by card. Empty if the squad is too large for the search."""
        if self.size_message:
            return {}
        return list_offers(
            self.row.text,
            str(self.row.id),
            self.lang,
            self.day,
            self.available,
            self.only_painted,
        )

    @cached_property
    def owned(self) -> OwnedCards | None:
        """The reader's collection of this game. None if nothing was counted yet."""
        return load_owned_cards(self.reader, self.pack)

    @cached_property
    def undo(self) -> str:
        """The description of the last change, which can be undone. Empty if there is none."""
        return self._describe_step(is_undone=False)

    @cached_property
    def redo(self) -> str:
        """The description of the change that was undone last. Empty if there is none."""
        return self._describe_step(is_undone=True) if self._has_undone_step else ""

    @cached_property
    def _has_undone_step(self) -> bool:
        # Undone steps come last: a new change removes them.
        steps = SquadStep.objects.filter(squad=self.row).order_by("-number")
        return bool(steps.values_list("undone", flat=True).first())

    def _describe_step(self, is_undone: bool) -> str:
        steps = SquadStep.objects.filter(squad=self.row, undone=is_undone)
        order = "number" if is_undone else "-number"
        description = steps.order_by(order).values_list("what", flat=True).first()
        # The game may not have the language of the page, in which the button is.
        return translate(from_json(description or ""), self.lang)


def make_squad_view(
    row: SavedSquad, day: date | None = None, reader: str = ""
) -> SquadView:
    """Return the view of a squad for the current page and a day of play."""
    return SquadView(row, get_page_language(), day or date.today(), reader=reader)
