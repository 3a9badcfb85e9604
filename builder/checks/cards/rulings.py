"""Check rulings: names of cards and rules, languages, and cards that changed later."""

from collections.abc import Iterator
from functools import partial

from builder.checks.cards.references import KnownNames
from builder.checks.cards.translations import MISSING_WORD
from builder.errata.difference import list_rules
from builder.errata.rulings import LocatedRuling, RulingReader, describe_review
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.codes import define

OUTDATED_RULING = define(
    "rulings/review",
    _("A ruling is older than a change of its cards or rules"),
    _("The answer may no longer be true. Pages and FAQ mark it until someone reviewed it."),
    _("Correct the answer, or confirm it: set `reviewed` to the day of the review."),
    Severity.WARNING,
)
REPEATED_RULING = define(
    "rulings/repeated-id",
    _("Two rulings have the same id"),
    _("Links to a ruling contain its id."),
    _("Choose another id for one of them."),
)


def check_rulings(reader: RulingReader) -> Iterator[Finding]:
    """Check the rulings of a pack against its edited state."""
    state = reader.reader.state
    cards = {*state.cards, *state.unread, *(step.old for step in state.migrations)}
    known_names = KnownNames({"card": cards, "rule": list_rules(state)}, {})
    languages = state.stated_languages.complete if state.stated_languages else ()
    seen_ids = set()
    for located in reader.rulings.rulings:
        ruling = located.ruling
        if ruling.id in seen_ids:
            yield REPEATED_RULING.finding(
                _("the id {id} is used by another ruling", id=ruling.id), located.location
            )
        seen_ids.add(ruling.id)
        for type, names in (("card", ruling.cards), ("rule", ruling.rules)):
            for name in names:
                yield from known_names.check_name(type, name, partial(_get_location, located))
        yield from _find_missing_languages(located, languages)
        mark = describe_review(reader.read_ruling(ruling))
        if mark:
            yield OUTDATED_RULING.finding(f"{ruling.id}: {mark}", located.location)


def _get_location(located: LocatedRuling) -> Location:
    return located.location


def _find_missing_languages(
    located: LocatedRuling, languages: tuple[str, ...]
) -> Iterator[Finding]:
    ruling = located.ruling
    for texts in (ruling.question, ruling.answer):
        missing = [lang for lang in languages if texts and lang not in texts]
        if missing:
            form = _("the ruling {id} is missing in {listed}")
            message = _(form, id=ruling.id, listed=", ".join(missing))
            yield MISSING_WORD.finding(message, located.location, severity=Severity.WARNING)
