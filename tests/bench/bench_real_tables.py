"""Draw 30 tables from other programs, and compare the printed words with the tables.

A table is accepted if `new --from`, `check` and `build` end without an error. A table is correct
if all its words are on the right cards, nothing else is printed, and no card is missing.
SQUADPRESS_TABLES=NAME,NAME draws some of them; SQUADPRESS_TABLES_FOLDER keeps the packs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf

from tests.bench.real_tables.expected import TABLES, Table
from tests.bench.real_tables.fonts import add_font
from tests.bench.real_tables.words import (
    CardWords,
    compare_cards,
    find_back_pages,
    split_words,
)

PACK = "game"


@dataclass
class Outcome:
    """What happened to one table."""

    accepted: bool = True
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(
        [sys.executable, "-m", "builder", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def _draw(table: Table, folder: Path, outcome: Outcome) -> list[Path]:
    """Make the pack and its PDFs. Record each command that fails."""
    commands = (
        ("new", PACK, "--from", table.file, *table.options),
        ("check",),
        ("build", "--profile", "proof"),
    )
    for arguments in commands:
        is_first = arguments[0] == "new"
        result = _run(folder if is_first else folder / PACK, *arguments)
        (folder / f"{arguments[0]}.txt").write_text(result.stdout + result.stderr)
        if result.returncode:
            outcome.accepted = False
            errors = [
                line for line in result.stdout.splitlines() if line.startswith("error")
            ]
            lines = (
                errors or (result.stderr or result.stdout).strip().splitlines() or ["?"]
            )
            outcome.problems.append(
                f"{arguments[0]} exits {result.returncode}: {lines[0]}"
            )
        if is_first and table.needs_font and result.returncode == 0:
            add_font(folder / PACK, PACK)
    return sorted((folder / PACK / "output").glob("*/*.pdf"))


def _read_pages(files: list[Path]) -> list[str]:
    pages = []
    for file in files:
        with pikepdf.open(file) as document:
            count = len(document.pages)
        text = subprocess.run(
            ["pdftotext", "-layout", file, "-"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        pages.extend(text.split("\f")[:count])
    return pages


def draw_table(table: Table, folder: Path) -> Outcome:
    """Draw a table in a folder, and compare what is printed."""
    outcome = Outcome()
    start = time.perf_counter()
    cards = table.prepare(folder)
    files = _draw(table, folder, outcome)
    outcome.seconds = time.perf_counter() - start
    if not files:
        return outcome
    expected = [CardWords.collect(cells, table.title_column) for cells in cards]
    known_words = set(split_words(table.list_headings())) | set(
        split_words(table.also_printed)
    )
    pages = _read_pages(files)
    backs = find_back_pages(pages, PACK)
    fronts = [page for number, page in enumerate(pages) if number not in backs]
    if len(fronts) != len(expected):
        outcome.problems.append(f"{len(fronts)} cards, expected {len(expected)}")
    outcome.problems += compare_cards(expected, fronts, known_words)
    return outcome


def main() -> None:
    chosen = os.environ.get("SQUADPRESS_TABLES", "").split(",")
    tables = [table for table in TABLES if chosen == [""] or table.name in chosen]
    kept = os.environ.get("SQUADPRESS_TABLES_FOLDER")
    accepted = correct = 0
    for table in tables:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(kept or temporary) / table.name
            folder.mkdir(parents=True)
            outcome = draw_table(table, folder)
        accepted += outcome.accepted
        is_correct = outcome.accepted and not outcome.problems
        correct += is_correct
        state = (
            "correct" if is_correct else "accepted" if outcome.accepted else "refused"
        )
        print(f"{table.name:24} {state:9} {outcome.seconds:5.1f} s", flush=True)
        for problem in outcome.problems[:8]:
            print(f"    {problem}", flush=True)
    print(f"accepted {accepted} of {len(tables)} (goal 29 of 30)")
    print(f"without a wrong word {correct} of {len(tables)} (goal 28 of 30)")
