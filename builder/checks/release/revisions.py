"""Checks that ids never vanish or return, and that changed cards have a history entry."""

from collections.abc import Iterator

from builder.errata.change import (
    RULES_TYPES,
    WORDING_TYPES,
    CardChange,
    CardClass,
    ChangeClass,
    FieldChange,
    Status,
    are_identical,
    extract_substance,
)
from builder.errata.release import Proposal
from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _, join_messages
from builder.model.codes import define
from builder.rules.bounds import to_number

VANISHED = define(
    "release/id-vanished",
    _("The id of a removed card is not in migrations.yaml"),
    _(
        "Saved squads refer to cards by id. Without a line in migrations.yaml they cannot "
        "be updated."
    ),
    _(
        "Add a line to migrations.yaml: {old, new, type: rename | merge | split | delete, date}."
    ),
)
REUSED = define(
    "release/id-reused",
    _("The id of a removed card is used again"),
    _("A saved squad with this id would get a different card."),
    _("Choose a new id for the new card."),
)
MIGRATION = define(
    "release/migration",
    _("A line of migrations.yaml has an unknown card or a wrong date"),
    _(
        "Saved squads could not follow this line. A new line must have the date of the release."
    ),
    _(
        "Correct `new`, or add a line for what happened to that card. Set `date` to the "
        "release's date."
    ),
)
NO_REVISION = define(
    "release/no-revision",
    _("A card was changed without a new revision"),
    _(
        "Players recognise an old print by its revision. Two different texts must not have "
        "the same number."
    ),
    _(
        "Use `squadpress card bump ID --type TYPE --note TEXT`. For several cards, use "
        "--changed-since or --from."
    ),
)
IDLE = define(
    "release/idle-revision",
    _("A card has a new revision without a change"),
    _("Players would look for a change that does not exist."),
    _("Remove the new revision and its history entry, or make the announced change."),
    Severity.WARNING,
)
NO_NOTE = define(
    "release/note-untranslated",
    _("A history entry is not translated into all languages"),
    _(
        "Release notes exist in each language. Without a translation, "
        "readers get a text in "
        "another language."
    ),
    _("Add the note in every language of the pack."),
    Severity.WARNING,
)
HIDDEN = define(
    "release/number-in-misprint",
    _("A number changed, but the history entry has the type misprint, wording or art"),
    _(
        "Players skip misprints in release notes. A number that changes unnoticed spoils games."
    ),
    _("Give the history entry the type balance or rules, or restore the number."),
)
HISTORY_MISMATCH = define(
    "release/history-mismatch",
    _("The type of a history entry does not match the change"),
    _(
        "Release notes and pages show the type of each change. A wrong type misleads players."
    ),
    _(
        "Change the type of the history entry to the type of the change: rules, balance, "
        "wording, misprint or art."
    ),
)
TAKEN_ID = define(
    "release/revision-taken",
    _("Another release has the same revision of a card with a different text"),
    _(
        "Players recognise a print by its revision. These two prints differ only by date."
    ),
    _(
        "Print the date beside the revision, or correct the card only in the newer release line."
    ),
    Severity.WARNING,
)


def check(proposal: Proposal) -> Iterator[Finding]:
    """Check card ids, revision numbers and history entries of a release."""
    yield from _check_ids(proposal)
    for change in proposal.difference.cards:
        if change.status in (Status.CHANGED, Status.RENAMED):
            yield from _check_change(proposal, change)
        if not change.status.gone:
            yield from _check_notes(proposal, change)
            yield from _find_ambiguous_revisions(proposal, change)
        # a new card has no earlier text with which its history could disagree
        if change.old_id and not change.status.gone and change.history:
            yield from _find_mismatches(proposal, change)


def _check_ids(proposal: Proposal) -> Iterator[Finding]:
    """Report ids that disappeared, came back, or have a wrong line in migrations.yaml."""
    file = Location(file=proposal.migrations_file)
    for change in proposal.difference.cards:
        if change.status is Status.VANISHED:
            form = _("{card} was in {old} and no longer exists")
            message = _(form, card=change.id, old=proposal.difference.old)
            yield VANISHED.finding(message, file)
    card_ids = proposal.state.cards.keys()
    removed_ids = {step.old for step in proposal.state.migrations}
    for card in sorted(removed_ids & card_ids):
        message = _(
            "{card} was removed in migrations.yaml, but is used again", card=card
        )
        yield REUSED.finding(message, proposal.locate_card(card))
    released_steps = proposal.previous.migrations if proposal.previous else ()
    for step in proposal.state.migrations:
        for target in step.new:
            # the target may have been removed later, by a line of its own
            if target not in card_ids and target not in removed_ids:
                form = _("{old} -> {target}: the card {target} does not exist")
                yield MIGRATION.finding(_(form, old=step.old, target=target), file)
        if step not in released_steps and step.date != proposal.released:
            form = _(
                "{old}: the line has the date {date}, but the release has {released}"
            )
            message = _(form, old=step.old, date=step.date, released=proposal.released)
            yield MIGRATION.finding(message, file)


