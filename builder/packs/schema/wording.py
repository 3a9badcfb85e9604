"""What is wrong with a value, in an author's words: where, what stands there, what was expected. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from builder.findings import Finding, Location
from builder.messages import gettext as _, join_messages
from builder.model.base import LANG, DataPath, Json
from builder.model.loaded import Document
from builder.model.words import list_words, suggest_word
from builder.packs import file_codes
from builder.packs.schema.bundle import KnownProperties, Schema, list_in, map_in

if TYPE_CHECKING:
    from jsonschema import ValidationError


def shown(value: object, limit: int = 60) -> str:
    """A value as the author wrote it, cut to `limit` letters."""
    try:
        text = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        )
    except (TypeError, ValueError):
        text = str(value)
    text = " ".join(text.split())
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return f'"{text}"' if isinstance(value, str) else text


TYPES: Mapping[str, str] = {
    "null": _("nothing"),
    "boolean": _("true or false"),
    "integer": _("a whole number"),
    "number": _("a number"),
    "string": _("a text"),
    "object": _("a map"),
    "array": _("a list"),
}
"""JSON Schema type names in words."""
SAMPLES = {
    "boolean": "true",
    "integer": "3",
    "number": "1.5",
    "string": '"..."',
    "object": "{...}",
    "array": "[...]",
}
"""How a value of each type looks."""

_SORTS = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (Mapping, "object"),
)


def sort_of(value: object) -> str:
    """The sort of a value as JSON Schema names it."""
    return (
        "null"
        if value is None
        else next((name for sort, name in _SORTS if isinstance(value, sort)), "array")
    )


WHOLE = _("the file")
"""What the root of a file is called."""


def named(path: DataPath) -> str:
    """The field at a place, by its last step; an item of a list by its number, from 1."""
    if path and isinstance(path[-1], int):
        return _("item {number} of {listed}", number=path[-1] + 1, listed=named(path[:-1]))
    return str(path[-1]) if path else WHOLE


def wrong_sort(name: str, value: object, wanted: str) -> str:
    """`cost is a text ("three"), but must be a whole number`."""
    form = _("{name} is {kind} ({value}), but must be {wanted}")
    return _(form, name=name, kind=TYPES[sort_of(value)], value=shown(value), wanted=wanted)


def wrong_value(name: str, value: object, wanted: str) -> str:
    """`cost is -1, but must be at least 0`."""
    return _(
        "{name} is {value}, but must be {wanted}", name=name, value=shown(value), wanted=wanted
    )


def one_of(listed: str) -> str:
    """`one of a, b`."""
    return _("one of {listed}", listed=listed)


def either(texts: Iterable[str]) -> str:
    """`a number or a text`."""
    return join_messages(texts, _("{first} or {rest}"))


MOST = 12
"""Words that are listed in the order that they are declared in."""
KnownOf = Callable[[Schema], KnownProperties]

BOUNDS = {
    "minimum": _("at least {bound}"),
    "maximum": _("at most {bound}"),
    "exclusiveMinimum": _("more than {bound}"),
    "exclusiveMaximum": _("less than {bound}"),
    "multipleOf": _("a multiple of {bound}"),
    "minLength": _("at least {bound} letters long"),
    "maxLength": _("at most {bound} letters long"),
    "minItems": _("a list of at least {bound}"),
    "maxItems": _("a list of at most {bound}"),
    "minProperties": _("a map of at least {bound}"),
    "maxProperties": _("a map of at most {bound}"),
    "minContains": _("a list that holds at least {bound}"),
}
"""Keywords that bound a value, in words."""


def findings_of(error: ValidationError, document: Document, known: KnownOf) -> Iterator[Finding]:
    """The findings of one jsonschema error."""
    path: DataPath = tuple(error.absolute_path)
    match error.validator:
        case "additionalProperties" | "unevaluatedProperties":
            yield from _unknown(error, document, path, known)
        case "required":
            yield from _missing(error, document, path)
        case "anyOf" | "oneOf":
            yield from _forms(error, document, path, known)
        case "propertyNames":
            yield _value(error, document, path, str(error.instance))
        case "type" if not {"enum", "const"}.isdisjoint(_schema(error)):
            pass  # what is none of the words is told already
        case _:
            yield _value(error, document, path, named(path))


def _unknown(
    error: ValidationError, document: Document, path: DataPath, known: KnownOf
) -> Iterator[Finding]:
    here, value = known(_schema(error)), cast("dict[str, Json]", error.instance)
    for key in value:
        if key not in here:
            place, free = (
                document.locate((*path, key), key=True),
                (name for name in here.names if name not in value),
            )
            hint = suggest_word(str(key), free, _("Fields here"))
            if here.patterns and not here.names:
                yield _malformed(str(key), key, here.patterns[0], place, _about(error))
                continue
            yield file_codes.UNKNOWN_PROPERTY.finding(
                _("{key} is not a field here", key=key), place, hint
            )


def _missing(error: ValidationError, document: Document, path: DataPath) -> Iterator[Finding]:
    for key in cast("list[str]", error.validator_value):
        if key not in cast("dict[str, Json]", error.instance):
            about = map_in(map_in(_schema(error), "properties"), key)
            where = _("{key} is missing in {where}", key=key, where=named(path)) if path else None
            message = where or _("{key} is missing", key=key)
            place = document.locate(path, key=not (path and isinstance(path[-1], int)))
            yield file_codes.MISSING_PROPERTY.finding(
                message, place, str(about.get("description", ""))
            )


def _value(error: ValidationError, document: Document, path: DataPath, name: str) -> Finding:
    """A single value that is wrong in itself."""
    place = document.locate(
        path, key=isinstance(error.instance, str) and error.validator == "propertyNames"
    )
    value, keyword, expected = error.instance, str(error.validator), error.validator_value
    hint = _about(error)
    match keyword:
        case "type":
            hint = _other_sort([error], error, name)
            return file_codes.TYPE.finding(wrong_sort(name, value, _types(expected)), place, hint)
        case "enum" | "const":
            allowed = list(map(str, _allowed(error)))
            hint = suggest_word(str(value), allowed, _("Allowed"))
            return file_codes.VALUE.finding(wrong_value(name, value, _listed(allowed)), place, hint)
        case "format" if expected == "date":
            form = _("{name} is {value}, which is no day of the calendar")
            return file_codes.DATE.finding(_(form, name=name, value=shown(value)), place)
        case "pattern" | "format":
            return _malformed(name, value, expected, place, hint)
        case "uniqueItems":
            twice = _("{name} holds the same value twice: {value}", name=name, value=shown(value))
            return file_codes.RANGE.finding(twice, place, hint)
        case "dependentRequired":
            return file_codes.MISSING_PROPERTY.finding(
                _("{name}: {reason}", name=name, reason=error.message), place, hint
            )
    if keyword in BOUNDS:
        return file_codes.RANGE.finding(
            wrong_value(name, value, _(BOUNDS[keyword], bound=expected)), place, hint
        )
    form = _("{name} is {value}, which the schema does not allow here ({keyword})")
    return file_codes.FORM.finding(
        _(form, name=name, value=shown(value), keyword=keyword), place, hint
    )


def _malformed(name: str, value: object, form: object, place: Location, hint: str) -> Finding:
    message = _(
        "{name} is {value}, which is not of the form {form}",
        name=name,
        value=shown(value),
        form=form,
    )
    return file_codes.PATTERN.finding(message, place, hint)


def _forms(
    error: ValidationError, document: Document, path: DataPath, known: KnownOf
) -> Iterator[Finding]:
    """Several forms were allowed and none fits: speak about the one that was most likely meant."""
    name = named(path)
    branches: dict[object, list[ValidationError]] = {}
    for one in (
        each for each in error.context if each.schema_path
    ):  # a form that is `false` has nothing to say
        if one.validator_value != "null":  # nor one that says that the value may be left out
            branches.setdefault(one.schema_path[0], []).append(one)
    forms = cast("list[Schema]", error.validator_value)
    meant = [
        form
        for form, errors in branches.items()
        if not any(_is_other_sort(one, len(path)) for one in errors)
    ]
    if len(meant) > 1 and isinstance(error.instance, dict):  # the fields that it states tell which
        stated = {
            at: len(known(forms[cast("int", at)]).names & error.instance.keys()) for at in meant
        }
        meant = [at for at in meant if stated[at] == max(stated.values()) > 0]
    if not branches:
        several = _("{name} fits several of the allowed forms, but must fit one", name=name)
        yield file_codes.FORM.finding(several, document.locate(path))
    elif len(meant) == 1:
        for one in branches[meant[0]]:
            yield from findings_of(one, document, known)
    elif isinstance(error.instance, dict) and (decides := _deciding(error, branches.values())):
        yield _undecided(*decides, error.instance, document, path)
    else:
        yield _none_fits(
            error, [branches[form][0] for form in meant or branches], document.locate(path), name
        )


def _deciding(
    error: ValidationError, branches: Iterable[list[ValidationError]]
) -> tuple[str, list[str]] | None:
    """The field by which all forms of a map are told apart, and its words; None where there is none, or it says one."""
    told, depth = list[dict[str, str]](), len(error.absolute_path)
    for errors in branches:
        if not any(one.validator == "type" and len(one.absolute_path) == depth for one in errors):
            stated = [
                map_in(_schema(one), "properties") for one in errors if one.validator == "required"
            ]
            here = (
                one
                for one in errors
                if one.validator == "const" and len(one.absolute_path) == depth + 1
            )
            parts = {key: map_in(one, key) for one in stated for key in one}
            consts = {key: str(part["const"]) for key, part in parts.items() if "const" in part}
            told.append(
                consts | {str(one.absolute_path[-1]): str(one.validator_value) for one in here}
            )
    key = next((key for key in told[0] if all(key in one for one in told)), None) if told else None
    words = [one[key] for one in told] if key else []
    return (
        (key, words) if key and str(cast("Schema", error.instance).get(key)) not in words else None
    )


def _undecided(
    key: str, words: Iterable[str], value: Mapping[str, Json], document: Document, path: DataPath
) -> Finding:
    """The field that tells several forms apart is missing, or says none of them."""
    words, place = tuple(dict.fromkeys(words)), document.locate((*path, key))
    if key not in value:
        message = _("{key} is missing in {where}", key=key, where=named(path))
        return file_codes.MISSING_PROPERTY.finding(
            message, place, suggest_word("", words, _("Allowed"))
        )
    spelt = value[key]
    wrong = wrong_value(key, spelt, one_of(", ".join(words)))
    return file_codes.VALUE.finding(wrong, place, suggest_word(str(spelt), words, _("Allowed")))


def _none_fits(
    error: ValidationError, first: list[ValidationError], place: Location, name: str
) -> Finding:
    value, types = (
        error.instance,
        [_types(one.validator_value) for one in first if one.validator == "type"],
    )
    if len(types) == len(first):
        hint = _other_sort(first, error, name)
        return file_codes.TYPE.finding(
            wrong_sort(name, value, either(dict.fromkeys(types))), place, hint
        )
    words = [str(word) for one in first for word in _allowed(one)]
    if words and isinstance(value, str):
        others = [*types, *(_form(one) for one in first if one.validator == "pattern")]
        message = wrong_value(
            name, value, join_messages((_listed(words), *others), _("{first}, or {rest}"))
        )
        return file_codes.VALUE.finding(message, place, suggest_word(value, words, _("Allowed")))
    forms = join_messages(dict.fromkeys(_form(one) for one in first), _("{first}; {rest}"))
    message = _(
        "{name} is {value}, but must be: {forms}", name=name, value=shown(value), forms=forms
    )
    return file_codes.FORM.finding(message, place, _other_sort(first, error, name))


def _is_other_sort(error: ValidationError, depth: int) -> bool:
    """The branch is about another sort of value: another type here, or another constant in one of its fields."""
    here = len(error.absolute_path) - depth
    return (here == 0 and error.validator in ("type", "const", "enum")) or (
        here == 1 and error.validator == "const"
    )


def _allowed(error: ValidationError) -> list[object]:
    if error.validator == "enum":
        return cast("list[object]", error.validator_value)
    return [error.validator_value] if error.validator == "const" else []


def _form(error: ValidationError) -> str:
    """What one branch expected."""
    expected = error.validator_value
    match str(error.validator):
        case "type":
            return _types(expected)
        case "pattern":
            return _("of the form {form}", form=expected)
        case "required":
            return _("a map with {listed}", listed=", ".join(cast("list[str]", expected)))
        case keyword if keyword in BOUNDS:
            return _(BOUNDS[keyword], bound=expected)
    allowed = _allowed(error)
    return _listed(list(map(str, allowed))) if allowed else _("a map of another form")


def _listed(words: Sequence[str]) -> str:
    """Words as they are declared, if they are not too many."""
    return (
        one_of(", ".join(words) if len(words) <= MOST else list_words(words))
        if len(words) > 1
        else words[0]
    )


def _other_sort(forms: Iterable[ValidationError], error: ValidationError, name: str) -> str:
    """How to go on where a value is of another sort than all its forms."""
    value, schemas, inside = (
        error.instance,
        [_schema(one) for one in forms],
        bool(error.absolute_path),
    )
    about = _about(error) if inside else ""  # what a file is for, its author knows
    key = f"{name}: " if inside and isinstance(error.absolute_path[-1], str) else ""
    types = [
        str(sort)
        for one in schemas
        if "const" not in one
        for sort in (one.get("type"), *list_in(one, "type"))
    ]
    if "string" in types and isinstance(value, int | float) and not isinstance(value, bool):
        form = _(
            "YAML takes digits without quotes, and forms such as 1e5, for a number. Write quotes: {example}"
        )
        return _(form, example=f'{key}"..."')
    maps = [one for one in schemas if "properties" in one]
    if inside and (needed := [key for one in maps[:1] for key in list_in(one, "required")]):
        fields = (
            (key, map_in(map_in(maps[0], "properties"), str(key)).get("const", "..."))
            for key in needed
        )
        told = _for_example([f"{{{', '.join(f'{field}: {word}' for field, word in fields)}}}"])
    elif known := {key for one in maps for key in map_in(one, "properties")}:
        told = _("Fields there: {listed}.", listed=list_words(known, 30))
    elif isinstance(value, str) and any(
        LANG in map_in(one, "patternProperties") for one in schemas
    ):
        told = _("Say it in each language: {example}.", example=f"{name}: {{en: {value[:40]}}}")
    elif "For example" in about or not (
        samples := [f"{key}{SAMPLES[one]}" for one in types if one in SAMPLES]
    ):
        return about
    else:
        told = _for_example(samples)
    return _("{about} {rest}", about=about, rest=told) if about else told


def _types(expected: object) -> str:
    """Types in words; that a value may be left empty is not worth one."""
    names = list(map(str, expected if isinstance(expected, list) else [expected]))
    return either(TYPES.get(name, name) for name in names if name != "null" or len(names) == 1)


def _schema(error: ValidationError) -> Schema:
    return error.schema if isinstance(error.schema, Mapping) else {}


def _about(error: ValidationError) -> str:
    """What the schema says about the value, or about all forms that it may have, as a hint."""
    schema, above = _schema(error), cast("ValidationError | None", error.parent)
    while above is not None and above.absolute_path == error.absolute_path:
        schema = {**schema, **_schema(above)} if "description" in _schema(above) else schema
        above = cast("ValidationError | None", above.parent)
    text, examples = str(schema.get("description", "")), list_in(schema, "examples")
    told = _for_example(examples) if examples else ""
    return _("{about} {rest}", about=text, rest=told) if text and told else told or text


def _for_example(examples: Iterable[object]) -> str:
    return _("For example: {listed}.", listed=", ".join(map(str, examples)))
