"""Findings about values that do not fit a schema, in an author's words. Pure.

jsonschema finds the errors; each is worded with its location, the value, and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from builder.findings import Finding, Location
from builder.messages import gettext as _, join_messages
from builder.model.base import LANG, DataPath, Json
from builder.model.loaded import Document
from builder.model.words import list_words, suggest_word
from builder.packs import file_codes
from builder.packs.schema.bundle import KnownProperties, Schema, get_list, get_map

if TYPE_CHECKING:
    from jsonschema import ValidationError

FindProperties: TypeAlias = Callable[[Schema], KnownProperties]
"""Returns the properties that a part of a schema speaks about."""

TYPE_NAMES: Mapping[str, str] = {
    "null": _("nothing"),
    "boolean": _("true or false"),
    "integer": _("a whole number"),
    "number": _("a number"),
    "string": _("a text"),
    "object": _("a map"),
    "array": _("a list"),
}
"""JSON Schema type names in words."""
SAMPLES_BY_TYPE = {
    "boolean": "true",
    "integer": "3",
    "number": "1.5",
    "string": '"..."',
    "object": "{...}",
    "array": "[...]",
}
"""A sample of a value of each type."""
JSON_TYPES = (
    (bool, "boolean"),  # before int: True is an int too
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (Mapping, "object"),
)
ROOT_NAME = _("the file")
"""The name of a file's root in messages."""
MAX_WORDS_IN_ORDER = 12
"""Allowed words that are listed in the order of their declaration; more are sorted and cut."""
BOUND_MESSAGES = {
    "minimum": _("at least {bound}"),
    "maximum": _("at most {bound}"),
    "exclusiveMinimum": _("more than {bound}"),
    "exclusiveMaximum": _("less than {bound}"),
    "multipleOf": _("a multiple of {bound}"),
    "minLength": _("at least {bound} characters long"),
    "maxLength": _("at most {bound} characters long"),
    "minItems": _("a list of at least {bound}"),
    "maxItems": _("a list of at most {bound}"),
    "minProperties": _("a map of at least {bound}"),
    "maxProperties": _("a map of at most {bound}"),
    "minContains": _("a list that contains at least {bound}"),
}
"""Keywords of JSON Schema that bound a value, in words."""


def quote_value(value: object, max_characters: int = 60) -> str:
    """Return a value as the author wrote it, shortened to `max_characters` characters."""
    try:
        is_text = isinstance(value, str)
        text = (
            str(value)
            if is_text
            else json.dumps(value, ensure_ascii=False, default=str)
        )
    except (TypeError, ValueError):
        text = str(value)
    text = " ".join(text.split())
    if len(text) > max_characters:
        text = text[: max_characters - 1] + "…"
    return f'"{text}"' if isinstance(value, str) else text


def name_json_type(value: object) -> str:
    """Return the JSON Schema name of a value's type, such as "integer"."""
    if value is None:
        return "null"
    for python_type, json_type in JSON_TYPES:
        if isinstance(value, python_type):
            return json_type
    return "array"


def name_field(path: DataPath) -> str:
    """Return the last step of a path as a name, such as "cost" or "item 2 of attacks"."""
    if not path:
        return ROOT_NAME
    *parent_path, step = path
    if isinstance(step, int):
        listed = name_field(tuple(parent_path))
        return _("item {number} of {listed}", number=step + 1, listed=listed)
    return str(step)


def describe_wrong_type(name: str, value: object, expected: str) -> str:
    """Return a message such as `cost is a text ("three"), but must be a whole number`."""
    type_name = TYPE_NAMES[name_json_type(value)]
    form = _("{name} is {kind} ({value}), but must be {wanted}")
    return _(form, name=name, kind=type_name, value=quote_value(value), wanted=expected)


def describe_wrong_value(name: str, value: object, expected: str) -> str:
    """Return a message such as `cost is -1, but must be at least 0`."""
    form = _("{name} is {value}, but must be {wanted}")
    return _(form, name=name, value=quote_value(value), wanted=expected)


def format_one_of(words: str) -> str:
    """Return a text such as "one of a, b"."""
    return _("one of {listed}", listed=words)


def join_with_or(texts: Iterable[str]) -> str:
    """Return a text such as "a number or a text"."""
    return join_messages(texts, _("{first} or {rest}"))


