"""What the rules of a style sheet look at besides an element's own names and those of the elements around it. Pure.

Most rules ask for tags, classes and identities alone. Elements that are named alike, within elements named alike, are
then selected by the same rules and need not be matched again. Where rules ask what stands beside an element, that
counts as one of its names; and of a sheet that asks for anything else nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BODY = re.compile(r"\{[^{}]*\}")
_END = re.compile(r"[;,{}]")
_AT = re.compile(r"@(?:media|page|font-face)\b")
_FORMULA = re.compile(r"\(\s*(?:odd|even|[\dn+\-\s]+)\s*\)")
_ORDER = r"(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type)\(\)"
_PSEUDO = rf"(?:before|after|marker|first-letter|first-line|root|{_ORDER})"
_COMPOUND = re.compile(rf"(?:[a-zA-Z][\w-]*|\*)?(?:[.#][\w-]+|::?{_PSEUDO})*")
_ORDERED = re.compile(rf":({_ORDER})")
_COMBINED = re.compile(r"\s*([>+~])\s*|\s+")
_NAME = re.compile(r"^[a-zA-Z][\w-]*|\.[\w-]+")


NEAR, FAR = 1, 2


class Kin(NamedTuple):
    """Tags (`p`) and classes (`.arm`) of elements that some rule selects by what stands beside them: by the one just
    before (`near`), or by any.
    """

    near: frozenset[str]
    far: frozenset[str]

    def beside(self, tag: str, classes: str | None) -> int:
        """Whether what stands beside an element of this name counts: NEAR the one just before, FAR any, else 0."""
        names = {tag.rpartition("}")[2].lower(), *(f".{name}" for name in (classes or "").split())}
        return FAR if not self.far.isdisjoint(names) else NEAR * (not self.near.isdisjoint(names))


NONE = Kin(frozenset(), frozenset())


def kin(sheet: str) -> Kin | None:
    """What the rules of a style sheet look at; None if at more than can be told."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for selector in _END.split(_BODY.sub(";", _COMMENT.sub("", sheet))):
        if selector.strip() and not _AT.match(selector.strip()):
            names = _beside(_FORMULA.sub("()", selector.strip()))
            if names is None:
                return None
            for near, name in names:
                found[near].add(name)
    return Kin(frozenset(found[True]), frozenset(found[False]))


def both(kins: Iterable[Kin | None]) -> Kin | None:
    """What several style sheets look at."""
    known = [each for each in kins if each is not None]
    if len(known) < len(list(kins)):
        return None
    near, far = (frozenset().union(*sides) for sides in zip(NONE, *known, strict=True))
    return Kin(near, far)


def _beside(selector: str) -> set[tuple[bool, str]] | None:
    """The names of what a selector selects by its neighbours, each with whether the one before tells all."""
    compounds = _COMBINED.split(f" {selector}")[1:]
    looks = []
    for combinator, compound in zip(compounds[::2], compounds[1::2], strict=True):
        ordered = _ORDERED.findall(compound)
        if not _COMPOUND.fullmatch(compound):
            return None
        looks += [(compound, kind) for kind in (*(combinator or "").strip(">"), *ordered)]
    near = len(looks) == 1 and looks[0][1] in ("+", "first-child")
    if not all(_NAME.search(compound) for compound, _ in looks):
        return None
    return {
        (near, name if name[0] == "." else name.lower()) for compound, _ in looks for name in _NAME.findall(compound)
    }
