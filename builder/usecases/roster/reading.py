"""A squad read back from whatever it was handed on as: a token, JSON, YAML, or the list that `as_text` writes."""

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
from builder.model.pack import Pack, Role
from builder.model.roster import MAX_COPIES, Attachment, DeckCard, Entry, Roster
from builder.packs.exchange import TOKEN_PREFIX, parse_json
from builder.packs.pack_files import PackFiles
from builder.rules.checker import RosterChecker
from builder.rules.names import Names
from builder.usecases.pack_states import load_migrations
from builder.usecases.roster.check_roster import Judges
from builder.usecases.roster.share import parse_token

FindJudge = Callable[[str, str | None], RosterChecker]
"""Returns the judge of a pack, by a release where one is given. PackUnreadable for one that gives no verdict."""
MAX_TEXT_CHARACTERS = 200_000
"""Characters of a text that is read."""
MAX_LIST_LINES, MAX_ATTACHMENTS = 1000, 20
"""Lines of a list that is read, and copies of one card that a line gives to a model."""
ROW = re.compile(r"(?:[-+*•–]\s+)?(?:(\d{1,3})\s*[×xх]\s*)?(.+)", re.IGNORECASE)
COST = re.compile(r"\s*\(-?\d+(?:[.,]\d+)?\)$")
NUMBERED = re.compile(r"(.+) #(\d+)")


@dataclass(frozen=True, slots=True)
class Read:
    """A squad that was read, what there is to say about it, and the lines of the text that were not understood."""

    roster: Roster
    remarks: tuple[Message, ...] = ()
    unread: tuple[str, ...] = ()


def read_squad(
    packs: PackFiles,
    text: str,
    games: Iterable[Pack] | None = None,
    find_judge: FindJudge | None = None,
) -> Read:
    """The squad in a text, whatever its form. UsageError where there is none, PackUnreadable without its game.

    `games` are the packs whose cards may be named in a list; all there are where none are given. `find_judge` saves
    the reading of the squad's pack where its judge is known already.
    """
    text = text.strip().removeprefix("\ufeff").lstrip()
    if len(text) > MAX_TEXT_CHARACTERS:
        message = _("the text is longer than {most} characters", most=MAX_TEXT_CHARACTERS)
        raise UsageError(message, _("No squad needs that many characters."))
    if text.startswith(TOKEN_PREFIX) and "." in text[:8]:
        return read_token(packs, text, find_judge)
    if text.startswith("{") or re.search(r"^pack:", text, re.MULTILINE):
        return read_roster_text(packs, text, _("the text ({form})", form="JSON" if text.startswith("{") else "YAML"),
                         find_judge)  # fmt: skip
    if games is not None:
        return read_list(games, text, packs)
    loaded = {name: packs.load(name) for name in packs.packs()}
    read = read_list([one.pack for one in loaded.values() if one.pack is not None], text, packs)
    # The line of a card that cannot be read would be an unknown line.
    errors = loaded[read.roster.pack].verdict_errors
    if errors:
        raise PackUnreadable(read.roster.pack, errors)
    return read


def read_token(packs: PackFiles, text: str, find_judge: FindJudge | None = None) -> Read:
    """The squad in a token. UsageError where the token or its pack is no good."""
    return follow_renames(packs, Read(*parse_token(packs, text)), find_judge)


def follow_renames(packs: PackFiles, read: Read, find_judge: FindJudge | None = None) -> Read:
    """Replace the ids of cards that were renamed or merged by today's, and report every id that is gone.

    PackUnreadable where the pack, the release of the squad, or the list of renames cannot be read.
    """
    roster = read.roster
    if roster.pack not in packs.packs():
        return read
    judge = (find_judge or Judges(packs).judge)(roster.pack, roster.version)
    steps = load_migrations(packs, roster.pack)
    migrated = migrate_roster(roster, steps, judge.pack.cards)
    days = {step.old: step.date for step in steps}
    remarks = []
    form = _("{old} was renamed to {new} on {day}; the squad uses the new card")
    for moved_id in migrated.moved:
        old, new = moved_id.old, moved_id.new
        remarks.append(_(form, old=old, new=new, day=days.get(old, "")))
    remarks = list(dict.fromkeys(remarks))
    lost_ids = [(lost_id.old, lost_id.heirs) for lost_id in migrated.lost if lost_id.old in days]
    for old, heirs in dict.fromkeys(lost_ids):
        form = _("{old} was removed from the game on {day}: remove it from the squad")
        if heirs:
            form = _("{old} was split into {heirs} on {day}: choose one of them")
        remarks.append(_(form, old=old, heirs=", ".join(heirs), day=days[old]))
    return replace(read, roster=migrated.roster, remarks=(*read.remarks, *remarks))


