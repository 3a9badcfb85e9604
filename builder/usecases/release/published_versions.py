"""The published files of each release: its parts, legality, changes, and notes in each language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from builder.diskmap import DiskMap
from builder.errata import release as values
from builder.errata.change import Difference, summarize_changes
from builder.errata.difference import compare_states
from builder.errata.effects import mark_reverts
from builder.errata.format_changes import list_format_legality
from builder.errata.notes import Notes
from builder.errata.rulings import Rulings
from builder.errata.snapshot import Snapshot, format_canonical, share_cards
from builder.findings import Finding, has_errors
from builder.messages import Message
from builder.packs.releases.folders import Releases
from builder.packs.rulings import load_rulings
from builder.report.release import format_notes, make_difference_data
from builder.usecases.release.notes import compose_release_notes

TREE = values.API
"""The folder of a publication that is wholly its own."""

Files: TypeAlias = tuple[Mapping[str, bytes], tuple[Finding, ...]]
"""Files by path, and the findings that prevent them."""
Step: TypeAlias = tuple[Snapshot, Snapshot, Difference]
"""A release that continues another, after that one, and their difference."""
ReleaseSummary: TypeAlias = tuple[values.ReleaseSize, Message | str]
"""The size of a release, and its changes if it continues another."""


def add_files(
    files: DiskMap[str, bytes], new_files: Iterable[tuple[str, bytes]]
) -> None:
    """Add files by path to a publication."""
    for path, data in new_files:
        files[path] = data


def encode_json(value: object) -> bytes:
    """Return a value as a JSON file."""
    return format_canonical(value).encode("utf-8")


@dataclass
class PublishedVersions:
    """Adds the files of each release to a publication.

    At most two releases are in memory.
    """

    releases: Releases
    files: DiskMap[str, bytes]
    summaries: dict[str, ReleaseSummary] = field(default_factory=dict)
    differences: dict[str, Difference] = field(default_factory=dict)
    notes: dict[str, list[Notes]] = field(default_factory=dict)
    """The notes of each language without their cards, oldest first."""
    findings: list[Finding] = field(default_factory=list)
    _past_states: dict[str, Snapshot] = field(default_factory=dict)
    _last: Snapshot | None = None

    def write_releases(self) -> None:
        """Add the files of all releases, the oldest first. Add none after an error."""
        rulings, ruling_findings = load_rulings(
            self.releases.project, self.releases.pack
        )
        self.findings += ruling_findings
        all_releases = self.releases.list_releases()
        for release in all_releases:
            lineage = values.list_lineage(all_releases, release)
            before = self._load_previous(lineage)
            state, state_findings = self.releases.load_state(release.version)
            self.findings += state_findings
            self._last = state = (
                share_cards(before, state) if before is not None else state
            )
            if not has_errors(self.findings):
                self._write_release(before, state, lineage, rulings)

    def load_steps(self) -> Iterator[Step]:
        """Yield pairs of a release and the release before it."""
        all_releases = self.releases.list_releases()
        for release in all_releases:
            lineage = values.list_lineage(all_releases, release)
            if len(lineage) > 1:
                before, state = (
                    self.releases.load_state(item.version)[0] for item in lineage[-2:]
                )
                yield before, state, self.differences[release.version]

    def _load_previous(self, lineage: Sequence[values.Release]) -> Snapshot | None:
        """Load the release that the last one of a lineage continues. None for the first."""
        if len(lineage) == 1:
            return None
        version = lineage[-2].version
        if self._last is not None and self._last.label == version:
            return self._last
        self._last = None  # so that no third release is in memory
        return self.releases.load_state(version)[0]

    def _write_release(
        self,
        before: Snapshot | None,
        state: Snapshot,
        lineage: Sequence[values.Release],
        rulings: Rulings,
    ) -> None:
        self._past_states[state.label] = _keep_revisions(state)
        states = [*map(self._get_revisions, lineage[:-1]), state]
        empty_state = Snapshot(state.pack, "nothing", manifest=state.manifest)
        changes = compare_states(before or empty_state, state)
        # The first release of a lineage changed nothing that could be reverted.
        versions = [release.version for release in reversed(lineage[1:-1])]
        past = [self.differences[name] for name in versions if name in self.differences]
        changes = mark_reverts(changes, past)
        self.differences[state.label] = changes
        summary = (
            summarize_changes(changes.list_visible_cards(state.source))
            if before
            else ""
        )
        self.summaries[state.label] = (values.measure_state(state), summary)
        parts = self.releases.read_parts(state.label).items()
        add_files(
            self.files, ((f"{TREE}/{state.label}/{name}", data) for name, data in parts)
        )
        add_files(self.files, _list_version_files(states, changes))
        if before is not None:
            self._write_notes((before, state, changes), rulings)

    def _get_revisions(self, release: values.Release) -> Snapshot:
        """Return the revisions of a release that may take effect later than one that follows it."""
        known_state = self._past_states.get(release.version)
        return known_state or _keep_revisions(
            self.releases.load_state(release.version)[0]
        )

    def _write_notes(self, step: Step, rulings: Rulings) -> None:
        """Add the release notes in each language."""
        before, state, changes = step
        root = f"{TREE}/{state.label}"
        for notes in compose_release_notes(
            before, state, (), rulings=rulings, difference=changes
        ):
            text = format_notes(notes).encode()
            self.files[f"{root}/{notes.lang}/CHANGES.md"] = text
            if notes.lang == state.source:
                self.files[f"{root}/CHANGES.md"] = text
            # Feeds show only the summary, and the notes of all releases stay in memory.
            self.notes.setdefault(notes.lang, []).append(
                replace(notes, groups=(), points=())
            )


def _keep_revisions(state: Snapshot) -> Snapshot:
    """Return a state that has only the revisions of its cards, to save memory."""
    # Cards with the same revision share one map, because a pack has thousands of them.
    shared_cards = {
        repr(raw.get("revision")): {"revision": raw.get("revision")}
        for raw in state.cards.values()
    }
    cards = {
        card: shared_cards[repr(raw.get("revision"))]
        for card, raw in state.cards.items()
    }
    return Snapshot(
        state.pack,
        state.label,
        cards=cards,
        migrations=state.migrations,
        introduced=state.introduced,
    )


def _list_version_files(
    states: Sequence[Snapshot], changes: Difference
) -> Iterator[tuple[str, bytes]]:
    """Yield the files about one release."""
    state, root = states[-1], f"{TREE}/{states[-1].label}"
    yield f"{root}/legality.json", encode_json(values.make_legality(states))
    yield f"{root}/changes.json", encode_json(make_difference_data(changes, state))
    for name, day, legality in list_format_legality(state):
        yield f"{root}/legality/{name}/{day}.json", encode_json(legality)
    for lang in state.languages:
        yield f"{root}/{lang}/cards.json", encode_json(values.list_cards(state, lang))
