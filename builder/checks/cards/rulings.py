"""Check rulings: names of cards and rules, languages, and cards that changed later."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from builder.checks.cards.references import KnownNames
from builder.checks.cards.texts import check_markup
from builder.checks.cards.translations import MISSING_WORD
from builder.errata.difference import list_rules
from builder.errata.release import VersionStep, parse_version
from builder.errata.rulings import LocatedRuling, RulingReader, describe_review
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.ruling import Commentary

OUTDATED_RULING = define(
    "rulings/review",
    _("A ruling is older than a change of its cards or rules"),
    _(
        "The answer may no longer be true. Pages and FAQ mark it until someone reviewed it."
    ),
    _("Correct the answer, or confirm it: set `reviewed` to the day of the review."),
    Severity.WARNING,
)
REPEATED_RULING = define(
    "rulings/repeated-id",
    _("Two rulings have the same id"),
    _("Links to a ruling contain its id."),
    _("Choose another id for one of them."),
)


def check_rulings(
    reader: RulingReader, names: KnownNames, releases: Collection[str]
) -> Iterator[Finding]:
    """Check the rulings and comments of a pack: names, languages, and later changes.

    `names` are those that texts may mention.
    """
    state = reader.reader.state
    # A ruling may be about a card that was removed later.
    cards = {*state.cards, *state.unread, *(step.old for step in state.migrations)}
    known_types = {"card": cards, "rule": list_rules(state), "release": releases}
    known_names = KnownNames({**names.names_by_type, **known_types}, names.kinds)
    languages = state.stated_languages.complete if state.stated_languages else ()
    seen_ids = set()
    for located in reader.rulings.rulings:
        ruling = located.ruling
        if ruling.id in seen_ids:
            yield REPEATED_RULING.finding(
                _("the id {id} is used by another ruling", id=ruling.id),
                located.location,
            )
        seen_ids.add(ruling.id)
        for type, subjects in (("card", ruling.cards), ("rule", ruling.rules)):
            for name in subjects:
                place = partial(_get_location, located.location)
                yield from known_names.check_name(type, name, place)
        yield from _find_missing_languages(located, languages)
        for texts in (ruling.question, ruling.answer):
            yield from _check_texts(texts, located.location, known_names)
        mark = describe_review(reader.read_ruling(ruling))
        if mark:
            yield OUTDATED_RULING.finding(f"{ruling.id}: {mark}", located.location)

    places = reader.rulings.commentary_locations
    for remark, location in zip(reader.rulings.commentary, places, strict=True):
        yield from _check_remark(remark, location, known_names, languages)


def _check_remark(
    remark: Commentary,
    location: Location,
    names: KnownNames,
    languages: tuple[str, ...],
) -> Iterator[Finding]:
    """Check the release, the card and the languages of a commentary."""
    place = partial(_get_location, location)
    releases = names.names_by_type["release"]
    if remark.release is not None and not _is_possible_next_release(
        remark.release, releases
    ):
        yield from names.check_name("release", remark.release, place)
    if remark.card is not None:
        yield from names.check_name("card", remark.card, place)
    missing = [lang for lang in languages if not remark.text.get(lang, "").strip()]
    if missing:
        form = _("the commentary on {subject} is missing in {listed}")
        subject = remark.card or remark.release or ""
        message = _(form, subject=subject, listed=", ".join(missing))
        yield MISSING_WORD.finding(message, location, severity=Severity.WARNING)
    yield from _check_texts(remark.text, location, names)


def _is_possible_next_release(release: str, known_releases: Collection[str]) -> bool:
    """Return True if a release could directly follow one of the known releases."""
    version = parse_version(release)
    known_versions = [*filter(None, map(parse_version, known_releases))]
    if version is None or not known_versions:
        return version is not None
    return version in map(max(known_versions).add_step, VersionStep)


def _check_texts(
    texts: Mapping[str, str], location: Location, names: KnownNames
) -> Iterator[Finding]:
    for text in texts.values():
        yield from check_markup(text, partial(_get_location, location), names)


def _get_location(location: Location) -> Location:
    return location


def _find_missing_languages(
    located: LocatedRuling, languages: tuple[str, ...]
) -> Iterator[Finding]:
    ruling = located.ruling
    for texts in (ruling.question, ruling.answer):
        missing = [
            lang for lang in languages if texts and not texts.get(lang, "").strip()
        ]
        if missing:
            form = _("the ruling {id} is missing in {listed}")
            message = _(form, id=ruling.id, listed=", ".join(missing))
            yield MISSING_WORD.finding(
                message, located.location, severity=Severity.WARNING
            )
