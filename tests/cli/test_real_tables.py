"""Designers' tables become cards at the first attempt, without a wrong word, in print."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.attacks import call, say
from tests.packs.real_tables import REAL_TABLES


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL_TABLES)
def test_a_real_table_is_printed(name: str, tmp_path: Path) -> None:
    table = REAL_TABLES[name]
    folder = tmp_path / "game"
    code, output = say("new", folder, "--from", table.write(tmp_path))
    assert code == 0, output
    cards = [
        path.read_text(encoding="utf-8")
        for path in (folder / "cards" / "game").glob("*/*.yaml")
        if path.parent.name not in ("tables", "i18n")
    ]
    assert len(cards) == table.card_count, output
    whole_text = "\n".join(cards)
    for text in table.texts:
        assert text in whole_text, whole_text
    code, output = call(folder, "build", "--quiet", "--workers", "1")
    # No typeface of the program has emoji. That is an error with a remedy, and not a wrong card.
    errors = [line for line in output.splitlines() if ": error " in line]
    assert all("render/missing-glyph" in line for line in errors), output
    assert code == 0 or errors, output
