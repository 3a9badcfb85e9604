"""Releases: versions, the required step, the release in force on a day, served releases.

Pure. What machines are served are JSON values that never change once a version is released.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import IntEnum, StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TypedDict

from builder.errata.change import (
    LANGUAGE,
    RULES_TYPES,
    Difference,
    Status,
    describe_language,
)
from builder.errata.difference import compare_states, pair_cards
from builder.errata.format_changes import list_format_legality
from builder.errata.snapshot import Snapshot, Withdrawal, replace_texts
from builder.errata.translations import TranslationState, measure_coverage
from builder.findings import Location
from builder.messages import Message, gettext as _, join_messages
from builder.model.base import Json
from builder.model.card import follow_migrations
from builder.model.days import parse_day
from builder.model.loaded import Document
from builder.model.words import get_term

# No leading zeros, and at most 9 digits, so that versions compare as small numbers.
VERSION_PATTERN = re.compile(
    r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"
)


class VersionStep(IntEnum):
    """The part of a version number that a release raises: major, minor or patch."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """MAJOR.MINOR.PATCH, ordered by its numbers."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def add_step(self, step: VersionStep) -> "Version":
        """Return the next version by a step."""
        if step is VersionStep.MAJOR:
            return Version(self.major + 1, 0, 0)
        if step is VersionStep.MINOR:
            return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + (step is VersionStep.PATCH))


def parse_version(text: str) -> Version | None:
    """Return a version from a text. None if it does not have the form 1.2.3."""
    match = VERSION_PATTERN.fullmatch(text)
    return Version(*(int(part) for part in match.groups())) if match else None


def find_step(old: Version, new: Version) -> VersionStep:
    """Return the part of the version that differs between two versions."""
    if new <= old:
        return VersionStep.NONE
    if new.major > old.major:
        return VersionStep.MAJOR
    return VersionStep.MINOR if new.minor > old.minor else VersionStep.PATCH


def advise_step(difference: Difference) -> tuple[VersionStep, Message]:
    """Return the smallest step that a difference allows, and the change that requires it.

    Major: an id was removed or renamed, or a schema's contract changed. Minor: a new card, a
    change that affects play, or a language more or less. Patch: everything else.
    """
    for step, find in (
        (VersionStep.MAJOR, _find_major_changes),
        (VersionStep.MINOR, _find_minor_changes),
    ):
        reason = next(find(difference), None)
        if reason is not None:
            return step, reason
    if difference.empty:
        return VersionStep.NONE, _("nothing changed")
    return VersionStep.PATCH, _("only wording, translations or pictures changed")


def _find_major_changes(difference: Difference) -> Iterator[Message]:
    for card in difference.cards:
        if card.status.gone or card.status is Status.RENAMED:
            yield _(
                "the id {card} is {status}",
                card=card.old_id,
                status=get_term(card.status.value),
            )
    yield from (
        _("the schema {path} changed", path=part.path)
        for part in difference.parts
        if part.part == "schema"
    )


def _find_minor_changes(difference: Difference) -> Iterator[Message]:
    for card in difference.cards:
        if card.status is Status.ADDED:
            yield _("{card} is new", card=card.id)
        for change in card.fields:
            if change.type.matters:
                form = _("{card}: {path} ({sort}) changed")
                yield _(
                    form,
                    card=card.id,
                    path=change.path,
                    sort=get_term(change.type.value),
                )
        for announced in sorted(card.change_types & RULES_TYPES):
            yield _(
                "{card}: a history entry has the type {type}",
                card=card.id,
                type=get_term(announced),
            )
    yield from (
        _("{path} changed in the rules", path=part.path)
        for part in difference.parts
        if part.part == "rules"
    )
    yield from (
        _("{path} changed", path=part.path)
        for part in difference.parts
        if part.part == "formats"
    )
    yield from (
        describe_language(part) for part in difference.parts if part.part == LANGUAGE
    )


