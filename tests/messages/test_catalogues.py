"""The catalogues of translations are well formed."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from builder.messages import languages
from tests.house.source import BUILDER

LANGUAGES = tuple(lang for lang in languages() if lang != "en")


def of(lang: str) -> Catalog:
    with (BUILDER / "locale" / lang / "LC_MESSAGES" / "squadpress.po").open("rb") as file:
        return read_po(file, locale=lang)


def gaps(text: str) -> set[str]:
    return set(re.findall(r"(?<!{){(\w+)(?:![rs])?(?::[^{}]*)?}", text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_translations_fill_the_same_gaps(lang: str) -> None:
    single = [message for message in of(lang) if isinstance(message.id, str) and message.id]
    assert len(single) > 1000
    assert [message.id for message in single if message.string and gaps(message.id) != gaps(str(message.string))] == []
