"""Reading the data files of one project: documents and models, their findings kept together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from builder.findings import Finding
from builder.model.document import Document
from builder.store.models import parse_model
from builder.store.project import Project
from builder.store.yaml import read_document

M = TypeVar("M", bound=BaseModel)


@dataclass
class Reader:
    """Reads files of a project and keeps what reading found."""

    project: Project
    findings: list[Finding] = field(default_factory=list)

    def add(self, findings: Iterable[Finding]) -> None:
        """Keep findings."""
        self.findings.extend(findings)

    def document(self, path: Path) -> Document | None:
        """One file; None where it cannot be understood."""
        document, found = read_document(path, self.project.relative(path))
        self.add(found)
        return document

    def model(self, document: Document, model: type[M]) -> M | None:
        """A document as a model; None where it is wrong."""
        parsed, found = parse_model(model, document)
        self.add(found)
        return parsed


def yaml_files(folder: Path) -> Iterator[Path]:
    """All .yaml files under a folder, in a stable order."""
    return iter(sorted(folder.rglob("*.yaml"))) if folder.is_dir() else iter(())
