"""What belongs together stays on one line: a number and what it counts, a range, a short word's hyphen, a short
preposition or particle of Russian and the word it belongs to, a last short word.

A dash or a sign of multiplication between words never begins a line.

Signs that the fonts of cards have: U+00A0 for a space, U+2011 for a hyphen, U+FEFF after a dash.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from builder.model.markup import Break, Emphasis, Node, Strong, Tag, Text

SHORT = 4
"""Letters of a last word, its full stop included, that does not stand on a line by itself."""
TOGETHER, LONG = 16, 24
"""Letters up to which the last two words of a sentence stay together, if it has LONG: no narrow column holds it."""
SHORTISH = 8
"""Letters that the last word may have where no full stop ends it: cells of tables are narrower."""
Reading: TypeAlias = Callable[[Tag], str]
"""What a tag is read as."""

COUNTED = 12
"""Letters that a word may have which stays on the line of the number before it."""

_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_SUM = re.compile(r"(?<=\d) ([·×+−=→]) (?=\d)")
_TIMES = re.compile(r"(?<=\S) ×(?: (?=\S))?")
_WHICH_IS = re.compile(r"(?<=\d:) (?=\d)")
_SIGN = r"[^\W\d_a-zа-яё]{2,4}"
_RUSSIAN = "а в и к о с у я во до за из ко на не ни но об от по со без для или над под при про"
_SMALL = "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in _RUSSIAN.split())
_BEFORE = re.compile(rf"(?<![\w-])(?:{_SMALL}) (?=\S|$)")
_ENGLISH = "a an and are as at by can for from has if in is it may of on or than the to with"
_JOINS = rf"(?!(?:{_SMALL}|{_ENGLISH.replace(' ', '|')})\b)"
_UNIT = re.compile(
    rf"(?<=\d) {_JOINS}(?=[^\W\d_]{{1,{COUNTED}}}(?!\w))|(?<![^\W_]){_SIGN} (?=[+−]?\d)"
)
_AFTER = re.compile(r" (?=(?:бы?|же?|ли)(?!\w))|^ (?=(?:бы?|же?|ли)(?!\w))")
_HYPHEN = re.compile(
    r"(?<!\w)(\w{1,2})-(?=\w)|(?<!\w)([A-ZА-ЯЁ]\w*)-(?=[A-ZА-ЯЁ])|(?<=\w)-(?=\w{1,2}(?!\w))"
)
_NUMBER = re.compile(r"\d $")
_STOPS = (".", "!", "?", "…", "»", "”")
_MEASURES = frozenset({"dist", "dice", "stat", "icon"})
_DASH = re.compile(r"(?<=\S) (?=[—–](?: |$))|^ (?=[—–](?: |$))")
_NAME = re.compile(r"(?<=\w)-(?=\w)")


def keep_together(nodes: Sequence[Node], read: Reading) -> tuple[Node, ...]:
    """The nodes of a paragraph, their breaks where none should be taken away."""
    made = [_tied(node) for node in nodes]
    for index, node in enumerate(made[:-1]):
        after = made[index + 1]
        number = _letters(*made[max(index - 1, 0) : index + 1], read=read)
        if not (isinstance(node, Text) and isinstance(after, Tag) and _NUMBER.search(number)):
            if isinstance(node, Tag) and isinstance(after, Text) and _counts(node.type, after.text):
                made[index + 1] = replace(after, text=f"\u00a0{after.text[1:]}")
        elif (
            after.type == "stat" or len(read(after).partition(" ")[0]) <= COUNTED
        ):  # what the number counts
            made[index] = replace(node, text=f"{node.text[:-1]}\u00a0")
    _last(made, read)
    return tuple(made)


@lru_cache(maxsize=2_000)
def keep_text_together(text: str) -> str:
    """A paragraph without marks, its breaks where none should be taken away."""
    return _letters(*keep_together((Text(text),), str), read=str)


def keep_name_together(name: str) -> str:
    """A name whose words with a hyphen are not broken there, nor after a short word."""
    return _BEFORE.sub(lambda found: f"{found[0][:-1]}\u00a0", _NAME.sub("\u2011", name))


def _counts(mark: str, text: str) -> bool:
    """True where a text goes on with what a mark of dice counts, the number of a stat, or a unit of length."""
    patterns = {
        "dice": rf" {_JOINS}[^\W\d_]{{1,{COUNTED}}}(?!\w)",
        "stat": r" [+−]?\d",
        "dist": rf" {_SIGN}(?!\w)",
    }
    return mark in patterns and re.match(patterns[mark], text) is not None


def _tied(node: Node) -> Node:
    """A node, its own breaks taken away."""
    match node:
        case Text():
            return replace(node, text=_inside(node.text))
        case Emphasis() | Strong():
            return replace(node, children=tuple(map(_tied, node.children)))
    return node


def _inside(text: str) -> str:
    """A text with its own breaks taken away."""
    text = _RANGE.sub("–\ufeff", text)
    text = _DASH.sub("\u00a0", text)
    text = _SUM.sub("\u00a0\\1\u00a0", text)
    text = _TIMES.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    text = _WHICH_IS.sub("\u00a0", text)
    text = _UNIT.sub(lambda found: f"{found[0][:-1]}\u00a0", text)
    text = _BEFORE.sub(lambda found: f"{found[0][:-1]}\u00a0", text)
    text = _AFTER.sub("\u00a0", text)
    return _HYPHEN.sub(lambda found: f"{found[1] or found[2] or ''}\u2011", text)


def _last(nodes: list[Node], read: Reading) -> None:
    """Tie a short last word, or a measure, to the word before it."""
    before, _, word = _letters(*nodes, read=read).rpartition(" ")
    pair = len(before.rpartition(" ")[2]) + 1 + len(word)
    tie = (
        len(before) + 1 + len(word) >= LONG
        and pair <= TOGETHER
        and (len(word) <= SHORTISH or word.endswith(_STOPS))
    )
    words = [
        node for node in nodes if not isinstance(node, Text) or len(node.text) > 1
    ]  # a full stop apart
    measured = bool(words) and isinstance(words[-1], Tag) and words[-1].type in _MEASURES
    if not before or not (tie or len(word) <= SHORT or measured):
        return
    at = len(before)
    for index, node in enumerate(nodes):
        letters = _letters(node, read=read)
        if at < len(letters):
            if isinstance(node, Text):
                nodes[index] = replace(node, text=f"{node.text[:at]}\u00a0{node.text[at + 1 :]}")
            return
        at -= len(letters)


def _letters(*nodes: Node, read: Reading) -> str:
    """What nodes are read as."""
    parts = []
    for node in nodes:
        match node:
            case Text():
                parts.append(node.text)
            case Tag():
                parts.append(read(node))
            case Emphasis() | Strong():
                parts.append(_letters(*node.children, read=read))
            case Break():
                parts.append(" ")
    return "".join(parts)
