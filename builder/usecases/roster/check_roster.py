"""Check rosters against the rules of their packs. Packs are read and compiled once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from builder.checks.registry import run_checks
from builder.checks.roster.verdict import (
    NOT_DECIDED,
    NOT_OWNED,
    PACK_ERRORS,
    RosterVerdict,
)
from builder.errata import release_codes as errata_codes
from builder.errata.impact import migrate_collection
from builder.errata.release import (
    Release,
    find_newest,
    find_release,
    find_release_in_force,
)
from builder.errors import PackUnreadable, UsageError
from builder.findings import Finding, Location, Severity, has_errors, sort_findings
from builder.messages import gettext as _, list_languages as program_languages
from builder.model.base import look_up
from builder.model.formats import FormatDay
from builder.model.loaded import Document, LoadedPack, LoadedRoster
from builder.model.pack import Pack, RosterForm
from builder.model.roster import Collection, Roster
from builder.model.words import suggest_word
from builder.packs.file_codes import MISSING_PART
from builder.packs.pack_files import PackFiles
from builder.roster.costs import count_owned_cards, find_shortages
from builder.roster.resolve import Squad
from builder.rules.checker import RosterChecker, RosterResult, Spending, find_spending
from builder.rules.names import Names
from builder.usecases.pack_states import (
    add_first_releases,
    apply_play_format,
    find_verdict_errors,
    find_verdict_flaws,
    load_migrations,
    load_pack_as_of,
    report_withdrawn,
)


@dataclass(frozen=True, slots=True)
class CheckedRoster:
    """The result of checking a squad: findings, verdict and costs.

    If the squad is unreadable, most fields are None. `lang` is the language of rules and names.
    `unreadable` are errors in the pack's files that prevent a verdict.
    """

    file: str
    findings: tuple[Finding, ...]
    lang: str = "en"
    roster: Roster | None = None
    checker: RosterChecker | None = None
    squad: Squad | None = None
    verdict: RosterResult | None = None
    spent: Spending | None = None
    unreadable: tuple[Finding, ...] = ()

    @property
    def legal(self) -> bool:
        """True if the file has no errors and the squad breaks no rule."""
        return (
            self.verdict is not None
            and self.verdict.legal
            and not has_errors(self.findings)
        )

    @property
    def is_undecided(self) -> bool:
        """True if there are no errors, but the search could not decide some rule."""
        others = [item for item in self.findings if item.code != NOT_DECIDED.code]
        return (
            self.verdict is not None
            and self.verdict.is_undecided
            and not has_errors(others)
        )


@dataclass(frozen=True, slots=True)
class LoadedChecker:
    """The checker for squads of one pack, or None, and the errors in the pack's files.

    With `errors` it can list cards and costs, but it gives no verdict. `is_faulty` is true for any
    error, also in files that do not affect verdicts.
    """

    checker: RosterChecker | None
    errors: tuple[Finding, ...] = ()
    is_faulty: bool = False


@dataclass
class RosterCheckers:
    """Loads the checkers of packs on first use, and keeps them for further squads.

    `as_of` is the release by which all squads are checked, whatever they are pinned to.
    `format_day` is the play format by which all squads are checked. With `requires_formats`, a
    squad with a play format gets no verdict from a pack without any. Otherwise the format is an
    error of the squad, which its owner can correct.
    """

    packs: PackFiles
    as_of: str | None = None
    checkers_by_pack: dict[tuple[str, str | None], LoadedChecker] = field(
        default_factory=dict
    )
    format_day: FormatDay | None = None
    requires_formats: bool = True
    releases_by_pack: dict[str, tuple[tuple[Release, ...], tuple[Finding, ...]]] = (
        field(default_factory=dict)
    )

    def load_pack(self, pack: str, version: str | None = None) -> LoadedChecker:
        """Return the checker of a pack, as edited or as released. Load it only once."""
        state = self.as_of or version
        if (pack, state) not in self.checkers_by_pack:
            self.add_pack(load_pack_as_of(self.packs, pack, state), pack, state)
        return self.checkers_by_pack[pack, state]

    def add_pack(self, loaded: LoadedPack, pack: str, state: str | None = None) -> None:
        """Add the checker of a pack that is loaded already."""
        errors = find_verdict_errors(self.packs, loaded, state)
        is_faulty = has_errors(loaded.findings)
        if loaded.pack is None:
            self.checkers_by_pack[pack, state] = LoadedChecker(None, errors, is_faulty)
            return
        pack_with_releases, flaws = add_first_releases(self.packs, loaded.pack)
        # Both lists may report the same broken file of a release.
        errors = tuple(dict.fromkeys((*errors, *find_verdict_flaws(flaws))))
        # With errors, the format itself may be missing.
        if self.format_day is not None and self.format_day.format and not errors:
            pack_with_releases = apply_play_format(pack_with_releases, self.format_day)
        checker = RosterChecker(pack_with_releases)
        self.checkers_by_pack[pack, state] = LoadedChecker(checker, errors, is_faulty)

    def get_checker(self, pack: str, version: str | None = None) -> RosterChecker:
        """Return the checker for the squads of a pack.

        Raise PackUnreadable if a file that a verdict depends on is missing or broken.
        """
        pack_checker = self.load_pack(pack, version)
        if pack_checker.errors or pack_checker.checker is None:
            raise PackUnreadable(pack, pack_checker.errors)
        return pack_checker.checker

    def get_squad_checker(self, roster: Roster) -> RosterChecker:
        """Return the checker for one squad: of its release and its play format.

        `format_day` overrides the format.
        """
        checker = self.get_checker(roster.pack, roster.version)
        day = self.format_day.day if self.format_day else date.today()
        play_format = roster.play_format or ""
        if play_format and not checker.pack.formats and self.requires_formats:
            folder, name = f"cards/{roster.pack}", "formats.yaml"
            state = self.as_of or roster.version
            if state is not None:
                folder, name = f"{folder}/releases/{state}", "formats.json"
            form = _("{file} is missing, but the squad uses the play format {name}")
            message = _(form, file=name, name=play_format)
            place = Location(file=f"{folder}/{name}")
            missing = MISSING_PART.finding(message, place, severity=Severity.ERROR)
            raise PackUnreadable(roster.pack, [missing])
        return checker.get_format_checker(FormatDay(play_format, day))

    def load_releases(
        self, pack: str
    ) -> tuple[tuple[Release, ...], tuple[Finding, ...]]:
        """Return the readable releases of a pack, and findings about the others. Read them once."""
        if pack not in self.releases_by_pack:
            storage = self.packs.open_releases(pack)
            self.releases_by_pack[pack] = storage.list_releases(), storage.find_damage()
        return self.releases_by_pack[pack]

    def get_roster_form(self, pack: str) -> RosterForm | None:
        """Return the roster settings of a pack's manifest, or None if the pack is not loaded."""
        for (name, _version), loaded in self.checkers_by_pack.items():
            if name == pack and loaded.checker is not None:
                return loaded.checker.pack.manifest.roster
        return None


