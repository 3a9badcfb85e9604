"""Read a shared squad: a token, JSON, YAML, or the list that `format_text` writes."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from builder.errata.impact import migrate_roster
from builder.errors import PackUnreadable, UsageError
from builder.findings import Severity
from builder.messages import Message, gettext as _
from builder.model.card import Card, follow_migrations
from builder.model.loaded import LoadedRoster
from builder.model.pack import Choice, Pack, Role
from builder.model.roster import MAX_COPIES, Attachment, DeckCard, Entry, Roster
from builder.packs.exchange import TOKEN_PREFIX, parse_json
from builder.packs.pack_files import PackFiles
from builder.rules.checker import RosterChecker
from builder.rules.names import Names
from builder.usecases.pack_states import load_migrations
from builder.usecases.roster.check_roster import RosterCheckers
from builder.usecases.roster.share import parse_token

FindChecker = Callable[[str, str | None], RosterChecker]
"""Returns the checker of a pack or of a release of it. Raises PackUnreadable if it gives no
verdict.
"""
MAX_TEXT_CHARACTERS = 200_000
"""Characters of a text that is read."""
MAX_LIST_LINES, MAX_ATTACHMENTS = 1000, 20
"""Lines of a list that is read, and copies of one card that a line gives to a model."""
# A bullet, copies and a name: `- 2× Scout`. The multiplication sign may be a Latin or Cyrillic x.
ROW = re.compile(r"(?:[-+*•–]\s+)?(?:(\d{1,3})\s*[×xх]\s*)?(.+)", re.IGNORECASE)
# A cost at the end of a name: ` (12)`, ` (-1.5)`.
COST = re.compile(r"\s*\(-?\d+(?:[.,]\d+)?\)$")
# A card's name with the number of its line: `Scout #3`.
NUMBERED = re.compile(r"(.+) #(\d+)")


@dataclass(frozen=True, slots=True)
class ParsedSquad:
    """A squad read from a shared text, remarks about it, and the lines that were not understood."""

    roster: Roster
    remarks: tuple[Message, ...] = ()
    unread: tuple[str, ...] = ()


def read_squad(
    packs: PackFiles,
    text: str,
    games: Iterable[Pack] | None = None,
    find_checker: FindChecker | None = None,
) -> ParsedSquad:
    """Read a squad from a text, which may be a token, JSON, YAML or a list of card names.

    `games` are the packs whose cards a list may contain; by default all packs. `find_checker`
    avoids reading a pack that is loaded already. Raise UsageError if there is no squad,
    PackUnreadable if its pack cannot be read.
    """
    text = text.strip().removeprefix("\ufeff").lstrip()
    if len(text) > MAX_TEXT_CHARACTERS:
        message = _(
            "the text is longer than {most} characters", most=MAX_TEXT_CHARACTERS
        )
        raise UsageError(message, _("No squad needs that many characters."))
    # The format's version and a dot follow the prefix, so that a word of a list is no token.
    if text.startswith(TOKEN_PREFIX) and "." in text[:8]:
        return read_token(packs, text, find_checker)
    is_json = text.startswith("{")
    if is_json or re.search(r"^pack:", text, re.MULTILINE):
        name = _("the text ({form})", form="JSON" if is_json else "YAML")
        return read_roster_text(packs, text, name, find_checker)
    if games is not None:
        return read_card_list(games, text, packs)
    loaded_packs = {name: packs.load_pack(name) for name in packs.list_packs()}
    games = [loaded.pack for loaded in loaded_packs.values() if loaded.pack is not None]
    squad = read_card_list(games, text, packs)
    # A card that cannot be loaded would make its line unknown.
    errors = loaded_packs[squad.roster.pack].verdict_errors
    if errors:
        raise PackUnreadable(squad.roster.pack, errors)
    return squad


def read_token(
    packs: PackFiles, text: str, find_checker: FindChecker | None = None
) -> ParsedSquad:
    """Read a squad from a token. Raise UsageError if the token or its pack is invalid."""
    return follow_renames(packs, ParsedSquad(*parse_token(packs, text)), find_checker)


def follow_renames(
    packs: PackFiles, squad: ParsedSquad, find_checker: FindChecker | None = None
) -> ParsedSquad:
    """Replace ids of renamed cards in a squad by current ones, and report removed ones.

    Raise PackUnreadable if the pack, the release of the squad, or the list of renames cannot be
    read.
    """
    roster = squad.roster
    if roster.pack not in packs.list_packs():
        return squad
    find_checker = find_checker or RosterCheckers(packs).get_checker
    checker = find_checker(roster.pack, roster.version)
    steps = load_migrations(packs, roster.pack)
    migrated = migrate_roster(roster, steps, checker.pack.cards)
    days = {step.old: step.date for step in steps}
    remarks = []
    form = _("{old} was renamed to {new} on {day}; the squad uses the new card")
    for moved_id in migrated.moved_ids:
        old, new = moved_id.old, moved_id.new
        remarks.append(_(form, old=old, new=new, day=days.get(old, "")))
    remarks = list(dict.fromkeys(remarks))
    lost_ids = [
        (lost_id.old, lost_id.heirs) for lost_id in migrated.lost if lost_id.old in days
    ]
    for old, heirs in dict.fromkeys(lost_ids):
        form = _("{old} was removed from the game on {day}: remove it from the squad")
        if heirs:
            form = _("{old} was split into {heirs} on {day}: choose one of them")
        remarks.append(_(form, old=old, heirs=", ".join(heirs), day=days[old]))
    return replace(squad, roster=migrated.roster, remarks=(*squad.remarks, *remarks))


def list_former_names(packs: PackFiles, pack: Pack, lang: str) -> dict[str, str]:
    """Return the ids of today's cards by names that they had in earlier releases, in lower case."""
    releases = packs.open_releases(pack.id)
    steps = load_migrations(packs, pack.id)
    checkers = RosterCheckers(packs)
    ids_by_name: dict[str, str] = {}
    for release in releases.list_releases():
        checker = checkers.load_pack(pack.id, release.version).checker
        if checker is None or lang not in checker.pack.manifest.languages.all:
            continue
        names = Names(checker.pack, lang)
        for card in checker.pack.cards:
            today = follow_migrations(card, steps, pack.cards)
            if today is not None:
                # A later release overwrites what an earlier one called so.
                ids_by_name[names.name_card(card).casefold()] = today
    return ids_by_name