def describe_error(
    error: ValidationError, document: Document, find_properties: FindProperties
) -> Iterator[Finding]:
    """Yield the findings for one error of jsonschema."""
    path: DataPath = tuple(error.absolute_path)
    match error.validator:
        case "additionalProperties" | "unevaluatedProperties":
            yield from _describe_unknown_fields(error, document, path, find_properties)
        case "required":
            yield from _describe_missing_fields(error, document, path)
        case "anyOf" | "oneOf":
            yield from _describe_forms(error, document, path, find_properties)
        case "propertyNames":
            yield _describe_value(error, document, path, str(error.instance))
        case "type" if not {"enum", "const"}.isdisjoint(_get_schema(error)):
            pass  # the error of `enum` or `const` reports the value already
        case _:
            yield _describe_value(error, document, path, name_field(path))


def _describe_unknown_fields(
    error: ValidationError,
    document: Document,
    path: DataPath,
    find_properties: FindProperties,
) -> Iterator[Finding]:
    properties = find_properties(_get_schema(error))
    value = cast("dict[str, Json]", error.instance)
    unused_names = [name for name in properties.names if name not in value]
    for key in value:
        if key in properties:
            continue
        location = document.locate((*path, key), key=True)
        # A map with free keys, such as a text per language: the form of the key is wrong.
        if properties.patterns and not properties.names:
            pattern = properties.patterns[0]
            yield _describe_bad_pattern(
                str(key), key, pattern, location, _describe_schema(error)
            )
        else:
            message = _("{key} is not a known field", key=key)
            hint = suggest_word(str(key), unused_names, _("Fields"))
            yield file_codes.UNKNOWN_PROPERTY.finding(message, location, hint)


def _describe_missing_fields(
    error: ValidationError, document: Document, path: DataPath
) -> Iterator[Finding]:
    value = cast("dict[str, Json]", error.instance)
    is_item = bool(path) and isinstance(path[-1], int)
    for key in cast("list[str]", error.validator_value):
        if key in value:
            continue
        properties = get_map(_get_schema(error), "properties")
        field_schema = get_map(properties, key)
        message = _("{key} is missing", key=key)
        if path:
            message = _("{key} is missing in {where}", key=key, where=name_field(path))
        location = document.locate(path, key=not is_item)
        hint = str(field_schema.get("description", ""))
        yield file_codes.MISSING_PROPERTY.finding(message, location, hint)


def _describe_value(
    error: ValidationError, document: Document, path: DataPath, name: str
) -> Finding:
    """Return the finding about one value that breaks a single keyword of the schema."""
    is_key = isinstance(error.instance, str) and error.validator == "propertyNames"
    location = document.locate(path, key=is_key)
    value = error.instance
    keyword = str(error.validator)
    expected = error.validator_value
    hint = _describe_schema(error)
    match keyword:
        case "type":
            message = describe_wrong_type(name, value, _describe_types(expected))
            return file_codes.TYPE.finding(
                message, location, _suggest_type([error], error, name)
            )
        case "enum" | "const":
            words = list(map(str, _list_allowed_words(error)))
            message = describe_wrong_value(name, value, _format_words(words))
            hint = suggest_word(str(value), words, _("Allowed values"))
            return file_codes.VALUE.finding(message, location, hint)
        case "format" if expected == "date":
            form = _("{name} is {value}, a date that does not exist")
            message = _(form, name=name, value=quote_value(value))
            return file_codes.DATE.finding(message, location)
        case "pattern" | "format":
            return _describe_bad_pattern(name, value, expected, location, hint)
        case "uniqueItems":
            form = _("{name} contains the same value twice: {value}")
            message = _(form, name=name, value=quote_value(value))
            return file_codes.RANGE.finding(message, location, hint)
        case "dependentRequired":
            message = _("{name}: {reason}", name=name, reason=error.message)
            return file_codes.MISSING_PROPERTY.finding(message, location, hint)
        case bound if bound in BOUND_MESSAGES:
            limit = _(BOUND_MESSAGES[bound], bound=expected)
            message = describe_wrong_value(name, value, limit)
            return file_codes.RANGE.finding(message, location, hint)
    form = _("{name} is {value}, which the schema does not allow here ({keyword})")
    message = _(form, name=name, value=quote_value(value), keyword=keyword)
    return file_codes.FORM.finding(message, location, hint)


