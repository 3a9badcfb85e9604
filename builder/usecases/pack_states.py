"""Find the states of a pack: as it is edited, as in a release, or on a day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING

from builder.errata import release_codes
from builder.errata.snapshot import (
    WORK,
    Snapshot,
    load_snapshot,
    make_snapshot,
    share_cards,
)
from builder.errors import PackUnreadable, UsageError
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.card import Migration
from builder.model.days import parse_day
from builder.model.formats import FormatDay
from builder.model.loaded import LoadedPack, select_verdict_errors
from builder.model.pack import Pack
from builder.model.words import suggest_word
from builder.packs.file_codes import MISSING_PART, MISSING_RULES
from builder.packs.project import Project

if TYPE_CHECKING:
    from builder.errata.release import Release
    from builder.packs.pack_files import PackFiles
    from builder.packs.releases.folders import Releases


def choose_pack(project: Project, pack: str | None) -> str:
    """Return the given pack, or the only pack of the project.

    Raise UsageError if it is not clear.

    """
    packs = project.choose_packs(pack)
    if len(packs) > 1:
        hint = _("Choose one with --pack: {listed}.", listed=", ".join(packs))
        raise UsageError(_("this project has several packs"), hint)
    return packs[0]


def check_languages(
    pack: str, pack_languages: Sequence[str], requested_languages: Iterable[str]
) -> None:
    """Raise UsageError if the pack does not have one of the requested languages."""
    for lang in requested_languages:
        if lang not in pack_languages:
            message = _("{pack} has no language {lang}", pack=pack, lang=lang)
            raise UsageError(
                message, suggest_word(lang, pack_languages, _("Its languages"))
            )


def load_pack_as_of(
    packs: PackFiles, pack: str, as_of: str | None = None
) -> LoadedPack:
    """Load a pack as it is edited, or as it was in a release or on a day (YYYY-MM-DD).

    Raise UsageError if there is no such state.
    """
    if as_of is None or as_of == WORK:
        return packs.load_pack(pack)
    state, state_findings = load_named_state(packs, pack, as_of)
    loaded = load_snapshot(state, f"cards/{pack}/releases/{state.label}/cards.json")
    return replace(loaded, findings=(*state_findings, *loaded.findings))


DRAFT = "draft:"
"""The prefix of the version of a draft."""


def load_named_state(
    packs: PackFiles, pack: str, name: str
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """Load a state of a pack by name. Return it with findings about files that cannot be read.

    The name is `work`, a version, `draft:VERSION`, a day (YYYY-MM-DD), or the folder of another
    project. Raise UsageError for an unknown name, and PackUnreadable for a damaged release.
    """
    from builder.errata.release import find_release

    # An unset shell variable gives an empty name, which as a path is the working folder.
    if not name.strip():
        message = _("the name of the state is empty")
        raise UsageError(message, _("Give a version, a date, or `work`."))
    if name == WORK:
        return read_working_state(packs, pack)
    releases = packs.open_releases(pack)
    if name.startswith(DRAFT):
        return releases.drafts.load_state(name.removeprefix(DRAFT))
    release = find_release(releases.list_releases(), name)
    version = release.version if release is not None else name
    if release is not None or releases.has_version(version):
        state, flaws = releases.load_state(version)
        findings = [*flaws]
        if version != name:
            # A damaged release may have been the one in force on the day.
            findings = [*releases.find_damage(), *flaws]
        if release is not None and release.withdrawal is not None:
            findings.append(report_withdrawn(release))
        return state, tuple(findings)
    other_packs = packs.find_other_project(name)
    if other_packs is not None:
        return read_working_state(other_packs, pack)
    _refuse_damaged_release(releases, pack, name)
    names = [WORK, *(release.version for release in releases.list_releases())]
    form = _(
        "{name} is not a release of {pack}, not a date after its first release, and not a "
        "project folder"
    )
    hint = suggest_word(name, names, _("Available states"))
    raise UsageError(_(form, name=name, pack=pack), hint)


def _refuse_damaged_release(releases: Releases, pack: str, name: str) -> None:
    """Raise PackUnreadable if a damaged release could be the requested version or day."""
    damage = releases.find_damage()
    if parse_day(name) is None:
        folder = f"/releases/{name}/"
        damage = tuple(flaw for flaw in damage if folder in (flaw.location.file or ""))
    if damage:
        raise PackUnreadable(pack, damage)


def read_working_state(
    packs: PackFiles, pack: str
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """Load the current state of a pack. Return it with findings, also about missing files."""
    state, findings, loaded = read_working_pack(packs, pack)
    if loaded.pack is not None and not loaded.verdict_errors:
        findings = (*findings, *find_missing_files(packs, loaded))
    return state, findings


def load_two_states(
    packs: PackFiles, pack: str, old: str, new: str
) -> tuple[Snapshot, Snapshot, tuple[Finding, ...]]:
    """Load two states of a pack by name, for a comparison. Equal parts share memory."""
    before, old_findings = load_named_state(packs, pack, old)
    after, new_findings = load_named_state(packs, pack, new)
    findings = tuple(dict.fromkeys((*old_findings, *new_findings)))
    return before, share_cards(before, after), findings


def report_withdrawn(
    release: Release, place: Location | None = None, day: date | None = None
) -> Finding:
    """Return the warning that a release is withdrawn on a day, or will be later.

    The message has the reason and the successor. The default day is today.
    """
    mark = release.withdrawal
    assert mark is not None
    reason = mark.reason.get("en") or next(iter(mark.reason.values()), "")
    form = _("{version} was withdrawn on {day}: {reason}")
    if not release.is_withdrawn(day or date.today()):
        form = _("{version} is to be withdrawn on {day}: {reason}")
    message = _(form, version=release.version, day=mark.date, reason=reason)
    hint = _("Use the release in force instead.")
    if mark.successor:
        hint = _("Use {version} instead.", version=mark.successor)
    return release_codes.WITHDRAWN.finding(message, place, hint)


def find_first_releases_before(
    releases: Releases, state: Snapshot, version: str
) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Return the release in which each card of a state first appeared, by card id.

    Cards that no release has get the given version. Also return findings about the releases.
    """
    from builder.errata.release import (
        find_first_releases,
        find_predecessor,
        list_lineage,
    )

    all_releases = releases.list_releases()
    last = find_predecessor(all_releases, version)
    lineage = list_lineage(all_releases, last) if last is not None else ()
    states = [replace(state, label=version, introduced={})]
    findings = [*releases.find_damage()]
    for release in reversed(lineage):
        earlier_state, flaws = releases.load_state(release.version)
        states.insert(0, earlier_state)
        findings += flaws
        if earlier_state.introduced:  # it has the cards of all releases before it
            break
    return find_first_releases(states), tuple(findings)