@dataclass(frozen=True, slots=True)
class Release:
    """One release by its manifest."""

    version: str
    released: date
    effective: date
    previous: str | None = None
    withdrawal: Withdrawal | None = None
    announcement: str = ""

    @property
    def number(self) -> Version:
        """The version as numbers, or 0.0.0 if it does not have the form 1.2.3."""
        return parse_version(self.version) or Version(0, 0, 0)

    @property
    def order(self) -> tuple[date, Version]:
        """The sort key of releases: the effective date, then the version."""
        return self.effective, self.number

    def is_in_force(self, day: date) -> bool:
        """Return True from the effective date until the withdrawal."""
        return self.effective <= day and not self.is_withdrawn(day)

    def is_withdrawn(self, day: date) -> bool:
        """Return True from the day of its withdrawal on."""
        return self.withdrawal is not None and self.withdrawal.date <= day


def find_release_in_force(releases: Iterable[Release], day: date) -> Release | None:
    """Return the release that play used on a day, None before the first.

    The greatest version of all that hold, so that the correction of an older line never takes the
    place of a newer one.
    """
    return find_newest(release for release in releases if release.is_in_force(day))


def list_periods(releases: Sequence[Release]) -> list[tuple[date, Release]]:
    """Return the releases that were in force, each with the first day of its time in force."""
    periods: list[tuple[date, Release]] = []
    for day in _list_turning_days(releases):
        current = find_release_in_force(releases, day)
        if current is not None and (not periods or periods[-1][1] != current):
            periods.append((day, current))
    return periods


def _list_turning_days(releases: Iterable[Release]) -> list[date]:
    """Return the days on which another release may come into force, in order."""
    days: set[date] = set()
    for release in releases:
        days.add(release.effective)
        if release.withdrawal:
            days.add(release.withdrawal.date)
    return sorted(days)


def find_newest(releases: Iterable[Release]) -> Release | None:
    """Return the release with the greatest version."""
    return max(releases, key=lambda release: release.number, default=None)


def find_predecessor(releases: Iterable[Release], version: str) -> Release | None:
    """Return the release that a version continues: the greatest one below it, withdrawn or not."""
    number = parse_version(version)
    return find_newest(
        release for release in releases if number is None or release.number < number
    )


class ReleaseState(StrEnum):
    """The state of a release on a day."""

    PLANNED = "planned"
    IN_FORCE = "in force"
    SUPERSEDED = "superseded"
    CORRECTION = "correction"
    WITHDRAWN = "withdrawn"


def find_state(
    release: Release, releases: Sequence[Release], day: date
) -> ReleaseState:
    """Return the state of a release on a day. All pages, feeds, badges and commands show it."""
    if release.is_withdrawn(day):
        return ReleaseState.WITHDRAWN
    if release.effective > day:
        return ReleaseState.PLANNED
    if release == find_release_in_force(releases, day):
        return ReleaseState.IN_FORCE
    # A correction of an older line never was in force, because a newer line was ahead.
    ahead = find_release_in_force(releases, release.effective)
    is_current = ahead is not None and ahead.number <= release.number
    return ReleaseState.SUPERSEDED if is_current else ReleaseState.CORRECTION


def describe_state(release: Release, releases: Sequence[Release], day: date) -> str:
    """Return the status of a release on a day as text, with a withdrawal that is planned."""
    state = find_state(release, releases, day)
    mark = release.withdrawal
    if state is ReleaseState.WITHDRAWN:
        follows = mark.successor if mark else None
        return (
            _("withdrawn; use {version}", version=follows)
            if follows
            else _("withdrawn")
        )
    words = _describe_valid_state(state, release)
    # Nobody starts to use a superseded release, so its withdrawal is no news.
    if mark is None or state not in (ReleaseState.PLANNED, ReleaseState.IN_FORCE):
        return words
    return join_messages([words, _("to be withdrawn on {day}", day=mark.date)])


def _describe_valid_state(state: ReleaseState, release: Release) -> Message:
    """Return the status of a release that is not withdrawn yet."""
    if state is ReleaseState.PLANNED:
        return _("planned for {day}", day=release.effective)
    if state is ReleaseState.CORRECTION:
        return _("correction of {version}", version=release.previous)
    return _("in force") if state is ReleaseState.IN_FORCE else _("superseded")


def list_lineage(releases: Iterable[Release], last: Release) -> tuple[Release, ...]:
    """Return a release and all that it continues, oldest first."""
    releases_by_version = {release.version: release for release in releases}
    lineage = [last]
    before = releases_by_version.get(last.previous or "")
    # A damaged manifest may name itself or a later one; smaller numbers always end.
    while before is not None and before.number < lineage[0].number:
        lineage.insert(0, before)
        before = releases_by_version.get(before.previous or "")
    return tuple(lineage)


