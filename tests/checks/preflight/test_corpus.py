"""Files of other programs, sound and spoilt.

What was put into them is found, and nothing else is an error.
"""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from tests.checks.preflight.corpus.judging import (
    FOLDER,
    Entry,
    judge_entry,
    load_entries,
)

KNOWN_MISSES = {("chromium/outlined.pdf", "thin-line")}
"""File and class of what is not found: thin outlines inside the letters of a Type3 font are
letters.
"""


@pytest.mark.parametrize("entry", load_entries(), ids=lambda entry: entry.file)
def test_what_was_put_in_is_found_and_nothing_else_is_refused(entry: Entry) -> None:
    if entry.preset == "inked" and shutil.which("gs") is None:
        pytest.skip("ink is measured by Ghostscript")
    verdict = judge_entry(entry)
    assert not verdict.false_errors
    assert {(entry.file, name) for name in verdict.missed} <= KNOWN_MISSES
    assert not verdict.false


def test_the_table_lists_every_file_and_most_of_the_trade() -> None:
    files = {
        path.relative_to(FOLDER / "files").as_posix()
        for path in (FOLDER / "files").rglob("*.pdf")
    }
    assert files == {entry.file for entry in load_entries()}
    assert len(files) >= 400
    assert len(Counter(entry.program for entry in load_entries())) >= 15
    assert (
        sum(path.stat().st_size for path in (FOLDER / "files").rglob("*.pdf"))
        < 3_200_000
    )
    defects = Counter(name for entry in load_entries() for name in entry.defects)
    assert len(KNOWN_MISSES) <= 0.03 * defects.total()