def _describe_bad_pattern(
    name: str, value: object, pattern: object, location: Location, hint: str
) -> Finding:
    form = _("{name} is {value}, which does not have the format {form}")
    message = _(form, name=name, value=quote_value(value), form=pattern)
    return file_codes.PATTERN.finding(message, location, hint)


def _describe_forms(
    error: ValidationError,
    document: Document,
    path: DataPath,
    find_properties: FindProperties,
) -> Iterator[Finding]:
    """Report a value that has none of the allowed forms, or several where only one is allowed."""
    name = name_field(path)
    location = document.locate(path)
    errors_by_form = _group_errors_by_form(error)
    if not errors_by_form:
        form = _(
            "{name} matches several of the allowed forms, but must match exactly one"
        )
        yield file_codes.FORM.finding(_(form, name=name), location)
        return
    candidates = _select_likely_forms(error, errors_by_form, find_properties)
    if len(candidates) == 1:
        for form_error in errors_by_form[candidates[0]]:
            yield from describe_error(form_error, document, find_properties)
        return
    tag = _find_tag(error, errors_by_form.values())
    if tag is not None:
        yield _describe_wrong_tag(*tag, cast("Schema", error.instance), document, path)
        return
    forms = candidates or list(errors_by_form)
    first_errors = [_find_most_relevant(errors_by_form[form]) for form in forms]
    yield _describe_no_form(error, first_errors, location, name)


def _group_errors_by_form(error: ValidationError) -> dict[int, list[ValidationError]]:
    """Return the errors of each alternative in `anyOf` or `oneOf`, by its index.

    Alternatives that are `false` or only allow null are left out.
    """
    errors_by_form: dict[int, list[ValidationError]] = {}
    for form_error in error.context:
        # The first step of an error's path in the schema is the index of its form.
        if form_error.schema_path and form_error.validator_value != "null":
            form = cast("int", form_error.schema_path[0])
            errors_by_form.setdefault(form, []).append(form_error)
    return errors_by_form


def _find_most_relevant(errors: list[ValidationError]) -> ValidationError:
    """Return the error that describes best why a value does not match one form."""
    from jsonschema.exceptions import best_match

    return best_match(errors) or errors[0]


def _select_likely_forms(
    error: ValidationError,
    errors_by_form: Mapping[int, list[ValidationError]],
    find_properties: FindProperties,
) -> list[int]:
    """Return the indices of the forms that the author probably meant.

    jsonschema's `best_match` would take the deepest error. With forms that a field such as `type`
    tells apart, that is the `type` of a wrong form, so it is not asked here.
    """
    depth = len(error.absolute_path)
    candidates: list[int] = []
    for form, errors in errors_by_form.items():
        if not any(_is_about_another_form(form_error, depth) for form_error in errors):
            candidates.append(form)
    if len(candidates) < 2 or not isinstance(error.instance, dict):
        return candidates
    # The form that knows most of the written fields is the likely one.
    schemas = cast("list[Schema]", error.validator_value)
    counts: dict[int, int] = {}
    for form in candidates:
        known_names = find_properties(schemas[form]).names & error.instance.keys()
        counts[form] = len(known_names)
    max_count = max(counts.values())
    return [form for form in candidates if counts[form] == max_count > 0]


def _is_about_another_form(error: ValidationError, depth: int) -> bool:
    """Return True if an error shows that the value has the type or tag of another form."""
    levels_below = len(error.absolute_path) - depth
    if levels_below == 0:
        return error.validator in ("type", "const", "enum")
    return levels_below == 1 and error.validator == "const"


def _find_tag(
    error: ValidationError, errors_by_form: Iterable[list[ValidationError]]
) -> tuple[str, list[str]] | None:
    """Return the field whose value distinguishes the forms, such as `type`, and its allowed words.

    None if there is no such field, or if it already has an allowed word.
    """
    if not isinstance(error.instance, dict):
        return None
    depth = len(error.absolute_path)
    map_forms = [
        errors for errors in errors_by_form if not _needs_another_type(errors, depth)
    ]
    constants_of_forms = [_read_constants(errors, depth) for errors in map_forms]
    for field in constants_of_forms[0] if constants_of_forms else ():
        words = [constants.get(field, "") for constants in constants_of_forms]
        if all(words):
            has_known_word = str(error.instance.get(field)) in words
            return None if has_known_word else (field, words)
    return None


