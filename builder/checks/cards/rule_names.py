"""rules.yaml, and the choices of pack.yaml: every parameter, tie, choice, kind and field that is named there exists."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from builder.checks.cards.references import NEVER, UNKNOWN_FIELD, KnownNames, never, unknown
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import Path, lookup
from builder.model.card import ENVELOPE
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack
from builder.model.rules import Bound, Condition, Ref, Rule, Select, Where
from builder.model.words import suggestion
from builder.rules.evaluate import compile_rule


@dataclass(frozen=True)
class _RuleNames:
    """What the pack knows, and where findings point."""

    pack: Pack
    document: Document
    fields: frozenset[str] | None
    known: KnownNames

    def judge(self, what: str, name: str, known: Collection[str], path: Path) -> Iterator[Finding]:
        """A finding if a name is not known."""
        yield from unknown(what, name, known, self.document, path)

    def param(self, name: str, path: Path) -> Iterator[Finding]:
        """A roster parameter."""
        yield from self.judge("parameter", name, self.pack.manifest.roster.params, path)

    def field(self, name: str | None, path: Path) -> Iterator[Finding]:
        """A card field, or `choice.NAME`."""
        if name is None:
            return
        if name.startswith("choice."):
            yield from self.judge("choice", name[7:], self.pack.manifest.roster.choices, path)
        elif self.fields is not None and name.partition(".")[0] not in self.fields:
            hint = suggestion(name, self.fields, _("Fields"))
            yield UNKNOWN_FIELD.finding(_("no card has a field {name}", name=name), self.document.locate(path), hint)

    def where(self, where: Where | None, path: Path) -> Iterator[Finding]:
        """The fields of a condition, and the kinds and ids it compares with."""
        if where is None:
            return
        for name, test in where.fields.items():
            at = (*path, name)
            yield from self.field(name, at)
            yield from self.known.tested(name, lookup(self.document.value, at), at, self.document)
            for kind in (test.eq, *(test.one_of or ())) if name == "kind" else ():
                if isinstance(kind, str):
                    yield from self.judge("kind", kind, self.pack.manifest.kinds, at)
            for wanted in (test.eq, test.ne, test.lt, test.le, test.gt, test.ge, test.has, test.lacks):
                if isinstance(wanted, Ref):
                    yield from self.field(wanted.other, at)
        for key in ("any", "all", "none"):
            for index, inner in enumerate(getattr(where, key)):
                yield from self.where(inner, (*path, key, index))

    def select(self, select: Select, path: Path) -> Iterator[Finding]:
        """A selection's conditions."""
        yield from self.where(select.where, (*path, "where"))
        yield from self.where(select.bearer, (*path, "bearer"))

    def bound(self, bound: Bound, path: Path) -> Iterator[Finding]:
        """A bound's parameters and fields."""
        formula = bound.one_per or bound.share
        for name in (bound.param, bound.by, formula.of if formula is not None else None):
            if name is not None:
                yield from self.param(name, path)
        for part in bound.sum:
            yield from self.bound(part, path)
        for field in bound.card_fields if not bound.sum else ():
            yield from self.field(field, path)

    def when(self, when: Condition, path: Path) -> Iterator[Finding]:
        """The parameters and values for which a rule is in force."""
        params = self.pack.manifest.roster.params
        for name, wanted in when.params.items():
            yield from self.param(name, (*path, "params", name))
            for value in (wanted if isinstance(wanted, tuple) else (wanted,)) if name in params else ():
                if not params[name].takes(value):
                    yield never(NEVER, name, value, params[name], self.document.locate((*path, "params", name)))
        for key, select in (("exists", when.exists), ("not_exists", when.not_exists)):
            if select is not None:
                yield from self.select(select, (*path, key))


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Every choice and rule, the order of deployment, and the cards whose diagrams are held to a distance."""
    if loaded.pack is None:
        return
    known, fields = KnownNames.of(loaded), _fields(loaded)
    if (manifest := loaded.sources.get("pack.yaml")) is not None:
        yield from _choices(_RuleNames(loaded.pack, manifest, fields, known))
    if (document := loaded.sources.get("rules.yaml")) is None:
        return
    names = _RuleNames(loaded.pack, document, fields, known)
    for index, rule in enumerate(loaded.pack.rules.rules):
        path: Path = ("rules", index)
        yield from _rule(rule, path, names)
    order = loaded.pack.rules.order
    for index, step in enumerate(order.steps if order is not None else ()):
        path = ("order", "steps", index)
        yield from names.select(step.select, (*path, "select"))
        yield from names.field(step.by, (*path, "by"))
        if step.after_link is not None:
            yield from names.judge("link", step.after_link, loaded.pack.manifest.roster.links, (*path, "after_link"))
    for index, distance in enumerate(loaded.pack.rules.distances):
        yield from names.where(distance.cards, ("distances", index, "cards"))


def _fields(loaded: LoadedPack) -> frozenset[str] | None:
    """Every field that a card states, also one that is not valid; None where some file could not be read at all."""
    if loaded.unread:
        return None
    own = {name for card in loaded.whole.cards.values() for name in card.data}
    raw = {name for file in loaded.files if isinstance(file.document.value, dict) for name in file.document.value}
    return frozenset(own | raw | ENVELOPE)


def _choices(names: _RuleNames) -> Iterator[Finding]:
    """The map a choice is made from, which of its items may be chosen, and which entries choose."""
    for name, choice in names.pack.manifest.roster.choices.items():
        path: Path = ("roster", "choices", name)
        yield from names.field(choice.field, (*path, "field"))
        yield from names.where(choice.where, (*path, "where"))
        if choice.field is None or names.fields is None:
            continue
        maps = (lookup(card.data, tuple(choice.field.split("."))) for card in names.pack.cards.values())
        items = (item for found in maps if isinstance(found, Mapping) for item in found.values())
        stated = frozenset(key for item in items if isinstance(item, Mapping) for key in item)
        yield from replace(names, fields=stated | {"id"}).where(choice.items, (*path, "items"))


def _rule(rule: Rule, path: Path, names: _RuleNames) -> Iterator[Finding]:
    if rule.when is not None:
        yield from names.when(rule.when, (*path, "when"))
    named = compile_rule(rule, names.pack).mentions()
    for key, field in named.fields.items():
        yield from names.field(field, (*path, key))
    for key, link in named.links.items():
        yield from names.judge("link", link, names.pack.manifest.roster.links, (*path, key))
    for key, where in named.wheres.items():
        yield from names.where(where, (*path, key))
    for key, select in named.selects.items():
        yield from names.select(select, (*path, *key.split(".")))
    for key, bound in named.bounds.items():
        yield from names.bound(bound, (*path, key))
