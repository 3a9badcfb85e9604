"""What belongs together stays on one line: a number and its unit, a range, a short word's hyphen, a last short word.

A dash between words ends a line and never begins one.

Signs that the fonts of cards have: U+00A0 for a space, U+2011 for a hyphen, U+FEFF after a dash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from builder.model.markup import Node, Tag, Text

SHORT = 4
"""Letters of a last word, its full stop included, that does not stand on a line by itself."""

SHORTISH, BEFORE, LONG = 8, 7, 24
"""The same of a paragraph of LONG letters, which no narrow column holds, where the word before has BEFORE or fewer."""

_RANGE = re.compile(r"(?<=\d)–(?=\d)")
_SUM = re.compile(r"(?<=\d) ([·×+−=→]) (?=\d)")
_WHICH_IS = re.compile(r"(?<=\d:) (?=\d)")
_UNIT = re.compile(r"(?<=\d) (?=[^\W\d_a-zа-яё]{2,4}\b)")
_HYPHEN = re.compile(r"(?<!\w)(\w{1,2})-(?=\w)|(?<=\w)-(?=\w{1,2}(?!\w))")
_NUMBER = re.compile(r"\d $")
_LAST = re.compile(rf" (?=[^ ]{{1,{SHORT}}}$)")
_LAST_OF_LONG = re.compile(rf"(?<= )([^ ]{{1,{BEFORE}}}) (?=[^ ]{{1,{SHORTISH}}}$)")
_DASH = re.compile(r"(?<=[^\W\d_][\w»”,)]) (?=[—–] )|^ (?=[—–] )")
_MEASURES = frozenset({"dist", "dice", "stat", "icon"})


def tied(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The nodes of a paragraph, their breaks where none should be taken away."""
    made = [replace(node, text=_inside(node.text)) if isinstance(node, Text) else node for node in nodes]
    for index, node in enumerate(made[:-1]):
        after = made[index + 1]
        if isinstance(node, Text) and isinstance(after, Tag) and after.type == "stat" and _NUMBER.search(node.text):
            made[index] = replace(node, text=f"{node.text[:-1]}\u00a0")
    _last(made)
    return tuple(made)


def _inside(text: str) -> str:
    """Ties within a text."""
    text = _RANGE.sub("–\ufeff", text)
    text = _DASH.sub("\u00a0", text)
    text = _SUM.sub("\u00a0\\1\u00a0", text)
    text = _WHICH_IS.sub("\u00a0", text)
    text = _UNIT.sub("\u00a0", text)
    return _HYPHEN.sub(lambda found: f"{found[1] or ''}\u2011", text)


def _last(nodes: list[Node]) -> None:
    """Tie a short last word, or a measure with its full stop, to what stands before it."""
    end = len(nodes) - 1
    if end > 0 and isinstance(nodes[end], Text) and len(nodes[end].text) <= 1:  # type: ignore[union-attr]
        end -= 1
    node = nodes[end] if nodes else None
    if isinstance(node, Text) and end == len(nodes) - 1:
        text = _LAST.sub("\u00a0", node.text)
        nodes[end] = replace(node, text=_LAST_OF_LONG.sub("\\1\u00a0", text) if len(text) >= LONG else text)
    elif isinstance(node, Tag) and node.type in _MEASURES and end > 0:
        before = nodes[end - 1]
        if isinstance(before, Text) and before.text.endswith(" "):
            nodes[end - 1] = replace(before, text=f"{before.text[:-1]}\u00a0")