def _check_change(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    source_fields = [
        field for field in change.fields if field.type is not ChangeClass.TRANSLATION
    ]
    if change.unrevised:
        fields = ", ".join(field.path for field in source_fields[:4])
        if len(source_fields) > 4:
            fields += ", ..."
        form = _("{card} changed ({fields}), but its revision is still {revision}")
        message = _(form, card=change.id, fields=fields, revision=change.new_revision)
        yield NO_REVISION.finding(message, proposal.locate_card(change.id, "revision"))
        return
    has_new_revision = (change.new_revision or 0) > (change.old_revision or 0)
    is_unchanged = change.status is Status.CHANGED and not change.fields
    if has_new_revision and is_unchanged and not _is_redrawn(proposal, change):
        form = _("{card} has the new revision {revision}, but did not change")
        message = _(form, card=change.id, revision=change.new_revision)
        yield IDLE.finding(message, proposal.locate_card(change.id, "revision"))


def _find_ambiguous_revisions(
    proposal: Proposal, change: CardChange
) -> Iterator[Finding]:
    """Report a card that has the same revision but another text in a different release line."""
    card = proposal.state.cards[change.id]
    for state in proposal.other_states:
        other_card = state.cards.get(change.id, {})
        if other_card.get("revision") != change.new_revision:
            continue
        if not are_identical(dict(other_card), dict(card)):
            form = _("{card}: revision {revision} has a different text in {version}")
            message = _(
                form, card=change.id, revision=change.new_revision, version=state.label
            )
            yield TAKEN_ID.finding(message, proposal.locate_card(change.id, "revision"))


def _is_redrawn(proposal: Proposal, change: CardChange) -> bool:
    """Return True if the history declares new art and something that affects the art changed."""
    changed_parts = {part.part for part in proposal.difference.parts}
    has_new_look = not changed_parts.isdisjoint(
        {"template", "art", "pack", "vocabulary"}
    )
    return has_new_look and "art" in change.change_types


def _check_notes(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    languages = proposal.state.stated_languages
    needed = languages.complete if languages else ()
    for entry in change.history:
        notes = entry.get("note")
        missing = [
            lang for lang in needed if not isinstance(notes, dict) or lang not in notes
        ]
        if missing:
            form = _("{card}: the note of revision {revision} is missing in {listed}")
            revision = entry.get("revision")
            message = _(
                form, card=change.id, revision=revision, listed=", ".join(missing)
            )
            yield NO_NOTE.finding(message, proposal.locate_card(change.id, "history"))


def _find_mismatches(proposal: Proposal, change: CardChange) -> Iterator[Finding]:
    """Report history entries whose type does not fit what changed on the card."""
    types = join_messages(sorted(change.change_types), _("{first} and {rest}"))
    if not change.change_types & RULES_TYPES:
        yield from _find_undeclared_fields(proposal, change, types)
    elif not _plays_differently(proposal, change):
        form = _(
            "{card}: the history entry has the type {types}, "
            "but no rules text or game value changed (class: {name})"
        )
        message = _(form, card=change.id, types=types, name=change.card_class.words)
        hint = _(
            "Use art for pictures. Use wording or misprint for names and punctuation."
        )
        yield HISTORY_MISMATCH.finding(
            message, proposal.locate_card(change.id, "history"), hint
        )
    has_new_art = _is_redrawn(proposal, change) or _has_art(change)
    if "art" in change.change_types and change.fields and not has_new_art:
        form = _(
            "{card}: the history entry has the type art, but no picture or template changed"
        )
        hint = _(
            "Use rules or balance for changed rules. "
            "Use wording or misprint for punctuation and typography."
        )
        location = proposal.locate_card(change.id, "history")
        yield HISTORY_MISMATCH.finding(_(form, card=change.id), location, hint)


def _find_undeclared_fields(
    proposal: Proposal, change: CardChange, types: str
) -> Iterator[Finding]:
    """Report changed fields of a card that no history entry declares."""
    declares_text = bool(change.change_types & WORDING_TYPES)
    for field in change.fields:
        is_text = field.type in (ChangeClass.NAME, ChangeClass.WORDING)
        has_new_number = _changes_number(field)
        if not (
            field.type.matters or has_new_number or (is_text and not declares_text)
        ):
            continue
        form = _(
            "{card}: the history entry has the type {types}, "
            "but {path} changed from {old!r} to {new!r}"
        )
        message = _(
            form,
            card=change.id,
            types=types,
            path=field.path,
            old=field.old,
            new=field.new,
        )
        location = proposal.locate_card(change.id, field.path)
        if has_new_number:
            yield HIDDEN.finding(message, location)
            continue
        hint = _(
            "Use the type rules or balance. The types wording and misprint are for "
            "punctuation only."
        )
        if is_text:
            hint = _("Add a history entry of the type wording or misprint.")
        yield HISTORY_MISMATCH.finding(message, location, hint)


def _plays_differently(proposal: Proposal, change: CardChange) -> bool:
    """Return True if something changed that justifies a history entry of the type rules.

    A card without any change is not reported here. Its idle revision has a finding of its own.
    """
    if not change.fields or change.card_class is CardClass.PLAYS:
        return True
    if any(field.type is ChangeClass.TRANSLATION for field in change.fields):
        return True
    return any(
        part.part in ("rules", "vocabulary") for part in proposal.difference.parts
    )


def _has_art(change: CardChange) -> bool:
    return any(field.type is ChangeClass.ART for field in change.fields)


def _changes_number(field: FieldChange) -> bool:
    """Return True if the change affects a number, either a value or one in a text.

    Names of pictures hold none.
    """
    if field.type in (ChangeClass.TRANSLATION, ChangeClass.ART):
        return False
    if isinstance(field.old, str) and isinstance(field.new, str):
        return _list_numbers(field.old) != _list_numbers(field.new)
    return to_number(field.old) is not None or to_number(field.new) is not None


def _list_numbers(text: str) -> list[str]:
    """Return the parts of a rules text that contain digits, sorted."""
    parts = extract_substance(text)
    return sorted(part for part in parts if any(map(str.isdigit, part)))
