"""Check documents against schemas: cards against their kind's, other files against their model's.

Findings have the location, the value, and what was expected. What only a model can check, it words
itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from builder.errors import UsageError
from builder.files import read_limited
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, Model, format_path
from builder.model.codes import CODES
from builder.model.loaded import Document
from builder.model.pack import Manifest
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.schema.annotations import Annotated, annotate_value
from builder.packs.schema.bundle import (
    MAX_SCHEMA_BYTES,
    BrokenSchema,
    Bundler,
    KnownProperties,
    Schema,
    find_known_properties,
    get_map,
    matches_pattern,
)
from builder.packs.schema.wording import describe_error, name_field

if TYPE_CHECKING:
    import jsonschema
    from jsonschema.protocols import Validator
    from jsonschema_rs import Draft202012Validator
    from pydantic_core import ErrorDetails


M = TypeVar("M", bound=BaseModel)

SCHEMAS: Mapping[str, str] = {
    "Card": "card",
    "Collection": "collection",
    "FormatSet": "formats",
    "GaugeSet": "gauges",
    "Manifest": "pack",
    "Migrations": "migrations",
    "Preset": "preset",
    "ProductSet": "products",
    "Profile": "profile",
    "Roster": "roster",
    "RuleSet": "rules",
    "RulingSet": "rulings",
    "StatsFile": "stats",
    "TableMapping": "table",
    "Translation": "translation",
    "Vocabulary": "vocabulary",
    "Where": "where",
}
"""Models of whole files and the names of their schemas in schemas/core."""
MODEL_ERROR_TYPES = frozenset({"value_error", "number_form"})
"""Errors that the models word themselves."""
_TAGS = ("type", "shape")
"""Fields that distinguish the forms of a union."""


class KindSchema:
    """The compiled schema of one kind of card.

    Raise BrokenSchema if it cannot be used.
    """

    def __init__(self, bundler: Bundler, path: Path) -> None:
        self.schema = bundler.bundle_file(path)
        text = json.dumps(self.schema, sort_keys=True)
        self.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._bundler = bundler
        self._path = path
        self._known: dict[int, KnownProperties] = {}

    @cached_property
    def _validator(self) -> Validator:
        import jsonschema

        from builder.packs.yaml.reading import parse_document

        base = jsonschema.Draft202012Validator
        errors = base(base.META_SCHEMA).iter_errors(self.schema)
        error = jsonschema.exceptions.best_match(errors)
        if error is not None:
            name = self._bundler.name_file(self._path)
            text = read_limited(self._path, MAX_SCHEMA_BYTES).decode(
                "utf-8-sig", "replace"
            )
            # JSON is YAML but for tabs.
            document = parse_document(text.replace("\t", " "), name)[0] or Document(
                name, {}
            )
            general = file_codes.BROKEN.finding(error.message[:200], document.locate())
            finding = next(
                describe_error(error, document, self.find_known_properties), general
            )
            broken = file_codes.BROKEN.finding(
                finding.message, finding.location, finding.hint
            )
            raise BrokenSchema(broken)
        rules = {
            "unevaluatedProperties": self._check_unevaluated,
            "pattern": _check_pattern,
            "patternProperties": _check_pattern_properties,
        }
        validator_class: type[Validator] = jsonschema.validators.extend(base, rules)  # type: ignore[no-untyped-call]
        return validator_class(
            self.schema, format_checker=jsonschema.FormatChecker(["date"])
        )

    def _check_unevaluated(
        self, _validator: object, allowed: object, instance: object, schema: Schema
    ) -> Iterator[jsonschema.ValidationError]:
        """Check `unevaluatedProperties: false` by the names of properties alone.

        By the standard, a property with a wrong value counts as unevaluated too. One mistake would
        then be reported as a dozen unknown fields.
        """
        from jsonschema.exceptions import ValidationError

        if allowed is not False or not isinstance(instance, dict):
            return
        known_properties = self.find_known_properties(schema)
        if any(key not in known_properties for key in instance):
            yield ValidationError(_("unknown property"))

    def find_known_properties(self, schema: Schema) -> KnownProperties:
        """Return the properties that a part of this schema describes."""
        # By identity, because maps cannot be keys. All parts live as long as this schema.
        key = id(schema)
        if key not in self._known:
            self._known[key] = find_known_properties(
                schema, get_map(self.schema, "$defs")
            )
        return self._known[key]

    @cached_property
    def _fast_validator(self) -> Draft202012Validator | None:
        """A validator that only returns valid or invalid, and is 30 times faster.

        None if unusable.
        """
        from jsonschema_rs import Draft202012Validator, RegexOptions

        try:
            return Draft202012Validator(
                self.schema, validate_formats=True, pattern_options=RegexOptions()
            )
        except ValueError:
            return None

    def is_surely_valid(self, value: Json) -> bool:
        """Return True if the fast validator accepts the value. False may mean unknown."""
        try:
            return self._fast_validator is not None and self._fast_validator.is_valid(
                value
            )
        except ValueError:
            return False

    def validate_document(self, document: Document) -> tuple[Finding, ...]:
        """Return the schema errors of a card. Raise BrokenSchema if the schema is invalid."""
        if self.is_surely_valid(document.value):
            return ()
        findings: list[Finding] = []
        for error in self._validator.iter_errors(document.value):
            findings += describe_error(error, document, self.find_known_properties)
        # Several forms of a value may have the same mistake.
        return tuple(dict.fromkeys(findings))

    def annotate_document(self, document: Document) -> Annotated:
        """Find the texts, references and conditions in a card."""
        return annotate_value(self.schema, document.value)


def load_kind_schema(project: Project, manifest: Manifest, kind: str) -> KindSchema:
    """Load the schema of a kind.

    Raise UsageError if the pack has no such kind, BrokenSchema if it cannot be used.
    """
    if kind not in manifest.kinds:
        message = _("{pack} has no kind {kind}", pack=manifest.id, kind=kind)
        raise UsageError(message, suggest_word(kind, manifest.kinds, _("Kinds")))
    name = manifest.schemas.get(kind, f"{kind}.schema.json")
    bundler = Bundler(project.core_schemas, project.root)
    return KindSchema(bundler, project.get_schemas_dir(manifest.id) / name)


def parse_model(
    model: type[M], document: Document, value: Json | None = None
) -> tuple[M | None, tuple[Finding, ...]]:
    """Validate a document, or `value` in its place, as a model.

    Return None and findings if invalid.
    """
    root = document.value if value is None else value
    try:
        return model.model_validate(root), ()
    except ValidationError as error:
        details = error.errors(include_url=False)
    placed_details = [
        (_convert_path(root, detail["loc"]), detail) for detail in details
    ]
    document = Document(document.file, root, document.marks, document.key_marks)
    return None, tuple(dict.fromkeys(_find_mistakes(model, document, placed_details)))


def read_model(
    model: type[M], path: Path, file: str
) -> tuple[M | None, tuple[Finding, ...]]:
    """Read a file and validate it as a model. `file` is its name in findings.

    If it is not valid, return None and findings.
    """
    from builder.packs.yaml.reading import read_document

    document, document_findings = read_document(path, file)
    parsed, model_findings = (
        parse_model(model, document) if document is not None else (None, ())
    )
    return parsed, (*document_findings, *model_findings)


def _find_mistakes(
    model: type[BaseModel],
    document: Document,
    details: list[tuple[DataPath, ErrorDetails]],
) -> Iterator[Finding]:
    """Yield the errors of a document: those of the schema, then those only the model finds."""
    page = getattr(model, "page", Model.page)
    general_hint = _("docs/{page} describes each file and its keys.", page=page)
    model_errors = [pair for pair in details if pair[1]["type"] in MODEL_ERROR_TYPES]
    model_error_paths = {format_path(place) for place, _detail in model_errors}
    has_schema_findings = False
    for finding in _load_model_schema(model).validate_document(document):
        # What the model says about a value is clearer than what its schema says inside it.
        if not model_error_paths.isdisjoint(
            _list_enclosing_paths(finding.location.path or "")
        ):
            continue
        has_schema_findings = True
        has_general_remedy = finding.hint == CODES[finding.code].remedy
        if has_general_remedy and finding.code != file_codes.DATE.code:
            finding = replace(finding, hint=general_hint)
        yield finding
    # Other errors of pydantic repeat those of the schema, unless it has none.
    for place, detail in (
        model_errors if has_schema_findings or model_errors else details
    ):
        message = _(
            "{name}: {reason}", name=name_field(place), reason=_get_reason(detail)
        )
        yield file_codes.MODEL.finding(message, document.locate(place), general_hint)


def _get_reason(detail: ErrorDetails) -> str:
    """Return the message of a pydantic error, without pydantic's prefix."""
    if detail["type"] == "value_error":
        reason: str = detail["ctx"]["error"].args[0]
        return reason
    return _(detail["msg"])