def check_roster(
    checkers: RosterCheckers,
    loaded: LoadedRoster,
    name: str = "",
    lang: str | None = None,
    repaired: bool = True,
) -> CheckedRoster:
    """Check a squad against the rules of its pack, or of the release that it is pinned to.

    `lang` is by default the source language of its pack. With `repaired`, each violation comes
    with its nearest repairs. Raise UsageError if its pack does not have the language.
    """
    roster, document = loaded.roster, loaded.document
    if roster is None:
        named_pack = _load_named_pack(checkers, document)
        if named_pack.checker is not None and lang is None:
            lang = named_pack.checker.pack.manifest.languages.source
        # Errors of the pack may be the cause: its manifest says how a roster is read.
        return _make_unchecked(
            name, lang or "en", None, loaded.findings, named_pack.errors
        )
    findings = [*loaded.findings]
    try:
        findings += find_release_notices(checkers, roster, document)
        checker = checkers.get_squad_checker(roster)
    # The findings about the roster's own file are reported together with those of its pack.
    except PackUnreadable as unreadable:
        return _make_unchecked(
            name, lang or "en", roster, findings, unreadable.findings
        )
    if checkers.load_pack(roster.pack, roster.version).is_faulty:
        place = document.locate(("pack",)) if document else None
        message = _("the pack {pack} has errors", pack=roster.pack)
        findings.append(PACK_ERRORS.finding(message, place))
    language = resolve_language(checker.pack, lang)
    squad = checker.resolve_roster(roster)
    repaired = repaired or bool(describe_size_limit(roster))
    verdict = checker.check(roster, repaired=repaired)
    checked = RosterVerdict(verdict, roster, checker, language, document, repaired)
    findings += run_checks("roster", checked)
    spent = find_spending(squad, checker.evaluator)
    return CheckedRoster(
        name, sort_findings(findings), language, roster, checker, squad, verdict, spent
    )