def _needs_another_type(errors: Iterable[ValidationError], depth: int) -> bool:
    """Return True if a form requires something else than a map."""
    return any(
        error.validator == "type" and len(error.absolute_path) == depth
        for error in errors
    )


def _read_constants(errors: Iterable[ValidationError], depth: int) -> dict[str, str]:
    """Return the fields of a form that may have one value only, with this value."""
    constants: dict[str, str] = {}
    for error in errors:
        if error.validator == "required":
            # The field is missing, so its constant is only in the schema.
            for field, schema in get_map(_get_schema(error), "properties").items():
                if isinstance(schema, Mapping) and "const" in schema:
                    constants[field] = str(schema["const"])
        elif error.validator == "const" and len(error.absolute_path) == depth + 1:
            constants[str(error.absolute_path[-1])] = str(error.validator_value)
    return constants


def _describe_wrong_tag(
    field: str,
    allowed_words: Iterable[str],
    value: Schema,
    document: Document,
    path: DataPath,
) -> Finding:
    """Return the finding that a field such as `type` is missing or has an unknown word."""
    different_words = tuple(dict.fromkeys(allowed_words))
    location = document.locate((*path, field))
    if field not in value:
        message = _("{key} is missing in {where}", key=field, where=name_field(path))
        hint = suggest_word("", different_words, _("Allowed values"))
        return file_codes.MISSING_PROPERTY.finding(message, location, hint)
    expected = format_one_of(", ".join(different_words))
    hint = suggest_word(str(value[field]), different_words, _("Allowed values"))
    wrong_value = describe_wrong_value(field, value[field], expected)
    return file_codes.VALUE.finding(wrong_value, location, hint)


def _describe_no_form(
    error: ValidationError,
    form_errors: list[ValidationError],
    location: Location,
    name: str,
) -> Finding:
    """Return the finding about a value that has none of the allowed forms."""
    value = error.instance
    types: list[str] = []
    words: list[str] = []
    patterns: list[str] = []
    for form_error in form_errors:
        words += map(str, _list_allowed_words(form_error))
        if form_error.validator == "type":
            types.append(_describe_types(form_error.validator_value))
        elif form_error.validator == "pattern":
            patterns.append(_describe_form(form_error))
    if len(types) == len(form_errors):
        wrong_type = describe_wrong_type(
            name, value, join_with_or(dict.fromkeys(types))
        )
        hint = _suggest_type(form_errors, error, name)
        return file_codes.TYPE.finding(wrong_type, location, hint)
    if words and isinstance(value, str):
        expected = join_messages(
            (_format_words(words), *types, *patterns), _("{first}, or {rest}")
        )
        wrong_value = describe_wrong_value(name, value, expected)
        hint = suggest_word(value, words, _("Allowed values"))
        return file_codes.VALUE.finding(wrong_value, location, hint)
    forms = join_messages(
        dict.fromkeys(map(_describe_form, form_errors)), _("{first}; {rest}")
    )
    form = _("{name} is {value}, but must be: {forms}")
    message = _(form, name=name, value=quote_value(value), forms=forms)
    return file_codes.FORM.finding(
        message, location, _suggest_type(form_errors, error, name)
    )


def _list_allowed_words(error: ValidationError) -> list[object]:
    if error.validator == "enum":
        return cast("list[object]", error.validator_value)
    return [error.validator_value] if error.validator == "const" else []


def _describe_form(error: ValidationError) -> str:
    """Describe what a form requires, such as "a map with name, cost"."""
    expected = error.validator_value
    match str(error.validator):
        case "type":
            return _describe_types(expected)
        case "pattern":
            return _("in the format {form}", form=expected)
        case "required":
            return _(
                "a map with {listed}", listed=", ".join(cast("list[str]", expected))
            )
        case keyword if keyword in BOUND_MESSAGES:
            return _(BOUND_MESSAGES[keyword], bound=expected)
    words = list(map(str, _list_allowed_words(error)))
    return _format_words(words) if words else _("a map with other keys")


def _format_words(words: Sequence[str]) -> str:
    """Return "one of a, b" for the allowed words, sorted and shortened if they are many."""
    if len(words) == 1:
        return words[0]
    if len(words) <= MAX_WORDS_IN_ORDER:
        return format_one_of(", ".join(words))
    return format_one_of(list_words(words))


