"""Draws docs/architecture.svg from the imports as they are.

Rooms in their layers, and who leans on whom (where a room leans on another by way of a third, that
line alone is left out).

usage: python tools/architecture.py [--check]    --check writes nothing, and fails where the picture
is out of date
"""

from __future__ import annotations

import ast
import configparser
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

import grimp

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, SIDE, TALL, GAP, STEP = 1180, 16, 74, 14, 112
STYLE = """
text { font: 13px 'Roboto', 'DejaVu Sans', sans-serif; fill: #1c2733 }
.job { font-size: 10.5px; fill: #51606f }
.room { fill: #f6f8fa; stroke: #51606f; stroke-width: 1.2 }
.name { font-weight: 700 }
.lean { fill: none; stroke: #2f6fab; stroke-width: 1.3; opacity: .75 }
"""


@dataclass(frozen=True)
class Room:
    """A box of the picture: a package or module right below `builder`, in px."""

    name: str
    job: str
    x: float
    y: float
    width: float

    @property
    def middle(self) -> float:
        """Where arrows begin and end."""
        return self.x + self.width / 2


def layers() -> list[list[str]]:
    """Return the rooms of each layer, highest first, as the import contracts state them."""
    config = configparser.ConfigParser()
    config.read(ROOT / ".importlinter", encoding="utf-8")
    stated = config["importlinter:contract:layers"]["layers"].split("\n")
    return [
        [name.strip().removeprefix("builder.") for name in line.split("|")]
        for line in stated
        if line.strip()
    ]


def job(name: str) -> str:
    """Return what a room is for: the first sentence of its docstring."""
    folder = ROOT / "builder" / name
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.split("\n")[0].split(". ")[0].rstrip(".")


def placed(rows: list[list[str]]) -> dict[str, Room]:
    """Return every room with its place: one row a layer."""
    rooms = {}
    for number, row in enumerate(rows):
        wide = min((WIDTH - 2 * SIDE - GAP * (len(row) - 1)) / len(row), 380)
        left = (WIDTH - wide * len(row) - GAP * (len(row) - 1)) / 2
        for place, name in enumerate(row):
            rooms[name] = Room(
                name, job(name), left + place * (wide + GAP), SIDE + number * STEP, wide
            )
    return rooms


def leanings(rooms: dict[str, Room]) -> dict[str, set[str]]:
    """For each room those that its modules import."""
    graph = grimp.build_graph("builder", cache_dir=None)
    found: dict[str, set[str]] = {name: set() for name in rooms}
    for module in graph.modules:
        own = module.split(".")[1] if "." in module else ""
        for imported in graph.find_modules_directly_imported_by(module):
            other = imported.split(".")[1] if "." in imported else ""
            if own in rooms and other in rooms and own != other:
                found[own].add(other)
    return found


def reached(leans: dict[str, set[str]], name: str) -> set[str]:
    """Return all rooms that a room leans on, directly or by way of others."""
    return {far for near in leans[name] for far in (near, *reached(leans, near))}


def drawn() -> str:
    """Return the picture."""
    rows = layers()
    rooms = placed(rows)
    leans = leanings(rooms)
    height = 2 * SIDE + STEP * (len(rows) - 1) + TALL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
        f"<style>{STYLE}</style>",
    ]
    parts.append(f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>')
    for near, others in sorted(leans.items()):
        implied = {far for other in others for far in reached(leans, other)}
        parts += [_arrow(rooms[near], rooms[far]) for far in sorted(others - implied)]
    parts += [_box(room) for room in rooms.values()]
    return "\n".join([*parts, "</svg>", ""])


def _arrow(near: Room, far: Room) -> str:
    top, bottom = near.y + TALL, far.y
    bend = (bottom - top) / 2
    return (
        f'<path class="lean" d="M{near.middle:.1f} {top:.1f}C{near.middle:.1f} {top + bend:.1f} '
        f'{far.middle:.1f} {bottom - bend:.1f} {far.middle:.1f} {bottom:.1f}"/>'
    )


def _box(room: Room) -> str:
    lines = _lines(room.job, int((room.width - 20) / 6.4))
    told = "".join(
        (
            f'<text class="job" '
            f'x="{room.x + 10:.1f}" '
            f'y="{room.y + 34 + 12 * number}">{escape(line)}</text>'
        )
        for number, line in enumerate(lines[:3])
    )
    return (
        f'<rect class="room" x="{room.x:.1f}" y="{room.y}" '
        f'width="{room.width:.1f}" '
        f'height="{TALL}" rx="6"/>'
        f'<text class="name" '
        f'x="{room.x + 10:.1f}" '
        f'y="{room.y + 18}">{escape(room.name)}</text>{told}'
    )


def _lines(text: str, letters: int) -> list[str]:
    """Return a text broken into lines of so many letters."""
    words = text.split()
    cuts = [0]
    for end in range(1, len(words) + 1):
        if len(" ".join(words[cuts[-1] : end])) > letters:
            cuts.append(end - 1)
    return [" ".join(words[start:end]) for start, end in pairwise([*cuts, len(words)])]


def main(words: list[str]) -> int:
    """Write the picture, or say whether it is up to date."""
    picture = drawn()
    if "--check" in words:
        return 0 if PICTURE.read_text(encoding="utf-8") == picture else 1
    PICTURE.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
