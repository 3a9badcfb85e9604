"""What machines are served about a release: JSON values, pure. A version's values never change once it is released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from builder.errata.snapshot import Snapshot
from builder.model.base import Json, lookup
from builder.model.migration import successor

API = "v1"


def index(pack: str, name: Json, states: Sequence[Snapshot]) -> Mapping[str, object]:
    """All releases, oldest first; each is in force until the next one is."""
    listed = []
    for number, state in enumerate(states):
        after = states[number + 1].effective if number + 1 < len(states) else None
        listed.append(
            {
                "version": state.label,
                "released": _day(state.released),
                "effective": _day(state.effective),
                "until": _day(after),
                "cards": len(state.cards),
                "path": f"{API}/{state.label}/",
            }
        )
    return {"pack": pack, "name": name, "releases": listed}


def latest(states: Sequence[Snapshot]) -> dict[str, str]:
    """A pointer and nothing more."""
    return {"version": states[-1].label, "path": f"{API}/{states[-1].label}/"}


def _day(day: object) -> str | None:
    return None if day is None else str(day)


def cards(state: Snapshot) -> Mapping[str, object]:
    """All cards in the source language, by id."""
    return {card: dict(raw) for card, raw in sorted(state.cards.items())}


def cards_in(state: Snapshot, lang: str) -> Mapping[str, object]:
    """All cards with their texts in a language; a text that is not translated stays in the source language."""
    found: dict[str, Json] = {}
    for card, raw in sorted(state.cards.items()):
        strings = state.translations.get(lang, {}).get(card, {})
        texts = {path: item["text"] for path, item in strings.items() if isinstance(item, Mapping) and "text" in item}
        found[card] = _spoken(dict(raw), texts, ())
    return found


def _spoken(value: Json, texts: Mapping[str, Json], path: tuple[str, ...]) -> Json:
    if isinstance(value, Mapping):
        return {key: _spoken(item, texts, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [_spoken(item, texts, (*path, str(index))) for index, item in enumerate(value)]
    return texts.get(".".join(path), value)


def legality(states: Sequence[Snapshot]) -> Mapping[str, object]:
    """For the last of the states: which cards may be fielded, since when they are as they are, and what was withdrawn.

    `states` are all releases up to this one, oldest first.
    """
    last = states[-1]
    legal = {}
    for card in sorted(last.cards):
        past = [state for state in states if card in state.cards]
        revision = lookup(last.cards[card], ("revision",))
        same = [state for state in past if lookup(state.cards[card], ("revision",)) == revision]
        legal[card] = {"since": past[0].label, "revision": revision, "revisedIn": same[0].label}
    withdrawn = {}
    for card in sorted({card for state in states for card in state.cards} - last.cards.keys()):
        final = [state for state in states if card in state.cards][-1]
        heir = successor(card, last.migrations, last.cards)
        step = next((step for step in last.migrations if step.old == card), None)
        heirs = [heir] if heir else list(step.new) if step else []
        withdrawn[card] = {"lastIn": final.label, "type": step.type.value if step else None, "successors": heirs}
    return {"version": last.label, "effective": _day(last.effective), "legal": legal, "withdrawn": withdrawn}
