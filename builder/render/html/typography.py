"""What belongs together stays on one line: a number and its unit, a range, a short word's hyphen, a last short word.

A dash between words ends a line and never begins one.

Signs that the fonts of cards have: U+00A0 for a space, U+2011 for a hyphen, U+FEFF after a dash.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
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

_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_SUM = re.compile(r"(?<=\d) ([·×+−=→]) (?=\d)")
_WHICH_IS = re.compile(r"(?<=\d:) (?=\d)")
_SIGN = r"[^\W\d_a-zа-яё]{2,4}"
_UNIT = re.compile(rf"(?<=\d) (?={_SIGN}\b)")
_HYPHEN = re.compile(r"(?<!\w)(\w{1,2})-(?=\w)|(?<=\w)-(?=\w{1,2}(?!\w))")
_NUMBER = re.compile(r"\d $")
_STOPS = (".", "!", "?", "…", "»", "”")
_MEASURES = frozenset({"dist", "dice", "stat", "icon"})
_DASH = re.compile(r"(?<=[^\W\d_][\w»”,)]) (?=[—–] )|^ (?=[—–] )")


def keep_together(nodes: Sequence[Node], read: Reading) -> tuple[Node, ...]:
    """The nodes of a paragraph, their breaks where none should be taken away."""
    made = [replace(node, text=_inside(node.text)) if isinstance(node, Text) else node for node in nodes]
    for index, node in enumerate(made[:-1]):
        after = made[index + 1]
        number = _letters(*made[max(index - 1, 0) : index + 1], read=read)
        if not (isinstance(node, Text) and isinstance(after, Tag) and _NUMBER.search(number)):
            continue
        if after.type == "stat" or re.fullmatch(_SIGN, read(after)):  # what the number counts
            made[index] = replace(node, text=f"{node.text[:-1]}\u00a0")
    _last(made, read)
    return tuple(made)


def keep_text_together(text: str) -> str:
    """A paragraph without marks, its breaks where none should be taken away."""
    return _letters(*keep_together((Text(text),), str), read=str)


def _inside(text: str) -> str:
    """A text with its own breaks taken away."""
    text = _RANGE.sub("–\ufeff", text)
    text = _DASH.sub("\u00a0", text)
    text = _SUM.sub("\u00a0\\1\u00a0", text)
    text = _WHICH_IS.sub("\u00a0", text)
    text = _UNIT.sub("\u00a0", text)
    return _HYPHEN.sub(lambda found: f"{found[1] or ''}\u2011", text)


def _last(nodes: list[Node], read: Reading) -> None:
    """Tie a short last word, or a measure, to the word before it."""
    before, _, word = _letters(*nodes, read=read).rpartition(" ")
    pair = len(before.rpartition(" ")[2]) + 1 + len(word)
    tie = len(before) + 1 + len(word) >= LONG and pair <= TOGETHER and (len(word) <= SHORTISH or word.endswith(_STOPS))
    words = [node for node in nodes if not isinstance(node, Text) or len(node.text) > 1]  # a full stop apart
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