def _suggest_type(
    forms: Iterable[ValidationError], error: ValidationError, name: str
) -> str:
    """Return a hint with an example of a value that one of the forms allows."""
    value = error.instance
    schemas = [_get_schema(form) for form in forms]
    is_root = not error.absolute_path
    about = "" if is_root else _describe_schema(error)
    key = "" if is_root or isinstance(error.absolute_path[-1], int) else f"{name}: "
    types = _list_types(schemas)
    if "string" in types and name_json_type(value) in ("integer", "number"):
        form = _(
            "YAML reads digits without quotes, and values such as 1e5, as numbers. Write "
            "quotes: {example}"
        )
        return _(form, example=f'{key}"..."')
    advice = "" if is_root else _sample_map(schemas)
    advice = advice or _list_fields(schemas) or _suggest_languages(schemas, value, name)
    if not advice and "For example" not in about:
        advice = _sample_types(types, key)
    return _join_sentences(about, advice)


def _join_sentences(first: str, second: str) -> str:
    if not first or not second:
        return first or second
    return _("{about} {rest}", about=first, rest=second)


def _sample_types(types: Iterable[str], key: str) -> str:
    """Return a hint with an example for each type, or ""."""
    samples = [
        f"{key}{SAMPLES_BY_TYPE[item]}" for item in types if item in SAMPLES_BY_TYPE
    ]
    return _format_examples(samples) if samples else ""


def _list_types(schemas: Iterable[Schema]) -> list[str]:
    """Return the JSON types that the schemas allow, without those that have a constant."""
    types: list[str] = []
    for schema in schemas:
        if "const" not in schema:
            # One type is a text, several are a list.
            types.append(str(schema.get("type")))
            types += map(str, get_list(schema, "type"))
    return types


def _sample_map(schemas: Iterable[Schema]) -> str:
    """Return a hint with an example of a map that has all required fields, or ""."""
    maps = [schema for schema in schemas if "properties" in schema]
    if not maps:
        return ""
    properties = get_map(maps[0], "properties")
    fields: list[str] = []
    for field in map(str, get_list(maps[0], "required")):
        sample = get_map(properties, field).get("const", "...")
        fields.append(f"{field}: {sample}")
    listed = ", ".join(fields)
    return _format_examples([f"{{{listed}}}"]) if fields else ""


def _list_fields(schemas: Iterable[Schema]) -> str:
    """Return a hint that lists the fields of all maps, or ""."""
    fields: set[str] = set()
    for schema in schemas:
        if "properties" in schema:
            fields.update(get_map(schema, "properties"))
    return _("Fields: {listed}.", listed=list_words(fields, 30)) if fields else ""


def _suggest_languages(schemas: Iterable[Schema], value: object, name: str) -> str:
    """Return the hint to write a text in each language, or "" if that is not allowed."""
    has_languages = any(
        LANG in get_map(schema, "patternProperties") for schema in schemas
    )
    if not has_languages or not isinstance(value, str):
        return ""
    example = f"{name}: {{en: {value[:40]}}}"
    return _("Write it in each language: {example}.", example=example)


def _describe_types(expected: object) -> str:
    """Return the names of JSON types in words. Null is left out among others."""
    types = list(map(str, expected)) if isinstance(expected, list) else [str(expected)]
    if len(types) > 1:
        types = [item for item in types if item != "null"]
    return join_with_or(TYPE_NAMES.get(item, item) for item in types)


def _get_schema(error: ValidationError) -> Schema:
    return error.schema if isinstance(error.schema, Mapping) else {}


def _describe_schema(error: ValidationError) -> str:
    """Return the description and examples that the schema has for a value, as a hint."""
    schema = _get_schema(error)
    parent = cast("ValidationError | None", error.parent)
    while parent is not None and parent.absolute_path == error.absolute_path:
        if "description" in _get_schema(parent):
            schema = {**schema, **_get_schema(parent)}
        parent = cast("ValidationError | None", parent.parent)
    examples = get_list(schema, "examples")
    samples = _format_examples(examples) if examples else ""
    return _join_sentences(str(schema.get("description", "")), samples)


def _format_examples(examples: Iterable[object]) -> str:
    return _("For example: {listed}.", listed=", ".join(map(str, examples)))
