"""Models of the files in rulings/: answers to questions of players, and designer commentary."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from builder.messages import gettext as _
from builder.model.base import CardId, Id, Lang, Localized, Model, NameOf, VersionName
from builder.model.card import Day


class Ruling(Model):
    """An official answer to a question about cards or rules."""

    id: Id = Field(description="The permanent name of the ruling, used in links.")
    date: Day = Field(description="The day of the answer.")
    reviewed: Day | None = Field(
        default=None,
        description="The day on which the answer was last compared with its cards and rules.",
    )
    cards: tuple[CardId, ...] = Field(default=(), description="The cards concerned.")
    rules: tuple[Id, ...] = Field(
        default=(), description="The rules of rules.yaml concerned."
    )
    question: Localized = Field(
        default_factory=dict, description="The question, per language."
    )
    answer: Mapping[Lang, str] = Field(
        min_length=1, description="The answer, per language."
    )
    source: str = Field(
        default="", description="Where the answer was given: a text or a link."
    )

    @property
    def last_review(self) -> Day:
        """The day on which somebody last confirmed the answer."""
        return max(self.date, self.reviewed or self.date)

    @model_validator(mode="after")
    def _check_subject(self) -> Self:
        if not self.cards and not self.rules:
            raise ValueError(_("a ruling names at least one card or rule"))
        return self


class Commentary(Model):
    """A designer's remark about a release or a card."""

    release: Annotated[VersionName, NameOf("release")] | None = Field(
        default=None, description="The release that the text is about."
    )
    card: CardId | None = Field(
        default=None,
        description="The card that the text is about; with `release`: its change.",
    )
    author: str = Field(default="", description="Who wrote the text.")
    text: Mapping[Lang, str] = Field(
        min_length=1, description="The text, per language."
    )

    @model_validator(mode="after")
    def _check_subject(self) -> Self:
        if self.release is None and self.card is None:
            raise ValueError(_("a commentary names a release, a card, or both"))
        return self


class RulingSet(Model):
    """A file in rulings/: answers and remarks.

    Releases do not contain it, so it can grow at any time.
    """

    rulings: tuple[Ruling, ...] = Field(default=(), description="The rulings.")
    commentary: tuple[Commentary, ...] = Field(
        default=(), description="Remarks of designers about releases and cards."
    )
