"""The documentation avoids words and phrases that readers did not understand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.source import ROOT

REPLACEMENTS = {
    r"mend(s|ed|ing)?": "fix",
    r"told|telling": "report, print, show",
    r"hand(s|ed|ing)? on": "share",
    r"tak(e|es|en|ing) in|took in": "import",
    r"(hold|holds|held) against|held? to\b": "check against",
    r"sorts? of": "type of, kind of",
    r"so many": "a number of, or the number",
    r"hardly": "few, or the number",
    r"judg(e|es|ed|ing|ement)": "check",
    r"the press": "the program, Squadpress, a print shop",
    r"anew": "again",
    r"without a word": "silently, without an error",
    r"remed(y|ies)": "fix",
    r"(faces?|cards?) (is|are) set": "rendered",
    r"set faces": "rendered faces",
    r"lying card": "landscape card",
    r"speaks?|spoken": "is in, translated into",
    r"one voice": "consistent type sizes",
    r"dearer": "more expensive",
    r"nothing stands|stands in|stand in": "is in",
}
"""A pattern of words, and what to write instead."""
CODE_PATTERN = re.compile(
    r"^```.*?^```$|<!-- keys .*?<!-- end of keys -->|`[^`\n]*`|\]\([^)]*\)", re.M | re.S
)
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("builder/data/*/README.md")]
)


def read_prose(page: Path) -> str:
    """Return the text of a page without code, link targets and generated tables; lines stay in place."""
    text = page.read_text(encoding="utf-8")
    return CODE_PATTERN.sub(lambda match: "\n" * match[0].count("\n"), text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_plain_words(page: Path) -> None:
    reports = []
    for number, line in enumerate(read_prose(page).splitlines(), 1):
        for pattern, replacement in REPLACEMENTS.items():
            match = re.search(rf"\b({pattern})\b", line, re.IGNORECASE)
            if match:
                reports.append(f"{page.name}:{number}: write {replacement!r} for {match[0]!r}")
    assert reports == []


def test_a_word_to_avoid_is_found_in_prose_and_not_in_code(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("It is told.\n\n```sh\ntold\n```\n\n`told` [a](told.md)\n", encoding="utf-8")
    assert read_prose(page).count("told") == 1
