"""A project with as many cards as a bench wants, no two of which say the same.

Cards of one game share their numbers and keywords, hardly their words. So a made-up card has the
numbers of one of the pack's own, its running texts in another order of words, and names whose words
begin as one of the pack's and end as another: of natural length and language, without meaning, and
different from every other card's.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
PACK, KIND, LANG = "hydrophilia", "character", "ru"

NAMES, TEXTS = frozenset({"name"}), frozenset({"text", "detail", "flavour"})
FEW = 7
"""Texts of fewer words have too few orders."""

LONG = 12
"""Of so many words one goes."""

_WORD = re.compile(r"(?:\{[^}]*\}|\*+[^*]+\*+|[^\s{*])+")
"""A word with its signs, or marked words however many."""


def project_of(folder: Path, count: int) -> Path:
    """Return a copy of this project in a folder, with so many cards of the kind."""
    for part in ("cards", "schemas", "templates"):
        shutil.copytree(ROOT / part, folder / part, dirs_exist_ok=True)
    grow(folder, count)
    return folder


def grow(folder: Path, count: int) -> None:
    """Cards up to a number: the pack's own and made-up ones, the same in every run."""
    for card, data in made(count):
        path = folder / "cards" / PACK / KIND / f"{card}.yaml"
        with path.open("w", encoding="utf-8") as file:
            file.write(
                f"# yaml-language-server: $schema=../../../schemas/{PACK}/{KIND}.schema.json\n"
            )
            writer = YAML(typ="rt")
            writer.width = 120
            writer.dump(data, file)


def made(count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the made-up cards, by id."""
    sources = [
        path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "cards" / PACK / KIND).rglob("*.yaml"))
    ]
    own = [YAML(typ="safe").load(source) for source in sources]
    words = sorted(
        {
            word
            for card in own
            for name in texts(card, NAMES)
            for word in re.findall(r"\w{4,}", name)
        }
    )
    said = {text for card in own for text in texts(card)}
    for index in range(len(own), count):
        data = YAML(typ="safe").load(sources[index % len(own)])
        data["id"] = f"card-{index:04}"
        _reword(data, random.Random(index), words, said)
        yield data["id"], data


def texts(data: Any, keys: frozenset[str] = NAMES | TEXTS) -> Iterator[str]:
    """Yield every name and running text of a card."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, str) and key in keys:
            yield value
        else:
            yield from texts(value, keys)


def _reword(
    data: dict[str, Any], chance: random.Random, words: list[str], said: set[str]
) -> None:
    """Say everything on a card in words not said before."""
    for key, value in data.items():
        if isinstance(value, dict):
            _reword(value, chance, words, said)
        elif isinstance(value, str) and key in NAMES | TEXTS:
            parts = value.split(" ") if key in NAMES else _WORD.findall(value)
            while value in said:
                value = (
                    _name(parts, chance, words)
                    if key in NAMES
                    else _text(parts, chance, words)
                )
            said.add(value)
            data[key] = value


def _name(parts: list[str], chance: random.Random, words: list[str]) -> str:
    """Return a name of as many words, each about as long as before."""
    return " ".join(
        _joined(part, *chance.sample(words, 2)) for part in parts
    ).capitalize()


def _joined(old: str, first: str, last: str) -> str:
    """Return the beginning of a word and the end of another."""
    half = max(2, len(old) // 2)
    return first[:half] + last[-max(2, len(old) - half) :]


def _text(parts: list[str], chance: random.Random, words: list[str]) -> str:
    """Return a text in another order of words; one word more tells short texts apart.

    Of long ones a few words go: in another order they break worse, and the fullest of the pack's
    cards have no room.
    """
    parts = [*parts, chance.choice(words).lower()] if len(parts) < FEW else list(parts)
    chance.shuffle(parts)
    return " ".join(parts[: len(parts) - len(parts) // LONG])
