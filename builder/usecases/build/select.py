"""Which cards are meant: a whole set, a part of it, or one squad's."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from builder.errors import InputUnreadable, UsageError
from builder.findings import has_errors
from builder.messages import gettext as _, join_messages
from builder.model.card import Card
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.model.words import suggest_word
from builder.packs.project import Project
from builder.render.html.view import localize_card
from builder.roster.chosen import chosen


def select_cards(pack: Pack, only: Sequence[str], lang: str) -> tuple[str, ...]:
    """The ids of a set's cards in printing order.

    Each selector is `kind=a,b`, `faction=a,b`, or id patterns `a*,b`; a card must pass all selectors. UsageError where
    a selector is misspelt or nothing is left.
    """
    passing = (
        card
        for card in pack.cards.values()
        if all(matches_selector(pack, card, selector) for selector in only)
    )
    found = sort_for_print(pack, passing, lang)
    if not found:
        none = _("no card passes {listed}", listed=join_messages(only, _("{first} and {rest}")))
        what = none if only else _("the pack {pack} has no cards", pack=pack.id)
        raise UsageError(
            what, _("Select with kind=..., faction=... or patterns of ids such as 'a*,b*'.")
        )
    return found


def sort_for_print(pack: Pack, cards: Iterable[Card], lang: str) -> tuple[str, ...]:
    """The ids of these cards: by kind, then by what orders the kind."""
    kinds = list(pack.manifest.kinds)
    found = sorted((kinds.index(card.kind), _order(pack, card, lang), card.id) for card in cards)
    return tuple(card for *_unused, card in found)


def matches_selector(pack: Pack, card: Card, selector: str) -> bool:
    """True for a card that a selector means. UsageError where it is misspelt."""
    field, equals, rest = selector.partition("=")
    values = [value.strip() for value in (rest if equals else selector).split(",") if value.strip()]
    known: dict[str, tuple[str | None, tuple[str, ...]]] = {
        "kind": (card.kind, tuple(pack.manifest.kinds)),
        "faction": (card.faction, tuple(pack.vocabulary.factions)),
    }
    if not equals or field == "id":
        return any(fnmatchcase(card.id, value) for value in values)
    if field not in known:
        message = _("cards cannot be selected by {field!r}", field=field)
        raise UsageError(message, suggest_word(field, (*known, "id"), _("Fields")))
    actual, possible = known[field]
    for value in values:
        if value not in possible:
            message = _(
                "no {field} {value!r} in the pack {pack}", field=field, value=value, pack=pack.id
            )
            raise UsageError(message, suggest_word(value, possible, _("There are")))
    return actual in values


def _order(pack: Pack, card: Card, lang: str) -> tuple[tuple[int, float, str], ...]:
    """A card's place within its kind before its id: by the fields of `order_by`."""
    parts: list[tuple[int, float, str]] = []
    factions = list(pack.vocabulary.factions)
    for field in pack.manifest.kinds[card.kind].order_by:
        value = localize_card(pack, card, lang)[0] if field == "name" else card.field(field)
        if field == "faction":
            parts.append(
                (0, factions.index(str(value)) if value in factions else len(factions), "")
            )
        elif isinstance(value, int | float) and not isinstance(value, bool):
            parts.append((0, float(value), ""))
        else:
            parts.append((1, 0.0, "" if value is None else str(value).casefold()))
    return tuple(parts)


def load_squad_cards(project: Project, pack: Pack, path: Path) -> tuple[Pack, tuple[str, ...]]:
    """The ids of the cards of a squad's file, as `squad_cards` has them. InputUnreadable where the file is broken."""
    return list_squad_cards(pack, read_roster(project, path), str(path))


def list_squad_cards(pack: Pack, roster: Roster, file: str) -> tuple[Pack, tuple[str, ...]]:
    """The ids of one squad's cards: its models, what they carry or have chosen, its deck; as many copies as it fields,
    or one for each line of a kind whose copies share a card.

    A model with chosen keywords has a card of its own; the pack given back holds those cards too.

    Raises UsageError for a squad of another pack, InputUnreadable where it names cards that do not exist.
    """
    if roster.pack != pack.id:
        message = _("{file} is a squad of the pack {pack}", file=file, pack=roster.pack)
        raise UsageError(
            message, _("Run: {command}", command=f"squadpress build {roster.pack} --roster {file}")
        )
    models = [entry for entry in roster.entries for _unused in range(entry.count)]
    ids = [given.card for entry in models for given in entry.attachments]
    naming = [
        name for name, choice in pack.manifest.roster.choices.items() if choice.cards is not None
    ]
    ids += [entry.choices[name] for entry in models for name in naming if name in entry.choices]
    ids += [given.card for given in roster.deck for _unused in range(given.count)]
    for name in (*(entry.card for entry in roster.entries), *ids):
        if name not in pack.cards:
            message = _("{file}: no card {name!r}", file=file, name=name)
            raise InputUnreadable(message, suggest_word(name, tuple(pack.cards), _("Cards")))
    if not ids and not roster.entries:
        raise UsageError(_("{file} fields no cards", file=file), _("Add entries to the squad."))
    fielded: list[str] = []
    for entry in roster.entries:
        pack, card = chosen(pack, entry)
        fielded += [card.id] * (1 if pack.manifest.kinds[card.kind].shared else entry.count)
    return pack, (*fielded, *ids)


def repeat_cards(cards: Sequence[str], copies: Mapping[str, int]) -> tuple[str, ...]:
    """These cards, each in as many copies as are named, none where it is not."""
    return tuple(card for card in dict.fromkeys(cards) for _unused in range(copies.get(card, 0)))


def read_roster(project: Project, path: Path) -> Roster:
    """A squad from its file. InputUnreadable where it is broken."""
    from builder.packs.rosters import load_roster

    loaded = load_roster(path, project)
    if loaded.roster is None or has_errors(loaded.findings):
        problem = loaded.findings[0]
        raise InputUnreadable(
            _("{file}: {reason}", file=path, reason=problem.message), problem.hint
        )
    return loaded.roster
