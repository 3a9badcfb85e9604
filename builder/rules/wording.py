"""Parts of rules in words, with the pack's own names: selections, conditions, bounds, what was counted."""

from __future__ import annotations

from collections.abc import Sequence

from builder.messages import pgettext
from builder.model.rules import Bound, Condition, Ref, Select, Source, Where
from builder.rules.names import Names
from builder.rules.query import Operand, parts
from builder.rules.violation import Counted, Derived

SOURCES = {
    Source.ENTRIES: pgettext("rule", "models"),
    Source.ATTACHMENTS: pgettext("rule", "attached cards"),
    Source.DECK: pgettext("rule", "deck cards"),
    Source.ALL: pgettext("rule", "all cards of the roster"),
}
SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


def selection(select: Select, names: Names) -> str:
    """The picks a rule is about: `models with the keyword X`."""
    fields = dict(select.where.fields)
    noun = names.say(SOURCES[select.source])
    kind = fields.get("kind")
    if kind is not None and isinstance(kind.eq, str):
        noun = names.kind(kind.eq).lower()
        del fields["kind"]
    told = condition(select.where.model_copy(update={"fields": fields}), names)
    bearer = (
        names.say(pgettext("rule", "on a model{bearer}", bearer=after(select.bearer, names)))
        if select.bearer is not None
        else ""
    )
    return " ".join(part for part in (noun, told, bearer) if part)


def after(where: Where, names: Names) -> str:
    """A condition to stand behind a noun, with the space before it; empty if it asks nothing."""
    told = condition(where, names)
    return f" {told}" if told else ""


def condition(where: Where, names: Names) -> str:
    """A condition in words; empty if it asks nothing."""
    told = [_test(path, part, wanted, names) for path, test in where.fields.items() for part, wanted in parts(test)]
    told += [condition(inner, names) for inner in where.all]
    if where.any:
        told.append(names.say(pgettext("rule", " or ")).join(condition(inner, names) for inner in where.any))
    told += [
        names.say(pgettext("rule", "(except {condition})", condition=condition(inner, names))) for inner in where.none
    ]
    return " ".join(part for part in told if part)


def _test(path: str, part: str, wanted: Operand, names: Names) -> str:
    """One comparison in words."""
    field = names.field(path)
    if part == "exists":
        return names.say(
            pgettext("rule", "({field} stated)", field=field)
            if wanted
            else pgettext("rule", "({field} not stated)", field=field)
        )
    denied = part in ("lacks", "ne")
    if isinstance(wanted, Ref):
        if part in ("eq", "ne") and wanted.other == path:
            return names.say(
                pgettext("rule", "({field} other than on the card itself)", field=field)
                if denied
                else pgettext("rule", "({field} as on the card itself)", field=field)
            )
        if part == "eq":
            return names.say(
                pgettext(
                    "rule",
                    "({field}: the one that the card itself names under {other})",
                    field=field,
                    other=names.field(wanted.other),
                )
            )
        value = names.say(pgettext("rule", "the card's own {field}", field=names.field(wanted.other)))
    elif isinstance(wanted, tuple):
        value = names.say(pgettext("rule", " or ")).join(names.value(path, item) for item in wanted)
    else:
        value = names.value(path, wanted)
    if part in SIGNS and (part not in ("eq", "ne") or isinstance(wanted, int | float)):
        return names.say(pgettext("rule", "({field} {sign} {value})", field=field, sign=SIGNS[part], value=value))
    if path == "keywords":
        return names.say(
            pgettext("rule", "without the keyword {value}", value=value)
            if denied
            else pgettext("rule", "with the keyword {value}", value=value)
        )
    return names.say(
        pgettext("rule", "({field}: not {value})", field=field, value=value)
        if denied
        else pgettext("rule", "({field}: {value})", field=field, value=value)
    )


def bound_words(bound: Bound, names: Names) -> str:
    """Where a bound comes from, in words."""
    if bound.number is not None:
        return f"{bound.number:g}"
    if bound.param is not None:
        return names.say(pgettext("rule", "“{param}”", param=names.param(bound.param)))
    if bound.field is not None:
        return names.say(pgettext("bound", "the card's own {field}", field=names.field(bound.field)))
    if bound.one_per is not None:
        each = bound.one_per.each
        told = names.field(each) if isinstance(each, str) else f"{each:g}"
        return names.say(
            pgettext("rule", "one for every {each} of “{param}”", each=told, param=names.param(bound.one_per.of))
        )
    if bound.share is not None:
        return names.say(
            pgettext(
                "rule",
                "the card's share ({field}) of “{param}”",
                field=names.field(bound.share.field),
                param=names.param(bound.share.of),
            )
        )
    rows = ", ".join(f"{key}: {value:g}" for key, value in (bound.table or {}).items())
    return names.say(
        pgettext("rule", "the number for “{param}” ({rows})", param=names.param(bound.by or ""), rows=rows)
    )


def in_force(when: Condition, names: Names) -> str:
    """The condition under which a rule is in force."""
    told, either = [], names.say(pgettext("rule", " or "))
    for name, wanted in when.params.items():
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        told.append(f"{names.param(name)} = {either.join(names.param_value(name, value) for value in allowed)}")
    if when.exists is not None:
        told.append(names.say(pgettext("rule", "there are {select}", select=selection(when.exists, names))))
    return ", ".join(told)


def derivation(bound: Derived, names: Names) -> str:
    """How a bound came about: `Size 30 / 12 = 2`; empty for a fixed number."""
    if bound.form in ("one_per", "share"):
        top = f" × {bound.top}" if bound.top != 1 else ""
        return f"{names.param(bound.param)} {bound.amount}{top} / {bound.each:g} = {bound.value:g}"
    if bound.form == "param":
        return f"{names.param(bound.param)}: {names.param_value(bound.param, bound.amount)}"
    if bound.form == "field":
        return f"{names.field(bound.field)}: {bound.value:g}"
    if bound.form == "table":
        return f"{names.param(bound.param)} {names.param_value(bound.param, bound.amount)}: {bound.value:g}"
    return ""


def listed(counted: Sequence[Counted], names: Names) -> str:
    """Counted picks by name, copies of a card together, with what they add where that is not their number."""
    copies: dict[str, int] = {}
    amounts: dict[str, int | float] = {}
    for item in counted:
        copies[item.card] = copies.get(item.card, 0) + item.count
        amounts[item.card] = amounts.get(item.card, 0) + item.amount
    told = []
    for card, count in copies.items():
        name = names.card(card) + (f" ×{count}" if count > 1 else "")
        told.append(f"{name} = {amounts[card]:g}" if amounts[card] not in (count, 1) else name)
    return ", ".join(told)


def listed_by_value(counted: Sequence[Counted], path: str, names: Names) -> str:
    """Counted picks grouped by the value for which they were counted."""
    groups: dict[str, list[Counted]] = {}
    for item in counted:
        groups.setdefault(item.value or "", []).append(Counted(item.path, item.card, item.count, item.count))
    return "; ".join(f"{names.value(path, value)}: {listed(items, names)}" for value, items in groups.items())
