"""schemas/core from the models: `python -m tools.core_schemas` writes them, a test finds drift.

The models accept short forms (a bare scalar for a test, a bare id for an attachment) that
pydantic's own export does not know; they are put in here, so that an editor accepts what the
program accepts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

from pydantic import BaseModel

from builder.files import write_atomic
from builder.model.base import Json
from builder.model.card import Card, Migrations, Translation
from builder.model.formats import FormatSet
from builder.model.gauge import GaugeSet
from builder.model.pack import Manifest, Vocabulary
from builder.model.product import ProductSet
from builder.model.profile import Profile
from builder.model.roster import Collection, Roster
from builder.model.rules import RuleSet, Where
from builder.model.ruling import RulingSet
from builder.model.shop import Preset
from builder.model.stats import StatsFile
from builder.model.table import TableMapping
from builder.packs.project import Project
from builder.packs.schema.bundle import get_list, get_map
from builder.packs.schema.validation import SCHEMAS

Own: TypeAlias = dict[str, Json]
"""A schema that is being changed."""

_MODELS: tuple[type[BaseModel], ...] = (
    *(
        Card,
        Manifest,
        Vocabulary,
        RuleSet,
        Collection,
        FormatSet,
        GaugeSet,
        Migrations,
        Preset,
        ProductSet,
        Profile,
    ),
    *(Roster, RulingSet, StatsFile, TableMapping, Translation, Where),
)


def generate() -> dict[str, str]:
    """Return all core schemas: file name -> JSON text."""
    files = {model: f"{SCHEMAS[model.__name__]}.schema.json" for model in _MODELS}
    return {file: _text(file, model) for model, file in files.items()}


def _text(file: str, model: type[BaseModel]) -> str:
    schema = model.model_json_schema(mode="validation")
    parts = dict(get_map(schema, "$defs"))
    if "properties" in schema:
        parts[model.__name__] = schema
    for name, part in parts.items():
        if isinstance(part, dict):
            if name in _CHANGES:
                _CHANGES[name](part)
            _also(part, *_FORMS.get(name, ()))
    _tidy(schema)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": file}
    rest = {key: value for key, value in schema.items() if key not in head}
    return json.dumps({**head, **rest}, ensure_ascii=False, indent=2) + "\n"


def _card(schema: Own) -> None:
    """Reduce a card schema to the common fields: a kind's schema adds its own and closes it."""
    del schema["additionalProperties"]
    properties = get_map(schema, "properties")
    properties.pop("data", None)
    get_map(properties, "name")["x-text"] = "plain"
    get_map(properties, "faction")["x-ref"] = "faction"
    get_map(properties, "reprint_of")["x-ref"] = "card"
    get_map(get_map(properties, "keywords"), "items")["x-ref"] = "keyword"
    get_map(properties, "cost")["anyOf"] = [
        {"type": "number", "minimum": 0},
        {"type": "null"},
    ]
    properties.update(_ART)
    get_map(schema, "$defs").pop("JsonValue")
    schema["description"] = (
        "What all cards have in common; each kind's schema adds its own fields."
    )


def _part(told: str, least: int, most: int) -> Own:
    return {"description": told, "type": "number", "minimum": least, "maximum": most}


_ART: Own = {
    "art": {
        "description": (
            "A picture under art/ that stands in the card's art window; cards may share one."
        ),
        "type": "string",
        "x-ref": "art",
    },
    "art_crop": {
        "description": (
            "Which part of the picture is shown where the window has another form: the "
            "point that is kept."
        ),
        "type": "object",
        "properties": {
            "x": _part("From the left, in % of the width; 50 where absent.", 0, 100),
            "y": _part("From the top, in % of the height; 50 where absent.", 0, 100),
            "zoom": _part(
                "How many times larger than to fill the window; 1 where absent.", 1, 20
            ),
        },
        "additionalProperties": False,
    },
    "art_credit": {
        "description": "Whose picture it is, printed in its corner.",
        "type": "string",
        "minLength": 1,
    },
}
"""The picture of a card, of whatever kind; templates show it."""


