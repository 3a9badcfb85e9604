"""Add spaces and hyphens at which lines may not break."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text

MAX_LAST_WORD_LETTERS = 4
"""Letters of a last word, its full stop included, that does not stand on a line by itself."""
MAX_TIED_LETTERS, MIN_SENTENCE_LETTERS = 16, 24
"""Letters up to which the last two words of a sentence stay together, if it has LONG: no narrow
column holds it.
"""
MAX_WIDE_TIED_LETTERS, MIN_WIDE_SENTENCE_LETTERS = 20, 80
"""The same for longer sentences: they are in wider columns."""
MAX_UNSTOPPED_LETTERS = 8
"""Letters that the last word may have where no full stop ends it: cells of tables are narrower."""
Reading: TypeAlias = Callable[[Tag], str]
"""The text that a tag prints."""

MAX_COUNTED_LETTERS = 12
"""Letters that a word may have which stays on the line of the number before it."""

_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_SUM = re.compile(r"(?<=\d) ([·×+−=→]) (?=\d)")
_CHOICE = re.compile(r"(?<=\d) (or|and|oder|und|или|и) (?=\d)")
_TIMES = re.compile(r"(?<=\S) ×(?: (?=\S))?")
_WHICH_IS = re.compile(r"(?<=\d:) (?=\d)")
_SIGN = r"[^\W\d_a-zа-яё]{2,4}"
_RUSSIAN = (
    "а в и к о с у я во до за из ко на не ни но об от по со без для или над под при про"
)
_SMALL = "|".join(
    f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in _RUSSIAN.split()
)
_BEFORE = re.compile(rf"(?<![\w-])(?:{_SMALL}) (?=\S|$)")
_GERMAN = (
    "als am an auf aus bei bis das dem den der des die du durch ein eine er es für gegen ihr im "
    "in ist mit nach oder ohne pro sie über um und unter vom von vor wenn wird zu zum zur"
)
_ENGLISH = (
    "a an and are as at by can for from has if in is it may of on or than that the they to we "
    "with you"
)
_JOINING_WORDS = frozenset(f"{_RUSSIAN} {_ENGLISH} {_GERMAN}".split())
_JOINS = rf"(?!(?:{_SMALL}|{f'{_ENGLISH} {_GERMAN}'.replace(' ', '|')})\b)"
"""No word that only joins: a break between it and a number misleads nobody."""
_UNIT = re.compile(
    rf"(?<=\d) {_JOINS}(?=[^\W\d_]{{1,{MAX_COUNTED_LETTERS}}}(?!\w))|(?<![^\W_]){_SIGN} (?=[+−]?\d)"
)
_AFTER = re.compile(r" (?=(?:бы?|же?|ли)(?!\w))|^ (?=(?:бы?|же?|ли)(?!\w))")
_HYPHEN = re.compile(
    r"(?<!\w)(\w{1,2})-(?=\w)|(?<!\w)([A-ZА-ЯЁ]\w{0,8})-(?=[A-ZА-ЯЁ]\w{0,8}(?!\w))"
    r"|(?<=\w)-(?=\w{1,2}(?!\w))"
)
_ABBREVIATION = re.compile(
    r"(?<!\w)([zdu]\.) (?=[Bhaä]\.)|(?<!\w)(т\.) (?=[едкп]\.)|(?<!\w)(и) (?=т\. ?[дп]\.)"
    r"|(№|(?<!\w)(?:Nr|No|стр|рис)\.) (?=\d)"
)
"""Parts of an abbreviation, and an abbreviation before its number."""
_NUMBER_OF_NAME = r"(?:\d+|[IVXLC]+|[^\W\d_a-zа-яё])"
_QUOTED_NUMBER = re.compile(rf"(?<=\w) (?={_NUMBER_OF_NAME}[»”“’\"])")
"""The space between a name and its number, where a quote ends after it."""
_NUMBERED_NAME = re.compile(r"(?<=\w) (?=(?:\d+|[IVLC]|[IVXLC]{2,})(?:[»”“’\"]|$))")
"""The space before the number of a name. Not before the letter X, for which templates of packs
put a number.
"""
_NUMBER = re.compile(r"\d $")
_STOPS = (".", "!", "?", "…", "»", "”")
_MEASURES = frozenset({"dist", "dice", "stat", "icon"})
_DASH = re.compile(r"(?<=\S) (?=[—–](?: |$))|^ (?=[—–](?: |$))")
_NAME = re.compile(r"(?<!\w)(\w{1,9})-(?=\w{1,9}(?!\w))|(?<=\w)-(?=\w{1,2}(?!\w))")


def keep_together(nodes: Sequence[Node], read_tag: Reading) -> tuple[Node, ...]:
    """Return a paragraph in which parts that belong together are not separated by a line break."""
    tied_nodes = [_tie_node(node) for node in nodes]
    for index, node in enumerate(tied_nodes[:-1]):
        after = tied_nodes[index + 1]
        if isinstance(node, Text) and isinstance(after, Tag):
            # The number may be a mark of its own, with only a space after it.
            before = _join_text(
                *tied_nodes[max(index - 1, 0) : index + 1], read_tag=read_tag
            )
            if _NUMBER.search(before) and _is_short_mark(after, read_tag):
                tied_nodes[index] = replace(node, text=f"{node.text[:-1]}\u00a0")
        elif isinstance(node, Tag) and isinstance(after, Text):
            tied_nodes[index + 1] = _tie_to_mark(node, after)
    _tie_last_word(tied_nodes, read_tag)
    return tuple(tied_nodes)


def _is_short_mark(tag: Tag, read_tag: Reading) -> bool:
    """Return True for a tag that must stay on one line with the number before it."""
    if tag.type == "stat":
        return True
    first_word = read_tag(tag).partition(" ")[0]
    return len(first_word) <= MAX_COUNTED_LETTERS


@lru_cache(maxsize=2_000)
def keep_text_together(text: str) -> str:
    """Return a text in which parts that belong together are not separated by a line break."""
    return _join_text(*keep_together((Text(text),), str), read_tag=str)


def keep_name_together(name: str) -> str:
    """Return a name that is not broken at hyphens, after short words or before its number.

    Long compounds may be broken at their hyphens.
    """
    name = _NAME.sub(lambda match: f"{match[1] or ''}\u2011", name)
    name = _NUMBERED_NAME.sub("\u00a0", name)
    return _BEFORE.sub(lambda match: f"{match[0][:-1]}\u00a0", name)


def balance_lines(text: str, lines: int = 2) -> str:
    """Return a heading that breaks into lines of similar length, if it needs several.

    All other spaces become non-breaking.
    """
    words = text.split(" ")
    if lines < 2 or len(words) < 2:
        return text
    # The words by their ends, counted in characters from the beginning.
    ends: dict[int, str] = {}
    end = -1
    for word in words[:-1]:
        end += 1 + len(word)
        ends[end] = word
    # A line that ends with "of the" reads badly.
    good_ends = [
        end for end, word in ends.items() if word.lower() not in _JOINING_WORDS
    ]
    breaks: set[int] = set()
    for line in range(1, lines):
        # The middle of the space is the end that counts.
        goal = len(text) * line / lines - 0.5
        breaks.add(min(good_ends or ends, key=lambda end, goal=goal: abs(end - goal)))
    characters = [*text]
    for end in ends:
        if end not in breaks:
            characters[end] = "\u00a0"
    return "".join(characters)


def _tie_to_mark(mark: Tag, text: Text) -> Text:
    """Return a text that stays on the line of the tag before it, if it continues it."""
    # What dice are rolled for, the number of a stat, and the unit of a distance.
    patterns = {
        "dice": rf" {_JOINS}[^\W\d_]{{1,{MAX_COUNTED_LETTERS}}}(?!\w)",
        "stat": r" [+−]?\d",
        "dist": rf" {_SIGN}(?!\w)",
    }
    if mark.type in patterns and re.match(patterns[mark.type], text.text):
        return replace(text, text=f"\u00a0{text.text[1:]}")
    return text


def _tie_node(node: Node) -> Node:
    """Return a node of a paragraph without breaks between parts that belong together."""
    match node:
        case Text():
            return replace(node, text=_tie_text(node.text))
        case Emphasis() | Strong():
            return replace(node, children=tuple(map(_tie_node, node.children)))
    return node


def _tie_text(text: str) -> str:
    """Replace spaces between parts that belong together by no-break spaces."""
    # U+FEFF joins without a width, U+00A0 is a space and U+2011 a hyphen that do not break.
    text = _RANGE.sub("–\ufeff", text)
    text = _DASH.sub("\u00a0", text)
    text = _SUM.sub("\u00a0\\1\u00a0", text)
    text = _CHOICE.sub("\u00a0\\1\u00a0", text)
    text = _TIMES.sub(lambda match: match[0].replace(" ", "\u00a0"), text)
    text = _WHICH_IS.sub("\u00a0", text)
    text = _QUOTED_NUMBER.sub("\u00a0", text)
    text = _ABBREVIATION.sub(lambda match: f"{match[0][:-1]}\u00a0", text)
    text = _UNIT.sub(lambda match: f"{match[0][:-1]}\u00a0", text)
    text = _BEFORE.sub(lambda match: f"{match[0][:-1]}\u00a0", text)
    text = _AFTER.sub("\u00a0", text)
    return _HYPHEN.sub(lambda match: f"{match[1] or match[2] or ''}\u2011", text)


def _tie_last_word(nodes: list[Node], read_tag: Reading) -> None:
    """Keep a short last word, or a measure, on the line of the word before it."""
    before, _space, word = _join_text(*nodes, read_tag=read_tag).rpartition(" ")
    if not before:
        return
    is_short = len(word) <= MAX_LAST_WORD_LETTERS
    if (
        not is_short
        and not _is_short_pair(before, word)
        and not _ends_with_measure(nodes)
    ):
        return
    at = len(before)
    for index, node in enumerate(nodes):
        letters = _join_text(node, read_tag=read_tag)
        if at < len(letters):
            if isinstance(node, Text):
                nodes[index] = replace(
                    node, text=f"{node.text[:at]}\u00a0{node.text[at + 1 :]}"
                )
            return
        at -= len(letters)


def _is_short_pair(before: str, word: str) -> bool:
    """Return True if the last two words of a sentence should stay on one line."""
    pair_length = len(before.rpartition(" ")[2]) + 1 + len(word)
    sentence_length = len(before) + 1 + len(word)
    if sentence_length < MIN_SENTENCE_LETTERS:
        return False
    max_length = MAX_TIED_LETTERS
    if sentence_length >= MIN_WIDE_SENTENCE_LETTERS:
        max_length = MAX_WIDE_TIED_LETTERS
    is_last_word_limited = len(word) <= MAX_UNSTOPPED_LETTERS or word.endswith(_STOPS)
    return pair_length <= max_length and is_last_word_limited


def _ends_with_measure(nodes: Sequence[Node]) -> bool:
    """Return True if the paragraph ends with a dice roll or a distance."""
    # A text of one character is the full stop.
    for node in reversed(nodes):
        if not isinstance(node, Text) or len(node.text) > 1:
            return isinstance(node, Tag) and node.type in _MEASURES
    return False


def _join_text(*nodes: Node, read_tag: Reading) -> str:
    """Return the text of nodes without markup."""
    parts = []
    for node in nodes:
        match node:
            case Text():
                parts.append(node.text)
            case Tag():
                parts.append(read_tag(node))
            case Emphasis() | Strong():
                parts.append(_join_text(*node.children, read_tag=read_tag))
            case Break():
                parts.append(" ")
    return "".join(parts)
