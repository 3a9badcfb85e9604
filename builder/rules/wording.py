"""Format parts of rules as text, with the pack's own names.

Selections, conditions, bounds, counted cards.
"""

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
    """Return the cards that a rule selects, such as "models with the keyword X"."""
    fields = dict(select.where.fields)
    noun = names.translate(SOURCE_NOUNS[select.source])
    kind = fields.get("kind")
    # a kind is a noun itself, so it is named first and not as one more test
    if kind is not None and isinstance(kind.eq, str):
        noun = names.name_kind(kind.eq).lower()
        del fields["kind"]
    other_tests = select.where.model_copy(update={"fields": fields})
    parts = [noun, format_condition(other_tests, names)]
    if select.bearer is not None:
        host = format_condition_suffix(select.bearer, names)
        parts.append(names.translate(_("on a model{bearer}", bearer=host)))
    return " ".join(part for part in parts if part)


def format_condition_suffix(condition: Where, names: Names) -> str:
    """Return a condition as text that follows a noun, with a space before it, or ""."""
    text = format_condition(condition, names)
    return f" {text}" if text else ""


def format_condition(condition: Where, names: Names) -> str:
    """Return a condition as text, such as "with the keyword X". "" if it tests nothing."""
    parts = []
    for path, test in condition.fields.items():
        for comparison, operand in list_tests(test):
            parts.append(_format_test(path, comparison, operand, names))
    parts += [format_condition(inner, names) for inner in condition.all]
    if condition.any:
        alternatives = [format_condition(inner, names) for inner in condition.any]
        parts.append(names.translate(_(" or ")).join(alternatives))
    for inner in condition.none:
        inner_text = format_condition(inner, names)
        parts.append(names.translate(_("(except {condition})", condition=inner_text)))
    return " ".join(part for part in parts if part)


def _format_test(path: str, comparison: str, operand: Operand, names: Names) -> str:
    """Return one comparison of a condition as text."""
    other_field = ""
    if isinstance(operand, Ref):
        other_field = names.name_field(operand.other)
        value = names.translate(_("the card's own {field}", field=other_field))
    elif isinstance(operand, tuple):
        value_names = [names.name_value(path, item) for item in operand]
        value = names.translate(_(" or ")).join(value_names)
    else:
        value = names.name_value(path, operand)
    message = _(
        _choose_test_message(path, comparison, operand),
        field=names.name_field(path),
        sign=OPERATOR_SYMBOLS.get(comparison, ""),
        value=value,
        other=other_field,
    )
    return names.translate(message)


def _choose_test_message(path: str, comparison: str, operand: Operand) -> str:
    """Return the message for one comparison, with placeholders for its values."""
    if comparison == "exists":
        return _("({field} given)") if operand else _("({field} not given)")
    is_equality = comparison in ("eq", "ne")
    is_negated = comparison in ("lacks", "ne")
    if isinstance(operand, Ref) and is_equality and operand.other == path:
        same = _("({field} as on the card itself)")
        return _("({field} other than on the card itself)") if is_negated else same
    if isinstance(operand, Ref) and comparison == "eq":
        return _("({field}: as in the card's field {other})")
    if comparison in OPERATOR_SYMBOLS and (
        not is_equality or isinstance(operand, int | float)
    ):
        return _("({field} {sign} {value})")
    return _choose_match_message(path == "keywords", is_negated)


def _choose_match_message(is_keyword: bool, is_negated: bool) -> str:
    """Return the message for a value that a card must have or must not have."""
    if is_keyword:
        return (
            _("without the keyword {value}")
            if is_negated
            else _("with the keyword {value}")
        )
    return _("({field}: not {value})") if is_negated else _("({field}: {value})")


def format_bound(bound: Bound, names: Names, is_sum: bool = False) -> str:
    """Return a bound as text: the number, or how it is calculated."""
    if bound.number is not None:
        return f"{bound.number:g}"
    if bound.sum:
        return " + ".join(format_bound(part, names) for part in bound.sum)
    return names.translate(_choose_bound_message(bound, names, is_sum))


def _choose_bound_message(bound: Bound, names: Names, is_sum: bool) -> str:
    if bound.param is not None:
        return _("“{param}”", param=names.name_param(bound.param))
    if bound.field is not None:
        return pgettext(
            "bound", "the card's own {field}", field=names.name_field(bound.field)
        )
    if bound.one_per is not None:
        divisor = bound.one_per.each
        divisor = (
            names.name_field(divisor) if isinstance(divisor, str) else f"{divisor:g}"
        )
        param = names.name_param(bound.one_per.of)
        return _("one for every {each} of “{param}”", each=divisor, param=param)
    if bound.ratio is not None:
        form = _("{share} of the number of {select}")
        if is_sum:
            form = _("{share} of the sum for {select}")
        select = format_selection(bound.ratio.of, names)
        return _(form, share=bound.ratio.share, select=select)
    if bound.share is not None:
        field = names.name_field(bound.share.field)
        param = names.name_param(bound.share.of)
        return _("the card's share ({field}) of “{param}”", field=field, param=param)
    rows = ", ".join(f"{key}: {value:g}" for key, value in (bound.table or {}).items())
    param = names.name_param(bound.by or "")
    return _("the number for “{param}” ({rows})", param=param, rows=rows)


