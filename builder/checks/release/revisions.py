"""No id vanishes silently or comes back, and a card that changed says so by its revision and, honestly, its history."""

from collections.abc import Iterator

from builder.errata.change import CardChange, ChangeClass, FieldChange, Status, identical, number_as_word, substance
from builder.errata.release import Proposal
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _, joined
from builder.model.codes import define

VANISHED = define(
    "release/id-vanished",
    _("An id is gone and the migrations file does not say where"),
    _("Saved squads name cards by id; without a line they break and nothing can mend them."),
    _("Add a line to migrations.yaml: {old, new, type: rename | merge | split | delete, date}."),
)
REUSED = define(
    "release/id-reused",
    _("An id that was given up is in use again"),
    _("A saved squad that names it would silently get another card."),
    _("Choose a new id for the new card."),
)
MIGRATION = define(
    "release/migration",
    _("A line of the migrations file leads to no card, or is new and of another day than the release"),
    _("Squads would be moved to nothing, or not know from which release on to follow the line."),
    _("Correct `new`, or follow it by a line for what became of that card; set `date` to the release's date."),
)
NO_REVISION = define(
    "release/no-revision",
    _("A card changed and its revision did not"),
    _("Players tell an old print from a new one by its revision; two texts under one number cannot be told apart."),
    _("`squadpress card bump ID --type TYPE --note TEXT` does it; for many there are --changed-since and --from."),
)
IDLE = define(
    "release/idle-revision",
    _("A revision was raised and nothing changed"),
    _("Players would look for a change that is not there."),
    _("Take the revision and its history entry back, or make the change it announces."),
    Severity.WARNING,
)
NO_NOTE = define(
    "release/note-untranslated",
    _("A history entry speaks only some of the pack's languages"),
    _("Release notes are written per language; readers of the others would be told in a language they may not read."),
    _("Add the note in every language of the pack."),
    Severity.WARNING,
)
HIDDEN = define(
    "release/number-in-misprint",
    _("An entry says misprint, wording or art while a number changed"),
    _("Players skip misprints when they read release notes; a changed number hidden there spoils games."),
    _("Give the history entry the type balance or rules, or take the number back."),
)
TAKEN = define(
    "release/revision-taken",
    _("Another release has this revision of a card with another text"),
    _("Players tell an old print from a new one by its revision; these two they can tell apart by their dates alone."),
    _("Print the date beside the revision, or correct the card in the newer line alone."),
    Severity.WARNING,
)

HARMLESS = frozenset({"misprint", "wording", "art"})


def check(proposal: Proposal) -> Iterator[Finding]:
    """Ids; revisions of the cards that continue, notes of all that are new or changed, what history calls harmless."""
    yield from _ids(proposal)
    for change in proposal.difference.cards:
        if change.status in (Status.CHANGED, Status.RENAMED):
            yield from _changed(proposal, change)
        if not change.status.gone:
            yield from _notes(proposal, change)
            yield from _taken(proposal, change)
        types = {str(entry.get("type")) for entry in change.history}
        if change.old_id and types and types <= HARMLESS:
            yield from _hidden(proposal, change, types)


def _ids(proposal: Proposal) -> Iterator[Finding]:
    """Ids against the release before and against the migrations file."""
    file = Location(file=proposal.migrations_file)
    for change in proposal.difference.cards:
        if change.status is Status.VANISHED:
            message = _("{card} was in {old} and is gone", card=change.id, old=proposal.difference.old)
            yield VANISHED.finding(message, file)
    alive = proposal.state.cards.keys()
    given_up = {step.old for step in proposal.state.migrations}
    for card in sorted(given_up & alive):
        message = _("{card} was given up by the migrations file and is in use", card=card)
        yield REUSED.finding(message, proposal.place(card))
    known = proposal.previous.migrations if proposal.previous else ()
    for step in proposal.state.migrations:
        for target in step.new:
            if target not in alive and target not in given_up:
                message = _("{old} -> {target}: there is no card {target}", old=step.old, target=target)
                yield MIGRATION.finding(message, file)
        if step not in known and step.date != proposal.released:
            form = _("{old}: the line is of {date}, the release of {released}")
            yield MIGRATION.finding(_(form, old=step.old, date=step.date, released=proposal.released), file)


def _changed(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    own = [field for field in change.fields if field.type is not ChangeClass.TRANSLATION]
    raised = (change.new_revision or 0) > (change.old_revision or 0)
    if change.unrevised:
        fields = ", ".join(field.path for field in own[:4]) + (", ..." if len(own) > 4 else "")
        form = _("{card} changed ({fields}) and is still revision {revision}")
        message = _(form, card=change.id, fields=fields, revision=change.new_revision)
        yield NO_REVISION.finding(message, proposal.place(change.id, "revision"))
    elif raised and not change.fields and change.status is Status.CHANGED and not _redrawn(proposal, change):
        form = _("{card} went to revision {revision}, but nothing in it changed")
        message = _(form, card=change.id, revision=change.new_revision)
        yield IDLE.finding(message, proposal.place(change.id, "revision"))


def _taken(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    """The same revision with another text in a release that the one proposed does not continue."""
    card = proposal.state.cards[change.id]
    for other in proposal.beside:
        there = other.cards.get(change.id, {})
        if there.get("revision") == change.new_revision and not identical(dict(there), dict(card)):
            form = _("{card}: revision {revision} says something else in {version}")
            message = _(form, card=change.id, revision=change.new_revision, version=other.label)
            yield TAKEN.finding(message, proposal.place(change.id, "revision"))


def _redrawn(proposal: Proposal, change: CardChange) -> bool:
    """True if the history says that the card looks otherwise, and files that cards are drawn with differ."""
    drawn = any(part.part in ("template", "art") for part in proposal.difference.parts)
    return drawn and all(entry.get("type") == "art" for entry in change.history)


def _notes(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    stated = proposal.state.stated_languages
    needed = stated.complete if stated else ()
    for entry in change.history:
        notes = entry.get("note")
        missing = [lang for lang in needed if not isinstance(notes, dict) or lang not in notes]
        if missing:
            form = _("{card}: the note of revision {revision} is not there in {listed}")
            message = _(form, card=change.id, revision=entry.get("revision"), listed=", ".join(missing))
            yield NO_NOTE.finding(message, proposal.place(change.id, "history"))


def _hidden(proposal: Proposal, change: CardChange, types: set[str]) -> Iterator[Finding]:
    for field in change.fields:
        if _number_changed(field):
            asked = isinstance(field.old, str) and isinstance(field.new, str) and number_as_word(field.old, field.new)
            form = _("{card}: the history says {types}, but {path} changed from {old!r} to {new!r}")
            said = joined(sorted(types), _("{first} and {rest}"))
            message = _(form, card=change.id, types=said, path=field.path, old=field.old, new=field.new)
            place, severity = proposal.place(change.id, field.path), Severity.WARNING if asked else Severity.ERROR
            same = _("`a token` and `1 token` are one rule where nobody may have two: if it is the same, leave it so.")
            yield HIDDEN.finding(message, place, same if asked else "", severity)


def _number_changed(field: FieldChange) -> bool:
    """True if a number of the game differs: a number itself, or one written inside a text."""
    if field.type is ChangeClass.TRANSLATION:
        return False
    if isinstance(field.old, str) and isinstance(field.new, str):
        old, new = (
            sorted(part for part in substance(text) if any(character.isdigit() for character in part))
            for text in (field.old, field.new)
        )
        return old != new
    return any(isinstance(value, int | float) and not isinstance(value, bool) for value in (field.old, field.new))
