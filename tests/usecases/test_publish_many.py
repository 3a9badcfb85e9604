"""A release with more changed cards than fit on one page is published with pictures."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.hostile.attacks import call, say

CHANGED_CARDS = 60
"""At e082904 57 pictures before and after were too many."""


def write_table(file: Path, cost: int) -> Path:
    """Return a table of cards that all cost the same."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "name", "cost"])
        writer.writerows(
            [f"card-{number}", f"Card {number}", cost]
            for number in range(CHANGED_CARDS)
        )
    return file


@pytest.mark.slow
def test_a_release_of_many_changed_cards_is_published_with_their_pictures(
    tmp_path: Path,
) -> None:
    project, published = tmp_path / "big", tmp_path / "published"
    assert say("new", project, "--from", write_table(tmp_path / "cards.csv", 1))[0] == 0
    assert call(project, "release", "new", "1.0.0", "--effective", "2026-12-01")[0] == 0
    table = write_table(tmp_path / "after.csv", 2)
    words = (
        "--kind",
        "cards",
        "--write",
        "--bump",
        "balance",
        "--note",
        "Costs more.",
        "--released",
        "2026-12-02",
    )
    assert call(project, "table", "import", table, *words)[0] == 0
    assert call(project, "release", "new", "1.1.0", "--effective", "2026-12-02")[0] == 0
    code, output = call(project, "release", "publish", "--output", published)
    assert code == 0, output
    (notes,) = published.rglob("*-notes-en.html")
    assert (
        notes.read_text(encoding="utf-8").count("data:image/webp;base64,")
        == 2 * CHANGED_CARDS
    )
