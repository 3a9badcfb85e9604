"""Reprints: cards that are the same card in another product. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.errata.change import ABSENT, compare_leaves
from builder.errata.difference import BOOKKEEPING, PICTURE_EXTENSIONS
from builder.model.base import Json, format_path

ERRATUM_TYPES = frozenset({"rules", "balance", "wording"})
"""Types of history entries that concern every print of a card. A misprint is in one print only."""

UNCOMPARED_FIELDS = BOOKKEEPING | {"art", "kind"}


def group_reprints(originals: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return for each card the other prints of the same card.

    `originals` has the `reprint_of` of cards; a reprint may name another reprint.
    """
    groups: dict[str, dict[str, None]] = {}
    for card in originals:
        root = _find_first_print(card, originals)
        groups.setdefault(root, {root: None})[card] = None
    others: dict[str, tuple[str, ...]] = {}
    for members in groups.values():
        if len(members) > 1:
            for card in members:
                others[card] = tuple(
                    other_card for other_card in members if other_card != card
                )
    return others


def _find_first_print(card: str, originals: Mapping[str, object]) -> str:
    seen_ids = set[str]()
    while isinstance(originals.get(card), str):
        if card in seen_ids:  # they name each other in a circle
            return min(seen_ids)
        seen_ids.add(card)
        card = str(originals[card])
    return card


def list_originals(cards: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """Return the card that each reprint names."""
    return {
        card: raw["reprint_of"] for card, raw in cards.items() if raw.get("reprint_of")
    }


@dataclass(frozen=True, slots=True)
class MissedErratum:
    """A reprint of a card that did not get the erratum of another print."""

    card: str
    changed_card: str
    day: str
    type: str
    fields: tuple[str, ...]


def find_missed_errata(
    cards: Mapping[str, Mapping[str, Json]], groups: Mapping[str, tuple[str, ...]]
) -> Iterator[MissedErratum]:
    """Yield reprints that lack a later erratum of another print of the same card."""
    for card, others in groups.items():
        for other_card in others:
            missed = _compare_prints(card, other_card, cards)
            if missed is not None:
                yield missed
                break


def _compare_prints(
    card: str, other_card: str, cards: Mapping[str, Mapping[str, Json]]
) -> MissedErratum | None:
    """Return the erratum of another print that a card missed."""
    raw, other_raw = cards.get(card, {}), cards.get(other_card, {})
    last_day = max(
        (str(entry.get("released")) for entry in _list_history(raw)), default=""
    )
    # The first entry is the printing itself.
    for entry in reversed(_list_history(other_raw)[1:]):
        day, type = str(entry.get("released")), str(entry.get("type"))
        if last_day and type in ERRATUM_TYPES and day > last_day:
            fields = _list_differences(raw, other_raw)
            return (
                MissedErratum(card, other_card, day, type, fields) if fields else None
            )
    return None


def _list_history(raw: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    history = raw.get("history")
    entries = history if isinstance(history, list | tuple) else ()
    return [entry for entry in entries if isinstance(entry, Mapping)]


def _list_differences(
    raw: Mapping[str, Json], other_raw: Mapping[str, Json]
) -> tuple[str, ...]:
    """Return the paths at which two prints differ, without pictures."""
    paths: list[str] = []
    for change in compare_leaves(raw, other_raw):
        if change.path[0] in UNCOMPARED_FIELDS:
            continue
        values = (change.old, change.new)
        is_picture = any(str(value).endswith(PICTURE_EXTENSIONS) for value in values)
        if not is_picture and ABSENT not in values:
            paths.append(format_path(change.path))
    return tuple(paths)
