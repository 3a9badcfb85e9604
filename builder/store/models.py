"""A document -> a pydantic model, its mistakes as findings with places and readable wording."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from builder.findings import Finding
from builder.messages import gettext as _, joined
from builder.model.base import Json, Localized, Model, Path
from builder.model.loaded import Document
from builder.model.words import some, suggestion
from builder.store import codes
from builder.store.wording import (
    BOUNDS,
    TYPES,
    either,
    named,
    no_day,
    one_of,
    undecided,
    wrong_form,
    wrong_sort,
    wrong_value,
)

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
    # A list whose items are wrong is called too short besides.
    above = {one["loc"][:depth] for one in details for depth in range(len(one["loc"]))}
    spots = [_mistake(model, root, one) for one in details if one["type"] != "too_short" or one["loc"] not in above]
    return None, tuple(dict.fromkeys(_findings(spots, document, getattr(model, "page", Model.page))))


@dataclass(frozen=True, slots=True)
class _Mistake:
    """A mistake as pydantic tells it, its place in the data, the types that the place may hold, and its field."""

    detail: ErrorDetails
    path: Path
    held: list[object]
    field: FieldInfo | None
    about: str

    @property
    def kind(self) -> str:
        """The sort of value that is wanted instead, `words` for one of a few; empty where the sort is right."""
        sort, first = self.detail["type"], self.detail["type"].partition("_")[0]
        no_day = first == "date" and type(self.detail["input"]) is str
        other = no_day or sort in (*_BOUNDS, "string_pattern_mismatch")
        return "words" if sort in ("enum", "literal_error") else first if first in _EXPECTED and not other else ""


def _mistake(model: type[BaseModel], root: Json, detail: ErrorDetails) -> _Mistake:
    """Follow pydantic's place through the data and the types. What tells the forms of a union apart is no step."""
    path: Path = ()
    value, held, field = root, _unfold(model), None
    for step in detail["loc"]:
        models = _models(held)
        if len(models) > 1 and (tagged := [one for one in models if step in get_args(_tag_of(one))]):
            held = [*tagged]
            continue
        fields = [_fields(one)[step] for one in models if step in _fields(one)]
        if fields:
            held, field = [part for one in fields for part in _unfold(one.annotation)], fields[0]
        if isinstance(value, Mapping) and str(step) in value:
            path, value = (*path, str(step)), value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            path, value = (*path, step), value[step]
    return _Mistake(detail, path, held, field, (field and field.description) or "")


def _findings(spots: Sequence[_Mistake], document: Document, page: str) -> Iterator[Finding]:
    """One finding a mistake. Of a value with several forms, the errors of the form that was meant are told: that of
    its sort; where it is of another sort than all forms, one finding names these.
    """
    general = _("docs/{page} describes each file and its keys.", page=page)
    inside = Counter(spot.path[:depth] for spot in spots for depth in range(len(spot.path) + 1))
    sorts: dict[Path, list[_Mistake]] = {}
    for spot in spots:
        if spot.kind:
            sorts.setdefault(spot.path, []).append(spot)
        else:
            yield _finding(spot, document, general)
    for path, same in sorts.items():
        if len(same) == inside[path]:
            yield _other_sort(same, document, same[0].about or general)


def _finding(spot: _Mistake, document: Document, general: str) -> Finding:
    """A value that is wrong in itself, a field that is missing or unknown."""
    hint = spot.about or general
    detail, name, place = spot.detail, named(spot.path), document.locate(spot.path)
    sort, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if sort == "extra_forbidden":
        known = [str(key) for one in _models(spot.held) for key in _fields(one)]
        message, place = _("{key} is not a field here", key=name), document.locate(spot.path, key=True)
        return codes.UNKNOWN_PROPERTY.finding(message, place, suggestion(name, known, _("Fields here")))
    if sort == "missing":
        return codes.MISSING_PROPERTY.finding(_("{key} is missing", key=str(detail["loc"][-1])), place, hint)
    if sort.startswith("union_tag_"):
        return undecided(*_deciding(_models(spot.held)), value, document, spot.path)
    if sort == "string_pattern_mismatch":
        return codes.PATTERN.finding(wrong_form(name, value, context.get("pattern")), place, hint)
    if sort in _BOUNDS:
        keyword, key = _BOUNDS[sort]
        return codes.RANGE.finding(wrong_value(name, value, _(BOUNDS[keyword], bound=context.get(key))), place, hint)
    if sort.startswith("date_") and isinstance(value, str):
        return codes.DATE.finding(no_day(name, value), place)
    reason = context["error"].args[0] if sort == "value_error" else detail["msg"]
    if sort == "number_form":
        from builder.model.statvalues import NUMBER_FORM

        reason = NUMBER_FORM
    return codes.MODEL.finding(_("{name}: {reason}", name=name, reason=reason), place, general)


