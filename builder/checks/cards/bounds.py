"""Checks for bounds that no value can keep, and for tables without a row that is needed."""

from collections.abc import Collection, Iterator

from builder.findings import Finding, Location, Severity
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, look_up, walk_values
from builder.model.codes import Code, define
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Pack, Param
from builder.model.rules import Bound, Condition, Limit, Rule
from builder.model.words import list_words, suggest_word
from builder.rules.bounds import find_bound_ends, find_empty_ranges

EMPTY_RANGE = define(
    "pack/empty-range",
    _("The minimum is greater than the maximum"),
    _(
        "No number is allowed. A rule would reject every squad, and a condition would never "
        "be true."
    ),
    _("Swap the two numbers, or correct one of them."),
)
UNKNOWN_VALUE = define(
    "rules/unknown-value",
    _("A rule uses a value that its parameter cannot have"),
    _(
        "A condition with this value is never true. A table row for this value is never used."
    ),
    _(
        "Correct the value, or add it to choices, min and max of the parameter in pack.yaml."
    ),
)
TABLE_GAP = define(
    "rules/table-gap",
    _("A table has no row for a value of its parameter"),
    _("With that value, the rule sets no limit."),
    _("Add the row, or limit the rule to other values with `when`."),
    Severity.WARNING,
)
PARAMETER = define(
    "pack/parameter",
    _("The default or the names of a parameter do not match its values"),
    _(
        "A roster without this parameter would be rejected, or checked as if the parameter "
        "did not exist."
    ),
    _("Use a value that the parameter allows."),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Check the ranges, parameters and limits of a pack for bounds that cannot be met."""
    pack = loaded.whole
    for document in loaded.sources.values():
        yield from _find_empty_ranges(document.value, (), document)
    for card, condition_paths in loaded.wheres.items():
        for condition_path in condition_paths:
            condition = look_up(pack.cards[card].data, condition_path)
            yield from _find_empty_ranges(
                condition, condition_path, loaded.documents[card]
            )
    manifest = loaded.sources.get("pack.yaml")
    rules = loaded.sources.get("rules.yaml")
    if manifest is not None:
        for name, param in pack.manifest.roster.params.items():
            yield from _check_parameter(name, param, manifest)
    if rules is not None:
        for index, rule in enumerate(pack.rules.rules):
            yield from _check_rule(rule, ("rules", index), pack, rules)


def _check_rule(
    rule: Rule, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    if rule.when is not None:
        yield from _check_condition(
            rule.when, (*path, "when", "params"), pack, document
        )
    if isinstance(rule, Limit):
        yield from _check_limit(rule, path, pack, document)


def _find_empty_ranges(
    root: Json, root_path: DataPath, document: Document
) -> Iterator[Finding]:
    """Report each map of a file whose minimum is above its maximum."""
    for path, value in walk_values(root, root_path):
        if not isinstance(value, dict):
            continue
        for min_key, min_value, max_key, max_value in find_empty_ranges(value):
            empty_range = (min_key, min_value, max_key, max_value)
            yield _report_empty_range(empty_range, document.locate((*path, min_key)))


def _report_empty_range(
    empty_range: tuple[str, float, str, float], location: Location
) -> Finding:
    """Return the finding that no number is between two bounds."""
    min_key, low, max_key, high = empty_range
    form = _("{least} {low:g} and {most} {high:g}: no number is allowed")
    return EMPTY_RANGE.finding(
        _(form, least=min_key, low=low, most=max_key, high=high), location
    )


def _check_parameter(name: str, param: Param, document: Document) -> Iterator[Finding]:
    """Check that the default and the named values of a parameter are allowed."""
    path: DataPath = ("roster", "params", name)
    if param.type == "choice" and not param.choices:
        message = _("the parameter {name} allows no value", name=name)
        yield PARAMETER.finding(message, document.locate(path, key=True))
    if param.default is not None and not param.accepts_value(param.default):
        message = _(
            "the default {value} of {name} is not allowed",
            value=param.default,
            name=name,
        )
        hint = suggest_word(str(param.default), param.allowed, _("Allowed values"))
        yield PARAMETER.finding(message, document.locate((*path, "default")), hint)
    for value in param.names:
        if not param.accepts_value(value):
            place = document.locate((*path, "names", value), key=True)
            yield _report_impossible_value(PARAMETER, name, value, param, place)


def _report_impossible_value(
    code: Code, param_name: str, value: object, param: Param, location: Location
) -> Finding:
    """Return the finding that a parameter never has this value."""
    message = _("{name} never has the value {value}", name=param_name, value=value)
    hint = suggest_word(str(value), param.allowed, _("Allowed values"))
    return code.finding(message, location, hint)


def _check_condition(
    when: Condition, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    """Check the parameter values in a rule's `when` condition."""
    for name, expected in when.params.items():
        param = pack.manifest.roster.params.get(name)
        if param is None:
            continue
        for value in expected if isinstance(expected, tuple) else (expected,):
            if not param.accepts_value(value):
                place = document.locate((*path, name))
                yield _report_impossible_value(UNKNOWN_VALUE, name, value, param, place)


def _check_limit(
    rule: Limit, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    """Check the tables of a limit, then its minimum against its maximum."""
    for key in ("min", "max", "exactly"):
        bound: Bound | None = getattr(rule, key)
        if bound is not None:
            yield from _check_table(rule, bound, (*path, key, "table"), pack, document)
    if rule.min is not None and rule.max is not None:
        yield from _find_crossed_bounds(rule.min, rule.max, path, pack, document)


def _check_table(
    rule: Limit, bound: Bound, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    """Check that a bound's table has exactly the values of its parameter as rows."""
    param = pack.manifest.roster.params.get(bound.by or "")
    if bound.table is None or bound.by is None or param is None:
        return
    for row in bound.table:
        if not param.accepts_value(row):
            location = document.locate((*path, row), key=True)
            yield _report_impossible_value(
                UNKNOWN_VALUE, bound.by, row, param, location
            )
    conditions = rule.when.params if rule.when is not None else {}
    allowed = conditions.get(bound.by, param.choices)
    missing_rows = _find_missing_rows(bound.table, allowed, param.default)
    if missing_rows:
        form = _("the table has no row for {listed}, so there is no limit")
        message = _(form, listed=list_words(missing_rows))
        yield TABLE_GAP.finding(message, document.locate(path, key=True))


def _find_missing_rows(
    table: Collection[str], allowed: object, default: object
) -> list[str]:
    """Return the parameter values that have no row in the table.

    A default without a row is left out, because it means "not stated yet".
    """
    values = allowed if isinstance(allowed, tuple) else (allowed,)
    return [
        str(value) for value in values if str(value) not in table and value != default
    ]


def _find_crossed_bounds(
    min_bound: Bound, max_bound: Bound, path: DataPath, pack: Pack, document: Document
) -> Iterator[Finding]:
    """Report a limit whose minimum is above its maximum, also for one row of a table only.

    Two plain numbers are reported with the other pairs.
    """
    if min_bound.number is not None and max_bound.number is not None:
        return
    min_table, max_table = min_bound.table or {}, max_bound.table or {}
    rows = []
    # rows of two parameters may come together in any way
    if min_bound.by == max_bound.by or not (min_bound.by and max_bound.by):
        rows = sorted({*min_table, *max_table})
    # the empty text stands for all rows together
    for row in rows or [""]:
        low = find_bound_ends(min_bound, pack, row)[0]
        high = find_bound_ends(max_bound, pack, row)[1]
        if low <= high:
            continue
        place = (*path, "min")
        if row in min_table:
            place = (*path, "min", "table", row)
        elif row:
            place = (*path, "max", "table", row)
        yield _report_empty_range(("min", low, "max", high), document.locate(place))