def read_roster_text(
    packs: PackFiles, text: str, name: str, find_checker: FindChecker | None = None
) -> ParsedSquad:
    """Read a squad from the text of a roster file, YAML or JSON.

    Messages use `name` for the file. Findings that do not prevent reading become remarks. Raise
    UsageError if there is no squad, and PackUnreadable if its pack.yaml cannot be read.
    """
    loaded = _parse_roster(packs, text, name)
    errors = [
        finding for finding in loaded.findings if finding.severity is Severity.ERROR
    ]
    pack_errors = [
        finding for finding in errors if finding.location.file not in (None, name)
    ]
    if loaded.roster is None and pack_errors and loaded.document is not None:
        # Errors in pack.yaml, by which the text is read, are no mistakes of the text.
        value = loaded.document.value
        pack = str(value.get("pack")) if isinstance(value, dict) else ""
        raise PackUnreadable(pack, pack_errors)
    if loaded.roster is None:
        reason = errors[0].message if errors else ""
        hint = errors[0].hint if errors else ""
        hint = hint or _("schemas/core/roster.schema.json describes the format.")
        raise UsageError(
            _("{file} contains no roster: {reason}", file=name, reason=reason), hint
        )
    # What the author of the file expected does not matter to who pastes it.
    roster = loaded.roster.model_copy(update={"expect": None})
    form = _("{line}: {reason}")
    remarks = tuple(
        _(form, line=error.location.line, reason=error.message) for error in errors
    )
    return follow_renames(packs, ParsedSquad(roster, remarks), find_checker)


def _parse_roster(packs: PackFiles, text: str, name: str) -> LoadedRoster:
    loaded = packs.parse_roster(text, name)
    if loaded.document is None:
        # JSON allows tabs before a line and surrogate pairs, YAML does not.
        with suppress(ValueError, RecursionError):
            json_text = json.dumps(
                parse_json(text.encode()), ensure_ascii=False, indent=1
            )
            loaded = packs.parse_roster(json_text, name)
    return loaded


def read_card_list(
    games: Iterable[Pack], text: str, packs: PackFiles | None = None
) -> ParsedSquad:
    """Read a squad from a plain or Markdown list of card names, in any language of the packs.

    Symbols before a line, costs and empty lines are ignored. Raise UsageError if no card is named.
    With `packs`, names that cards had in earlier releases are understood too, and reported.
    """
    lines = _split_lines(text)
    if len(lines) > MAX_LIST_LINES:
        message = _("the list has more than {most} lines", most=MAX_LIST_LINES)
        raise UsageError(message, _("No squad needs that many characters."))
    # A list does not say its game or language: the reading with the most cards is right.
    readings: list[_CardListReader] = []
    for pack in games:
        langs = pack.manifest.languages.all
        readings += [
            _CardListReader(pack, Names(pack, lang)).read_lines(lines) for lang in langs
        ]
    best = max(readings, key=_CardListReader.get_score, default=None)
    if best is not None and packs is not None and (best.unread or not best.card_count):
        # Earlier releases are read only if today's names are not enough.
        retried_readings = [best] if best.card_count else readings
        readings = []
        for reading in retried_readings:
            names = reading.names
            former_ids = list_former_names(packs, reading.pack, names.lang)
            readings.append(
                _CardListReader(reading.pack, names, former_ids).read_lines(lines)
            )
        best = max(readings, key=_CardListReader.get_score)
    if best is None or not best.card_count:
        hint = _(
            "Paste a token, JSON, a roster file, or a list with one card per line."
        )
        raise UsageError(_("this text contains no card of an installed game"), hint)
    return best.make_squad()