def list_former_names(packs: PackFiles, pack: Pack, lang: str) -> dict[str, str]:
    """Ids of today's cards by the names that they had in earlier releases, in lower case; renamed cards among them."""
    releases = packs.releases(pack.id)
    steps, judges = load_migrations(packs, pack.id), Judges(packs)
    ids_by_name: dict[str, str] = {}
    for release in releases.all():
        judge = judges.load(pack.id, release.version).judge
        if judge is None or lang not in judge.pack.manifest.languages.all:
            continue
        names = Names(judge.pack, lang)
        for card in judge.pack.cards:
            today = follow_migrations(card, steps, pack.cards)
            if today is not None:
                # A later release overwrites what an earlier one called so.
                ids_by_name[names.name_card(card).casefold()] = today
    return ids_by_name


def read_roster_text(
    packs: PackFiles, text: str, name: str, find_judge: FindJudge | None = None
) -> Read:
    """The squad in a roster file, YAML or JSON, by the name that messages call it; what is odd but does not keep it
    from being read is said. UsageError where there is none, PackUnreadable where its pack.yaml cannot be read."""
    loaded = packs.parse(text, name)
    if (
        loaded.document is None
    ):  # tabs before a line and letters in two halves are JSON, but not YAML
        with suppress(ValueError, RecursionError):
            loaded = packs.parse(
                json.dumps(parse_json(text.encode()), ensure_ascii=False, indent=1), name
            )
    errors = [finding for finding in loaded.findings if finding.severity is Severity.ERROR]
    pack_errors = [finding for finding in errors if finding.location.file not in (None, name)]
    if loaded.roster is None and pack_errors and loaded.document is not None:
        # Errors in pack.yaml, by which the text is read, are no mistakes of the text.
        value = loaded.document.value
        raise PackUnreadable(str(value.get("pack")) if isinstance(value, dict) else "", pack_errors)
    if loaded.roster is None:
        message, hint = (errors[0].message, errors[0].hint) if errors else ("", "")
        hint = hint or _("schemas/core/roster.schema.json describes the format.")
        raise UsageError(_("{file} contains no roster: {reason}", file=name, reason=message), hint)
    roster = loaded.roster.model_copy(update={"expect": None})
    remarks = tuple(
        _("{line}: {reason}", line=one.location.line, reason=one.message) for one in errors
    )
    return follow_renames(packs, Read(roster, remarks), find_judge)


def read_list(games: Iterable[Pack], text: str, packs: PackFiles | None = None) -> Read:
    """A squad from a list as `as_text` writes it, plain or in Markdown, in any language of any of the packs; what
    people change in it (signs before a line, costs, empty lines) does not matter. UsageError where it names no card.

    With `packs`, names that cards had in earlier releases are understood too, and reported.
    """
    lines = [line.strip().replace("**", "") for line in text.splitlines() if line.strip(" \t*_`")]
    if len(lines) > MAX_LIST_LINES:
        raise UsageError(
            _("the list has more than {most} lines", most=MAX_LIST_LINES),
            _("No squad needs that many characters."),
        )
    readings: list[_Reading] = []
    for pack in games:
        langs = pack.manifest.languages.all
        readings += [_Reading(pack, Names(pack, lang)).read(lines) for lang in langs]
    best = max(readings, key=lambda reading: (reading.known, reading.headed), default=None)
    if best is not None and packs is not None and (best.unread or not best.known):
        # Earlier releases are read only where today's names are not enough.
        retried = [best] if best.known else readings
        readings = [
            _Reading(r.pack, r.names, list_former_names(packs, r.pack, r.names.lang)).read(lines)
            for r in retried
        ]
        best = max(readings, key=lambda reading: (reading.known, reading.headed))
    if best is None or not best.known:
        hint = _("Paste a token, JSON, a roster file, or a list with one card per line.")
        raise UsageError(_("this text contains no card of an installed game"), hint)
    return best.result()


