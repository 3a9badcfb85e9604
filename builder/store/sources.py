"""Reading the data files of one project: documents and models, their findings kept together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from builder.findings import Finding
from builder.model.loaded import Document
from builder.store.memory import Memory, stamp_of
from builder.store.models import parse_model
from builder.store.places import Kept, Values, new_load
from builder.store.project import Project

M = TypeVar("M", bound=BaseModel)


@dataclass
class Reader:
    """Reads files of a project and keeps what reading found; `read` are the files that were not remembered."""

    project: Project
    findings: list[Finding] = field(default_factory=list)
    memory: Memory | None = None
    read: set[str] = field(default_factory=set)
    _load: int = field(default_factory=new_load)

    def add(self, findings: Iterable[Finding]) -> None:
        """Keep findings."""
        self.findings.extend(findings)

    def document(self, path: Path) -> Document | None:
        """One file; None where it cannot be understood."""
        file = self.project.relative(path)
        stamp = stamp_of(path) if self.memory else None
        if self.memory and stamp:
            entry = self.memory.recall(file, stamp)
            if entry is not None:
                return self.kept(Document(file, entry["value"]), {})
        self.read.add(file)
        document, found = self._read(path, file)
        self.add(found)
        if self.memory and stamp and document is not None and not found:
            self.memory.remember(file, stamp, document.value)
        return document

    def _read(self, path: Path, file: str) -> tuple[Document | None, tuple[Finding, ...]]:
        from builder.store.yaml import read_document  # the scanner is loaded only when something must be read

        return read_document(path, file)

    def kept(self, document: Document, values: Values) -> Document:
        """A document of which only the value is kept, among those."""
        values[document.file] = document.value
        return Kept(str(self.project.root), document.file, values, self._load)

    def note(self, document: Document, name: str) -> Any:
        """What was noted about the document read last when it was last read; None where nothing was."""
        return self.memory.note(document.file, name) if self.memory else None

    def take_note(self, document: Document, name: str, value: Any) -> None:
        """Note something that follows from the contents of the document read last, for the next reading (JSON)."""
        if self.memory:
            self.memory.take_note(document.file, name, value)

    def model(self, document: Document, model: type[M]) -> M | None:
        """A document as a model; None where it is wrong."""
        parsed, found = parse_model(model, document)
        self.add(found)
        return parsed


def yaml_files(folder: Path) -> Iterator[Path]:
    """All .yaml files under a folder, in a stable order; none that is hidden, as an editor's locks are."""
    found = sorted(map(str, folder.rglob("*.yaml"))) if folder.is_dir() else ()
    return (path for path in map(Path, found) if not path.name.startswith("."))