def _split_lines(text: str) -> list[str]:
    """Return the lines of a list without white space and Markdown marks."""
    # A line of marks alone, such as a code fence, names no card.
    filled_lines = [line for line in text.splitlines() if line.strip(" \t*_`")]
    return [line.strip().replace("**", "") for line in filled_lines]


@dataclass
class _CardListReader:
    """Reads a list of cards with the names of one pack in one language."""

    pack: Pack
    names: Names
    former_ids: Mapping[str, str] = field(default_factory=dict)
    """Ids of cards by former names, in lower case."""
    card_count: int = 0
    has_header: bool = False
    name: str = ""
    play_format: str | None = None
    params: dict[str, int | str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    deck: list[DeckCard] = field(default_factory=list)
    link_remarks: list[tuple[int, str, str, str]] = field(default_factory=list)
    """Line, link, name of the linked model, and the whole remark."""
    unread: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    """Today's names by the former names that the text uses."""

    def get_score(self) -> tuple[int, bool]:
        """Return how much of the text was understood, as a value to compare readings."""
        return self.card_count, self.has_header

    def read_lines(self, lines: Sequence[str]) -> "_CardListReader":
        """Read all lines of a card list, and store what was understood. Return this reader.

        The first line may be the squad's name. The first or second may name the game and
        parameters.
        """
        cards = self._list_cards_by_name()
        # A name that another card has today means that card.
        self.former_ids = {
            name: card for name, card in self.former_ids.items() if name not in cards
        }
        total = self.names.translate(_("Total")).casefold()
        headers = [
            index for index, line in enumerate(lines[:2]) if self._is_header(line)
        ]
        for index, line in enumerate(lines):
            if index in headers:
                self.has_header = True
                self._read_header(line)
            elif index == 0 and headers:
                self.name = line.lstrip("# ")
            elif not self._read_row(line, cards):
                if index == 0:
                    self.name = line.lstrip("# ")
                elif not line.casefold().startswith(total):
                    self.unread.append(line)
        return self

    def _list_cards_by_name(self) -> dict[str, Card]:
        """Return the cards that a squad may contain, by name in lower case."""
        cards: dict[str, Card] = {}
        for card in self.pack.cards.values():
            if self.pack.find_role(card) is not Role.NONE:
                cards[self.names.name_card(card.id).casefold()] = card
        return cards

    def _is_header(self, line: str) -> bool:
        """Return True if a line begins with the name of the game."""
        game = self.names.choose_name(self.pack.manifest.name, self.pack.id)
        first_part = line.lstrip("# ").split(",")[0]
        return first_part.casefold() == game.casefold()

    def _read_header(self, line: str) -> None:
        """Parse the line `Game, play format, Parameter: value, ...`.

        The name of a play format may contain commas.
        """
        # Commas around each name keep a part of a longer name from matching.
        format_ids = {}
        for key, play_format in self.pack.formats.items():
            name = f",{self.names.choose_name(play_format.name, key)},".casefold()
            format_ids[re.sub(", *", ",", name)] = key
        parts = [part.strip() for part in line.split(",")[1:]]
        header = f",{','.join(parts)},".casefold()
        matching_names = [name for name in format_ids if name in header]
        format_name = max(matching_names, key=len, default="")
        self.play_format = format_ids.get(format_name, self.play_format)
        for part in parts:
            if not self._read_param(part) and f",{part.casefold()}," not in format_name:
                self.unread.append(part)

    def _read_param(self, part: str) -> bool:
        """Parse `Parameter: value`. Return False if the pack has no such parameter or value."""
        title, _colon, text = part.partition(":")
        is_read = False
        for name, param in self.pack.manifest.roster.params.items():
            if self.names.name_param(name).casefold() != title.strip().casefold():
                continue
            value = text.strip()
            for choice in param.choices:
                if self.names.name_param_value(name, choice) == value:
                    value = choice
                    break
            is_read = param.accepts_value(value)
            if is_read:
                self.params[name] = value if param.type == "choice" else int(value)
        return is_read

    def _read_row(self, line: str, cards: dict[str, Card]) -> bool:
        """Parse a line with a card and its copies. Return False if it names no card."""
        row = ROW.fullmatch(line)
        if row is None:
            return False
        count = int(row[1] or 1)
        text = row[2]
        head, _dash, remarks = text.partition(" — ")
        name = COST.sub("", head).strip()
        exact_card = cards.get(text.casefold())
        card = exact_card or cards.get(name.casefold())
        former_id = self.former_ids.get(name.casefold())
        if card is None and former_id is not None:
            card = self.pack.cards[former_id]
            self.renamed[name] = self.names.name_card(former_id)
        if card is None or not self._add_card(card, count):
            return False
        self.card_count += 1
        if not exact_card:  # else the dash is part of the card's name
            for remark in remarks.split("; "):
                if remark and not self._read_remark(remark):
                    self.unread.append(remark)
        return True

    def _add_card(self, card: Card, count: int) -> bool:
        """Add a card to the squad: as an entry, to the last entry, or to the deck.

        Return False if that is not possible.
        """
        role = self.pack.find_role(card)
        if role is Role.ENTRY and 0 < count <= MAX_COPIES:
            self.entries.append(Entry(card=card.id, count=count))
        elif role is Role.DECK and 0 < count < 100:
            self.deck.append(DeckCard(card=card.id, count=count))
        elif role is Role.ATTACHMENT and self.entries:
            return self._attach_card(card, self._count_each(count))
        else:
            return False
        return True

    def _attach_card(self, card: Card, count: int) -> bool:
        """Attach copies of a card to the last entry. Return False for too many copies."""
        if not 0 < count <= MAX_ATTACHMENTS:
            return False
        last_entry = self.entries[-1]
        attachments = (*last_entry.attachments, *(Attachment(card=card.id),) * count)
        self.entries[-1] = last_entry.model_copy(update={"attachments": attachments})
        return True

    def _count_each(self, count: int) -> int:
        """Convert a number of attachments to copies for each model of the last entry.

        A list may state the total of all models. It is divided if it can be.
        """
        copies_each, rest = divmod(count, self.entries[-1].count)
        return count if rest else copies_each

    def _read_remark(self, remark: str) -> bool:
        """Parse `Choice: value` or `Link: model` of the last entry.

        Return False if it is neither.
        """
        title, _colon, text = (part.strip() for part in remark.partition(":"))
        form = self.pack.manifest.roster
        last = len(self.entries) - 1
        if last < 0 or not text:
            return False
        for name, choice in form.choices.items():
            if self.names.name_field(f"choice.{name}") == title:
                value = self._read_choice(name, choice, text)
                choices = {**self.entries[last].choices, name: value}
                self.entries[last] = self.entries[last].model_copy(
                    update={"choices": choices}
                )
                return True
        for link in form.links:
            if self.names.name_link(link) == title:
                self.link_remarks.append((last, link, text, remark))
                return True
        return False

    def _read_choice(self, name: str, choice: Choice, text: str) -> str:
        """Return the value of a choice by its translated name, or the text itself."""
        values = list(choice.values)
        values += [
            card.id for card in self.pack.cards.values() if card.kind == choice.cards
        ]
        for value in values:
            if self.names.name_value(f"choice.{name}", value) == text:
                return value
        return self.former_ids.get(text.casefold(), text)

    def _add_link(self, line: int, link: str, text: str) -> bool:
        """Link an entry to the entry that a text names. Return False if there is none."""
        name, index_in_text = text, -1
        numbered = NUMBERED.fullmatch(text)
        if numbered is not None:
            name, index_in_text = numbered[1], int(numbered[2]) - 1
        former_id = self.former_ids.get(name.casefold())
        matches = []
        for index, entry in enumerate(self.entries):
            if self.names.name_card(entry.card) == name or entry.card == former_id:
                matches.append(index)
        if not matches:
            return False
        # The number may be wrong if lines of the text were not understood.
        target = index_in_text if index_in_text in matches else matches[0]
        target_id = self.entries[target].id or f"line-{target + 1}"
        self.entries[target] = self.entries[target].model_copy(update={"id": target_id})
        # The target may be the line itself, so the line is read after that change.
        links = {**self.entries[line].links, link: target_id}
        self.entries[line] = self.entries[line].model_copy(update={"links": links})
        return True

    def make_squad(self) -> ParsedSquad:
        """Return the squad that was read.

        Links are added last, because they may point to later entries.
        """
        unread = list(self.unread)
        for line, link, text, remark in self.link_remarks:
            if not self._add_link(line, link, text):
                unread.append(remark)
        roster = Roster(
            pack=self.pack.id,
            play_format=self.play_format,
            name=self.name,
            params=self.params,
            entries=tuple(self.entries),
            deck=tuple(self.deck),
        )
        form = _("{old} is now called {new}")
        remarks = tuple(_(form, old=old, new=new) for old, new in self.renamed.items())
        return ParsedSquad(roster, remarks, tuple(unread))