def _rules(schema: Own) -> None:
    """Add the key that distinguishes the forms of a rule."""
    defs = get_map(schema, "$defs")
    for name in defs:
        kind = get_map(get_map(get_map(defs, name), "properties"), "type")
        if "const" in kind:
            kind["description"] = f"The form of the rule: {kind['const']}."


def _roster(schema: Own) -> None:
    """Parameters stand at the top; pack.yaml declares them, the loader checks them."""
    schema["additionalProperties"] = {
        "description": "A parameter that pack.yaml declares under roster.params.",
        "type": ["integer", "string"],
    }


def _migration(schema: Own) -> None:
    new = get_map(get_map(schema, "properties"), "new")
    _also(new, {"type": "string", "description": "The one id that stands for it now."})


def _entry(schema: Own) -> None:
    """Choices and ties that pack.yaml declares stand beside the entry's own keys."""
    schema["additionalProperties"] = {
        "description": "A choice or a tie that pack.yaml declares under roster.",
        "type": "string",
    }


def _where(schema: Own) -> None:
    """Field tests stand in the map itself."""
    properties = get_map(schema, "properties")
    schema["properties"] = {key: properties[key] for key in ("any", "all", "none")}
    schema["additionalProperties"] = {"$ref": "#/$defs/Test"}


_CHANGES: Mapping[str, Callable[[Own], None]] = {
    "Card": _card,
    "Entry": _entry,
    "Migration": _migration,
    "Roster": _roster,
    "RuleSet": _rules,
    "Where": _where,
}
"""What is changed in the schema of a model."""

_ID: Own = {"type": "string", "description": "The card's id alone."}
_SCALARS: Json = ["string", "number", "boolean"]
_FORMS: Mapping[str, tuple[Own, ...]] = {
    "Attachment": (_ID,),
    "Bound": ({"type": "number", "description": "A fixed number."},),
    "DeckCard": (_ID,),
    "Entry": (_ID,),
    "Measure": (
        {"const": "count", "description": "The number of picks, copies counted."},
    ),
    "Owned": ({"type": "integer", "minimum": 0, "description": "The copies owned."},),
    "Test": (
        {"type": _SCALARS, "description": "The field equals this value."},
        {
            "type": "array",
            "items": {"type": _SCALARS},
            "description": "The field is one of these values.",
        },
    ),
}
"""Short forms that a model accepts beside its own."""


def _also(schema: Own, *forms: Own) -> None:
    """Make a schema accept other forms beside its own."""
    if forms:
        own = dict(schema)
        schema.clear()
        schema.update(
            {key: own.pop(key) for key in ("title", "description") if key in own}
        )
        schema["anyOf"] = [*forms, own]


def _tidy(schema: Json) -> None:
    """Tidy a schema and all inside it.

    No generated titles, docstrings in one paragraph, closed maps by language.
    """
    if isinstance(schema, list):
        for item in schema:
            _tidy(item)
    elif isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        if isinstance(told := schema.get("description"), str):
            schema["description"] = " ".join(told.split())
        if "patternProperties" in schema:
            schema.setdefault("additionalProperties", False)
        for key, value in schema.items():
            if key in ("properties", "$defs", "patternProperties"):
                _tidy([*get_map(schema, key).values()])
            elif key not in ("default", "const", "enum", "examples"):
                _tidy(value)
        _join_types(schema)


def _join_types(schema: Own) -> None:
    """`anyOf` of bare types as one list of types: shorter, and its errors read better."""
    forms = [form for form in get_list(schema, "anyOf") if isinstance(form, dict)]
    bare = [
        str(form["type"])
        for form in forms
        if form.keys() == {"type"} and isinstance(form["type"], str)
    ]
    if len(bare) < 2:
        return
    types: list[Json] = [
        name
        for name in dict.fromkeys(bare)
        if name != "integer" or "number" not in bare
    ]
    rest: list[Json] = [form for form in forms if form.keys() != {"type"}]
    if rest:
        schema["anyOf"] = [{"type": types}, *rest]
    else:
        del schema["anyOf"]
        schema["type"] = types if len(types) > 1 else types[0]


def main() -> None:
    """Write all core schemas."""
    for name, text in generate().items():
        write_atomic(Project.core_schemas / name, text.encode())
        print(Project.core_schemas / name)


if __name__ == "__main__":
    main()