def _list_enclosing_paths(path: str) -> list[str]:
    """Return a path and all shorter paths that contain it, starting with ""."""
    steps = path.split(".") if path else []
    return [".".join(steps[:count]) for count in range(len(steps) + 1)]


def _convert_path(value: Json, error_path: tuple[str | int, ...]) -> DataPath:
    """Convert pydantic's path of an error to the path of the value in the file.

    Pydantic's path also has the tags of union forms.
    """
    path: DataPath = ()
    last: Json = None
    for step in error_path:
        if isinstance(value, dict):
            key = str(step)
            # A tag stands before the steps inside the map, once, and is no step itself.
            if value is not last and step in [value.get(tag) for tag in _TAGS]:
                last = value
            elif key in value:
                path += (key,)
                value = value[key]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            path += (step,)
            value = value[step]
    return path


def _load_model_schema(model: type[BaseModel]) -> KindSchema:
    """Return the schema file of a model, or else the schema that pydantic makes."""
    file = SCHEMAS.get(model.__name__)
    bundler = Bundler(Project.core_schemas, Project.core_schemas)
    path = Project.core_schemas / f"{file}.schema.json"
    if file is None:
        bundler.files[path] = model.model_json_schema()
    return KindSchema(bundler, path)


def _check_pattern(
    _validator: Validator, pattern: str, instance: object, _schema: Schema
) -> Iterator[jsonschema.ValidationError]:
    """Check the keyword `pattern` in linear time."""
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not matches_pattern(pattern, instance):
        message = _(
            "{value!r} does not match {pattern!r}", value=instance, pattern=pattern
        )
        yield ValidationError(message)


def _check_pattern_properties(
    validator: Validator,
    patterns: Mapping[str, Schema],
    instance: object,
    _schema: Schema,
) -> Iterator[jsonschema.ValidationError]:
    """Check the keyword `patternProperties` in linear time."""
    if not isinstance(instance, dict):
        return
    for key, value in instance.items():
        for pattern, inner in patterns.items():
            if matches_pattern(pattern, key):
                yield from validator.descend(  # type: ignore[attr-defined]
                    value, inner, path=key, schema_path=pattern
                )