def add_first_releases(
    packs: PackFiles, pack: Pack
) -> tuple[Pack, tuple[Finding, ...]]:
    """Add to a pack the release in which each card first appeared, if play formats use it.

    Also return findings about the releases that were read.
    """
    pools = chain.from_iterable(
        play_format.pool for play_format in pack.formats.values()
    )
    names_releases = any(pool_part.releases for pool_part in pools)
    if not names_releases or pack.introduced:
        return pack, ()
    state, findings, _loaded = read_working_pack(packs, pack.id)
    return replace(pack, introduced=state.introduced), findings


VOCABULARY_REFS = frozenset({"keyword", "stat", "term", "faction"})
"""The types of names (`x-ref`) that vocabulary.yaml declares."""


def find_missing_files(
    packs: PackFiles, loaded: LoadedPack, severity: Severity | None = None
) -> Iterator[Finding]:
    """Report vocabulary.yaml or formats.yaml if it is missing but needed.

    Cards or the last release may need them. The severity is that of the code unless one is given.
    `find_missing_rules` reports rules.yaml.
    """
    pack = loaded.whole.id
    versions = packs.open_releases(pack).list_part_versions()
    for name in ("vocabulary.yaml", "formats.yaml"):
        version = versions.get(name.replace(".yaml", ".json"))
        if version and name not in loaded.sources:
            form = _("{file} is missing, but release {version} has it")
            message = _(form, file=name, version=version)
            place = Location(file=f"cards/{pack}/{name}")
            yield MISSING_PART.finding(message, place, severity=severity)
    if "vocabulary.yaml" in loaded.sources or "vocabulary.json" in versions:
        return
    # One word is enough: a pack whose cards name nothing needs no vocabulary.
    for mention in chain.from_iterable(loaded.mentions.values()):
        if mention.ref.partition(":")[0] in VOCABULARY_REFS:
            form = _("{file} is missing, but cards use {word}")
            message = _(form, file="vocabulary.yaml", word=mention.value)
            place = Location(file=f"cards/{pack}/vocabulary.yaml")
            yield MISSING_PART.finding(message, place, severity=severity)
            return


