"""Update a draft to a release that was made since."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from builder.errata import release_codes
from builder.errata.change import ABSENT, are_identical
from builder.errata.difference import index_rules, list_new_history, pair_cards
from builder.errata.snapshot import RawCard, Snapshot
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, format_path

T = TypeVar("T")
MERGED_PARTS = (
    "manifest",
    "vocabulary",
    "translations",
    "texts",
    "rich",
    "files",
    "formats",
    "introduced",
)
"""The parts of a state that are merged as they are."""
REVISION_FIELDS = ("history", "revision", "released")


def merge_draft(
    base: Snapshot, draft: Snapshot, onto: Snapshot, file: str
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """Merge a draft with the changes of a later release. Also return the conflicts.

    A conflict is a field that both changed differently. It stays as in the draft. A card that
    was renamed in one of them counts as the same card. `file` is the draft's file in findings.
    """
    our_ids = _find_renames(base, draft)
    their_ids = _find_renames(base, onto)
    merger = _Merger(onto.label, file)
    # Ids must agree before fields are compared, or each card would look new and removed.
    for old_id in {**our_ids, **their_ids}:
        our_id = our_ids.get(old_id)
        their_id = their_ids.get(old_id)
        if merger.report_id_conflict(old_id, our_id, their_id, draft, onto):
            our_ids.pop(old_id, None)
            their_ids.pop(old_id, None)
    base = _rename_cards(base, {**their_ids, **our_ids})
    onto = _rename_cards(onto, our_ids)
    other_ids = {old: new for old, new in their_ids.items() if old not in our_ids}
    draft = _rename_cards(draft, other_ids)
    parts: dict[str, object] = {}
    for name in MERGED_PARTS:
        states = (getattr(base, name), getattr(draft, name), getattr(onto, name))
        parts[name] = merger.merge_maps(*states, (name,))
    # Rules are merged by id: both branches may add a rule at the end of the list.
    rules = merger.merge_maps(
        index_rules(base.rules),
        index_rules(draft.rules),
        index_rules(onto.rules),
        ("rules",),
    )
    # The file has a list again.
    merged_rules = rules.get("rules")
    if isinstance(merged_rules, dict):
        rules["rules"] = list(merged_rules.values())
    drafted_cards = {
        card: _renumber_revisions(card, base, raw, onto)
        for card, raw in draft.cards.items()
    }
    cards = merger.merge_maps(base.cards, drafted_cards, onto.cards, ("cards",))
    merged = replace(
        draft,
        rules=rules,  # type: ignore[arg-type]
        cards=cast("Mapping[str, RawCard]", cards),
        migrations=tuple(dict.fromkeys((*onto.migrations, *draft.migrations))),
        **parts,  # type: ignore[arg-type]
    )
    return merged, tuple(merger.findings)


def _find_renames(base: Snapshot, state: Snapshot) -> dict[str, str]:
    """Return the new ids of cards that were renamed since a state, by old ids."""
    return {old: new for new, old in pair_cards(base, state)[0].items() if new != old}


def _rename_cards(state: Snapshot, new_ids: Mapping[str, str]) -> Snapshot:
    """Return the state with other ids for some of its cards."""

    def rename_keys(cards: Mapping[str, T]) -> dict[str, T]:
        return {new_ids.get(card, card): value for card, value in cards.items()}

    cards = rename_keys(state.cards)
    for card, raw in cards.items():
        if "id" in raw:
            cards[card] = {**raw, "id": card}
    return replace(
        state,
        cards=cards,
        translations={
            lang: rename_keys(texts) for lang, texts in state.translations.items()
        },
        texts=rename_keys(state.texts),
        rich=rename_keys(state.rich),
        introduced=rename_keys(state.introduced),
    )


def _renumber_revisions(
    card: str, base: Snapshot, drafted: RawCard, onto: Snapshot
) -> RawCard:
    """Renumber the new history entries of a drafted card after those of a later release."""
    base_card = base.cards.get(card)
    onto_card = onto.cards.get(card)
    if base_card is None or onto_card is None:
        return drafted
    history = onto_card.get("history")
    last_revision = onto_card.get("revision")
    # Nothing was released meanwhile, so the revisions need no new numbers.
    if are_identical(base_card.get("history"), history):
        return drafted
    drafted_entries = list_new_history(base_card, drafted)
    if (
        not drafted_entries
        or not isinstance(history, list)
        or not isinstance(last_revision, int)
    ):
        bookkeeping = {
            key: onto_card[key] for key in REVISION_FIELDS if key in onto_card
        }
        return {**drafted, **bookkeeping}
    entries: list[Json] = [
        {**entry, "revision": last_revision + index}
        for index, entry in enumerate(drafted_entries, 1)
    ]
    revision = last_revision + len(entries)
    return {**drafted, "history": [*history, *entries], "revision": revision}


class _Merger:
    """Merges values of three states and collects conflicts."""

    def __init__(self, onto: str, file: str) -> None:
        self.onto, self.file = onto, file
        self.findings: list[Finding] = []

    def report_id_conflict(
        self,
        old_id: str,
        our_id: str | None,
        their_id: str | None,
        draft: Snapshot,
        onto: Snapshot,
    ) -> bool:
        """Report a card with two new ids, or whose new id is another card in the other state.

        Return True if the card was reported.
        """
        if our_id and their_id:
            if our_id != their_id:
                self.report_conflict(("cards", old_id, "id"), old_id, our_id, their_id)
            return our_id != their_id
        new_id = our_id or their_id or ""
        other_state = onto if our_id else draft
        if new_id not in other_state.cards:
            return False
        path = f"cards.{new_id}"
        form = _("{path}: in {onto} this is a different card than in the draft")
        message = _(form, path=path, onto=self.onto)
        location = Location(file=self.file, path=path)
        self.findings.append(release_codes.CONFLICT.finding(message, location))
        return True

    def merge_maps(
        self,
        base: Mapping[str, object],
        draft: Mapping[str, object],
        onto: Mapping[str, object],
        path: DataPath,
    ) -> dict[str, object]:
        """Merge key by key, in the order of the draft."""
        merged = {}
        for key in dict.fromkeys((*draft, *onto)):
            base_value = base.get(key, ABSENT)
            draft_value = draft.get(key, ABSENT)
            onto_value = onto.get(key, ABSENT)
            value = self.merge_values(base_value, draft_value, onto_value, (*path, key))
            if value is not ABSENT:
                merged[key] = value
        return merged

    def merge_values(
        self, base: object, draft: object, onto: object, path: DataPath
    ) -> object:
        """Return the value that one of them changed. Merge maps key by key.

        Revision and history are those of the draft.
        """
        # Unchanged in the draft, or changed alike: the released value is right.
        if are_identical(draft, base) or are_identical(draft, onto):
            return onto
        is_bookkeeping = len(path) == 3 and path[2] in REVISION_FIELDS
        if are_identical(onto, base) or is_bookkeeping:
            return draft
        if isinstance(draft, Mapping) and isinstance(onto, Mapping):
            return self.merge_maps(
                base if isinstance(base, Mapping) else {}, draft, onto, path
            )
        are_lists = isinstance(draft, Sequence | frozenset) and isinstance(
            onto, Sequence | frozenset
        )
        if path[0] in ("texts", "rich") and are_lists:
            # Both may have added texts, and the order of these paths means nothing.
            return type(draft)(sorted({*draft, *onto}))  # type: ignore
        self.report_conflict(path, base, draft, onto)
        return draft

    def report_conflict(
        self, path: DataPath, base: object, draft: object, onto: object
    ) -> None:
        """Add the finding about a place that both changed differently."""
        dotted_path = format_path(path)
        form = _(
            "{path}: {onto} has {theirs}, the draft {ours}, and the earlier release {base}"
        )
        message = _(
            form,
            path=dotted_path,
            onto=self.onto,
            theirs=_shorten_value(onto),
            ours=_shorten_value(draft),
            base=_shorten_value(base),
        )
        location = Location(file=self.file, path=dotted_path)
        self.findings.append(release_codes.CONFLICT.finding(message, location))


MAX_VALUE_CHARACTERS = 60


def _shorten_value(value: object) -> str:
    text = _("nothing") if value is ABSENT else str(value)
    if len(text) <= MAX_VALUE_CHARACTERS:
        return text
    return f"{text[: MAX_VALUE_CHARACTERS - 1]}…"
