"""Documentation and messages avoid words and phrases that readers did not understand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.messages.extraction import extract_messages

REPLACEMENTS = {
    r"mend(s|ed|ing)?": "fix",
    r"told|telling": "report, print, show",
    r"(is|are|was|were) (asked|wanted|gone)": "requested, removed",
    r"hand(s|ed|ing)? on": "share",
    r"(tak(e|es|en|ing)|took) in": "import",
    r"(hold|holds|held) against|held? to": "check against",
    r"sorts? of": "type of, kind of",
    r"so many|hardly": "a number of, or the number",
    r"judg(e|es|ed|ing|ement)": "check",
    r"the press": "the program, Squadpress, a print shop",
    r"anew": "again",
    r"without a word": "silently, without an error",
    r"remed(y|ies)": "fix",
    r"(faces?|cards?) (is|are) set": "rendered",
    r"set faces": "rendered faces",
    r"lying (card|page)s?": "landscape card",
    r"standing (card|page)s?": "portrait card",
    r"speaks?|spoken": "is in, translated into",
    r"one voice": "consistent type sizes",
    r"dearer": "more expensive",
    r"(nothing|what|that|which) stands|stands? (in|on|for|against|below|there)": "is in",
    r"puts? right": "correct",
    r"looked for": "searched",
    r"thaw(s|ed)?|fr(eezes?|oze)": "load or save a snapshot",
}
"""A pattern of words, and what to write instead. The table of LANGUAGE.md is the source."""
ALLOWED = {
    "One end stands on": "a ruler stands upright",
    "It stands on a corner": "a hexagon with a corner at the bottom",
}
"""Phrases that have such a word in another meaning, each with the reason."""
CODE_PATTERN = re.compile(
    r"^```.*?^```$|<!-- keys .*?<!-- end of keys -->|`[^`\n]*`|\]\([^)]*\)", re.M | re.S
)
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("builder/data/*/README.md"),
    ]
)


def read_prose(page: Path) -> str:
    """Return the text of a page without code, link targets and generated tables.

    Each line keeps its number.
    """
    text = page.read_text(encoding="utf-8")
    return CODE_PATTERN.sub(lambda match: "\n" * match[0].count("\n"), text)


def find_unclear_words(text: str) -> Iterator[str]:
    """Yield each word to avoid in a text, with the word to write instead."""
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    for pattern, replacement in REPLACEMENTS.items():
        match = re.search(rf"\b({pattern})\b", text, re.IGNORECASE)
        if match:
            yield f"write {replacement!r} for {match[0]!r}"


@cache
def read_pages() -> dict[str, str]:
    """Return the prose of each page by its path."""
    return {page.relative_to(ROOT).as_posix(): read_prose(page) for page in PAGES}


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every English message, help text and text of a page."""
    texts: list[str] = []
    for message in extract_messages(tmp_path_factory.mktemp("messages")):
        forms = (message.id,) if isinstance(message.id, str) else message.id
        texts += [
            PLACEHOLDER.sub("", CODE_PATTERN.sub("", form)) for form in forms if form
        ]
    return texts


@pytest.mark.parametrize("page", read_pages())
def test_a_page_has_plain_words(page: str) -> None:
    lines = read_pages()[page].splitlines()
    reports = [
        f"{page}:{number}: {report}"
        for number, line in enumerate(lines, 1)
        for report in find_unclear_words(line)
    ]
    assert reports == []


def test_messages_have_plain_words(messages: list[str]) -> None:
    assert len(messages) > 2000
    reports = [
        f"{text}: {report}" for text in messages for report in find_unclear_words(text)
    ]
    assert "\n".join(reports) == ""


def test_each_exception_is_needed(messages: list[str]) -> None:
    texts = "\n".join([*read_pages().values(), *messages])
    assert [phrase for phrase in ALLOWED if phrase not in texts] == []


@pytest.mark.parametrize(
    "text",
    [
        "It is told here.",
        "Take in a squad.",
        "so many cards",
        "It stands on several lines",
    ],
)
def test_a_word_to_avoid_is_reported(text: str) -> None:
    assert len(list(find_unclear_words(text))) == 1


def test_a_word_to_avoid_is_found_in_prose_and_not_in_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "It is told.\n\n```sh\ntold\n```\n\n`told` [a](told.md)\n", encoding="utf-8"
    )
    assert read_prose(page).count("told") == 1