def _make_unchecked(
    name: str,
    lang: str,
    roster: Roster | None,
    findings: Iterable[Finding],
    unreadable: tuple[Finding, ...],
) -> CheckedRoster:
    """Return the result for a squad that cannot be checked, with the reasons.

    Its file is not a roster, or its pack or release cannot be read.
    """
    return CheckedRoster(
        name,
        sort_findings((*findings, *unreadable)),
        lang,
        roster,
        unreadable=unreadable,
    )


def require_verdict(result: CheckedRoster, pack: str = "") -> None:
    """Raise PackUnreadable if errors in the pack prevented a verdict."""
    if result.unreadable:
        raise PackUnreadable(
            result.roster.pack if result.roster else pack, result.unreadable
        )


def _load_named_pack(
    checkers: RosterCheckers, document: Document | None
) -> LoadedChecker:
    """Load the checker of the pack that an unreadable roster file names, if it exists."""
    pack = look_up(document.value, ("pack",)) if document is not None else None
    if isinstance(pack, str) and pack in checkers.packs.list_packs():
        return checkers.load_pack(pack)
    return LoadedChecker(None)


def find_release_notices(
    checkers: RosterCheckers, roster: Roster, document: Document | None
) -> tuple[Finding, ...]:
    """Return warnings about a squad's release: it was withdrawn, or a newer one exists.

    Raises PackUnreadable if the release is missing, or the list of withdrawn releases cannot be
    read.
    """
    if roster.version is None and checkers.as_of is None:
        return ()
    releases, damage = checkers.load_releases(roster.pack)
    withdrawal_findings = [
        finding
        for finding in damage
        if (finding.location.file or "").endswith("/withdrawn.yaml")
    ]
    if has_errors(withdrawal_findings):
        raise PackUnreadable(roster.pack, withdrawal_findings)
    place = document.locate(("version",)) if document else Location()
    if checkers.as_of is not None:
        release = find_release(releases, checkers.as_of)
        if release is not None and release.withdrawal is not None:
            return (report_withdrawn(release, place),)
        return ()
    pinned_release = next(
        (item for item in releases if item.version == roster.version), None
    )
    if pinned_release is None:
        errors = _explain_missing_release(roster, releases, damage, place)
        raise PackUnreadable(roster.pack, errors)
    if pinned_release.withdrawal is not None:
        return (report_withdrawn(pinned_release, place),)
    return _find_newer_release(roster.pack, pinned_release, releases, place)


def _explain_missing_release(
    roster: Roster,
    releases: Sequence[Release],
    damage: Sequence[Finding],
    place: Location,
) -> list[Finding]:
    """Return the errors in the folder of a squad's release, or that it does not exist."""
    folder = f"/releases/{roster.version}/"
    errors = [finding for finding in damage if folder in (finding.location.file or "")]
    if errors:
        return errors
    versions = [release.version for release in releases]
    hint = suggest_word(roster.version or "", versions, _("Releases"))
    message = _(
        "{pack} has no release {version}", pack=roster.pack, version=roster.version
    )
    return [errata_codes.UNKNOWN.finding(message, place, hint)]


def _find_newer_release(
    pack: str, release: Release, releases: Sequence[Release], place: Location
) -> tuple[Finding, ...]:
    """Return a note if a release newer than the squad's is in force or planned."""
    last = find_newest(item for item in releases if item.withdrawal is None)
    if last is None or last.number <= release.number:
        return ()
    current = find_release_in_force(releases, date.today())
    if current is not None and current.number > release.number:
        last = current  # a planned one is not in force yet
    form = _("checked against {own}; {last} is in force from {day}")
    message = _(form, own=release.version, last=last.version, day=last.effective)
    command = f"squadpress release impact {release.version} {last.version}"
    if place.file is not None:
        command += f" {place.file}"
    command += f" --pack {pack}"
    hint = _("Show the effects with `{command}`.", command=command)
    return (errata_codes.NEWER.finding(message, place, hint),)


def resolve_language(pack: Pack, lang: str | None) -> str:
    """Return the requested language, or else the source language of the pack.

    A language of the program is accepted even if the pack has no texts in it. Names are then in
    English or the source language. Raise UsageError if neither pack nor program have the
    language.
    """
    languages = pack.manifest.languages
    if lang is None:
        return languages.source
    if lang not in (*languages.all, *program_languages()):
        message = _(
            "the pack {pack} has no translation into {lang!r}", pack=pack.id, lang=lang
        )
        raise UsageError(message, suggest_word(lang, languages.all, _("Its languages")))
    return lang


