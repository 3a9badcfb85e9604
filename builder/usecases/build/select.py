"""Select cards: a whole set, a part of it, or those of one squad."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias

from builder.errors import InputUnreadable, UsageError
from builder.findings import has_errors
from builder.messages import gettext as _, join_messages
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.words import suggest_word
from builder.packs.project import Project
from builder.render.html.view import localize_card
from builder.roster.choice_keywords import apply_choices

SortKey: TypeAlias = tuple[tuple[int, float, str], ...]


def select_cards(pack: Pack, only: Sequence[str], lang: str) -> tuple[str, ...]:
    """Return the ids of a set's cards in printing order.

    Each selector is `kind=a,b`, `faction=a,b`, or id patterns `a*,b`. A card must match all of
    them. Raises UsageError if a selector is misspelt or no card matches.
    """
    # A generator: not all cards fit in memory.
    matching_cards = (
        card for card in pack.cards.values() if matches_selectors(pack, card, only)
    )
    ids = sort_for_print(pack, matching_cards, lang)
    if not ids:
        message = _("the pack {pack} has no cards", pack=pack.id)
        if only:
            listed = join_messages(only, _("{first} and {rest}"))
            message = _("no card matches {listed}", listed=listed)
        hint = _("Select with kind=..., faction=... or id patterns such as 'a*,b*'.")
        raise UsageError(message, hint)
    return ids


def sort_for_print(pack: Pack, cards: Iterable[Card], lang: str) -> tuple[str, ...]:
    """Return the ids of these cards, sorted by kind and by the kind's `order_by`."""
    kinds = list(pack.manifest.kinds)
    # The id last, so that cards with equal values have one order.
    keys: list[tuple[int, SortKey, str]] = []
    for card in cards:
        sort_key = _make_sort_key(pack, card, lang)
        keys.append((kinds.index(card.kind), sort_key, card.id))
    return tuple(card_id for _kind, _key, card_id in sorted(keys))


def matches_selectors(pack: Pack, card: Card, selectors: Iterable[str]) -> bool:
    """Return True if all selectors select a card."""
    return all(matches_selector(pack, card, selector) for selector in selectors)


def matches_selector(pack: Pack, card: Card, selector: str) -> bool:
    """Return True if a selector selects a card. Raises UsageError if it is misspelt."""
    field, equals, text = selector.partition("=")
    if not equals:
        field, text = "id", selector
    values = [value.strip() for value in text.split(",") if value.strip()]
    if field == "id":
        return any(fnmatchcase(card.id, value) for value in values)
    actual: str | None
    possible: tuple[str, ...]
    if field == "kind":
        actual, possible = card.kind, tuple(pack.manifest.kinds)
    elif field == "faction":
        actual, possible = card.faction, tuple(pack.vocabulary.factions)
    else:
        message = _("cards cannot be selected by {field!r}", field=field)
        raise UsageError(
            message, suggest_word(field, ("kind", "faction", "id"), _("Fields"))
        )
    # A misspelt value would select nothing, without a word.
    for value in values:
        if value not in possible:
            form = _("there is no {field} {value!r} in the pack {pack}")
            message = _(form, field=field, value=value, pack=pack.id)
            raise UsageError(message, suggest_word(value, possible, _("Available")))
    return actual in values


def _make_sort_key(pack: Pack, card: Card, lang: str) -> SortKey:
    """Return the values of the fields in `order_by`: numbers before texts."""
    parts: list[tuple[int, float, str]] = []
    factions = list(pack.vocabulary.factions)
    for field in pack.manifest.kinds[card.kind].order_by:
        value = card.get_field(field)
        if field == "name":
            value = localize_card(pack, card, lang)[0]
        if field == "faction":
            # The vocabulary has the order of the factions. Unknown ones are last.
            index = factions.index(str(value)) if value in factions else len(factions)
            parts.append((0, index, ""))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            parts.append((0, float(value), ""))
        else:
            text = "" if value is None else str(value).casefold()
            parts.append((1, 0.0, text))
    return tuple(parts)


def load_squad_cards(
    project: Project, pack: Pack, path: Path
) -> tuple[Pack, tuple[str, ...]]:
    """Return the cards of a squad's file as `list_squad_cards` does.

    Raises InputUnreadable for a broken file.
    """
    return list_squad_cards(pack, read_roster(project, path), str(path))


def list_squad_cards(
    pack: Pack, roster: Roster, file: str
) -> tuple[Pack, tuple[str, ...]]:
    """Return the ids of a squad's cards: its models, their equipment and choices, and its deck.

    There is one for each copy, or one for each line of a kind whose copies share a card. A model
    with chosen keywords has a card of its own, and the returned pack includes it. Raises UsageError
    for a squad of another pack, and InputUnreadable for an unknown card.
    """
    if roster.pack != pack.id:
        message = _(
            "{file} is a squad for the pack {pack}", file=file, pack=roster.pack
        )
        command = f"squadpress build {roster.pack} --roster {file}"
        raise UsageError(message, _("Run: {command}", command=command))
    choices = pack.manifest.roster.choices.items()
    card_choices = [name for name, choice in choices if choice.cards is not None]
    attached_ids: list[str] = []
    chosen_ids: list[str] = []
    deck_ids: list[str] = []
    for entry in roster.entries:
        attached_ids += [
            attachment.card for attachment in entry.attachments
        ] * entry.count
        chosen_cards = [
            entry.choices[name] for name in card_choices if name in entry.choices
        ]
        chosen_ids += chosen_cards * entry.count
    for item in roster.deck:
        deck_ids += [item.card] * item.count
    other_ids = [*attached_ids, *chosen_ids, *deck_ids]
    entry_ids = [entry.card for entry in roster.entries]
    for card_id in (*entry_ids, *other_ids):
        if card_id not in pack.cards:
            message = _("{file}: there is no card {name!r}", file=file, name=card_id)
            raise InputUnreadable(
                message, suggest_word(card_id, tuple(pack.cards), _("Cards"))
            )
    if not entry_ids and not other_ids:
        raise UsageError(
            _("{file} contains no cards", file=file), _("Add entries to the squad.")
        )
    # Only now: a model with chosen keywords needs its card in the pack.
    model_ids: list[str] = []
    for entry in roster.entries:
        pack, card = apply_choices(pack, entry)
        is_shared = pack.manifest.kinds[card.kind].shared
        model_ids += [card.id] * (1 if is_shared else entry.count)
    return pack, (*model_ids, *other_ids)


def repeat_cards(cards: Sequence[str], copies: Mapping[str, int]) -> tuple[str, ...]:
    """Return each card as often as `copies` says, in the order of `copies`, and no other card."""
    repeated_cards: list[str] = []
    for card, count in copies.items():
        if card in cards:
            repeated_cards += [card] * count
    return tuple(repeated_cards)


def read_roster(project: Project, path: Path) -> Roster:
    """Read a squad from its file. Raises InputUnreadable for a broken file."""
    # A pack is built without them, and they import the readers of other programs' lists.
    from builder.packs.rosters import load_roster
    from builder.usecases.imports.foreign_lists import refuse_foreign_list

    refuse_foreign_list(path)
    loaded = load_roster(path, project)
    if loaded.roster is None or has_errors(loaded.findings):
        problem = loaded.findings[0]
        message = _("{file}: {reason}", file=path, reason=problem.message)
        raise InputUnreadable(message, problem.hint)
    return loaded.roster