def format_when(when: Condition, names: Names) -> str:
    """Return as text when a rule is in force."""
    parts = []
    for name, allowed in when.params.items():
        values = allowed if isinstance(allowed, tuple) else (allowed,)
        value_names = [names.name_param_value(name, value) for value in values]
        alternatives = names.translate(_(" or ")).join(value_names)
        parts.append(f"{names.name_param(name)} = {alternatives}")
    if when.exists is not None:
        select = format_selection(when.exists, names)
        parts.append(names.translate(_("there are {select}", select=select)))
    if when.not_exists is not None:
        select = format_selection(when.not_exists, names)
        parts.append(names.translate(_("there are no {select}", select=select)))
    return ", ".join(parts)


def format_derivation(bound: DerivedBound, names: Names) -> str:
    """Return how a bound was calculated, such as "Size 30 / 12 = 2". "" for a fixed number."""
    if bound.form in ("one_per", "share", "ratio"):
        dividend = names.name_param(bound.param)
        if bound.of is not None:
            dividend = format_selection(bound.of, names)
        factor = f" × {bound.numerator}" if bound.numerator != 1 else ""
        return (
            f"{dividend} {bound.amount}{factor} / {bound.divisor:g} = {bound.value:g}"
        )
    if bound.form == "sum":
        parts = []
        for part in bound.parts:
            # Inside a sum, `Size 30` reads better than `Size: 30`.
            derivation = format_derivation(part, names).replace(": ", " ")
            parts.append(derivation or f"{part.value:g}")
        return f"{' + '.join(parts)} = {bound.value:g}"
    if bound.form == "field":
        return f"{names.name_field(bound.field)}: {bound.value:g}"
    if bound.form not in ("param", "table"):
        return ""
    param = names.name_param(bound.param)
    value = names.name_param_value(bound.param, bound.amount)
    return (
        f"{param}: {value}"
        if bound.form == "param"
        else f"{param} {value}: {bound.value:g}"
    )


STEP_MESSAGES = {
    "size": _("cost {more} from model {first} of the line on"),
    "copy": _("cost {more} from copy {first} on"),
    "line": _("cost {more} from line {first} with this card on"),
}


def format_surcharge(surcharge: Surcharge, names: Names) -> str:
    """Return how the price of further copies differs, such as "cost +5 from copy 3 on (×2)"."""
    more = _format_difference(surcharge.more)
    copies = f" (×{surcharge.copies})" if surcharge.copies > 1 else ""
    message = _(STEP_MESSAGES[surcharge.by], more=more, first=surcharge.first)
    return names.translate(message) + copies


def _format_difference(amount: float) -> str:
    return f"{amount:+g}".replace("-", "\N{MINUS SIGN}")


def format_counted(counted: Sequence[Counted], names: Names) -> str:
    """Return the names of counted cards, with their copies and amounts.

    An amount is added where it is not the number of copies, and in brackets the part of it from
    cost steps.
    """
    copies: dict[str, int] = {}
    amounts: dict[str, float] = {}
    steps: dict[str, float] = {}
    for item in counted:
        steps[item.card] = steps.get(item.card, 0) + item.steps
        copies[item.card] = copies.get(item.card, 0) + item.count
        amounts[item.card] = amounts.get(item.card, 0) + item.amount
    texts = []
    for card_id, count in copies.items():
        text = names.name_card(card_id)
        if count > 1:
            text += f" ×{count}"
        # of a plain count, the amount would only repeat the number of copies
        if steps[card_id]:
            text += f" = {amounts[card_id]:g} ({_format_difference(steps[card_id])})"
        elif amounts[card_id] not in (count, 1):
            text += f" = {amounts[card_id]:g}"
        texts.append(text)
    return ", ".join(texts)


def format_counted_by_value(counted: Sequence[Counted], path: str, names: Names) -> str:
    """Return the names of counted cards, grouped by the value they were counted for."""
    groups: dict[str, list[Counted]] = {}
    for item in counted:
        group = groups.setdefault(item.value or "", [])
        group.append(Counted(item.path, item.card, item.count, item.count))
    texts = []
    for value, items in groups.items():
        texts.append(f"{names.name_value(path, value)}: {format_counted(items, names)}")
    return "; ".join(texts)
