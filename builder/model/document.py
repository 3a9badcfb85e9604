"""A parsed data file with the place of every value, so that any judgement can say line and column. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from builder.findings import Location
from builder.model.base import Json, Path, dotted

Mark: TypeAlias = tuple[int, int]
"""Line and column, both from 1."""


@dataclass(frozen=True, slots=True)
class Document:
    """One data file.

    `file` is relative to the project, with `/`. `marks` holds the place of each value by path (for a map entry the
    place of its value); `key_marks` the place of each key.
    """

    file: str
    value: Json
    marks: Mapping[Path, Mark] = field(default_factory=dict)
    key_marks: Mapping[Path, Mark] = field(default_factory=dict)

    def locate(self, path: Path = (), *, key: bool = False) -> Location:
        """The place of a value (or of its key); the nearest enclosing place where the value itself is missing."""
        marks = self.key_marks if key else self.marks
        near = path
        while near and near not in marks:
            near = near[:-1]
        line, column = marks.get(near, self.marks.get(near, (1, 1)))
        return Location(file=self.file, line=line, column=column, path=dotted(path) or None)
