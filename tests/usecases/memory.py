"""Packs, releases, squads and collections kept in memory: what a database would keep, without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from builder.errata.impact import MigratedRoster
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot, format_canonical, load_snapshot
from builder.errors import InputUnreadable, UsageError
from builder.findings import Finding
from builder.model.base import Json
from builder.model.card import HistoryEntry, Migration
from builder.model.loaded import CardFile, Document, LoadedPack, LoadedRoster
from builder.model.roster import Roster
from builder.model.stats import StatsFile
from builder.roster.operations import Edit, edited


@dataclass
class MemoryRosters:
    """Squads by name, each with its earlier states."""

    squads: dict[str, Roster] = field(default_factory=dict)
    history: dict[str, list[tuple[str, Roster]]] = field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        return tuple(self.squads)

    def load(self, name: str) -> LoadedRoster:
        if name not in self.squads:
            raise InputUnreadable(f"no squad {name}", "")
        return LoadedRoster(self.squads[name], None)

    def create(self, name: str, roster: Roster, like: str | None = None) -> None:
        self.squads[name] = roster

    def edit(self, name: str, edit: Edit, what: str) -> Roster:
        self.history.setdefault(name, []).append((what, self.squads[name]))
        self.squads[name] = edited(self.squads[name], edit)
        return self.squads[name]

    def undo(self, name: str) -> str:
        if not self.history.get(name):
            raise UsageError(f"{name} has no edit to take back", "")
        what, self.squads[name] = self.history[name].pop()
        return what

    def migrate(self, name: str, migrated: MigratedRoster, version: str) -> bool:
        self.squads[name] = migrated.roster
        return bool(migrated.moved)


@dataclass
class MemoryReleases:
    """Frozen states by version."""

    states: dict[str, Snapshot] = field(default_factory=dict)
    steps: tuple[Migration, ...] = ()
    before: dict[str, str | None] = field(default_factory=dict)

    @cached_property
    def drafts(self) -> MemoryReleases:
        return MemoryReleases()

    def discard(self, version: str) -> None:
        self.states.pop(version, None)

    def all(self) -> tuple[Release, ...]:
        found = ((name, state.released, state.effective) for name, state in self.states.items())
        return tuple(
            Release(name, released, day, self.before.get(name))
            for name, released, day in found
            if released and day
        )

    def damaged(self, thorough: bool = False) -> tuple[Finding, ...]:
        return ()

    def has(self, version: str) -> bool:
        return version in self.states

    def load(self, version: str) -> tuple[Snapshot, tuple[Finding, ...]]:
        return self.states[version], ()

    def schemas(self) -> dict[str, bytes]:
        return {}

    def parts(self, version: str) -> dict[str, bytes]:
        return {
            "manifest.json": format_canonical(
                {"version": version, "cards": len(self.states[version].cards)}
            ).encode()
        }

    def check_target(self, version: str) -> None:
        assert version not in self.states

    def write(self, state: Snapshot, version: str, dates: Release, previous: str | None) -> None:
        self.states[version] = replace(
            state, label=version, released=dates.released, effective=dates.effective
        )
        self.before[version] = previous

    def migrations(self) -> tuple[tuple[Migration, ...], tuple[Finding, ...]]:
        return self.steps, ()

    def part_versions(self) -> Mapping[str, str]:
        return {}

    def digests(self) -> dict[str, str]:
        return {}


@dataclass
class MemoryPacks:
    """One pack that is edited, and its releases."""

    work: Snapshot
    kept: MemoryReleases = field(default_factory=MemoryReleases)
    rolls: StatsFile | None = None

    def packs(self) -> tuple[str, ...]:
        return (self.work.pack,)

    def load(self, pack: str) -> LoadedPack:
        work = self.work
        parts = {
            "pack.yaml": work.manifest,
            "vocabulary.yaml": work.vocabulary,
            "rules.yaml": work.rules,
        }
        sources = {name: Document(name, dict(value)) for name, value in parts.items()}
        return replace(load_snapshot(work, "pack"), sources=sources)

    def releases(self, pack: str) -> MemoryReleases:
        return self.kept

    def stats(self, pack: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
        return self.rolls, ()

    def revise(self, changes: Sequence[tuple[CardFile, HistoryEntry]]) -> tuple[int, ...]:
        return tuple(self._revised(card, entry) for card, entry in changes)

    def _revised(self, card: CardFile, entry: HistoryEntry) -> int:
        before = dict(self.work.cards[card.stem])
        number = int(str(before["revision"])) + 1
        change = {**entry.model_dump(mode="json", exclude_none=True), "revision": number}
        listed = before.get("history")
        history = [*(listed if isinstance(listed, list) else ()), change]
        after = {**before, "revision": number, "released": change["released"], "history": history}
        self.work = replace(self.work, cards={**self.work.cards, card.stem: after})
        return number

    def translate(self, pack: str, lang: str, place: str, strings: Mapping[str, Json]) -> str:
        card = place.rpartition("/")[2]
        texts = {name: text for name, text in strings.items() if isinstance(text, dict)}
        cards = dict(self.work.translations.get(lang, {}))
        cards[card] = {**cards.get(card, {}), **texts}
        self.work = replace(self.work, translations={**self.work.translations, lang: cards})
        return f"{lang}/{place}"

    def parse(self, text: str, name: str) -> LoadedRoster:
        return LoadedRoster(Roster.model_validate_json(text), None)

    def elsewhere(self, name: str) -> None:
        return None
