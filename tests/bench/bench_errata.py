"""Errata: the difference of two releases of 1,000 cards, and what a release does to 1,000 saved squads."""

from __future__ import annotations

import copy
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from builder.errata.difference import difference
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot, freeze
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.store.releases import Releases
from builder.usecases.release.impact import compare, impact
from builder.usecases.roster.files import RosterFiles, roster_files
from tests.house.source import ROOT

PACK = "hydrophilia"
DAY = date(2026, 11, 1)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder))
        one = freeze(load_pack(Project(ROOT), PACK), {}, ())
        old, new = grown(one, 1000, changed=False), grown(one, 1000, changed=True)
        releases = Releases(project, PACK)
        (project.cards_dir(PACK)).mkdir(parents=True)
        releases.write(old, "1.0.0", Release("1.0.0", DAY, DAY), None)
        releases.write(new, "1.1.0", Release("1.1.0", DAY, DAY), "1.0.0")
        before, after = timed(
            "read two releases of 1,000 cards", lambda: [releases.load(v)[0] for v in ("1.0.0", "1.1.0")]
        )
        changes = timed("their difference", lambda: difference(before, after), "target 1 s with reading")
        print(f"  {len(changes.cards)} cards differ")
        rosters(project, 1000)
        comparison = timed("compile both releases", lambda: compare(before, after, "en"))
        kept = RosterFiles(project, roster_files([Path(folder) / "squads"]), comparison.after.pack.manifest.roster)
        squads = kept.names()
        found = timed(
            "impact on 1,000 rosters", lambda: [impact(comparison, kept.load(name)) for name in squads], "target 2 s"
        )
        print(f"  {sum(one.worse for one in found)} of {len(found)} squads no longer legal")


def timed(name: str, work: Callable[[], Any], remark: str = "") -> Any:
    start = time.perf_counter()
    value = work()
    print(f"  {name}: {time.perf_counter() - start:.3f} s" + (f" ({remark})" if remark else ""), flush=True)
    return value


def grown(state: Snapshot, count: int, *, changed: bool) -> Snapshot:
    """The state with copies of its cards until there are so many; in the changed one each third entry is dearer."""
    cards: dict[str, Any] = {}
    texts, rich, translations = dict(state.texts), dict(state.rich), {lang: {} for lang in state.translations}
    originals = list(state.cards.items())
    for index in range(count):
        name, raw = originals[index % len(originals)]
        card = copy.deepcopy(dict(raw))
        card["id"] = name if index < len(originals) else f"{name}-{index}"
        if changed and index % 3 == 0 and isinstance(card.get("cost"), int):
            card |= {"cost": card["cost"] + 1, "revision": 2}
        cards[card["id"]] = card
        texts[card["id"]], rich[card["id"]] = state.texts[name], state.rich[name]
        for lang, by_card in state.translations.items():
            translations[lang][card["id"]] = by_card[name]
    return replace(state, cards=cards, texts=texts, rich=rich, translations=translations)


def rosters(project: Project, count: int) -> None:
    """The pack's sample squads, again and again."""
    samples = sorted((ROOT / "cards" / PACK / "rosters").glob("*.yaml"))
    folder = project.root / "squads"
    folder.mkdir()
    for index in range(count):
        sample = samples[index % len(samples)]
        (folder / f"{index:04}-{sample.name}").write_bytes(sample.read_bytes())
    (project.cards_dir(PACK) / "pack.yaml").write_bytes((ROOT / "cards" / PACK / "pack.yaml").read_bytes())


if __name__ == "__main__":
    main()
