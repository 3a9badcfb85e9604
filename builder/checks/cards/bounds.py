"""Bounds that no value can keep, and tables whose rows no roster can ask for: in rules, parameters, conditions."""

from collections.abc import Iterator

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, look_up, walk_values
from builder.model.codes import Code, define
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack, Param
from builder.model.rules import Bound, Condition, Limit
from builder.model.words import list_words, suggest_word
from builder.rules.violation import bound_ends, empty_ranges

EMPTY = define(
    "pack/empty-range",
    _("The least allowed is more than the most allowed"),
    _(
        "No number lies between: a rule would refuse every squad, a condition would let nothing pass."
    ),
    _("Exchange the two numbers, or correct one of them."),
)
NEVER = define(
    "rules/unknown-value",
    _("A rule speaks of a value that its parameter never has"),
    _(
        "A condition with it never holds, and a row for it is never read: where it was meant, there is no limit."
    ),
    _("Correct the value, or add it to choices, min and max of the parameter in pack.yaml."),
)
TABLE_GAP = define(
    "rules/table-gap",
    _("A table has no row for a value of its parameter"),
    _("For that value there is no limit at all."),
    _("Add the row, or say with `when` for which values the rule holds."),
    Severity.WARNING,
)
PARAMETER = define(
    "pack/parameter",
    _("A parameter whose default or names do not fit its values"),
    _(
        "A roster that states nothing would be refused, or judged as if the parameter did not exist."
    ),
    _("Use a value that the parameter allows."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Pairs of numbers in the pack's files and in conditions of cards, then parameters, then the limits of rules."""
    pack = loaded.whole
    for document in loaded.sources.values():
        yield from _pairs(document.value, (), document)
    for card, paths in loaded.wheres.items():
        for path in paths:
            yield from _pairs(look_up(pack.cards[card].data, path), path, loaded.documents[card])
    if manifest := loaded.sources.get("pack.yaml"):
        for name, param in pack.manifest.roster.params.items():
            yield from _parameter(name, param, manifest)
    if rules := loaded.sources.get("rules.yaml"):
        for index, rule in enumerate(pack.rules.rules):
            yield from _condition(
                rule.when or Condition(), ("rules", index, "when", "params"), pack, rules
            )
            if isinstance(rule, Limit):
                yield from _limit(rule, ("rules", index), pack, rules)


def _pairs(root: Json, start: DataPath, document: Document) -> Iterator[Finding]:
    """Every map that bounds one number from both sides."""
    for path, value in walk_values(root, start):
        if not isinstance(value, dict):
            continue
        for least, low, most, high in empty_ranges(value):
            yield _empty(least, low, most, high, document, (*path, least))


def _empty(
    least: str, low: float, most: str, high: float, document: Document, path: DataPath
) -> Finding:
    form = _("{least} {low:g} and {most} {high:g}: no number is allowed")
    return EMPTY.finding(_(form, least=least, low=low, most=most, high=high), document.locate(path))


def _parameter(name: str, param: Param, document: Document) -> Iterator[Finding]:
    """A parameter against its own default and the names of its values."""
    path: DataPath = ("roster", "params", name)
    if param.type == "choice" and not param.choices:
        yield PARAMETER.finding(
            _("{name} has no value to choose from", name=name), document.locate(path, key=True)
        )
    if param.default is not None and not param.takes(param.default):
        message = _("the default {value} of {name} is not allowed", value=param.default, name=name)
        hint = suggest_word(str(param.default), param.allowed, _("Allowed"))
        yield PARAMETER.finding(message, document.locate((*path, "default")), hint)
    for value in param.names:
        if not param.takes(value):
            yield _never(
                PARAMETER, name, value, param, document.locate((*path, "names", value), key=True)
            )


def _never(code: Code, name: str, value: object, param: Param, place: Location) -> Finding:
    """A finding about a value that a parameter cannot have."""
    message = _("{name} never has the value {value}", name=name, value=value)
    return code.finding(message, place, suggest_word(str(value), param.allowed, _("Allowed")))


def _condition(
    when: Condition, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    """The values of parameters for which a rule is in force."""
    for name, wanted in when.params.items():
        param = pack.manifest.roster.params.get(name)
        for value in wanted if isinstance(wanted, tuple) else (wanted,):
            if param is not None and not param.takes(value):
                yield _never(NEVER, name, value, param, document.locate((*path, name)))


def _limit(rule: Limit, path: DataPath, pack: Pack, document: Document) -> Iterator[Finding]:
    """The tables of one limit, then its least against its most."""
    params = pack.manifest.roster.params
    wanted = rule.when.params if rule.when is not None else {}
    for key in ("min", "max", "exactly"):
        bound: Bound | None = getattr(rule, key)
        param = params.get(bound.by or "") if bound is not None else None
        if bound is None or bound.table is None or bound.by is None or param is None:
            continue
        at = (*path, key, "table")
        for row in bound.table:
            if not param.takes(row):
                yield _never(NEVER, bound.by, row, param, document.locate((*at, row), key=True))
        held = wanted.get(bound.by, param.choices)
        values = held if isinstance(held, tuple) else (held,)
        # A default without a row says "not stated yet".
        lacking = [
            str(value)
            for value in values
            if str(value) not in bound.table and value != param.default
        ]
        if lacking:
            message = _("no row for {listed}: no limit there", listed=list_words(lacking))
            yield TABLE_GAP.finding(message, document.locate(at, key=True))
    if rule.min is not None and rule.max is not None:
        yield from _crossed(rule.min, rule.max, path, pack, document)


def _crossed(
    least: Bound, most: Bound, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    """A least that is above the most: whatever the roster states, or in one row of a table. Two plain numbers are told
    as any other pair is.
    """
    if least.number is not None and most.number is not None:
        return
    alike = least.by == most.by or not (least.by and most.by)
    rows = sorted({*(least.table or {}), *(most.table or {})}) if alike else []
    for row in rows:
        low, high = bound_ends(least, pack, row)[0], bound_ends(most, pack, row)[1]
        if low > high:
            side = "min" if least.table and row in least.table else "max"
            yield _empty("min", low, "max", high, document, (*path, side, "table", row))
    if not rows and (low := bound_ends(least, pack)[0]) > (high := bound_ends(most, pack)[1]):
        yield _empty("min", low, "max", high, document, (*path, "min"))
