"""A saved squad as its pages show it: lines, verdict, what may be added, told in the reader's language."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from builder.checks.roster.verdict import NOT_DECIDED, RULE_BROKEN
from builder.findings import Severity
from builder.messages import from_json
from builder.model.pack import Pack
from builder.model.roster import Entry
from builder.roster.costs import used
from builder.rules.format import Formatter
from builder.rules.names import Names
from builder.rules.violation import Violation
from builder.usecases.roster.check_roster import JudgedRoster, OwnedCards
from builder.usecases.roster.choices import Offer, Offers
from builder.usecases.roster.show import ShownCard, ShownLine, show
from builder.web.cards.faces import FacePicture, Faces, get_faces
from builder.web.cards.library import cache_per_library, get_library, get_names
from builder.web.collection.counts import load_owned_cards
from builder.web.squads.models import SavedSquad, SquadStep
from builder.web.squads.sizes import size_message
from builder.web.templating import get_page_language

Shelf = tuple[tuple[str, int], ...]
"""Copies of every card that somebody has; empty where that does not matter."""


@cache_per_library(500)
def judged_text(text: str, name: str, lang: str, day: date) -> JudgedRoster:
    """A squad's text judged for a day of play; a text that was judged lately is not judged again."""
    return get_library().check_squad(text, name, lang, day)


@cache_per_library(200)
def offers_of(
    text: str, name: str, lang: str, day: date, shelf: Shelf = (), painted: bool = False
) -> Offers:
    """What may be added to a squad, by card; no more than a shelf has."""
    return Offers(judged_text(text, name, lang, day), dict(shelf), painted, PageFormatter)


class PageFormatter(Formatter):
    """Tells of rules as a page does, which has no use for their ids: by title, with the reason of a ban."""

    def heading(self, violation: Violation) -> str:
        """The rule's short name; of a play format, whose ids have a colon, with why it is."""
        reason = (
            self.names.of(violation.hint or {}, "").rstrip(".") if ":" in violation.rule else ""
        )
        return " · ".join(filter(None, (self.title(violation), reason)))


@dataclass(frozen=True, slots=True)
class CarriedRow:
    """A card that a model carries."""

    index: int
    card: str
    shown: ShownCard


