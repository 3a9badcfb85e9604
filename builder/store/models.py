"""A document -> a pydantic model, its mistakes as findings with places and readable wording."""

from collections.abc import Mapping
from enum import Enum
from typing import Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import Json, Path, lookup
from builder.model.loaded import Document
from builder.model.words import suggestion
from builder.store import codes
from builder.store.wording import BOUNDS, TYPES, named, no_day, one_of, wrong_form, wrong_sort, wrong_value

M = TypeVar("M", bound=BaseModel)

_EXPECTED = {
    "string": TYPES["string"],
    "int": TYPES["integer"],
    "float": TYPES["number"],
    "bool": TYPES["boolean"],
    "tuple": TYPES["array"],
    "list": TYPES["array"],
    "mapping": TYPES["object"],
    "dict": TYPES["object"],
    "model": TYPES["object"],
    "date": _("a date such as 2026-03-01"),
}
"""First word of a pydantic error's type -> what was wanted."""
_BOUNDS = {
    "greater_than_equal": ("minimum", "ge"),
    "greater_than": ("exclusiveMinimum", "gt"),
    "less_than_equal": ("maximum", "le"),
    "less_than": ("exclusiveMaximum", "lt"),
    "too_short": ("minItems", "min_length"),
    "too_long": ("maxItems", "max_length"),
    "string_too_short": ("minLength", "min_length"),
    "string_too_long": ("maxLength", "max_length"),
}
"""A pydantic error's type -> the keyword of JSON Schema that says the same, and where the error states the bound."""


def parse_model(model: type[M], document: Document, value: Json | None = None) -> tuple[M | None, tuple[Finding, ...]]:
    """The document's value (or `value` in its stead) as a model; None and findings where it is wrong."""
    root = document.value if value is None else value
    try:
        return model.model_validate(root), ()
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=True)
    findings = dict.fromkeys(_finding(model, document, root, detail) for detail in details)
    return None, tuple(findings)


def _finding(model: type[BaseModel], document: Document, root: Json, detail: ErrorDetails) -> Finding:
    path = _path_in(root, detail["loc"])
    sort = detail["type"]
    name = named(path)
    if sort == "extra_forbidden":
        hint = suggestion(name, _siblings(model, detail["loc"]), _("Fields here"))
        message = _("{key} is not a field here", key=name)
        return codes.UNKNOWN_PROPERTY.finding(message, document.locate(path, key=True), hint)
    if sort == "missing":
        missing = str(detail["loc"][-1])
        return codes.MISSING_PROPERTY.finding(_("{key} is missing", key=missing), document.locate(path))
    return _value(model, name, detail, document.locate(path))


def _value(model: type[BaseModel], name: str, detail: ErrorDetails, place: Location) -> Finding:
    """A single value that is wrong in itself."""
    sort, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if sort in ("enum", "literal_error", "union_tag_invalid"):
        expected = _allowed(model, detail["loc"], tags=sort == "union_tag_invalid")
        hint = suggestion(str(context.get("tag", value)), expected, _("Allowed"))
        return codes.VALUE.finding(wrong_value(name, value, one_of(", ".join(expected))), place, hint)
    if sort == "string_pattern_mismatch":
        return codes.PATTERN.finding(wrong_form(name, value, context.get("pattern")), place)
    if sort in _BOUNDS:
        keyword, key = _BOUNDS[sort]
        return codes.RANGE.finding(wrong_value(name, value, _(BOUNDS[keyword], bound=context.get(key))), place)
    if sort.startswith("date_") and isinstance(value, str):
        return codes.DATE.finding(no_day(name, value), place)
    wanted = _EXPECTED.get(sort.split("_")[0])
    if wanted:
        number = sort == "string_type" and isinstance(value, int | float) and not isinstance(value, bool)
        form = _('YAML takes digits without quotes, and forms such as 1e5, for a number. Write quotes: {name}: "..."')
        return codes.TYPE.finding(wrong_sort(name, value, wanted), place, _(form, name=name) if number else "")
    reason = context["error"].args[0] if sort == "value_error" else detail["msg"]
    if sort == "number_form":
        from builder.model.statvalues import NUMBER_FORM

        reason = NUMBER_FORM
    return codes.MODEL.finding(_("{name}: {reason}", name=name, reason=reason), place)


def _path_in(root: Json, loc: tuple[int | str, ...]) -> Path:
    """The steps of pydantic's place that exist in the data: names of union members and the like fall out."""
    path: list[str | int] = []
    value: Json = root
    for index, step in enumerate(loc):
        if isinstance(value, Mapping) and str(step) in value:
            path.append(str(step))
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            path.append(step)
            value = value[step]
        elif index == len(loc) - 1 and lookup(root, path) is value:
            break
    return tuple(path)


def _siblings(model: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """The fields known at the place where an unknown one was found."""
    return tuple(str(name) for one in _models(_at(model, loc[:-1])) for name in _fields(one))


def _allowed(model: type[BaseModel], loc: tuple[int | str, ...], *, tags: bool) -> list[str]:
    """The words that a place may hold, or that tell the models apart that it may hold."""
    held = _at(model, loc)
    if tags:
        held = [part for one in _models(held) for part in _unfold(_tag_of(one))]
    words: list[object] = []
    for one in held:
        if isinstance(one, type) and issubclass(one, Enum):
            words += [member.value for member in one]
        elif get_origin(one) is Literal:
            words += get_args(one)
    return list(dict.fromkeys(map(str, words)))


def _at(annotation: object, loc: tuple[int | str, ...]) -> list[object]:
    """The types a place may hold, following fields by name, models by their tag and all else by its type arguments."""
    held = _unfold(annotation)
    for step in loc:
        fields = [_fields(one)[step] for one in _models(held) if step in _fields(one)]
        tagged: list[object] = [one for one in _models(held) if step in get_args(_tag_of(one))]
        held = [part for field in fields for part in _unfold(field)] or tagged or held
    return held


def _models(types: list[object]) -> list[type[BaseModel]]:
    return [one for one in types if isinstance(one, type) and issubclass(one, BaseModel)]


def _fields(model: type[BaseModel]) -> dict[int | str, object]:
    """The types of a model's fields, by the names they have in a file."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _tag_of(model: type[BaseModel]) -> object:
    """The type of the field that selects this member of a union."""
    return next((field for field in _fields(model).values() if get_origin(field) is Literal), None)


def _unfold(annotation: object) -> list[object]:
    """The types that a type is made of: members of unions, items of tuples, values of maps. A literal is one."""
    if get_origin(annotation) is Literal or not get_args(annotation):
        return [annotation]
    return [part for one in get_args(annotation) for part in _unfold(one)]
