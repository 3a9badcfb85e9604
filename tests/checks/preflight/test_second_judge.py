"""Two judges of PDF/X that look in different ways agree on sound files and on broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.checks.preflight.job import check_page_batches
from builder.pdfinfo.read import read_in_portions
from tests.checks.preflight.cases import make_preset
from tests.checks.preflight.corpus.judging import FOLDER, Entry, load_entries
from tests.checks.preflight.second_judge import find_breaches, list_complaints

CLAIMS = [
    entry
    for entry in load_entries()
    if Path(entry.file).stem.startswith(("x1a", "x4")) and entry.program == "mutool"
]
BY_CONTENT = {
    "mutool/x1a-rgb.pdf",
    "mutool/x4-light.pdf",
    "mutool/x1a-font.pdf",
    "mutool/x1a-spot-of-light.pdf",
}
"""What no key tells: colours of operators and of alternates, a font without a descriptor."""
BY_KEYS = {"mutool/x1a-font-unused.pdf"}


@pytest.mark.parametrize("entry", CLAIMS, ids=lambda entry: entry.file)
def test_both_checks_of_a_claim_agree(entry: Entry) -> None:
    path = FOLDER / "files" / entry.file
    findings, _ = check_page_batches(read_in_portions(path), make_preset())
    first = any(
        finding.code in ("preflight/standard-broken", "preflight/version")
        for finding in findings
    )
    assert (
        first == bool(list(find_breaches(path))) or entry.file in BY_CONTENT | BY_KEYS
    )


@pytest.mark.slow
@pytest.mark.parametrize("standard", ["x1a", "x4"])
def test_no_program_complains_about_a_sound_file(standard: str) -> None:
    assert list(list_complaints(FOLDER / "files" / "mutool" / f"{standard}.pdf")) == []
