"""The catalogues of translations hold what the program says: all of it, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from builder.messages import DOMAIN
from tests.house.source import BUILDER, ROOT

LANGUAGES = sorted(path.parts[-3] for path in (BUILDER / "locale").glob("*/LC_MESSAGES/*.po"))


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """What `make messages` finds now."""
    pot = tmp_path_factory.mktemp("messages") / "squadpress.pot"
    words = ["-q", "extract", "-F", "pyproject.toml", "-k", "pgettext:1c,2", "-o", str(pot)]
    command = [sys.executable, "-m", "babel.messages.frontend", *words, ".", str(Path(click.__file__).parent)]
    subprocess.run(command, cwd=ROOT, check=True)
    with pot.open("rb") as file:
        return read_po(file)


def of(lang: str) -> Catalog:
    with (BUILDER / "locale" / lang / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=lang)


def ids(catalog: Catalog) -> set[object]:
    return {(message.context, message.id) for message in catalog if message.id}


def forms(message: Message, attribute: str) -> tuple[str, ...]:
    """The texts of one message: one, or one for each number."""
    value = getattr(message, attribute)
    return (value,) if isinstance(value, str) else tuple(value or ("",))


def gaps(text: str) -> set[str]:
    return set(re.findall(r"(?<!{){(\w+)(?:![rs])?(?::[^{}]*)?}", text)) | set(re.findall(r"%\((\w+)\)", text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_catalogue_holds_what_the_program_says_and_nothing_else(lang: str, said: Catalog) -> None:
    catalog = of(lang)
    assert ids(catalog) - ids(said) == set()
    assert ids(said) - ids(catalog) == set(), "run make messages"
    assert not catalog.obsolete


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_is_translated_and_nothing_is_fuzzy(lang: str) -> None:
    found = [message for message in of(lang) if message.id]
    assert [message.id for message in found if not all(forms(message, "string"))] == []
    assert [message.id for message in found if message.fuzzy] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_translations_fill_the_same_gaps(lang: str) -> None:
    """A form for one thing may say the number in words."""
    for message in of(lang):
        if message.id:
            wanted = [gaps(text) - {"count"} for text in forms(message, "id")]
            for text in filter(None, forms(message, "string")):
                assert gaps(text) - {"count"} in wanted, message.id
