"""Reading the data files of one project: documents and models, their findings kept together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from builder.findings import Finding
from builder.model.document import Document
from builder.store.memory import Memory, remembered, stamp_of
from builder.store.models import parse_model
from builder.store.project import Project

M = TypeVar("M", bound=BaseModel)


@dataclass
class Reader:
    """Reads files of a project and keeps what reading found; `read` are the files that were not remembered."""

    project: Project
    findings: list[Finding] = field(default_factory=list)
    memory: Memory | None = None
    read: set[str] = field(default_factory=set)
    _entries: dict[str, dict[str, Any]] = field(default_factory=dict)

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
                self._entries[file] = entry
                return remembered(file, path, entry["value"])
        self.read.add(file)
        document, found = self._read(path, file)
        self.add(found)
        if self.memory and stamp and document is not None and not found:
            self._entries[file] = self.memory.remember(file, stamp, document.value)
        return document

    def _read(self, path: Path, file: str) -> tuple[Document | None, tuple[Finding, ...]]:
        from builder.store.yaml import read_document  # the scanner is loaded only when something must be read

        return read_document(path, file)

    def note(self, document: Document, name: str) -> Any:
        """What was noted about a document when it was last read; None where nothing was."""
        return self._entries.get(document.file, {}).get(name)

    def take_note(self, document: Document, name: str, value: Any) -> None:
        """Note something that follows from the document's contents, for the next reading (JSON)."""
        if document.file in self._entries:
            self._entries[document.file][name] = value
            if self.memory:
                self.memory.touch(document.file)

    def model(self, document: Document, model: type[M]) -> M | None:
        """A document as a model; None where it is wrong."""
        parsed, found = parse_model(model, document)
        self.add(found)
        return parsed


def yaml_files(folder: Path) -> Iterator[Path]:
    """All .yaml files under a folder, in a stable order; none that is hidden, as an editor's locks are."""
    found = sorted(folder.rglob("*.yaml"), key=str) if folder.is_dir() else ()
    return (path for path in found if not path.name.startswith("."))
