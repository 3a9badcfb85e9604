"""The fixed words on gauge sheets, per language; a file of the base templates, so that a language needs no Python."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from builder.model.base import Lang, Model


class SheetWords(Model):
    """The words of one language."""

    scale: str = Field(description="Beside the check line: that it must measure 100 mm.")
    gauges: str = Field(description="What the sheets are called.")
    back: str = Field(description="Marks a page of backs.")
    part: str = Field(description="Marks a part of something longer than the paper; `{number}` is put in.")
    glue: str = Field(description="On a tab to be glued.")
    fold: str = Field(description="On a line to be folded.")


class SheetWordsFile(Model):
    """gauges.yaml of the base templates."""

    words: Mapping[Lang, SheetWords] = Field(description="Words per language; `en` serves languages not listed.")

    def of(self, lang: str) -> SheetWords:
        """The words of a language, English where it is not listed."""
        return self.words.get(lang) or self.words["en"]
