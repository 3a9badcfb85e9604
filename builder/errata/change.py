"""The parts of a difference between two releases: JSON values, words of texts, changes of cards."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from enum import Enum, StrEnum
from typing import Final, Literal, TypeAlias

from builder.messages import Message, gettext as _, join_messages, ngettext
from builder.model.base import DataPath, Json
from builder.model.words import name_language


class Absent(Enum):
    """The type of ABSENT, which stands for a missing JSON value. It differs from null."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = Absent.ABSENT
Value: TypeAlias = Json | Absent


@dataclass(frozen=True, slots=True)
class LeafChange:
    """A changed JSON value at a path. Maps are compared key by key."""

    path: DataPath
    old: Value
    new: Value


def iterate_leaves(value: Json, path: DataPath = ()) -> Iterator[tuple[DataPath, Json]]:
    """Yield every value that is not a map, with its path.

    A list of plain values and an empty container count as one value: they change as a whole.
    """
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from iterate_leaves(item, (*path, key))
    elif isinstance(value, list | tuple) and any(
        isinstance(item, Mapping | list | tuple) for item in value
    ):
        for index, item in enumerate(value):
            yield from iterate_leaves(item, (*path, index))
    # An empty map at the top has no values, but an empty one inside is a value of its own.
    elif path or not isinstance(value, Mapping):
        yield path, value


def compare_leaves(
    old: Mapping[str, Json], new: Mapping[str, Json]
) -> tuple[LeafChange, ...]:
    """Compare two JSON values, and return the changes of all values that are not maps."""
    before = dict(iterate_leaves(dict(old)))
    after = dict(iterate_leaves(dict(new)))
    changes = [
        LeafChange(path, before.get(path, ABSENT), value)
        for path, value in after.items()
    ]
    changes += [
        LeafChange(path, value, ABSENT)
        for path, value in before.items()
        if path not in after
    ]
    return tuple(change for change in changes if not is_same(change.old, change.new))


def is_same(first: Value, second: Value) -> bool:
    """Return True if two values are equal. `true` and 1 differ, inside lists too."""
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(is_same, first, second))
    # Python's True equals 1, but a YAML author who writes `true` means something else.
    return first == second and isinstance(first, bool) == isinstance(second, bool)


def are_identical(first: object, second: object) -> bool:
    """Return True only if two values are surely equal. A quick test, so False may be wrong."""
    # The cheap comparison first: most cards are equal, and repr() shows true instead of 1.
    return first == second and repr(first) == repr(second)


