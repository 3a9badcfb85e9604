"""Conditions (`x-where` in cards, rules.yaml) can be understood, and what they compare with exists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pydantic import ValidationError

from builder.checks.cards.references import KnownNames
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Json, Path, lookup
from builder.model.codes import define
from builder.model.loaded import Document, LoadedPack
from builder.model.rules import Test, Where
from builder.model.spelling import suggestion

WHERE = define(
    "cards/condition",
    _("A condition that cannot be understood"),
    _("A condition decides who may carry a card; one that says nothing would allow or forbid all."),
    _("Write it as in rules.yaml: {keywords: {has: id}}, {cost: {le: 3}}, {faction: id}."),
)

_NAMED = {"keywords": "keyword", "faction": "faction", "id": "card"}
_COMBINATORS = ("any", "all", "none")


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Conditions in cards, then those in rules.yaml, whose form the model has judged already."""
    assert loaded.pack is not None
    names = KnownNames.of(loaded)
    for card_id, paths in loaded.wheres.items():
        card, document = loaded.pack.cards[card_id], loaded.documents[card_id]
        for path in paths:
            value = lookup(card.data, path)
            yield from _form(value, path, document)
            yield from _values(value, path, document, names)
    rules = loaded.sources.get("rules.yaml")
    if rules is not None:
        yield from _inside(rules.value, (), rules, names)


def _form(value: Json, path: Path, document: Document) -> Iterator[Finding]:
    try:
        Where.model_validate(value)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            steps = tuple(step for step in detail["loc"] if step != "fields")
            last = str(steps[-1]) if steps else _("the condition")
            hint = suggestion(last, Test.model_fields, _("Tests")) if detail["type"] == "extra_forbidden" else ""
            reason = _("is not a test") if detail["type"] == "extra_forbidden" else detail["msg"].lower()
            message = _("{name}: {reason}", name=last, reason=reason)
            yield WHERE.finding(message, document.locate((*path, *steps)), hint)


def _inside(value: Json, path: Path, document: Document, names: KnownNames) -> Iterator[Finding]:
    """Every condition below a value of rules.yaml: the maps under `where` and its kin."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(item, (*path, index), document, names)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("where", "bearer", "target", "cards"):
                yield from _values(item, (*path, key), document, names)
            else:
                yield from _inside(item, (*path, key), document, names)


def _values(value: Json, path: Path, document: Document, names: KnownNames) -> Iterator[Finding]:
    """The ids that one condition compares with."""
    if not isinstance(value, dict):
        return
    for key, test in value.items():
        if key in _COMBINATORS and isinstance(test, list):
            for index, inner in enumerate(test):
                yield from _values(inner, (*path, key, index), document, names)
        elif key in _NAMED:
            for at, name in _scalars(test, (*path, key)):
                finding = names.judge(_NAMED[key], name, partial(document.locate, at))
                if finding:
                    yield finding


def _scalars(test: Json, path: Path) -> Iterator[tuple[Path, str]]:
    """The fixed texts of a test; what is taken from the other card is none."""
    if isinstance(test, str):
        yield path, test
    elif isinstance(test, list):
        for index, item in enumerate(test):
            yield from _scalars(item, (*path, index))
    elif isinstance(test, dict):
        for key, item in test.items():
            if key != "other":
                yield from _scalars(item, (*path, key))