def find_pack_language(packs: PackFiles, pack: str, lang: str | None) -> str:
    """Return the language for messages about a pack, or English if it is unreadable."""
    checker = RosterCheckers(packs).load_pack(pack).checker
    return resolve_language(checker.pack, lang) if checker is not None else lang or "en"


MAX_SEARCHED_LINES = 200
"""The maximum number of lines for choices, completions and repairs, which try many squads."""


def describe_size_limit(roster: Roster) -> str:
    """Return a message if a squad has too many lines for a search. Otherwise empty."""
    attachment_count = sum(len(entry.attachments) for entry in roster.entries)
    line_count = len(roster.entries) + attachment_count + len(roster.deck)
    if line_count <= MAX_SEARCHED_LINES:
        return ""
    form = _(
        "the squad has {lines} lines; the limit for choices, completions and fixes is {most}"
    )
    return _(form, lines=line_count, most=MAX_SEARCHED_LINES)


def require_searchable_size(roster: Roster) -> None:
    """Raise UsageError if a squad has too many lines for a search."""
    reason = describe_size_limit(roster)
    if reason:
        raise UsageError(reason, _("Write equal models as one line with a `count`."))


def check_card_exists(pack: Pack, card: str) -> None:
    """Raise UsageError with a suggestion if a pack has no card of this id."""
    if card not in pack.cards:
        message = _("the card {value} does not exist", value=card)
        raise UsageError(message, suggest_word(card, tuple(pack.cards)))


@dataclass(frozen=True, slots=True)
class OwnedCards:
    """A player's collection. With `painted`, only painted models count.

    `name` is its name in messages.
    """

    name: str
    collection: Collection
    painted: bool = False

    def count_copies(self, pack: Pack) -> dict[str, int]:
        """Return the number of owned copies of each card of a pack.

        Raise UsageError if the collection is of another pack or names no card of it.
        """
        if self.collection.pack != pack.id:
            form = _("{file} is a collection of {other}, not of {pack}")
            message = _(form, file=self.name, other=self.collection.pack, pack=pack.id)
            raise UsageError(message, _("Give a collection of the squad's pack."))
        for card in self.collection.owned:
            if card not in pack.cards:
                message = _(
                    "{file} contains {card}, which is not a card",
                    file=self.name,
                    card=card,
                )
                raise UsageError(message, suggest_word(card, tuple(pack.cards)))
        return count_owned_cards(pack, self.collection.count_copies(self.painted))


def follow_renamed_cards(
    packs: PackFiles, collection: Collection
) -> tuple[Collection, Mapping[str, str]]:
    """Replace the ids of renamed cards in a collection. Also return new ids by old ones."""
    name = collection.pack
    pack = packs.load_pack(name).pack if name in packs.list_packs() else None
    if pack is None:
        return collection, {}
    return migrate_collection(collection, load_migrations(packs, name), pack.cards)


def find_missing_copies(
    checkers: RosterCheckers, squads: Mapping[str, Roster], owned: OwnedCards, lang: str
) -> tuple[Finding, ...]:
    """Return an error for each card of which the squads need more copies than are owned.

    Raise UsageError if the collection names a card that its pack does not have, or is of
    another pack than the squads.
    """
    pack = owned.collection.pack
    squads_of_pack = {
        name: squad for name, squad in squads.items() if squad.pack == pack
    }
    if squads and not squads_of_pack:
        message = _(
            "{file} is a collection of {pack}, but none of these squads is",
            file=owned.name,
            pack=pack,
        )
        raise UsageError(message, _("Give another collection."))
    if not squads_of_pack:
        return ()
    checker = checkers.get_checker(pack)
    names = Names(checker.pack, lang)
    findings = []
    for item in find_shortages(squads_of_pack, owned.count_copies(checker.pack)):
        claims = ", ".join(f"{name} ×{copies}" for name, copies in item.claims)
        form = _("{card}: {claimed} used, {owned} owned; used in {claims}")
        if owned.painted:
            form = _("{card}: {claimed} used, {owned} painted; used in {claims}")
        card = names.name_card(item.card)
        message = _(
            form, card=card, claimed=item.claimed, owned=item.owned, claims=claims
        )
        hint = names.translate(
            _("Remove the card from a squad, or correct the collection.")
        )
        place = Location(file=item.claims[0][0])
        findings.append(NOT_OWNED.finding(names.translate(message), place, hint))
    return tuple(findings)
