"""Find the blocks of a face in its template: the line, and the fields that it prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from builder.findings import Box
from builder.render.files import find_inside, read_text
from builder.render.jobs import FaceFacts, FaceJob, Places
from builder.render.renderer import Renderer

MAX_FIELDS = 4
"""Fields of a block that the page names."""
FIELD = re.compile(r"""\bcard(?:\.get\(["']([\w-]+)|\[["']([\w-]+)|\.(?!get\b)([a-z_][\w.]*))""")
MAP_METHODS = (".values", ".items", ".keys", ".get")
OPENING_TAG = re.compile(r"<([a-zA-Z][\w-]*)[^<>]*$")
USED_TEMPLATE = re.compile(
    r"""\{%-?\s*(?:from|import|include|extends)\s+["']([^"']+)["'](?:\s+import\s+([\w, ]+))?"""
)
MACRO_BLOCK = re.compile(r"""\bblock=["']([\w -]+)["']|\bfit-([\w-]+)""")
"""A block that a macro declares: in its HTML, or as the default of its parameter."""
MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\(")


@dataclass(frozen=True, slots=True)
class FaceBlock:
    """A block of a face: its box in mm from the bleed corner, template line, and fields."""

    name: str
    box: Box
    template: str
    line: int
    field: str


@dataclass(frozen=True, slots=True)
class BlockSource:
    """The line of a template where a block begins, and the template's text of it."""

    line: int
    text: str


@dataclass(frozen=True)
class FaceTemplate:
    """The template of a face, as its author edits it."""

    text: str
    places: Places

    def find_block(self, name: str, number: int) -> BlockSource | None:
        """Return where the block begins, or the macro that draws it is called. None if unknown.

        `number` counts the blocks with this name from 0.
        """
        starts = find_elements(self.text, name)
        if starts:
            return self._read_element(starts[min(number, len(starts) - 1)])
        named_calls = re.finditer(rf"""\{{\{{[^{{}}]*block=["']{re.escape(name)}["']""", self.text)
        calls = [match.start() for match in named_calls]
        for macro in self.macros_by_block.get(name, ()):
            pattern = rf"\{{[{{%][^{{}}%]*\b{re.escape(macro)}\("
            calls += [match.start() for match in re.finditer(pattern, self.text)]
        return self._read_line(calls[min(number, len(calls) - 1)]) if calls else None

    @cached_property
    def macros_by_block(self) -> dict[str, list[str]]:
        """The macros of imported templates by the blocks that they draw."""
        macros: dict[str, list[str]] = {}
        for match in USED_TEMPLATE.finditer(self.text):
            name = match[1]
            root = self.places.base if name.startswith("base/") else self.places.templates
            path = find_inside(root, name.removeprefix("base/"))
            if path is not None:
                add_macros(read_text(path), macros)
        return macros

    def _read_element(self, start: int) -> BlockSource:
        """Return an element up to its closing tag."""
        tag = re.match(r"<([\w-]+)", self.text[start:])
        name = tag[1] if tag else ""
        depth = 0
        for match in re.finditer(rf"<(/?){re.escape(name)}\b[^<>]*>", self.text[start:]):
            depth += -1 if match[1] else 1
            if depth == 0:
                return BlockSource(self._count_line(start), self.text[start:][: match.end()])
        return self._read_line(start)

    def _read_line(self, start: int) -> BlockSource:
        """Return the rest of a line."""
        return BlockSource(self._count_line(start), self.text[start:].partition("\n")[0])

    def _count_line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1


def find_elements(text: str, block: str) -> list[int]:
    """Return the positions of the tags that declare a block."""
    name = re.escape(block)
    pattern = rf"""data-block=["']{name}["']|(?<![\w-])fit-{name}(?![\w-])"""
    starts: list[int] = []
    for match in re.finditer(pattern, text):
        tag = OPENING_TAG.search(text[: match.start()])
        if tag and tag.start() not in starts:
            starts.append(tag.start())
    return starts


def add_macros(text: str, macros: dict[str, list[str]]) -> None:
    """Add the macros of a template by the blocks that they draw."""
    definitions = list(MACRO.finditer(text))
    ends = [match.start() for match in definitions[1:]] + [len(text)]
    for match, end in zip(definitions, ends, strict=True):
        body = text[match.start() : end]
        for block in MACRO_BLOCK.finditer(body):
            macros.setdefault(block[1] or block[2], []).append(match[1])


def list_fields(text: str) -> list[str]:
    """Return the fields of the card that a piece of a template prints."""
    fields: dict[str, None] = {}
    for match in FIELD.finditer(text):
        name = match[1] or match[2] or match[3]
        for method in MAP_METHODS:
            name = name.removesuffix(method)
        fields[name] = None
    return [*fields]


def list_face_blocks(renderer: Renderer, job: FaceJob, facts: FaceFacts) -> Iterator[FaceBlock]:
    """Yield the painted blocks of a face, the largest first, so that small ones lie above."""
    path = renderer.places.templates / renderer.name_template(job)
    template = FaceTemplate(read_template(path), renderer.places)
    shown = renderer.places.format_path(path)
    counts: dict[str, int] = {}
    blocks: list[FaceBlock] = []
    for painted in facts.painted:
        number = counts.get(painted.name, 0)
        counts[painted.name] = number + 1
        source = template.find_block(painted.name, number)
        fields = list_fields(source.text) if source else []
        line = source.line if source else 0
        field = ", ".join(fields[:MAX_FIELDS])
        blocks.append(FaceBlock(painted.name, painted.box, shown, line, field))
    yield from sorted(blocks, key=lambda block: -block.box.width * block.box.height)


def read_template(path: Path) -> str:
    """Return the text of a template; empty if there is none."""
    return read_text(path) if path.is_file() else ""
