"""A collection from its file."""

from __future__ import annotations

from pathlib import Path

from builder.errors import InputUnreadable
from builder.messages import gettext as _
from builder.messages import joined
from builder.model.roster import Collection
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
        told = joined((finding.message for finding in found[:3]), _("{first}; {rest}"))
        message = _("{file} is not a collection: {reason}", file=path, reason=told)
        raise InputUnreadable(message, _("It states `pack` and `owned`: card id to copies."))
    return collection
