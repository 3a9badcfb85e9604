"""Every rule as a sentence, in the languages of the phrase tables, with the pack's own names."""

from __future__ import annotations

from builder.messages import pgettext
from builder.model.rules import (
    Allow,
    Bound,
    Condition,
    Limit,
    LinkRule,
    Ref,
    Requires,
    Rule,
    Select,
    Slots,
    Source,
    Where,
)
from builder.rules.names import Names
from builder.rules.query import Operand, parts

SOURCES = {
    Source.ENTRIES: pgettext("rule", "models"),
    Source.ATTACHMENTS: pgettext("rule", "attached cards"),
    Source.DECK: pgettext("rule", "deck cards"),
    Source.ALL: pgettext("rule", "all cards of the roster"),
}
PER = {
    "roster": "",
    "card": pgettext("rule", "each card on its own"),
    "entry": pgettext("rule", "each model line on its own"),
}
SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


def sentence(rule: Rule, names: Names) -> str:
    """What the rule demands, as one sentence."""
    if isinstance(rule, Limit):
        text = _limit(rule, names)
    elif isinstance(rule, Slots):
        form = pgettext("rule", "{select} take slots of their bearer ({slots})")
        if rule.need is not None:
            form = pgettext("rule", "{select} take slots of their bearer ({slots}), each of its own type")
        text = names.say(pgettext("rule", form, select=selection(rule.select, names), slots=names.field(rule.slots)))
    elif isinstance(rule, Allow):
        text = _allow(rule, names)
    elif isinstance(rule, LinkRule):
        text = _link(rule, names)
    else:
        assert isinstance(rule, Requires)
        needs = selection(rule.needs, names)
        text = names.say(
            pgettext("rule", "{select} need in the roster: {needs}", select=selection(rule.select, names), needs=needs)
        )
    if rule.when is not None:
        text += "; " + names.say(pgettext("rule", "in force when {condition}", condition=_when(rule.when, names)))
    return text[0].upper() + text[1:] + "."


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


def _limit(rule: Limit, names: Names) -> str:
    """A limit: who is counted, what is measured, the bounds, and in which groups."""
    measure = rule.measure
    if measure.sum is not None:
        what = names.say(pgettext("rule", "the sum of {field}", field=names.field(measure.sum))) + " "
    elif measure.distinct is not None:
        what = names.say(pgettext("rule", "different values of {field}:", field=names.field(measure.distinct))) + " "
    else:
        what = ""
    stated = (
        (pgettext("rule", "at least {bound}"), rule.min),
        (pgettext("rule", "at most {bound}"), rule.max),
        (pgettext("rule", "exactly {bound}"), rule.exactly),
    )
    limits = [
        names.say(pgettext("rule", form, bound=bound_words(bound, names)))
        for form, bound in stated
        if bound is not None
    ]
    group = rule.group_path
    per = (
        names.say(pgettext("rule", "for each {field}", field=names.field(group))) if group else names.say(PER[rule.per])
    )
    text = f"{selection(rule.select, names)}: {what}{', '.join(limits)}"
    return f"{text}, {per}" if per else text


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


def _allow(rule: Allow, names: Names) -> str:
    """Who may carry what."""
    select = selection(rule.select, names)
    bearer = condition(rule.bearer, names) if rule.bearer is not None else ""
    field = names.field(rule.field) if rule.field is not None else ""
    if not bearer:
        form = pgettext("rule", "{select}: only for a model that the card itself allows ({field})")
    elif not field:
        form = pgettext("rule", "{select}: only for a model {bearer}")
    else:
        form = pgettext("rule", "{select}: only for a model {bearer} that the card itself allows ({field})")
    return names.say(pgettext("rule", form, select=select, bearer=bearer, field=field))


def _link(rule: LinkRule, names: Names) -> str:
    """Who is tied to whom."""
    target = after(rule.target, names)
    form = pgettext("rule", "{select} need a tie “{link}” to a model{target}")
    if rule.required == "never":
        form = pgettext("rule", "{select} may have the tie “{link}” only to a model{target}")
    select = selection(rule.select, names)
    text = names.say(pgettext("rule", form, select=select, link=names.link(rule.link), target=target))
    if rule.required == "several":
        text += "; " + names.say(pgettext("rule", "it is named when more than one fits"))
    elif rule.required == "always":
        text += "; " + names.say(pgettext("rule", "it is always named"))
    if rule.capacity is not None:
        text += "; " + names.say(
            pgettext("rule", "each holds no more than its {field}", field=names.field(rule.capacity))
        )
    return text


def _when(when: Condition, names: Names) -> str:
    """The condition under which a rule is in force."""
    told, either = [], names.say(pgettext("rule", " or "))
    for name, wanted in when.params.items():
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        told.append(f"{names.param(name)} = {either.join(names.param_value(name, value) for value in allowed)}")
    if when.exists is not None:
        told.append(names.say(pgettext("rule", "there are {select}", select=selection(when.exists, names))))
    return ", ".join(told)