@dataclass
class _Reading:
    """One text read with the names of one pack in one language."""

    pack: Pack
    names: Names
    former: Mapping[str, str] = field(default_factory=dict)
    """Ids of cards by former names, in lower case."""
    known: int = 0
    headed: bool = False
    name: str = ""
    play_format: str | None = None
    params: dict[str, int | str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    deck: list[DeckCard] = field(default_factory=list)
    ties: list[tuple[int, str, str, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    """Today's names by the former names that the text uses."""

    def read(self, lines: Sequence[str]) -> "_Reading":
        """Read all lines; the first may be the squad's name, the first or second its game with parameters."""
        playable = (
            card for card in self.pack.cards.values() if self.pack.role(card) is not Role.NONE
        )
        cards = {self.names.name_card(card.id).casefold(): card for card in playable}
        self.former = {name: card for name, card in self.former.items() if name not in cards}
        total, game = (
            self.names.translate(_("Total")).casefold(),
            self.names.choose_name(self.pack.manifest.name, self.pack.id),
        )
        heads = [
            n
            for n, line in enumerate(lines[:2])
            if line.lstrip("# ").split(",")[0].casefold() == game.casefold()
        ]
        for number, line in enumerate(lines):
            if number in heads:
                self.headed = True
                self._read_head(line)
            elif number == 0 and (heads or not self._read_row(line, cards)):
                self.name = line.lstrip("# ")
            elif (
                number > 0
                and not self._read_row(line, cards)
                and not line.casefold().startswith(total)
            ):
                self.unread.append(line)
        return self

    def _read_head(self, line: str) -> None:
        """Read `Game, play format, Parameter: value, ...`. A play format's name may have commas."""
        format_ids = {}
        for key, play_format in self.pack.formats.items():
            name = f",{self.names.choose_name(play_format.name, key)},".casefold()
            format_ids[re.sub(", *", ",", name)] = key
        parts = [part.strip() for part in line.split(",")[1:]]
        head = f",{','.join(parts)},".casefold()
        format_name = max((name for name in format_ids if name in head), key=len, default="")
        self.play_format = format_ids.get(format_name, self.play_format)
        for part in parts:
            if not self._read_param(part) and f",{part.casefold()}," not in format_name:
                self.unread.append(part)

    def _read_param(self, part: str) -> bool:
        """Read `Parameter: value`; False if it is none."""
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
            is_read = param.allows(value)
            if is_read:
                self.params[name] = value if param.type == "choice" else int(value)
        return is_read

    def _read_row(self, line: str, cards: dict[str, Card]) -> bool:
        """A card with its copies; True if the line names one."""
        row = ROW.fullmatch(line)
        if row is None:
            return False
        count, text = int(row[1] or 1), row[2]
        head, _dash, remarks = text.partition(" — ")
        name = COST.sub("", head).strip()
        exact_card = cards.get(text.casefold())
        card = exact_card or cards.get(name.casefold())
        former_id = self.former.get(name.casefold())
        if card is None and former_id is not None:
            card = self.pack.cards[former_id]
            self.renamed[name] = self.names.name_card(former_id)
        if card is None or not self._put(card, count):
            return False
        self.known += 1
        for remark in () if exact_card else filter(None, remarks.split("; ")):
            if not self._read_remark(remark):
                self.unread.append(remark)
        return True

    def _put(self, card: Card, count: int) -> bool:
        """Add a card: as a line, to the last line, or to the deck."""
        role = self.pack.role(card)
        if role is Role.ENTRY and 0 < count <= MAX_COPIES:
            self.entries.append(Entry(card=card.id, count=count))
        elif role is Role.DECK and 0 < count < 100:
            self.deck.append(DeckCard(card=card.id, count=count))
        elif (
            role is Role.ATTACHMENT
            and self.entries
            and 0 < self._count_each(count) <= MAX_ATTACHMENTS
        ):
            last, copies_each = self.entries[-1], self._count_each(count)
            more = (*last.attachments, *(Attachment(card=card.id),) * copies_each)
            self.entries[-1] = last.model_copy(update={"attachments": more})
        else:
            return False
        return True

    def _count_each(self, count: int) -> int:
        """Return how many copies each model of the last line carries, if a list states a total for all."""
        copies_each, rest = divmod(count, self.entries[-1].count)
        return count if rest else copies_each

    def _read_remark(self, remark: str) -> bool:
        """`Choice: value` or `Tie: model` of the last line."""
        title, _colon, text = (part.strip() for part in remark.partition(":"))
        form, last = self.pack.manifest.roster, len(self.entries) - 1
        if last < 0 or not text:
            return False
        for name, choice in form.choices.items():
            if self.names.name_field(f"choice.{name}") == title:
                values = [
                    *choice.values,
                    *(card.id for card in self.pack.cards.values() if card.kind == choice.cards),
                ]
                ids_by_name = {
                    self.names.name_value(f"choice.{name}", value): value
                    for value in reversed(values)
                }
                value = ids_by_name.get(text, self.former.get(text.casefold(), text))
                choices = {**self.entries[last].choices, name: value}
                self.entries[last] = self.entries[last].model_copy(update={"choices": choices})
                return True
        links = [link for link in form.links if self.names.name_link(link) == title]
        self.ties += [(last, link, text, remark) for link in links[:1]]
        return bool(links)

    def _add_tie(self, line: int, link: str, text: str) -> bool:
        """Tie a line to the one that is called so: by its card, or by that and its number."""
        numbered = NUMBERED.fullmatch(text)
        name, at = (numbered[1], int(numbered[2]) - 1) if numbered else (text, -1)
        former = self.former.get(name.casefold())
        matches = [
            n
            for n, entry in enumerate(self.entries)
            if self.names.name_card(entry.card) == name or entry.card == former
        ]
        if not matches:
            return False
        target = at if at in matches else matches[0]
        target_id = self.entries[target].id or f"line-{target + 1}"
        self.entries[target] = self.entries[target].model_copy(update={"id": target_id})
        links = {**self.entries[line].links, link: target_id}
        self.entries[line] = self.entries[line].model_copy(update={"links": links})
        return True

    def result(self) -> Read:
        """The squad."""
        unread = [*self.unread, *(remark for *tie, remark in self.ties if not self._add_tie(*tie))]  # type: ignore[arg-type]
        entries, deck, form = tuple(self.entries), tuple(self.deck), self.play_format
        roster = Roster(
            pack=self.pack.id,
            play_format=form,
            name=self.name,
            params=self.params,
            entries=entries,
            deck=deck,
        )
        remarks = [
            _("{old} is now called {new}", old=old, new=new) for old, new in self.renamed.items()
        ]
        return Read(roster, tuple(remarks), tuple(unread))
