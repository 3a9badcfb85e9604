"""schemas/core from the models: `python -m builder.store.coreschemas` writes them, a test finds drift.

The models accept short forms (a bare scalar for a test, a bare id for an attachment) that pydantic's own export does
not know; they are put in here, so that an editor accepts what the program accepts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from builder.files import write_atomic
from builder.model.card import Card, Migrations, Translation
from builder.model.gauge import GaugeSet
from builder.model.pack import Manifest, Vocabulary
from builder.model.profile import Profile
from builder.model.roster import Collection, Roster
from builder.model.rules import RuleSet, Where
from builder.model.shop import Preset
from builder.model.stats import StatsFile
from builder.store.project import core_schemas

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALAR = ["string", "number", "boolean"]


def generate() -> dict[str, str]:
    """All core schemas: file name -> JSON text."""
    made: dict[str, tuple[type[BaseModel], Callable[[Schema], None]]] = {
        "card": (Card, _card),
        "pack": (Manifest, _nothing),
        "vocabulary": (Vocabulary, _nothing),
        "rules": (RuleSet, _rules),
        "collection": (Collection, _nothing),
        "gauges": (GaugeSet, _nothing),
        "migrations": (Migrations, _nothing),
        "preset": (Preset, _nothing),
        "profile": (Profile, _nothing),
        "roster": (Roster, _roster),
        "stats": (StatsFile, _nothing),
        "translation": (Translation, _nothing),
        "where": (Where, _nothing),
    }
    return {f"{name}.schema.json": _text(name, model, finish) for name, (model, finish) in made.items()}


def _text(name: str, model: type[BaseModel], finish: Callable[[Schema], None]) -> str:
    schema = model.model_json_schema(mode="validation")
    parts = {**schema.get("$defs", {})}
    for part_name, part in parts.items():
        _SHORT.get(part_name, _nothing)(part)
    if model.__name__ in _SHORT and "properties" in schema:
        _SHORT[model.__name__](schema)
    finish(schema)
    _tidy(schema)
    head = {"$schema": _DIALECT, "$id": f"{name}.schema.json"}
    rest = {key: value for key, value in schema.items() if key not in head}
    return json.dumps({**head, **rest}, ensure_ascii=False, indent=2) + "\n"


def _nothing(schema: Schema) -> None:
    """No change."""


def _card(schema: Schema) -> None:
    """The envelope alone: a kind's schema adds its fields and closes the object."""
    del schema["additionalProperties"]
    properties = schema["properties"]
    properties.pop("data", None)
    properties["name"]["x-text"] = "plain"
    properties["faction"]["x-ref"] = "faction"
    properties["keywords"]["items"]["x-ref"] = "keyword"
    properties["cost"]["anyOf"] = [{"type": "number", "minimum": 0}, {"type": "null"}]
    schema["$defs"].pop("JsonValue")
    schema["description"] = "What all cards have in common; each kind's schema adds its own fields."


def _rules(schema: Schema) -> None:
    """The word that tells the forms of a rule apart."""
    for part in schema["$defs"].values():
        kind = part.get("properties", {}).get("type", {})
        if "const" in kind:
            kind["description"] = f"The form of the rule: {kind['const']}."


def _roster(schema: Schema) -> None:
    """Parameters stand at the top; pack.yaml declares them, the loader checks them."""
    schema["additionalProperties"] = {
        "description": "A parameter that pack.yaml declares under roster.params.",
        "type": ["integer", "string"],
    }


def _short_id(schema: Schema) -> None:
    """`warm-cloak` for `{card: warm-cloak}`."""
    _also(schema, {"type": "string", "description": "The card's id alone."})


def _migration(schema: Schema) -> None:
    """A bare id for `new`."""
    _also(schema["properties"]["new"], {"type": "string", "description": "The one id that stands for it now."})


def _owned(schema: Schema) -> None:
    """A bare number of copies."""
    _also(schema, {"type": "integer", "minimum": 0, "description": "The copies owned."})


def _entry(schema: Schema) -> None:
    """Choices and ties that pack.yaml declares stand beside the entry's own keys; an id alone is an entry too."""
    schema["additionalProperties"] = {
        "description": "A choice or a tie that pack.yaml declares under roster.",
        "type": "string",
    }
    _short_id(schema)


def _where(schema: Schema) -> None:
    """Field tests stand in the map itself."""
    schema["properties"] = {key: schema["properties"][key] for key in ("any", "all", "none")}
    schema["additionalProperties"] = {"$ref": "#/$defs/Test"}


def _test(schema: Schema) -> None:
    """A scalar is `eq`, a list is `one_of`."""
    _also(
        schema,
        {"type": _SCALAR, "description": "The field equals this value."},
        {"type": "array", "items": {"type": _SCALAR}, "description": "The field is one of these values."},
    )


def _measure(schema: Schema) -> None:
    """The bare word `count`."""
    _also(schema, {"const": "count", "description": "The number of picks, copies counted."})


def _bound(schema: Schema) -> None:
    """A bare number."""
    _also(schema, {"type": "number", "description": "A fixed number."})


_SHORT: Mapping[str, Callable[[Schema], None]] = {
    "Where": _where,
    "Test": _test,
    "Measure": _measure,
    "Bound": _bound,
    "Attachment": _short_id,
    "DeckCard": _short_id,
    "Entry": _entry,
    "Migration": _migration,
    "Owned": _owned,
}


def _also(schema: Schema, *forms: Schema) -> None:
    """Make a schema accept other forms beside its own."""
    own = dict(schema)
    schema.clear()
    schema.update({key: own.pop(key) for key in ("title", "description") if key in own})
    schema["anyOf"] = [*forms, own]


def _tidy(schema: Any) -> None:
    """Tidy a schema and all inside it."""
    if isinstance(schema, list):
        for item in schema:
            _tidy(item)
    elif isinstance(schema, dict):
        _tidy_one(schema)
        for key, value in schema.items():
            if key in ("properties", "$defs", "patternProperties"):
                for part in value.values():
                    _tidy(part)
            elif key not in ("default", "const", "enum", "examples"):
                _tidy(value)
        _join_types(schema)


def _tidy_one(schema: Schema) -> None:
    """Drop generated titles, fold docstrings into one paragraph, close maps keyed by language."""
    if isinstance(schema.get("title"), str):
        del schema["title"]
    if isinstance(schema.get("description"), str):
        schema["description"] = " ".join(schema["description"].split())
    if "patternProperties" in schema:
        schema.setdefault("additionalProperties", False)


def _join_types(schema: Schema) -> None:
    """`anyOf` of bare types as one list of types: shorter, and its errors read better."""
    forms = schema.get("anyOf", [])
    bare = [form["type"] for form in forms if set(form) == {"type"} and isinstance(form["type"], str)]
    if len(bare) < 2:
        return
    types = [name for name in dict.fromkeys(bare) if name != "integer" or "number" not in bare]
    rest = [form for form in forms if set(form) != {"type"}]
    if rest:
        schema["anyOf"] = [{"type": types}, *rest]
    else:
        del schema["anyOf"]
        schema["type"] = types if len(types) > 1 else types[0]


def main() -> None:
    """Write all core schemas."""
    for name, text in generate().items():
        write_atomic(core_schemas() / name, text.encode())
        print(core_schemas() / name)


if __name__ == "__main__":
    main()