def find_missing_rules(
    loaded: LoadedPack, release: str = "", severity: Severity | None = None
) -> Iterator[Finding]:
    """Report that a pack or release has no rules, so that every squad would be legal."""
    if "rules.yaml" not in loaded.sources:
        folder = f"cards/{loaded.whole.id}"
        file = (
            f"{folder}/releases/{release}/rules.json"
            if release
            else f"{folder}/rules.yaml"
        )
        message = _("{file} is missing", file=file.rpartition("/")[2])
        yield MISSING_RULES.finding(message, Location(file=file), severity=severity)


def find_verdict_flaws(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the errors among findings that make a pack unfit for checking squads."""
    flaws: list[Finding] = []
    for finding in findings:
        if finding.code == MISSING_PART.code:  # a warning of `check` for now
            # Made anew, because the hint of a warning says that it will be an error.
            message, place = finding.message, finding.location
            flaws.append(MISSING_PART.finding(message, place, severity=Severity.ERROR))
        else:
            flaws += select_verdict_errors((finding,))
    return tuple(flaws)


def find_verdict_errors(
    packs: PackFiles, loaded: LoadedPack, as_of: str | None = None
) -> tuple[Finding, ...]:
    """Return the errors that make a pack, as edited or as released, unfit for checking squads."""
    errors = loaded.verdict_errors
    if loaded.pack is None:
        return errors or loaded.findings
    release = "" if as_of is None or as_of == WORK else as_of
    missing_files = [*find_missing_rules(loaded, release, Severity.ERROR)]
    if not release:
        missing_files += find_missing_files(packs, loaded, Severity.ERROR)
    # A file that is broken is not missing.
    broken_files = {finding.location.file for finding in errors}
    missing_files = [
        item for item in missing_files if item.location.file not in broken_files
    ]
    return (*errors, *missing_files)


def load_migrations(packs: PackFiles, pack: str) -> tuple[Migration, ...]:
    """Load the steps from old card ids to new ones. Raise PackUnreadable if that fails."""
    steps, findings = packs.open_releases(pack).load_migrations()
    if findings:
        raise PackUnreadable(pack, findings)
    return steps


def apply_play_format(pack: Pack, format_day: FormatDay) -> Pack:
    """Return a pack with the rules of one of its play formats on a day.

    Raise UsageError if it has no such format.
    """
    from builder.rules.play_formats import with_format

    if format_day.format not in pack.formats:
        message = _(
            "{pack} has no play format {name}", pack=pack.id, name=format_day.format
        )
        hint = suggest_word(format_day.format, pack.formats, _("Its play formats"))
        raise UsageError(
            message, hint or _("Play formats are defined in formats.yaml.")
        )
    return with_format(pack, format_day)


def read_working_pack(
    packs: PackFiles, pack: str
) -> tuple[Snapshot, tuple[Finding, ...], LoadedPack]:
    """Load the current state of a pack. Return it with findings and the loaded pack."""
    from builder.errata.release import find_newest, predict_version

    releases = packs.open_releases(pack)
    loaded = packs.load_pack(pack)
    migrations, migration_findings = releases.load_migrations()
    state = make_snapshot(loaded, releases.hash_files(), migrations)
    if state.formats:
        version = predict_version(state, find_newest(releases.list_releases()))
        introduced, flaws = find_first_releases_before(releases, state, version)
        state = replace(state, introduced=introduced)
        migration_findings = (*migration_findings, *flaws)
    return state, (*loaded.findings, *migration_findings), loaded
