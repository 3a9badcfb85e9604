"""Errata at the size of living games.

Twenty releases of 10,000 cards, and of a quarter of them, to see what is linear.

Each task runs in a process of its own, of which the processor's time and the peak of memory are
told.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from builder.errata.difference import compare_states
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot, make_snapshot, share_cards
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from builder.packs.releases.package import open_package
from builder.report.release import format_notes
from builder.usecases.release.impact import compare_roster, make_comparison
from builder.usecases.release.notes import compose_release_notes
from builder.usecases.release.publish import publish_releases
from builder.usecases.roster.roster_files import RosterFiles, list_roster_files
from tests.house.source import ROOT

PACK = "hydrophilia"
SIZES, RELEASES, SQUADS, MOST_MB = (2_500, 10_000), 20, 1_000, 400
FIRST = date(2026, 11, 1)


def main() -> None:
    found: dict[str, list[tuple[float, float]]] = {}
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            for task in TASKS:
                run = [
                    sys.executable,
                    "-m",
                    "tests.bench.bench_errata",
                    task,
                    folder,
                    str(size),
                ]
                said = subprocess.run(
                    run, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
                ).stdout.split()
                found.setdefault(task, []).append((float(said[0]), float(said[1])))
                print(
                    f"  {size:,} cards, {task}: {said[0]} s, {said[1]} MB", flush=True
                )
    cards = SIZES[1] / SIZES[0]
    for task, ((few, _), (many, peak)) in found.items():
        told = (
            f"{many / few:.1f} times as long for {cards:g} times the cards"
            if few > 0.2
            else "too short to compare"
        )
        print(
            f"  {task:10} {told}; {peak:.0f} MB{'' if peak < MOST_MB else ' (TOO MUCH)'}"
        )


def made(folder: Path, size: int) -> None:
    """Twenty releases: in each, 1 card of 100 costs more, of the next 100 another one."""
    pack = make_snapshot(load_pack(Project(ROOT), PACK), {}, ())
    releases, state = Releases(Project(folder), PACK), grown(pack, size)
    releases.project.get_cards_dir(PACK).mkdir(parents=True)
    (releases.project.get_cards_dir(PACK) / "pack.yaml").write_bytes(
        (ROOT / "cards" / PACK / "pack.yaml").read_bytes()
    )
    for number in range(RELEASES):
        day = FIRST + timedelta(30 * number)
        if number:
            state = changed(state, number, day)
        releases.write_release(
            state,
            f"1.{number}.0",
            Release("", day, day),
            f"1.{number - 1}.0" if number else None,
        )
    samples = sorted((ROOT / "cards" / PACK / "rosters").glob("*.yaml"))
    (folder / "squads").mkdir()
    for index in range(SQUADS):
        (folder / "squads" / f"{index:04}.yaml").write_bytes(
            samples[index % len(samples)].read_bytes()
        )


def grown(state: Snapshot, count: int) -> Snapshot:
    """Return the state with copies of its cards until there are so many."""
    originals = list(state.cards)
    names = {
        name if index < len(originals) else f"{name}-{index}": name
        for index in range(count)
        for name in [originals[index % len(originals)]]
    }
    return replace(
        state,
        cards={card: {**state.cards[name], "id": card} for card, name in names.items()},
        texts={card: state.texts[name] for card, name in names.items()},
        rich={card: state.rich[name] for card, name in names.items()},
        translations={
            lang: {card: texts[name] for card, name in names.items() if name in texts}
            for lang, texts in state.translations.items()
        },
    )


def changed(state: Snapshot, number: int, day: date) -> Snapshot:
    """Return the state after a release of so many changes as it has hundreds of cards."""
    cards: dict[str, Any] = dict(state.cards)
    priced = [card for card, raw in cards.items() if isinstance(raw.get("cost"), int)]
    for card in priced[number::100]:
        raw = cards[card]
        entry = {
            "revision": raw["revision"] + 1,
            "released": str(day),
            "type": "balance",
            "note": {"ru": "Цена."},
        }
        told = {
            "revision": raw["revision"] + 1,
            "released": str(day),
            "history": [*raw["history"], entry],
        }
        cards[card] = {**raw, **told, "cost": raw["cost"] + 1}
    return replace(state, cards=cards)


def two(folder: Path) -> tuple[Releases, Snapshot, Snapshot]:
    """Return the last two releases."""
    releases = Releases(Project(folder), PACK)
    old, new = (
        releases.load_state(f"1.{number}.0")[0]
        for number in (RELEASES - 2, RELEASES - 1)
    )
    return releases, old, share_cards(old, new)


def checker(folder: Path) -> Callable[[], object]:
    releases, old, new = two(folder)
    kept = RosterFiles(releases.project, list_roster_files([folder / "squads"]))
    return lambda: [
        compare_roster(comparison, kept.load(name))
        for comparison in [make_comparison(old, new, "en")]
        for name in kept.list_names()
    ]


def tell(folder: Path) -> Callable[[], object]:
    _releases, old, new = two(folder)
    return lambda: [format_notes(one) for one in compose_release_notes(old, new, ())]


def differ(folder: Path) -> Callable[[], object]:
    _releases, old, new = two(folder)
    return lambda: compare_states(old, new)


def put(folder: Path) -> None:
    files, _findings = publish_releases(Releases(Project(folder), PACK), PACK)
    with open_package(folder / "publish") as box:
        for path, data in files.items():
            box.write_file(path, data)
        box.write_sums()


TASKS: dict[str, Callable[[Path], Callable[[], object]]] = {
    "make": lambda folder: lambda: None,
    "read": lambda folder: lambda: two(folder),
    "diff": differ,
    "notes": tell,
    "impact": checker,
    "publish": lambda folder: lambda: put(folder),
}


def task(name: str, folder: Path, size: int) -> None:
    """Prepare a task, run it, and print its processor seconds and peak memory in MB."""
    work = TASKS[name](folder) if name != "make" else lambda: made(folder, size)
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    print(
        f"{seconds:.2f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}"
    )


if __name__ == "__main__":
    task(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
