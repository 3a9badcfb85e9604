"""Where squads and packs are kept, and the states of a pack that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from builder.errata import codes
from builder.errata.snapshot import WORK, Snapshot, freeze, sharing, thaw
from builder.errors import UsageError
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import HistoryEntry, Migration
from builder.model.formats import FormatDay
from builder.model.loaded import CardFile, LoadedPack, LoadedRoster
from builder.model.pack import Pack
from builder.model.words import suggestion
from builder.store.project import Project

if TYPE_CHECKING:
    from builder.errata.release import Release
    from builder.model.roster import Roster
    from builder.model.stats import StatsFile
    from builder.roster.operations import Edit


class RosterStorage(Protocol):
    """Squads by name. What a name is, a path or a key, the storage knows; InputUnreadable where there is none."""

    def load(self, name: str) -> LoadedRoster:
        """One of them."""

    def edit(self, name: str, edit: Edit, what: str) -> Roster:
        """Change a squad, and remember what the change was called, to be taken back; the squad after it."""


class ReleaseStorage(Protocol):
    """The releases of one pack, and what shapes its cards besides their data."""

    @property
    def drafts(self) -> ReleaseStorage:
        """Those that are staged: no part of its history, and may be replaced."""

    def discard(self, version: str) -> None:
        """Remove a draft, if there is one."""

    def all(self) -> tuple[Release, ...]:
        """Every release that can be read, by day of effect, those of one day by version."""

    def damaged(self, thorough: bool = False) -> tuple[Finding, ...]:
        """The others, and those that are gone or replaced: what stands against relying on them; with `thorough` all of
        their bytes are looked at.
        """

    def has(self, version: str) -> bool:
        """True if there is such a version."""

    def load(self, version: str) -> tuple[Snapshot, tuple[Finding, ...]]:
        """A frozen state and what is wrong with it. UsageError if there is no such version."""

    def schemas(self) -> Mapping[str, bytes]:
        """The schemas of what is published, by file name."""

    def parts(self, version: str) -> Mapping[str, bytes]:
        """All files of a version as it was frozen, by name."""

    def check_target(self, version: str) -> None:
        """Raise OutputNotWritten if `write` could not write this version."""

    def write(self, state: Snapshot, version: str, dates: Release, previous: str | None) -> object:
        """Freeze a state as a version. OutputNotWritten where that version is there already."""

    def migrations(self) -> tuple[tuple[Migration, ...], tuple[Finding, ...]]:
        """The steps from old ids to new ones, and what is wrong with them."""

    def digests(self) -> dict[str, str]:
        """SHA-256 of all that shapes a card besides its data, by name."""


class PackStorage(Protocol):
    """The packs of one project with their releases."""

    def packs(self) -> tuple[str, ...]:
        """The ids of all packs."""

    def load(self, pack: str) -> LoadedPack:
        """A pack as it is edited."""

    def releases(self, pack: str) -> ReleaseStorage:
        """Its releases."""

    def stats(self, pack: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
        """How its attacks are rolled, and what is wrong with that; None where it does not say."""

    def revise(self, changes: Sequence[tuple[CardFile, HistoryEntry]]) -> tuple[int, ...]:
        """Give cards their next revisions, which are counted here, and whose numbers these are; else InputUnreadable,
        and none is changed.
        """

    def translate(self, pack: str, lang: str, place: str, strings: Mapping[str, Json]) -> str:
        """Put texts into the translation of a card (`kind/id`); what that is called."""

    def parse(self, text: str, name: str) -> LoadedRoster:
        """A squad from a text (YAML or JSON), which findings call by the name."""

    def elsewhere(self, name: str) -> PackStorage | None:
        """The packs of another project; None where the name is not that of a project."""


def one_pack(project: Project, pack: str | None) -> str:
    """The pack that is meant; UsageError where it must be named."""
    known = project.choose(pack)
    if len(known) > 1:
        hint = _("Name one with --pack: {listed}.", listed=", ".join(known))
        raise UsageError(_("this project has several packs"), hint)
    return known[0]


def check_languages(pack: str, known: Sequence[str], asked: Iterable[str]) -> None:
    """UsageError for an asked language that is not among those the pack has."""
    for lang in asked:
        if lang not in known:
            message = _("{pack} has no language {lang}", pack=pack, lang=lang)
            raise UsageError(message, suggestion(lang, known, _("Its languages")))


def load_as_of(packs: PackStorage, pack: str, as_of: str | None = None) -> LoadedPack:
    """The pack as it is edited, or as a release or day (YYYY-MM-DD) had it. UsageError if there is no such state."""
    if as_of is None or as_of == WORK:
        return packs.load(pack)
    state, found = state_of(packs, pack, as_of)
    loaded = thaw(state, f"cards/{pack}/releases/{state.label}/cards.json")
    return replace(loaded, findings=(*found, *loaded.findings))


DRAFT = "draft:"
"""What goes before the version where a draft is meant."""


def state_of(packs: PackStorage, pack: str, name: str) -> tuple[Snapshot, tuple[Finding, ...]]:
    """The state that `name` means: `work`, a version, `draft:VERSION`, a day (YYYY-MM-DD), or the folder of another
    project.

    What cannot be read is a finding; the rest is there to be compared.
    """
    from builder.errata.release import as_of

    if name == WORK:
        return working(packs, pack)[:2]
    releases = packs.releases(pack)
    if name.startswith(DRAFT):
        return releases.drafts.load(name.removeprefix(DRAFT))
    found = as_of(releases.all(), name)
    version = found.version if found is not None else name
    if found is not None or releases.has(version):
        state, flaws = releases.load(version)
        marked = (withdrawn(found),) if found is not None and found.withdrawal is not None else ()
        # a day may be that of a damaged one
        return state, (*(releases.damaged() if version != name else ()), *flaws, *marked)
    other = packs.elsewhere(name)
    if other is not None:
        return working(other, pack)[:2]
    known = [WORK, *(release.version for release in releases.all())]
    form = _("{name} is neither a release of {pack}, nor a day after its first one, nor a project's folder")
    raise UsageError(_(form, name=name, pack=pack), suggestion(name, known, _("States here")))


def two_states(packs: PackStorage, pack: str, old: str, new: str) -> tuple[Snapshot, Snapshot, tuple[Finding, ...]]:
    """Two states as `state_of` finds them, to be compared: what they have in common is once in memory."""
    before, found = state_of(packs, pack, old)
    after, more = state_of(packs, pack, new)
    return before, sharing(before, after), tuple(dict.fromkeys((*found, *more)))


def withdrawn(release: Release, place: Location | None = None) -> Finding:
    """That a release was withdrawn, why, and what follows it."""
    mark = release.withdrawal
    assert mark is not None
    reason = mark.reason.get("en") or next(iter(mark.reason.values()), "")
    message = _("{version} was withdrawn on {day}: {reason}", version=release.version, day=mark.date, reason=reason)
    hint = _("Use {version} instead.", version=mark.successor) if mark.successor else ""
    return codes.WITHDRAWN.finding(message, place, hint)


def introduced_in(releases: ReleaseStorage, state: Snapshot, version: str) -> dict[str, str]:
    """For each card of a state that follows the releases before a version, the release it was new in: else that one."""
    from builder.errata.release import introduced, lineage, predecessor

    last = predecessor(releases.all(), version)
    states = [replace(state, label=version, introduced={})]
    for one in reversed(lineage(releases.all(), last) if last is not None else ()):
        states.insert(0, releases.load(one.version)[0])
        if states[0].introduced:  # it knows of all before it
            break
    return introduced(states)


def with_introduced(packs: PackStorage, pack: Pack) -> Pack:
    """A pack that knows which release each card was new in, where its play formats ask for that."""
    asked = any(part.releases for form in pack.formats.values() for part in form.pool)
    return replace(pack, introduced=working(packs, pack.id)[0].introduced) if asked and not pack.introduced else pack


def formatted(pack: Pack, played: FormatDay) -> Pack:
    """A pack with the rules of one of its play formats on a day; UsageError where it has no such format."""
    from builder.rules.formats import with_format

    if played.format not in pack.formats:
        message = _("{pack} has no play format {name}", pack=pack.id, name=played.format)
        hint = suggestion(played.format, pack.formats, _("Its play formats"))
        raise UsageError(message, hint or _("Play formats stand in formats.yaml."))
    return with_format(pack, played)


def working(packs: PackStorage, pack: str) -> tuple[Snapshot, tuple[Finding, ...], LoadedPack]:
    """The state that is being edited, what reading it found, and the pack it was taken from."""
    from builder.errata.release import coming, newest

    releases, loaded = packs.releases(pack), packs.load(pack)
    migrations, found = releases.migrations()
    state = freeze(loaded, releases.digests(), migrations)
    if state.formats:
        version = coming(state, newest(releases.all()))
        state = replace(state, introduced=introduced_in(releases, state, version))
    return state, (*loaded.findings, *found), loaded
