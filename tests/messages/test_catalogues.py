"""The catalogues of translations hold what the program says: all of it, and nothing else."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path

import click
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from builder.messages import DOMAIN
from tests.house.source import BUILDER
from tests.messages.extraction import extract_messages

LANGUAGES = sorted(
    path.parts[-3] for path in (BUILDER / "locale").glob("*/LC_MESSAGES/*.po")
)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Return what `make messages` finds now."""
    return extract_messages(
        tmp_path_factory.mktemp("messages"), Path(click.__file__).parent
    )


def of(lang: str) -> Catalog:
    with (BUILDER / "locale" / lang / "LC_MESSAGES" / f"{DOMAIN}.po").open(
        "rb"
    ) as file:
        return read_po(file, locale=lang)


def ids(catalog: Catalog) -> set[object]:
    return {(message.context, message.id) for message in catalog if message.id}


def forms(message: Message, attribute: str) -> tuple[str, ...]:
    """Return the texts of one message: one, or one for each number."""
    value = getattr(message, attribute)
    return (value,) if isinstance(value, str) else tuple(value or ("",))


def gaps(text: str) -> set[str]:
    return set(re.findall(r"(?<!{){(\w+)(?:![rs])?(?::[^{}]*)?}", text)) | set(
        re.findall(r"%\((\w+)\)", text)
    )


def report_gaps(problem: str, messages: list[object]) -> None:
    """Fail before a release (`make release-check`).

    At other times a change may land in English only.
    """
    if not messages:
        return
    if os.environ.get("SQUADPRESS_RELEASE_CHECK"):
        pytest.fail(f"{problem}: {messages}")
    warnings.warn(
        f"{len(messages)} {problem}, for example {messages[0]!r}", stacklevel=2
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_catalogue_holds_the_messages_of_the_program(
    lang: str, said: Catalog
) -> None:
    catalog = of(lang)
    report_gaps(
        f"messages are missing in {lang} (run make messages)",
        sorted(ids(said) - ids(catalog), key=str),
    )
    report_gaps(
        f"messages of {lang} are no longer used (run make messages)",
        sorted(ids(catalog) - ids(said), key=str),
    )
    assert not catalog.obsolete


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_is_translated_and_none_is_fuzzy(lang: str) -> None:
    messages = [message for message in of(lang) if message.id]
    untranslated = [
        message.id for message in messages if not all(forms(message, "string"))
    ]
    report_gaps(f"messages have no translation in {lang}", untranslated)
    assert [message.id for message in messages if message.fuzzy] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_translations_fill_the_same_gaps(lang: str) -> None:
    """A form for one thing may say the number in words."""
    for message in of(lang):
        if message.id:
            wanted = [gaps(text) - {"count"} for text in forms(message, "id")]
            for text in filter(None, forms(message, "string")):
                assert gaps(text) - {"count"} in wanted, message.id