# A line break, other spaces, or a word; a tag in braces is one word with what touches it.
TOKEN = re.compile(r"\n|[^\S\n]+|(?:\{[^{}]*\}|\S)+")
# A tag in braces, or a number with a decimal point or comma.
SUBSTANCE = re.compile(r"\{[^{}]*\}|\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of compared texts: words that are the `same`, `gone` or `new`."""

    kind: Literal["same", "gone", "new"]
    text: str


def compare_words(old: str, new: str) -> tuple[TextPiece, ...]:
    """Compare two texts word by word. Return the pieces in reading order.

    The `same` and `gone` pieces are the old text, the `same` and `new` ones the new text. Words
    are separated by spaces, so a marked piece has spaces around it. Changed words with only a
    space between them are one piece.
    """
    old_tokens = TOKEN.findall(old)
    new_tokens = TOKEN.findall(new)
    pieces: list[TextPiece] = []
    removed = added = ""
    # Autojunk would ignore frequent words such as `the` in long texts.
    opcodes = SequenceMatcher(
        None, old_tokens, new_tokens, autojunk=False
    ).get_opcodes()
    for index, (tag, old_start, old_end, new_start, new_end) in enumerate(opcodes):
        old_text = "".join(old_tokens[old_start:old_end])
        new_text = "".join(new_tokens[new_start:new_end])
        is_inner = 0 < index < len(opcodes) - 1
        # A single space between two changed words would split them into many small pieces.
        is_gap = (
            tag == "equal" and old_text.isspace() and "\n" not in old_text and is_inner
        )
        if tag != "equal" or is_gap:
            removed += old_text
            added += new_text
            continue
        pieces += [
            TextPiece("gone", removed),
            TextPiece("new", added),
            TextPiece("same", old_text),
        ]
        removed = added = ""
    pieces += [TextPiece("gone", removed), TextPiece("new", added)]
    return tuple(piece for piece in pieces if piece.text)


def mark_pieces(pieces: Iterable[TextPiece], mark: Callable[[str, str], str]) -> str:
    """Join pieces to one text. `mark(kind, words)` marks each piece."""
    text = ""
    for piece in pieces:
        if (
            text
            and piece.kind != "same"
            and not (text[-1].isspace() or piece.text[0].isspace())
        ):
            text += " "  # between removed and added words
        lines = []
        for line in piece.text.split("\n"):
            # Marks of Markdown must touch the words, and may not go beyond the end of a line.
            words = line.strip()
            if words:
                start = line.find(words)
                end = start + len(words)
                line = line[:start] + mark(piece.kind, words) + line[end:]
            lines.append(line)
        text += "\n".join(lines)
    return text


def extract_substance(text: str) -> tuple[str, ...]:
    """Return the parts of a text that rules depend on: its numbers, and the ids in its markup."""
    return tuple(
        match.partition("|")[0].rstrip("}") for match in SUBSTANCE.findall(text)
    )


WORD = re.compile(
    r"\{[^{}]*\}|[-+±]?\d+(?:[-.,:/]\d+)*[″\"′'%°+]?|[^\W_]+|[<>=≤≥≠±×÷≈+~$€£]"
)
"""One piece of a text that carries meaning: a tag, a number with its sign and unit, a word, or a
symbol.
"""
DASHES = str.maketrans("−–—", "---")


def split_words(text: str) -> tuple[str, ...]:
    """Return the words, numbers and tags of a text in lower case, without emphasis and punctuation.

    A sign, a decimal point, or a unit beside a number is part of the number: `+1` and `-1` differ.
    """
    return tuple(WORD.findall(text.translate(DASHES).casefold()))


def has_same_words(old: str, new: str) -> bool:
    """Return True if only emphasis, punctuation or capital letters differ."""
    return split_words(old) == split_words(new)


TYPOGRAPHY: Mapping[int, str] = {
    **dict.fromkeys(map(ord, "“”„‟«»″"), '"'),
    **dict.fromkeys(map(ord, "‘’‚‛‹›′`"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u200a\u202f"), " "),
    **dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"), ""),
    ord("…"): "...",
}
"""The plain character for each quotation mark, dash, space and invisible character."""


def has_same_letters(old: object, new: object) -> bool:
    """Return True if two texts differ only in quotation marks, dashes and spaces."""
    if not isinstance(old, str) or not isinstance(new, str) or old == new:
        return False
    plain_old, plain_new = (text.translate(TYPOGRAPHY) for text in (old, new))
    # Several spaces, and those at the ends, are printed as one or none.
    return _join_spaces(plain_old) == _join_spaces(plain_new)


def _join_spaces(text: str) -> str:
    return re.sub(r"[^\S\n]+", " ", text).strip()


MAX_ENDING_LETTERS = 3
"""The longest grammatical ending of a name, as in `Falcons` or `Соколом`."""


def has_only_renamed_words(
    old: str, new: str, names: Iterable[tuple[str, str]]
) -> bool:
    """Return True if two texts differ only by names with the same grammatical ending.

    `names` are pairs of old and new names.
    """
    before = list(split_words(old))
    after = list(split_words(new))
    for number, (old_name, new_name) in enumerate(names):
        before = _mask_name(before, split_words(old_name), f"#{number}")
        after = _mask_name(after, split_words(new_name), f"#{number}")
    return before == after


def _mask_name(words: list[str], name: tuple[str, ...], mask: str) -> list[str]:
    """Replace each form of a name in a list of words by a mask and the name's ending."""
    masked: list[str] = []
    index = 0
    while index < len(words):
        part = words[index : index + len(name)]
        # Languages such as Russian change the end of a name's last word.
        ending = (
            part[-1].removeprefix(name[-1])
            if name and part[:-1] == list(name[:-1])
            else None
        )
        if (
            ending is not None
            and part[-1].startswith(name[-1])
            and len(ending) <= MAX_ENDING_LETTERS
        ):
            masked.append(mask + ending)
            index += len(name)
        else:
            masked.append(words[index])
            index += 1
    return masked


class ChangeClass(StrEnum):
    """The class of a changed field by its importance for play, the most important first."""

    COST = "cost"
    STAT = "stat"
    SLOT = "slot"
    KEYWORD = "keyword"
    RULE_TEXT = "rule text"
    WORDING = "wording"
    NAME = "name"
    ART = "art"
    TRANSLATION = "translation"

    @property
    def matters(self) -> bool:
        """True if the change affects play."""
        return self in (self.COST, self.STAT, self.SLOT, self.KEYWORD, self.RULE_TEXT)


class CardClass(StrEnum):
    """The class of a card's changes, the most important first.

    The difference, notes, pages and feeds all show this value. A card whose rules and picture
    changed has the class of its rules.
    """

    NEW = "new"
    WITHDRAWN = "withdrawn"
    PLAYS = "plays"
    RENAMED = "renamed"
    REWORDED = "reworded"
    REDRAWN = "redrawn"
    TRANSLATED = "translated"
    UNCHANGED = "unchanged"

    @property
    def words(self) -> Message:
        """The class as a message."""
        return CLASS_WORDS[self]


CLASS_WORDS: Mapping[CardClass, Message] = {
    CardClass.NEW: _("new card"),
    CardClass.WITHDRAWN: _("withdrawn"),
    CardClass.PLAYS: _("plays differently"),
    CardClass.RENAMED: _("renamed"),
    CardClass.REWORDED: _("wording"),
    CardClass.REDRAWN: _("looks different"),
    CardClass.TRANSLATED: _("translation"),
    CardClass.UNCHANGED: _("same values as before"),
}
RULES_TYPES = frozenset({"rules", "balance"})
"""Types of history entries that announce a change of play."""
WORDING_TYPES = frozenset({"wording", "misprint"})
"""Types of history entries that announce a change of marks and punctuation."""


class Status(StrEnum):
    """The status of a card in a comparison: added, changed, renamed, removed and so on."""

    ADDED = "added"
    CHANGED = "changed"
    RENAMED = "renamed"
    MERGED = "merged"
    SPLIT = "split"
    DELETED = "deleted"
    VANISHED = "vanished"

    @property
    def gone(self) -> bool:
        """True if the card's id no longer exists and no single card replaces it."""
        return self in (self.MERGED, self.SPLIT, self.DELETED, self.VANISHED)


class CardEffect(StrEnum):
    """The effect of a change for the card itself: better, worse or mixed."""

    GAIN = "gain"
    LOSS = "loss"
    MIXED = "mixed"

    @property
    def words(self) -> Message:
        """The effect as a message."""
        return EFFECT_WORDS[self]


EFFECT_WORDS: Mapping[CardEffect, Message] = {
    CardEffect.GAIN: _("gain"),
    CardEffect.LOSS: _("loss"),
    CardEffect.MIXED: _("gains and losses"),
}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A changed field of a card. `path` is dotted. `lang` is set for a changed translation."""

    path: str
    type: ChangeClass
    old: Value
    new: Value
    lang: str | None = None
    redrawn: bool = False
    """True if the picture file of this name has other bytes; `old` and `new` are the beginnings of
    its digests.
    """
    effect: CardEffect | None = None
    """Whether a number became better for the card; None if the pack cannot tell."""
    reverts: str = ""
    """The release before which the field had this value."""

    @property
    def remark(self) -> str:
        """The effect, and the reverted release, in words."""
        words = [self.effect.words] if self.effect is not None else []
        if self.reverts:
            words.append(_("reverts {version}", version=self.reverts))
        return join_messages(words)

    @property
    def is_typographic(self) -> bool:
        """True if only quotation marks, dashes or spaces of a text changed."""
        return has_same_letters(self.old, self.new)


class Appearance(StrEnum):
    """The reason why a card looks different: its text, its picture or its template."""

    SAME = "same"
    TEXT = "text"
    PICTURE = "picture"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True)
class CardChange:
    """One changed card.

    `id` is the new id if there is one; `successors` are the cards that a removed card became.
    """

    id: str
    status: Status
    kind: str
    name: str
    faction: str | None = None
    old_id: str | None = None
    successors: tuple[str, ...] = ()
    fields: tuple[FieldChange, ...] = ()
    old_revision: int | None = None
    new_revision: int | None = None
    history: tuple[Mapping[str, Json], ...] = ()
    """The history entries made since, oldest first, raw."""
    effective: date | None = None
    """The day from which the change applies in play; None if the state has no day."""
    languages: tuple[str, ...] = ()
    """The languages whose readers see the change."""
    is_unchanged: bool = False
    """True if only the revision and its history differ, as after a correction was taken back."""

    @property
    def matters(self) -> bool:
        """True if the change affects play: a new or removed card, or one that plays differently."""
        # The class decides, because it also knows what only the history announces.
        return self.card_class in (CardClass.NEW, CardClass.WITHDRAWN, CardClass.PLAYS)

    @property
    def appearance(self) -> Appearance:
        """The cause of the new look of a card that continues."""
        if any(field.type is not ChangeClass.ART for field in self.fields):
            return Appearance.TEXT
        if self.fields:
            return Appearance.PICTURE
        return Appearance.TEMPLATE if "art" in self.change_types else Appearance.SAME

    @property
    def cost_step(self) -> int:
        """The direction of a changed cost: 1 if it rose, -1 if it fell, 0 if it is equal."""
        field = next(
            (field for field in self.fields if field.type is ChangeClass.COST), None
        )
        if field is None or not isinstance(field.old, int | float):
            return 0
        if not isinstance(field.new, int | float):
            return 0
        return 1 if field.new > field.old else -1

    @property
    def effect(self) -> CardEffect | None:
        """The effect of the whole change for the card.

        None if that of a part is unknown.
        """
        # A new wording or picture is neither good nor bad, so it does not count.
        effects = {field.effect for field in self.fields if field.type.matters}
        if not effects or None in effects:
            return None
        return effects.pop() if len(effects) == 1 else CardEffect.MIXED

    @property
    def change_types(self) -> frozenset[str]:
        """The types of the new history entries."""
        return frozenset(str(entry.get("type")) for entry in self.history)

    @property
    def card_class(self) -> CardClass:
        """The class of the change. If no field of the card changed, the history decides."""
        if self.status is Status.ADDED:
            return CardClass.NEW
        if self.status.gone:
            return CardClass.WITHDRAWN
        if any(field.type.matters for field in self.fields):
            return CardClass.PLAYS
        classes = {field.type for field in self.fields}
        if self.status is Status.RENAMED or ChangeClass.NAME in classes:
            return CardClass.RENAMED
        if ChangeClass.WORDING in classes:
            return CardClass.REWORDED
        if ChangeClass.ART in classes:
            return CardClass.REDRAWN
        if self.is_unchanged:
            return CardClass.UNCHANGED
        return self._announced_class()

    def _announced_class(self) -> CardClass:
        """Return the class that the new history entries announce.

        It is needed if the card itself is unchanged, but a translation, template or word is
        not.
        """
        if self.change_types & RULES_TYPES:
            return CardClass.PLAYS
        if "art" in self.change_types:
            return CardClass.REDRAWN
        return CardClass.REWORDED if self.change_types else CardClass.TRANSLATED

    @property
    def unrevised(self) -> bool:
        """True if the card's source text changed although the revision is the same."""
        has_changed_fields = any(
            field.type is not ChangeClass.TRANSLATION for field in self.fields
        )
        continues = self.status in (Status.CHANGED, Status.RENAMED)
        return (
            continues
            and has_changed_fields
            and (self.new_revision or 0) <= (self.old_revision or 0)
        )


TALLY_PLACES = {
    CardClass.NEW: 0,
    CardClass.TRANSLATED: 2,
    CardClass.WITHDRAWN: 3,
    CardClass.UNCHANGED: 4,  # not counted
}
"""The places of classes in the counts of `summarize_changes`; all others count as changed."""


def summarize_changes(cards: Iterable[CardChange]) -> str:
    """Return how many cards are new, changed, only translated, and withdrawn."""
    counts = Counter(TALLY_PLACES.get(card.card_class, 1) for card in cards)
    forms = (
        ngettext("{count} new card", "{count} new cards", counts[0]),
        ngettext("{count} card changed", "{count} cards changed", counts[1]),
        ngettext(
            "{count} card with a new translation",
            "{count} cards with a new translation",
            counts[2],
        ),
        ngettext("{count} card withdrawn", "{count} cards withdrawn", counts[3]),
    )
    texts = [form for place, form in enumerate(forms) if counts[place]]
    return join_messages(texts) if texts else _("no card changed")


LANGUAGE = "language"
"""The part of a change of a pack's languages."""


@dataclass(frozen=True, slots=True)
class PartChange:
    """A change outside the cards, such as a rule or a template.

    `part` is rules, vocabulary, formats, pack, schema, template, art or language. The path of a
    language is its code, or `source` for the source language.
    """

    part: str
    path: str
    old: Value
    new: Value


def describe_language(part: PartChange) -> Message:
    """Return the sentence for a change of a pack's languages, without a full stop."""
    if part.path == "source":
        old = name_language(str(part.old))
        new = name_language(str(part.new))
        return _("the source language is now {new}; it was {old}", new=new, old=old)
    name = name_language(part.path)
    form = (
        _("the language {language} was added")
        if part.old is ABSENT
        else _("the language {language} was removed")
    )
    return _(form, language=name)


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes from one state of a pack to another."""

    pack: str
    old: str
    new: str
    cards: tuple[CardChange, ...] = ()
    parts: tuple[PartChange, ...] = ()
    restyled: Mapping[str, Appearance] = field(default_factory=dict)
    """The cards that only look different, although nothing of their own changed."""

    @property
    def empty(self) -> bool:
        """True if nothing differs."""
        return not self.cards and not self.parts

    def find_card(self, card: str) -> CardChange | None:
        """Return the change of one card, by its new or old id."""
        return next(
            (change for change in self.cards if card in (change.id, change.old_id)),
            None,
        )

    def list_visible_cards(self, lang: str) -> list[CardChange]:
        """Return the changes that the readers of a language see."""
        return [change for change in self.cards if lang in change.languages]

    def find_origin(self, card: str) -> CardChange | None:
        """Return the card that was split into this card and others. None if there is none."""
        return next(
            (
                change
                for change in self.cards
                if change.status is Status.SPLIT and card in change.successors
            ),
            None,
        )