def list_side_releases(releases: Sequence[Release]) -> list[tuple[Release, Release]]:
    """Return each valid release that the newest one does not continue, with its newest.

    A release that another such release continues is not listed.
    """
    valid = [release for release in releases if release.withdrawal is None]
    newest = find_newest(valid)
    if newest is None:
        return []
    lineage = list_lineage(releases, newest)
    others = [release for release in valid if release not in lineage]
    continued = {release.previous for release in others}
    return [(release, newest) for release in others if release.version not in continued]


def find_common_release(
    releases: Sequence[Release], first: Release, second: Release
) -> Release | None:
    """Return the last release that two releases both continue."""
    lineage = list_lineage(releases, first)
    return find_newest(
        release for release in list_lineage(releases, second) if release in lineage
    )


def find_release(releases: Iterable[Release], name: str) -> Release | None:
    """Return the release named by a version or by a day (YYYY-MM-DD)."""
    all_releases = tuple(releases)
    named_release = next(
        (release for release in all_releases if release.version == name), None
    )
    if named_release is not None:
        return named_release
    day = parse_day(name)
    return find_release_in_force(all_releases, day) if day is not None else None


@dataclass(frozen=True)
class Proposal:
    """A planned release, with the state it contains and the release that it is based on.

    `known_versions` are the existing versions. `documents` are the cards' files, to locate
    findings. `other_states` are the releases that it is not based on. `previous_withdrawn` is
    True if `previous` was withdrawn; `last_valid` is then the last valid release before it.
    `continues_withdrawn` is True if the maintainer allows that.
    """

    version: str
    released: date
    effective: date
    state: Snapshot
    previous: Snapshot | None
    known_versions: tuple[str, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict)
    other_states: tuple[Snapshot, ...] = ()
    previous_withdrawn: bool = False
    last_valid: Snapshot | None = None
    continues_withdrawn: bool = False

    @cached_property
    def difference(self) -> Difference:
        """The difference from the previous release, or from an empty pack for the first one."""
        nothing = Snapshot(
            pack=self.state.pack, label="nothing", manifest=self.state.manifest
        )
        return compare_states(self.previous or nothing, self.state)

    @property
    def migrations_file(self) -> str:
        """The file where a missing migration must be added."""
        return f"cards/{self.state.pack}/migrations.yaml"

    def locate_card(self, card: str, path: str = "") -> Location:
        """Return the location of a card, or of a field of it by its dotted path."""
        document = self.documents.get(card)
        steps = tuple(path.split(".")) if path else ()
        return document.locate(steps) if document else Location(path=path or None)


def predict_version(state: Snapshot, last: Release | None) -> str:
    """Return the lowest version after `last` that a play format names, or `work`."""
    versions: list[Version] = []
    for play_format in state.play_formats.formats.values():
        for pool_part in play_format.pool:
            for name in pool_part.releases:
                version = parse_version(name)
                if version is not None and (last is None or version > last.number):
                    versions.append(version)
    return str(min(versions, default=state.label))


def find_first_releases(
    states: Sequence[Snapshot], *, revised: bool = False
) -> dict[str, str]:
    """Return the first release of each card in the last of these states, oldest first.

    Renamed cards count as the same card. With `revised`, return the first release of each card's
    current revision.
    """
    first_releases: dict[str, str] = {}
    for before, state in pairwise((None, *states)):
        # pairwise() begins with the None that stands before the first state.
        assert state is not None
        pairs = pair_cards(before, state)[0] if before is not None else {}
        if before is not None and revised:
            cards = (
                (new, old, before.cards[old].get("revision"))
                for new, old in pairs.items()
            )
            # A card with a new revision counts as first seen in the release that has it.
            pairs = {
                new: old
                for new, old, number in cards
                if state.cards[new].get("revision") == number
            }
        stored_releases = {} if revised else dict(state.introduced)
        first_releases = {
            card: first_releases.get(pairs.get(card, ""), state.label)
            for card in state.cards
        } | stored_releases
    return first_releases


API = "v1"


class ReleaseSize(TypedDict):
    """The number of cards in a release, and of its texts in each language."""

    cards: int
    languages: dict[str, dict[str, int]]


