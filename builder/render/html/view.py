"""A card as a template sees it: frozen, read by attribute, in one language. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from builder.model.base import Json
from builder.model.card import Card
from builder.model.pack import Pack


class View(Mapping[str, Any]):
    """A map read by attribute or key. A missing field is undefined for the template; `get` gives None for it."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_fields", dict(fields))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a view is frozen")

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def localised(pack: Pack, card: Card, lang: str) -> tuple[str, Mapping[str, Json]]:
    """A card's name and own fields in a language; the source text stands where no translation is."""
    strings = pack.translations.get(lang, {}).get(card.id, {}) if lang != pack.manifest.languages.source else {}
    name = strings["name"].text if "name" in strings else card.name
    data: Json = dict(card.data)
    for path, string in strings.items():
        if path != "name":
            data = _replaced(data, path.split("."), string.text)
    assert isinstance(data, dict)
    return name, data


def _replaced(value: Json, path: list[str], text: str) -> Json:
    """A copy with the string at a path exchanged; unchanged where the path leads nowhere."""
    if not path:
        return text if isinstance(value, str) else value
    if isinstance(value, Mapping) and path[0] in value:
        return {**value, path[0]: _replaced(value[path[0]], path[1:], text)}
    if isinstance(value, list | tuple) and path[0].isdigit() and int(path[0]) < len(value):
        at = int(path[0])
        return [*value[:at], _replaced(value[at], path[1:], text), *value[at + 1 :]]
    return value


def card_view(pack: Pack, card: Card, lang: str) -> View:
    """The whole card as a view."""
    name, data = localised(pack, card, lang)
    fields: dict[str, Any] = {key: frozen(value) for key, value in data.items()}
    fields |= {
        "id": card.id,
        "kind": card.kind,
        "name": name,
        "keywords": tuple(_keyword(pack, keyword, lang) for keyword in card.keywords),
        "revision": card.revision,
        "released": card.released.isoformat(),
    }
    if card.cost is not None:
        fields["cost"] = card.cost
    if card.faction is not None:
        fields["faction"] = card.faction
    return View(fields)


def _keyword(pack: Pack, keyword: str, lang: str) -> View:
    """One keyword of a card with its words."""
    term = pack.vocabulary.keywords.get(keyword)
    source = pack.manifest.languages.source
    word = pick(term.name, lang, source) if term else keyword
    return View({"id": keyword, "name": word or keyword, "help": pick(term.help, lang, source) if term else "",
                 "group": term.group if term else None, "icon": term.icon if term else None})  # fmt: skip


def pick(texts: Mapping[str, str], lang: str, source: str) -> str:
    """A short text in a language, else in the source language, else any, else nothing."""
    return texts.get(lang) or texts.get(source) or next(iter(texts.values()), "")


def frozen(value: Any) -> Any:
    """A JSON value as templates get it: maps become views, lists tuples."""
    if isinstance(value, Mapping):
        return View({str(key): frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    return value
