"""Differences of texts by words, and whether a text's rules changed or only its wording."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

TOKEN = re.compile(r"\{[^{}]*\}|\w+|\s+|[^\w\s]")
SUBSTANCE = re.compile(r"\{[^{}]*\}|\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that stayed, is gone or is new."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_difference(old: str, new: str) -> tuple[Piece, ...]:
    """Pieces in reading order; the kept and gone ones join to `old`, the kept and new ones to `new`.

    A marked-up word such as `{key:swift}` is one word.
    """
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    pieces: list[Piece] = []
    for tag, start, stop, left, right in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", "".join(before[start:stop])))
            continue
        if stop > start:
            pieces.append(Piece("gone", "".join(before[start:stop])))
        if right > left:
            pieces.append(Piece("new", "".join(after[left:right])))
    return tuple(pieces)


def substance(text: str) -> tuple[str, ...]:
    """What a text commits to: its numbers, and what its markup names (grammatical forms left out)."""
    return tuple(found.partition("|")[0].rstrip("}") for found in SUBSTANCE.findall(text))


def same_substance(old: str, new: str) -> bool:
    """True if numbers and marked-up words are the same: only the wording can differ."""
    return sorted(substance(old)) == sorted(substance(new))
