"""Find the blocks of a face in its template: the line, and the field that it prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from builder.findings import Box
from builder.render.jobs import FaceFacts, FaceJob
from builder.render.renderer import Renderer

LINES_PER_BLOCK = 3
"""Lines of a template from the start of a block that may print its field."""
_FIELD = re.compile(r"\bcard\.([a-z_][\w.]*)")


@dataclass(frozen=True, slots=True)
class FaceBlock:
    """A block of a face: its box in mm from the bleed corner, template line, and field."""

    name: str
    box: Box
    template: str
    line: int
    field: str


def list_face_blocks(renderer: Renderer, job: FaceJob, facts: FaceFacts) -> Iterator[FaceBlock]:
    """Yield the painted blocks of a face, the largest first, so that small ones lie above."""
    path = renderer.places.templates / renderer.name_template(job)
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    shown = renderer.places.format_path(path)
    blocks = sorted(facts.painted, key=lambda block: -block.box.width * block.box.height)
    for block in blocks:
        index = _find_line(lines, block.name)
        field = ""
        if index is not None:
            match = _FIELD.search(" ".join(lines[index : index + LINES_PER_BLOCK]))
            field = match[1] if match else ""
        yield FaceBlock(block.name, block.box, shown, 0 if index is None else index + 1, field)


def _find_line(lines: list[str], block: str) -> int | None:
    """Return the index of the line in which a block begins; None if it is in another template."""
    word = re.compile(rf"(?<![\w-])(?:fit-)?{re.escape(block)}(?![\w-])")
    for index, line in enumerate(lines):
        if "<" in line and word.search(line):
            return index
    return None
