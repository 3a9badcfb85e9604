"""A collection from its file."""

from __future__ import annotations

from pathlib import Path

from builder.errors import InputUnreadable
from builder.model.collection import Collection
from builder.store.models import parse_model
from builder.store.project import Project
from builder.store.yaml import read_document


def load_collection(path: Path, project: Project) -> Collection:
    """A collection. InputUnreadable where the file is missing or does not hold one."""
    document, found = read_document(path, project.relative(path))
    collection = None
    if document is not None:
        collection, wrong = parse_model(Collection, document)
        found = (*found, *wrong)
    if collection is None:
        told = "; ".join(finding.message for finding in found[:3])
        raise InputUnreadable(f"{path} is not a collection: {told}", "It states `pack` and `owned`: card id to copies.")
    return collection
