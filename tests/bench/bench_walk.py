"""The walk of one card's field.

The modules that a card's name goes through, from its file to its letters on paper.

One card of a toy pack is named by a word that stands nowhere else, and is built as a user would
build it, in one process. Every call of the program's own functions is looked at: a module counts
where one of its functions is given, holds or returns something that holds the word. After the
letters became glyphs the word is gone, and with it the walk.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from builder.cli.main import squadpress

ROOT = Path(__file__).resolve().parents[2]
PACK, CARD, NAME, WORD = "lanterns", "dusk-moth", "Dusk Moth", "Quixotl"
DEEP, MANY = 4, 40
"""How deep a value is looked into, and how many of its items."""


def main() -> None:
    """Print the modules in the order in which the word reaches them."""
    modules = walk()
    for module in modules:
        print(f"  {module}")
    print(f"{'modules that a card’s name goes through':<44} {len(modules):7}")


def walk() -> tuple[str, ...]:
    """Return the modules in the order in which the word reaches them."""
    seen: dict[str, None] = {}

    def look(frame: FrameType, event: str, arg: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if (
            event not in ("call", "return")
            or not module.startswith("builder.")
            or module in seen
        ):
            return
        if any(_holds(value, DEEP, set()) for value in (*frame.f_locals.values(), arg)):
            seen[module] = None

    with tempfile.TemporaryDirectory() as folder:
        command = [
            "build",
            PACK,
            "--project",
            str(_project(Path(folder))),
            "--lang",
            "en",
            "--workers",
            "1",
            "--quiet",
        ]
        sys.setprofile(look)
        try:
            squadpress.main([*command, "--only", f"id={CARD}"], standalone_mode=False)
        finally:
            sys.setprofile(None)
    return tuple(seen)


def _project(folder: Path) -> Path:
    """Return a copy of the toy pack in which one card has a name of its own."""
    shutil.copytree(ROOT / "tests" / "toys" / PACK, folder, dirs_exist_ok=True)
    path = folder / "cards" / PACK / "spirit" / f"{CARD}.yaml"
    path.write_text(
        path.read_text("utf-8").replace(f"name: {NAME}", f"name: {WORD}"), "utf-8"
    )
    return folder


def _holds(value: object, deep: int, met: set[int]) -> bool:
    """Return True where a value is, or holds, a text or bytes with the word."""
    if isinstance(value, str):
        return WORD in value
    if isinstance(value, bytes | bytearray):
        return WORD.encode() in value
    if not deep or id(value) in met:
        return False
    met.add(id(value))
    return any(_holds(part, deep - 1, met) for part in _parts(value))


def _parts(value: object) -> Iterator[object]:
    """Yield what a collection or an object of the program's own holds, its first items."""
    if isinstance(value, dict):
        yield from list(value.values())[:MANY]
    elif isinstance(value, list | tuple | set | frozenset):
        yield from list(value)[:MANY]
    elif type(value).__module__.startswith("builder."):
        yield from list(getattr(value, "__dict__", {}).values())[:MANY]
        slots = getattr(type(value), "__slots__", ())
        yield from (
            getattr(value, name, None)
            for name in ((slots,) if isinstance(slots, str) else slots)
        )