def make_index(
    pack: str, name: Json, releases: Sequence[Release], sizes: Mapping[str, ReleaseSize]
) -> Mapping[str, object]:
    """Return all releases by day of effect, each with its size and its last day in force.

    The correction of an older line is never in force: `until` is its own first day.
    """
    listed = [
        {
            "version": release.version,
            "previous": release.previous,
            "released": str(release.released),
            "effective": str(release.effective),
            "until": _find_end_of_force(release, releases),
            "withdrawn": release.withdrawal
            and release.withdrawal.model_dump(mode="json", exclude={"version"}),
            **sizes[release.version],
            "path": f"{API}/{release.version}/",
            **({"announcement": release.announcement} if release.announcement else {}),
        }
        for release in releases
    ]
    return {
        "pack": pack,
        "name": name,
        "schema": f"{API}/schemas/published.schema.json",
        "releases": listed,
    }


def measure_state(state: Snapshot) -> ReleaseSize:
    """Count the cards, and in each language the texts, and the missing, stale and copied ones."""
    languages: dict[str, dict[str, int]] = {}
    for lang in state.languages[1:]:
        coverage = measure_coverage(state, lang)
        languages[lang] = {"texts": len(coverage.items)}
        for state_name in TranslationState:
            languages[lang][state_name.value] = coverage.count_strings(state_name)
    return {"cards": len(state.cards), "languages": languages}


def _find_end_of_force(release: Release, releases: Sequence[Release]) -> str | None:
    """Return the first day on which a release is no longer in force."""
    for day in _list_turning_days(releases):
        # The release ends on the first day on which another one is in force.
        if day >= release.effective and find_release_in_force(releases, day) != release:
            return str(day)
    return None


def make_latest_pointer(state: Snapshot) -> dict[str, str]:
    """Return the content of a file that names the current release."""
    return {"version": state.label, "path": f"{API}/{state.label}/"}


def list_cards(state: Snapshot, lang: str) -> Mapping[str, object]:
    """Return all cards with their texts in a language.

    A text without translation stays in the source language.
    """
    return {card: translate_card(state, lang, card) for card in sorted(state.cards)}


def translate_card(state: Snapshot, lang: str, card: str) -> Json:
    """Return a card with its texts in a language, as far as they are translated."""
    texts = state.get_strings(lang, card)
    return (
        replace_texts(dict(state.cards[card]), texts)
        if texts
        else dict(state.cards[card])
    )


def make_legality(states: Sequence[Snapshot]) -> Mapping[str, object]:
    """Return the legal cards of the last state with their releases, and the withdrawn cards.

    `states` are all releases up to this one, oldest first.
    """
    last = states[-1]
    first_releases = find_first_releases(states)
    revision_releases = find_first_releases(states, revised=True)
    legal = {
        card: {
            "since": first_releases[card],
            "revision": raw.get("revision"),
            "revisedIn": revision_releases[card],
        }
        for card, raw in sorted(last.cards.items())
    }
    formats: dict[str, list[Json]] = {}
    for name, day, value in list_format_legality(last):
        path = f"{API}/{last.label}/legality/{name}/{day}.json"
        period: Json = {"from": value["from"], "to": value["to"], "path": path}
        formats.setdefault(name, []).append(period)
    return {
        "version": last.label,
        "effective": last.effective and str(last.effective),
        "legal": legal,
        "withdrawn": _list_withdrawn_cards(states),
        **({"formats": formats} if formats else {}),
    }


def _list_withdrawn_cards(states: Sequence[Snapshot]) -> dict[str, Json]:
    last = states[-1]
    last_states: dict[str, Snapshot] = {}
    for state in states:
        last_states |= dict.fromkeys(state.cards, state)
    withdrawn_cards: dict[str, Json] = {}
    for card in sorted(last_states.keys() - last.cards.keys()):
        heir = follow_migrations(card, last.migrations, last.cards)
        migration = next((step for step in last.migrations if step.old == card), None)
        heirs: list[Json] = []
        if heir:
            heirs = [heir]
        elif migration:
            heirs = list(migration.new)
        withdrawn_cards[card] = {
            "lastIn": last_states[card].label,
            "type": migration.type.value if migration else None,
            "successors": heirs,
        }
    return withdrawn_cards