@dataclass(frozen=True, slots=True)
class LineRow:
    """One line of a squad; `shown` is None for a card that the game does not have."""

    number: int
    entry: Entry
    name: str
    side: str
    shown: ShownLine | None
    carried: tuple[CarriedRow, ...]
    face: FacePicture | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong: a broken rule with its title, source and what mends it, each repair by its number; or
    something that was not understood."""

    number: int
    title: str
    source: str
    message: str
    hint: str
    error: bool
    repairs: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class SquadSight:
    """All that the pages of one squad show, worked out when it is asked for."""

    row: SavedSquad
    lang: str
    day: date
    """The day of play."""
    shelf: Shelf = ()
    """What there is to choose from."""
    painted: bool = False
    """True if only what is painted is on the shelf."""
    reader: str = ""
    """Whose page it is, by the key of `get_owner`."""

    @property
    def format_name(self) -> str:
        """What the play format is called that it is judged by; empty for none."""
        played = self.pack.played
        return self.names.of(self.pack.formats[played.format].name, played.format) if played else ""

    @cached_property
    def judged(self) -> JudgedRoster:
        """The verdict."""
        return judged_text(self.row.text, str(self.row.id), self.lang, self.day)

    @cached_property
    def pack(self) -> Pack:
        """The game."""
        return (
            self.judged.judge.pack if self.judged.judge else get_library().get_pack(self.row.pack)
        )

    @cached_property
    def names(self) -> Names:
        """What the game calls its things."""
        return get_names(self.pack, self.lang)

    @cached_property
    def faces(self) -> Faces:
        """Pictures of the game's faces."""
        return get_faces(self.pack, self.lang, self.row.release or None)

    @property
    def currency(self) -> str:
        """What costs are counted in."""
        return self.names.of(self.pack.manifest.roster.currency, "")

    def front(self, card: str) -> FacePicture | None:
        """A card's front, once it is drawn."""
        return next(iter(self.faces.get(card, ())), None)

    @cached_property
    def lines(self) -> tuple[LineRow, ...]:
        """The models, as the squad's text orders them."""
        roster, shown = self.judged.roster, show(self.judged)
        told = {line.number: line for line in shown.lines} if shown else {}
        return tuple(
            self._line(n, entry, told.get(n))
            for n, entry in enumerate(roster.entries if roster else (), 1)
        )

    def _line(self, number: int, entry: Entry, shown: ShownLine | None) -> LineRow:
        squad, card = self.judged.squad, self.pack.cards.get(entry.card)
        picks = [pick for pick in squad.attachments if pick.line == number - 1] if squad else []
        carried = zip(picks, shown.carried if shown else (), strict=False)
        rows = tuple(CarriedRow(int(pick.path[3]), pick.card.id, told) for pick, told in carried)
        name, side = entry.name or self.names.card(entry.card), (card.faction or "") if card else ""
        return LineRow(number, entry, name, side, shown, rows, self.front(entry.card))

    @cached_property
    def deck(self) -> tuple[CarriedRow, ...]:
        """The cards of the squad as a whole."""
        shown, squad = show(self.judged), self.judged.squad
        if shown is None or squad is None:
            return ()
        pairs = zip(squad.deck, shown.deck, strict=True)
        return tuple(CarriedRow(int(pick.path[1]), pick.card.id, told) for pick, told in pairs)

    @cached_property
    def troubles(self) -> tuple[Trouble, ...]:
        """What is wrong: broken rules first, then what was not understood."""
        verdict, judge, roster = self.judged.verdict, self.judged.judge, self.judged.roster
        rows: list[Trouble] = []
        if verdict is not None and judge is not None and roster is not None:
            formatter = Formatter(judge.evaluator, self.lang)
            for number, item in enumerate(verdict.violations):
                told = {
                    formatter.repair(repair, roster): n for n, repair in enumerate(item.repairs)
                }
                hint = formatter.names.of(item.hint, "") if item.hint else ""
                title, message = formatter.title(item), formatter.message(item)
                source = formatter.names.of(item.source, "")
                repairs = tuple((n, text) for text, n in told.items())
                rows.append(
                    Trouble(number, title, source, message, hint, item.severity == "error", repairs)
                )
        for finding in self.judged.findings:
            if (
                finding.code not in (RULE_BROKEN.code, NOT_DECIDED.code)
                and finding.severity is not Severity.NOTE
            ):
                one = finding.translate(self.lang)
                rows.append(
                    Trouble(-1, "", "", one.message, one.hint, one.severity is Severity.ERROR)
                )
        return tuple(rows)

    @cached_property
    def keywords(self) -> tuple[tuple[str, str], ...]:
        """The keywords of the cards that a squad may hold, with their names, by name."""
        cards = (card for card in self.pack.cards.values() if self.pack.role(card) != "none")
        found = {key: self.names.value("keywords", key) for card in cards for key in card.keywords}
        return tuple(sorted(found.items(), key=lambda item: item[1]))

    @cached_property
    def costs(self) -> tuple[int, ...]:
        """Some costs between the least and the greatest of a card, to choose a limit from."""
        cards = (card for card in self.pack.cards.values() if self.pack.role(card) != "none")
        found = sorted({int(card.cost) for card in cards if card.cost})
        return tuple(found[:: max(1, len(found) // 8)]) if len(found) > 1 else ()

    @cached_property
    def copies(self) -> Counter[str]:
        """Copies of each card in the squad."""
        return used(self.judged.roster) if self.judged.roster is not None else Counter()

    @property
    def side(self) -> str:
        """The side that the squad is of, as far as its first model tells."""
        return next((line.side for line in self.lines if line.side), "")

    @property
    def is_own(self) -> bool:
        """True for the owner, who alone reads and writes notes; False for whoever edits by a link."""
        return bool(self.reader) and self.reader == self.row.owner

    @property
    def size_message(self) -> str:
        """The limit that a squad from before limits exceeds; empty if it exceeds none."""
        return (size_message(self.judged.roster) or "") if self.judged.roster is not None else ""

    @cached_property
    def offers(self) -> Mapping[str, Offer]:
        """What may be added, by card; nothing to a squad above the limits."""
        if self.size_message:
            return {}
        return offers_of(
            self.row.text, str(self.row.id), self.lang, self.day, self.shelf, self.painted
        )

    @cached_property
    def owned(self) -> OwnedCards | None:
        """What its reader owns of the game; None where nothing was counted yet."""
        return load_owned_cards(self.reader, self.pack)

    @cached_property
    def _last_step(self) -> tuple[bool, str]:
        """The last change: whether it is taken back, and what it was called; nothing where there is none."""
        steps = (
            SquadStep.objects.filter(squad=self.row)
            .order_by("-number")
            .values_list("undone", "what")
        )
        undone, what = steps.first() or (False, "")
        return undone, self.names.say(from_json(what))

    def _step(self, undone: bool) -> str:
        if not self._last_step[0]:
            return "" if undone else self._last_step[1]
        steps = SquadStep.objects.filter(squad=self.row, undone=undone).order_by(
            "number" if undone else "-number"
        )
        return self.names.say(from_json(steps.values_list("what", flat=True).first() or ""))

    @cached_property
    def undo(self) -> str:
        """What the last change was called; empty where there is none."""
        return self._step(undone=False)

    @cached_property
    def redo(self) -> str:
        """What the change was called that was taken back last."""
        return self._step(undone=True)


def sight_of(row: SavedSquad, day: date | None = None, reader: str = "") -> SquadSight:
    """A squad for whoever reads the page that is being made; on a day of play, today for none."""
    return SquadSight(row, get_page_language(), day or date.today(), reader=reader)