def _other_sort(spots: Sequence[_Mistake], document: Document, hint: str) -> Finding:
    """A value of another sort than all that are wanted."""
    spot, kinds, told = spots[0], [one.kind for one in spots], ""
    value, name, place = spot.detail["input"], named(spot.path), document.locate(spot.path)
    words, models = _words(spot.held) if "words" in kinds else [], _models(spot.held) if "model" in kinds else []
    sorts = (spot.field.annotation, *get_args(spot.field.annotation)) if spot.field else ()
    others = [one.short_form for one in models if issubclass(one, Model) and one.short_form]
    others += [_EXPECTED[kind] for kind in kinds if kind in _EXPECTED and (kind != "int" or "float" not in kinds)]
    wanted = either(dict.fromkeys(others))
    if words:
        wanted = joined((one_of(", ".join(words)), *([wanted] if others else ())), _("{first}, or {rest}"))
        return codes.VALUE.finding(wrong_value(name, value, wanted), place, suggestion(str(value), words, _("Allowed")))
    if "string" in kinds and isinstance(value, int | float) and not isinstance(value, bool):
        form = _('YAML takes digits without quotes, and forms such as 1e5, for a number. Write quotes: {name}: "..."')
        return codes.TYPE.finding(wrong_sort(name, value, wanted), place, _(form, name=name))
    if models:
        common = (str(key) for key in _fields(models[0]) if all(key in _fields(one) for one in models))
        told = _("Fields there: {listed}.", listed=some(common, 30))
    elif isinstance(value, str) and Localized in sorts:
        told = _("Say it in each language: {example}.", example=f"{name}: {{en: {value[:40]}}}")
    hint = _("{about} {rest}", about=spot.about, rest=told) if told and spot.about else told or hint
    return codes.TYPE.finding(wrong_sort(name, value, wanted), place, hint)


def _deciding(models: list[type[BaseModel]]) -> tuple[str, list[str]]:
    """The field that tells models of a union apart, and its words."""
    tags = [_tag_of(one) for one in models]
    return next(str(key) for key, one in _fields(models[0]).items() if one.annotation is tags[0]), _words(tags)


def _words(types: Iterable[object]) -> list[str]:
    words: list[object] = []
    for one in types:
        if isinstance(one, type) and issubclass(one, Enum):
            words += [member.value for member in one]
        elif get_origin(one) is Literal:
            words += get_args(one)
    return list(dict.fromkeys(map(str, words)))


def _models(types: list[object]) -> list[type[BaseModel]]:
    return [one for one in types if isinstance(one, type) and issubclass(one, BaseModel)]


def _fields(model: type[BaseModel]) -> dict[int | str, FieldInfo]:
    """A model's fields, by the names they have in a file."""
    model.model_rebuild()  # one that was used inside others only does not know the types of its fields yet
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _tag_of(model: type[BaseModel]) -> object:
    """The type of the field that selects this member of a union."""
    return next((one.annotation for one in _fields(model).values() if get_origin(one.annotation) is Literal), None)


def _unfold(annotation: object) -> list[object]:
    """The types that a type is made of: members of unions, items of tuples, values of maps. A literal is one."""
    if get_origin(annotation) is Literal or not get_args(annotation):
        return [annotation]
    return [part for one in get_args(annotation) for part in _unfold(one)]
