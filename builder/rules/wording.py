"""Parts of rules in words, with the pack's own names: selections, conditions, bounds, what was counted."""

from collections.abc import Sequence

from builder.messages import gettext as _, pgettext
from builder.model.rules import Bound, Condition, Ref, Select, Source, Where
from builder.roster.resolve import Surcharge
from builder.rules.bounds import DerivedBound
from builder.rules.names import Names
from builder.rules.query import Operand, list_tests
from builder.rules.violation import Counted

SOURCE_NOUNS = {
    Source.ENTRIES: _("models"),
    Source.ATTACHMENTS: _("attached cards"),
    Source.DECK: _("deck cards"),
    Source.ALL: _("all cards of the roster"),
}
OPERATOR_SYMBOLS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


def format_selection(select: Select, names: Names) -> str:
    """The picks a rule is about: `models with the keyword X`."""
    fields = dict(select.where.fields)
    noun = names.translate(SOURCE_NOUNS[select.source])
    kind = fields.get("kind")
    if kind is not None and isinstance(kind.eq, str):
        noun = names.name_kind(kind.eq).lower()
        del fields["kind"]
    told = format_where(select.where.model_copy(update={"fields": fields}), names)
    host = (
        names.translate(_("on a model{bearer}", bearer=format_where_suffix(select.bearer, names)))
        if select.bearer is not None
        else ""
    )
    return " ".join(part for part in (noun, told, host) if part)


def format_where_suffix(where: Where, names: Names) -> str:
    """A condition to stand behind a noun, with the space before it; empty if it asks nothing."""
    told = format_where(where, names)
    return f" {told}" if told else ""


def format_where(where: Where, names: Names) -> str:
    """A condition in words; empty if it asks nothing."""
    told = [
        _test(path, part, wanted, names)
        for path, test in where.fields.items()
        for part, wanted in list_tests(test)
    ]
    told += [format_where(inner, names) for inner in where.all]
    if where.any:
        told.append(
            names.translate(_(" or ")).join(format_where(inner, names) for inner in where.any)
        )
    told += [
        names.translate(_("(except {condition})", condition=format_where(inner, names)))
        for inner in where.none
    ]
    return " ".join(part for part in told if part)


def _test(path: str, part: str, wanted: Operand, names: Names) -> str:
    field, other, denied = names.name_field(path), "", part in ("lacks", "ne")
    if isinstance(wanted, Ref):
        other = names.name_field(wanted.other)
        value = names.translate(_("the card's own {field}", field=other))
    elif isinstance(wanted, tuple):
        value = names.translate(_(" or ")).join(names.name_value(path, item) for item in wanted)
    else:
        value = names.name_value(path, wanted)
    if part == "exists":
        told = _("({field} given)") if wanted else _("({field} not given)")
    elif isinstance(wanted, Ref) and part in ("eq", "ne") and wanted.other == path:
        told = (
            _("({field} other than on the card itself)")
            if denied
            else _("({field} as on the card itself)")
        )
    elif isinstance(wanted, Ref) and part == "eq":
        told = _("({field}: as in the card's field {other})")
    elif part in OPERATOR_SYMBOLS and (part not in ("eq", "ne") or isinstance(wanted, int | float)):
        told = _("({field} {sign} {value})")
    elif path == "keywords":
        told = _("without the keyword {value}") if denied else _("with the keyword {value}")
    else:
        told = _("({field}: not {value})") if denied else _("({field}: {value})")
    return names.translate(
        _(told, field=field, sign=OPERATOR_SYMBOLS.get(part, ""), value=value, other=other)
    )


def format_bound(bound: Bound, names: Names, summed: bool = False) -> str:
    """Where a bound comes from, in words; `summed` where sums are compared instead of counts."""
    if bound.number is not None:
        return f"{bound.number:g}"
    if bound.param is not None:
        told = _("“{param}”", param=names.name_param(bound.param))
    elif bound.field is not None:
        told = pgettext("bound", "the card's own {field}", field=names.name_field(bound.field))
    elif bound.one_per is not None:
        each, param = bound.one_per.each, names.name_param(bound.one_per.of)
        every = names.name_field(each) if isinstance(each, str) else f"{each:g}"
        told = _("one for every {each} of “{param}”", each=every, param=param)
    elif bound.sum:
        return " + ".join(format_bound(part, names) for part in bound.sum)
    elif bound.ratio is not None:
        form = (
            _("{share} of the sum for {select}")
            if summed
            else _("{share} of the number of {select}")
        )
        told = _(form, share=bound.ratio.share, select=format_selection(bound.ratio.of, names))
    elif bound.share is not None:
        field, param = names.name_field(bound.share.field), names.name_param(bound.share.of)
        told = _("the card's share ({field}) of “{param}”", field=field, param=param)
    else:
        rows = ", ".join(f"{key}: {value:g}" for key, value in (bound.table or {}).items())
        told = _(
            "the number for “{param}” ({rows})", param=names.name_param(bound.by or ""), rows=rows
        )
    return names.translate(told)


