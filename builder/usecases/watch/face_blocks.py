"""Find the blocks of a face in its template: the line, and the fields that it prints."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from builder.findings import Box
from builder.render.files import find_inside, read_text
from builder.render.jobs import FaceFacts, FaceJob, Places
from builder.render.renderer import Renderer

MAX_FIELDS = 4
"""Fields of a block that the page names."""
# A field of the card: `card.get("name")`, `card["name"]` or `card.stats.speed`.
FIELD = re.compile(
    r"""\bcard(?:\.get\(["']([\w-]+)|\[["']([\w-]+)|\.(?!get\b)([a-z_][\w.]*))"""
)
MAP_METHODS = (".values", ".items", ".keys", ".get")
# The tag in which a text ends: `<div class="box"` without its `>`.
OPENING_TAG = re.compile(r"<([a-zA-Z][\w-]*)[^<>]*$")
# `{% from "base/blocks.html.j2" import stat_row %}`, and the other statements that name a template.
USED_TEMPLATE = re.compile(
    r"""\{%-?\s*(?:from|import|include|extends)\s+["']([^"']+)["'](?:\s+import\s+([\w, ]+))?"""
)
MACRO_BLOCK = re.compile(r"""\bblock=["']([\w -]+)["']|\bfit-([\w-]+)""")
"""A block that a macro declares: in its HTML, or as the default of its parameter."""
# The start of a macro, with its name: `{% macro stat_row(`.
MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\(")


@dataclass(frozen=True, slots=True)
class FaceBlock:
    """A block of text on a face, with the place in the template that draws it.

    `box` is in mm from the bleed corner. `field` names the card fields that the block prints.
    """

    name: str
    box: Box
    template: str
    line: int
    field: str


@dataclass(frozen=True, slots=True)
class BlockSource:
    """The line of a template where a block begins, and the template's text for the block."""

    line: int
    text: str


@dataclass(frozen=True)
class FaceTemplate:
    """The template file of a face, searched for the sources of blocks."""

    text: str
    places: Places

    def find_block(self, name: str, number: int) -> BlockSource | None:
        """Return the template's text that draws a block, or the macro call. None if not found.

        `number` counts the blocks with this name from 0.
        """
        starts = find_elements(self.text, name)
        if starts:
            # An element in a loop is one in the template and several on the face.
            return self._read_element(starts[min(number, len(starts) - 1)])
        # A call with the block's name: `{{ text_box(card.text, block="text")`.
        patterns = [rf"""\{{\{{[^{{}}]*block=["']{re.escape(name)}["']"""]
        # A call of a macro that always draws the block: `{{ stat_row(` or `{% call stat_row(`.
        macros = map(re.escape, self.macros_by_block.get(name, ()))
        patterns += [rf"\{{[{{%][^{{}}%]*\b{macro}\(" for macro in macros]
        calls: list[int] = []
        for pattern in patterns:
            calls += [match.start() for match in re.finditer(pattern, self.text)]
        return self._read_line(calls[min(number, len(calls) - 1)]) if calls else None

    @cached_property
    def macros_by_block(self) -> dict[str, list[str]]:
        """The names of macros in used templates, by the blocks that they draw."""
        macros: dict[str, list[str]] = {}
        for match in USED_TEMPLATE.finditer(self.text):
            name = match[1]
            root = (
                self.places.base if name.startswith("base/") else self.places.templates
            )
            path = find_inside(root, name.removeprefix("base/"))
            if path is not None:
                add_macros(read_text(path), macros)
        return macros

    def _read_element(self, start: int) -> BlockSource:
        """Return the HTML element that starts at a position, up to its closing tag."""
        text = self.text[start:]
        tag = re.match(r"<([\w-]+)", text)
        name = tag[1] if tag else ""
        depth = 0
        for match in re.finditer(rf"<(/?){re.escape(name)}\b[^<>]*>", text):
            depth += -1 if match[1] else 1
            if depth == 0:
                return BlockSource(self._count_line(start), text[: match.end()])
        # The tag is not closed, or closed inside a statement.
        return self._read_line(start)

    def _read_line(self, start: int) -> BlockSource:
        """Return the rest of the line from a position on."""
        return BlockSource(
            self._count_line(start), self.text[start:].partition("\n")[0]
        )

    def _count_line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1


def find_elements(text: str, block: str) -> list[int]:
    """Return the positions of the HTML tags in a template that declare a block."""
    name = re.escape(block)
    pattern = rf"""data-block=["']{name}["']|(?<![\w-])fit-{name}(?![\w-])"""
    starts: dict[int, None] = {}
    for match in re.finditer(pattern, text):
        # One tag may declare the block twice, by its attribute and by its class.
        tag = OPENING_TAG.search(text[: match.start()])
        if tag:
            starts[tag.start()] = None
    return [*starts]


def add_macros(text: str, macros: dict[str, list[str]]) -> None:
    """Add the macros of a template to `macros`, by the blocks that they draw."""
    definitions = list(MACRO.finditer(text))
    ends = [match.start() for match in definitions[1:]] + [len(text)]
    for match, end in zip(definitions, ends, strict=True):
        body = text[match.start() : end]
        for block in MACRO_BLOCK.finditer(body):
            macros.setdefault(block[1] or block[2], []).append(match[1])


def list_fields(text: str) -> list[str]:
    """Return the card fields that a piece of a template prints."""
    fields: dict[str, None] = {}
    for match in FIELD.finditer(text):
        name = match[1] or match[2] or match[3]
        for method in MAP_METHODS:
            name = name.removesuffix(method)
        fields[name] = None
    return [*fields]


def list_face_blocks(
    renderer: Renderer, job: FaceJob, facts: FaceFacts
) -> Iterator[FaceBlock]:
    """Yield the painted blocks of a face, the largest first, so that small ones lie above."""
    path = renderer.places.templates / renderer.name_template(job)
    # The template of a common frame or back is optional.
    text = read_text(path) if path.is_file() else ""
    template = FaceTemplate(text, renderer.places)
    template_path = renderer.places.format_path(path)
    counts: Counter[str] = Counter()
    blocks: list[FaceBlock] = []
    for painted in facts.painted:
        source = template.find_block(painted.name, counts[painted.name])
        counts[painted.name] += 1
        fields = list_fields(source.text) if source else []
        line = source.line if source else 0
        field = ", ".join(fields[:MAX_FIELDS])
        blocks.append(FaceBlock(painted.name, painted.box, template_path, line, field))
    yield from sorted(blocks, key=lambda block: -block.box.width * block.box.height)
