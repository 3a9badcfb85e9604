"""Every rule as a sentence, in the languages of the phrase tables, with the pack's own names."""

from __future__ import annotations

from builder.model.rules import Allow, Bound, Condition, Limit, LinkRule, Ref, Requires, Rule, Select, Slots, Where
from builder.rules.names import Names
from builder.rules.query import Operand, parts

SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


def sentence(rule: Rule, names: Names) -> str:
    """What the rule demands, as one sentence."""
    if isinstance(rule, Limit):
        text = _limit(rule, names)
    elif isinstance(rule, Slots):
        form = "slots" if rule.need is not None else "slots-untyped"
        text = names.say(form, select=selection(rule.select, names), slots=names.field(rule.slots))
    elif isinstance(rule, Allow):
        text = _allow(rule, names)
    elif isinstance(rule, LinkRule):
        text = _link(rule, names)
    else:
        assert isinstance(rule, Requires)
        needs = selection(rule.needs, names)
        text = names.say("requires", select=selection(rule.select, names), needs=needs)
    if rule.when is not None:
        text += "; " + names.say("when", condition=_when(rule.when, names))
    return text[0].upper() + text[1:] + "."


def selection(select: Select, names: Names) -> str:
    """The picks a rule is about: `models with the keyword X`."""
    fields = dict(select.where.fields)
    noun = names.say(select.source.value)
    kind = fields.get("kind")
    if kind is not None and isinstance(kind.eq, str):
        noun = names.kind(kind.eq).lower()
        del fields["kind"]
    told = condition(select.where.model_copy(update={"fields": fields}), names)
    bearer = names.say("on", bearer=after(select.bearer, names)) if select.bearer is not None else ""
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
        told.append(names.say("or").join(condition(inner, names) for inner in where.any))
    told += [names.say("not", condition=condition(inner, names)) for inner in where.none]
    return " ".join(part for part in told if part)


def _test(path: str, part: str, wanted: Operand, names: Names) -> str:
    """One comparison in words."""
    field = names.field(path)
    if part == "exists":
        return names.say("with" if wanted else "without", field=field)
    denied = part in ("lacks", "ne")
    if isinstance(wanted, Ref):
        if part in ("eq", "ne") and wanted.other == path:
            return names.say("not-as-other" if denied else "as-other", field=field)
        if part == "eq":
            return names.say("named-by", field=field, other=names.field(wanted.other))
        value = names.say("other", field=names.field(wanted.other))
    elif isinstance(wanted, tuple):
        value = names.say("or").join(names.value(path, item) for item in wanted)
    else:
        value = names.value(path, wanted)
    if part in SIGNS and (part not in ("eq", "ne") or isinstance(wanted, int | float)):
        return names.say("compared", field=field, sign=SIGNS[part], value=value)
    if path == "keywords":
        return names.say("no-keyword" if denied else "keyword", value=value)
    return names.say("is-not" if denied else "is", field=field, value=value)


def _limit(rule: Limit, names: Names) -> str:
    """A limit: who is counted, what is measured, the bounds, and in which groups."""
    measure = rule.measure
    if measure.sum is not None:
        what = names.say("sum", field=names.field(measure.sum)) + " "
    elif measure.distinct is not None:
        what = names.say("distinct", field=names.field(measure.distinct)) + " "
    else:
        what = ""
    stated = (("min", rule.min), ("max", rule.max), ("exactly", rule.exactly))
    limits = [names.say(form, bound=bound_words(bound, names)) for form, bound in stated if bound is not None]
    group = rule.group_path
    per = names.say("per-value", field=names.field(group)) if group else names.say(f"per-{rule.per}")
    text = f"{selection(rule.select, names)}: {what}{', '.join(limits)}"
    return f"{text}, {per}" if per else text


def bound_words(bound: Bound, names: Names) -> str:
    """Where a bound comes from, in words."""
    if bound.number is not None:
        return f"{bound.number:g}"
    if bound.param is not None:
        return names.say("param", param=names.param(bound.param))
    if bound.field is not None:
        return names.say("own-field", field=names.field(bound.field))
    if bound.one_per is not None:
        each = bound.one_per.each
        told = names.field(each) if isinstance(each, str) else f"{each:g}"
        return names.say("one-per", each=told, param=names.param(bound.one_per.of))
    if bound.share is not None:
        return names.say("share", field=names.field(bound.share.field), param=names.param(bound.share.of))
    rows = ", ".join(f"{key}: {value:g}" for key, value in (bound.table or {}).items())
    return names.say("table", param=names.param(bound.by or ""), rows=rows)


def _allow(rule: Allow, names: Names) -> str:
    """Who may carry what."""
    select = selection(rule.select, names)
    bearer = condition(rule.bearer, names) if rule.bearer is not None else ""
    field = names.field(rule.field) if rule.field is not None else ""
    form = "allow-both" if bearer and field else ("allow" if bearer else "allow-own")
    return names.say(form, select=select, bearer=bearer, field=field)


def _link(rule: LinkRule, names: Names) -> str:
    """Who is tied to whom."""
    target = after(rule.target, names)
    form = "link-never" if rule.required == "never" else "link"
    text = names.say(form, select=selection(rule.select, names), link=names.link(rule.link), target=target)
    if rule.required != "never":
        text += "; " + names.say(f"link-{rule.required}")
    if rule.capacity is not None:
        text += "; " + names.say("capacity", field=names.field(rule.capacity))
    return text


def _when(when: Condition, names: Names) -> str:
    """The condition under which a rule is in force."""
    told = []
    for name, wanted in when.params.items():
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        told.append(
            f"{names.param(name)} = {names.say('or').join(names.param_value(name, value) for value in allowed)}"
        )
    if when.exists is not None:
        told.append(names.say("exists", select=selection(when.exists, names)))
    return ", ".join(told)