def format_when(when: Condition, names: Names) -> str:
    """The condition under which a rule is in force."""
    told, either = [], names.translate(_(" or "))
    for name, wanted in when.params.items():
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        told.append(
            f"{names.name_param(name)} = {either.join(names.name_param_value(name, value) for value in allowed)}"
        )
    if when.exists is not None:
        told.append(
            names.translate(_("there are {select}", select=format_selection(when.exists, names)))
        )
    if when.not_exists is not None:
        told.append(
            names.translate(
                _("there are no {select}", select=format_selection(when.not_exists, names))
            )
        )
    return ", ".join(told)


def format_derivation(bound: DerivedBound, names: Names) -> str:
    """How a bound came about: `Size 30 / 12 = 2`; empty for a fixed number."""
    if bound.form in ("one_per", "share", "ratio"):
        top = f" × {bound.top}" if bound.top != 1 else ""
        whole = (
            names.name_param(bound.param) if bound.of is None else format_selection(bound.of, names)
        )
        return f"{whole} {bound.amount}{top} / {bound.each:g} = {bound.value:g}"
    if bound.form == "sum":
        parts = (
            format_derivation(part, names).replace(": ", " ") or f"{part.value:g}"
            for part in bound.parts
        )
        return f"{' + '.join(parts)} = {bound.value:g}"
    if bound.form == "param":
        return (
            f"{names.name_param(bound.param)}: {names.name_param_value(bound.param, bound.amount)}"
        )
    if bound.form == "field":
        return f"{names.name_field(bound.field)}: {bound.value:g}"
    if bound.form == "table":
        return f"{names.name_param(bound.param)} {names.name_param_value(bound.param, bound.amount)}: {bound.value:g}"
    return ""


STEP_MESSAGES = {
    "size": _("cost {more} from model {first} of the line on"),
    "copy": _("cost {more} from copy {first} on"),
    "line": _("cost {more} from line {first} with this card on"),
}


def format_surcharge(one: Surcharge, names: Names) -> str:
    """What steps in the costs add to a line: `cost +5 from copy 3 on (×2)`."""
    more = f"{one.more:+g}".replace("-", "\N{MINUS SIGN}")
    many = f" (×{one.copies})" if one.copies > 1 else ""
    return names.translate(_(STEP_MESSAGES[one.by], more=more, first=one.first)) + many


def format_counted(counted: Sequence[Counted], names: Names) -> str:
    """Counted picks by name, copies of a card together, with what they add where that is not their number
    and, in brackets, how much of it steps in the costs make."""
    copies: dict[str, int] = {}
    amounts: dict[str, int | float] = {}
    steps: dict[str, int | float] = {}
    for item in counted:
        steps[item.card] = steps.get(item.card, 0) + item.steps
        copies[item.card] = copies.get(item.card, 0) + item.count
        amounts[item.card] = amounts.get(item.card, 0) + item.amount
    told = []
    for card, count in copies.items():
        name = names.name_card(card) + (f" ×{count}" if count > 1 else "")
        more = f" ({steps[card]:+g})".replace("-", "\N{MINUS SIGN}") if steps[card] else ""
        told.append(
            f"{name} = {amounts[card]:g}{more}" if more or amounts[card] not in (count, 1) else name
        )
    return ", ".join(told)


def format_counted_by_value(counted: Sequence[Counted], path: str, names: Names) -> str:
    """Counted picks grouped by the value for which they were counted."""
    groups: dict[str, list[Counted]] = {}
    for item in counted:
        groups.setdefault(item.value or "", []).append(
            Counted(item.path, item.card, item.count, item.count)
        )
    return "; ".join(
        f"{names.name_value(path, value)}: {format_counted(items, names)}"
        for value, items in groups.items()
    )
