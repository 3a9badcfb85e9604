"""A translation file: strings by dotted path, each with the hash of the source text it was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StringConstraints

from builder.model.base import Id, Model

SourceHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}$")]
"""First 8 hex digits of the SHA-256 of a source text with its white space folded."""


def source_hash(text: str) -> str:
    """The hash that a translation remembers of its source text."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


class TranslatedText(Model):
    """One translated string."""

    text: str = Field(description="The translation.")
    source: SourceHash = Field(
        description="Hash of the source text that was translated; squadpress prints the right one when it is stale."
    )
    same: bool = Field(default=False, description="True: that the text equals the source is meant.")


class Translation(Model):
    """The translated strings of one card."""

    id: Id = Field(description="The card's id: equal to the file name.")
    strings: Mapping[str, TranslatedText] = Field(
        default_factory=dict, description="Translations by dotted path, such as attacks.bite.name."
    )
