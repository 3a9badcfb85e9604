"""No game's words live in the program.

Pack, keyword, stat, term and faction ids and names of every pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.house.source import ROOT, modules, place, tokens

ALLOWED: dict[str, str] = {
    "area": "geometry",
    "character": "a letter or another sign of a text",
    "control": "a control character, as a scanner of YAML says",
    "cover": "a size of pictures in style sheets",
    "damage": "an ordinary word: a damaged file",
    "dash": "a punctuation mark",
    "escape": "a sign that stands for itself",
    "marked": "text with markup",
    "pass": "a Python keyword",
    "physical": "the report format's own word for a place in a file",
    "ready": "an ordinary word",
    "turn": "a unit of angles in style sheets",
    "visibility": "a property of style sheets",
}
"""Words of some pack that are ordinary words of programs, each with its reason."""

SECTIONS = ("keywords", "stats", "terms", "factions")
WORD = re.compile(r"[^\W\d_]+(?:[-_][^\W\d_]+)*", re.UNICODE)


def packs() -> list[Path]:
    folders = (ROOT / "cards", ROOT / "tests" / "toys")
    return sorted(
        path.parent
        for folder in folders
        if folder.is_dir()
        for path in folder.rglob("pack.yaml")
    )


def spoken(pack: Path) -> Iterator[str]:
    """Yield every word of a pack's own language that a program could let slip, in lower case."""
    yield pack.name
    vocabulary = pack / "vocabulary.yaml"
    if not vocabulary.is_file():
        return
    value = YAML(typ="safe").load(vocabulary.read_text(encoding="utf-8"))
    for section in SECTIONS:
        for word, term in (value.get(section) or {}).items():
            yield str(word)
            yield from (str(name).lower() for name in (term.get("name") or {}).values())


@cache
def written() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the words of each line of the program, in lower case, after the place of the line."""
    found = []
    for path in modules():
        for line, _, text in tokens(path):
            words = {word.lower() for word in WORD.findall(text)}
            found.append(
                (
                    f"{place(path)}:{line}",
                    frozenset(words | {word.replace("_", "-") for word in words}),
                )
            )
    return tuple(found)


@pytest.mark.parametrize("pack", packs(), ids=lambda pack: pack.name)
def test_no_word_of_a_game_stands_in_the_program(pack: Path) -> None:
    forbidden = {word for word in spoken(pack) if len(word) > 2} - ALLOWED.keys()
    assert [
        f"{spot} {word}"
        for spot, words in written()
        for word in sorted(words & forbidden)
    ] == []
