"""3,000 rows in 16 kinds: the processor time to read, check and write them, step by step.

The words are invented and chosen with a fixed seed, so that every run has the same workbook.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from unittest.mock import patch

from openpyxl import Workbook

from builder.packs.tables.reader import read_tables
from builder.usecases.table_fit import fit_design
from builder.usecases.tables import new_pack
from tests.hostile.attacks import call, say

KIND_COUNT = 16
ROW_COUNT = 3_000
MAX_SECONDS = 10
"""The goal of processor time for `new`."""
WORDS = (
    *("amber", "brook", "cinder", "dusk", "ember", "fen", "gale", "hollow"),
    *("iron", "juniper", "kelp", "lantern", "moss", "nettle", "oak"),
)
FACTIONS = ("Fen", "Peak", "Tide", "Ash")
TAGS = ("Beast", "Witch", "Leader", "Swift", "Flying", "Small")
RARITIES = ("common", "uncommon", "rare")
HEADING = (
    *("Name", "Faction", "Keywords", "Points", "Move", "Health", "Rarity", "Flying"),
    *("Rules", "Flavour", "Code", "Copies"),
)


def write_workbook(path: Path) -> Path:
    """Write the workbook: one sheet per kind."""
    chance = random.Random(33)
    book = Workbook(write_only=True)
    for kind in range(KIND_COUNT):
        sheet = book.create_sheet(f"{WORDS[kind % len(WORDS)].capitalize()} {kind + 1}")
        sheet.append(HEADING)
        for row in range(kind, ROW_COUNT, KIND_COUNT):
            sheet.append(make_row(chance, row))
    book.save(path)
    return path


def make_row(chance: random.Random, number: int) -> list[object]:
    """Return the values of one card."""
    name = " ".join(word.capitalize() for word in chance.sample(WORDS, 2))
    rules = " ".join(chance.choices(WORDS, k=18)).capitalize()
    return [
        f"{name} {number}",
        chance.choice(FACTIONS),
        "; ".join(sorted(chance.sample(TAGS, 2))),
        *(chance.randint(1, 9) for _stat in range(3)),
        chance.choice(RARITIES),
        chance.choice(("yes", "no")),
        f"{rules}.",
        f"{' '.join(chance.choices(WORDS, k=8)).capitalize()}.",
        f"FX-{number:04}",
        chance.randint(1, 4),
    ]


def measure(label: str, work: Callable[[], object]) -> float:
    """Print the processor time of some work. Return it in seconds."""
    start = process_time()
    work()
    seconds = process_time() - start
    print(f"{label:<44} {seconds:7.2f} s")
    return seconds


def run_command(*words: str | Path) -> None:
    """Run a command. Raise AssertionError unless it succeeds."""
    code, output = say(*words)
    assert code == 0, output[-2000:]


def main() -> None:
    """Print the time of each step, and the part of `new` that fits the design."""
    fit_seconds: list[float] = []

    def measure_fit(*values: object, **options: object) -> object:
        start = process_time()
        designs = fit_design(*values, **options)
        fit_seconds.append(process_time() - start)
        return designs

    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(new_pack, "fit_design", measure_fit),
    ):
        project = Path(folder) / "deck"
        path = write_workbook(Path(folder) / "cards.xlsx")
        measure("read the workbook", lambda: read_tables(path))
        seconds = measure(
            "new --from", lambda: run_command("new", project, "--from", path)
        )
        print(f"{'  read, check and write':<44} {seconds - sum(fit_seconds):7.2f} s")
        print(f"{'  fit the design':<44} {sum(fit_seconds):7.2f} s")
        print(f"{'the goal without the fit':<44} {MAX_SECONDS:7.2f} s")
        measure("table import without changes", lambda: import_again(project, path))
        file_count = len(list(project.rglob("*.yaml")))
        print(f"{'files':<44} {file_count:7}")


def import_again(project: Path, path: Path) -> None:
    """Import the same workbook. Raise AssertionError unless nothing differs."""
    code, output = call(project, "table", "import", path)
    assert code == 0, output[-2000:]
    assert "Nothing was written" not in output, output[-2000:]
