import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from builder.packs.project import NEW_PACK, Project
from builder.packs.yaml.reading import read_document
from tests.checks.projects import ROOT
from tools.core_schemas import generate


def test_the_schemas_are_what_the_models_say() -> None:
    written = {
        path.name: path.read_text("utf-8")
        for path in Project.core_schemas.glob("*.json")
    }
    assert written == generate(), "run: make schemas"


def described(item: Any, root: Any) -> bool:
    """Described itself, or through what it refers to inside the same file."""
    if not isinstance(item, dict) or "description" in item:
        return True
    steps = item.get("$ref", "")
    for step in steps.removeprefix("#/").split("/") if steps.startswith("#/") else ():
        root = root[step]
    return bool(steps) and "description" in root


def undescribed(schema: Any, root: Any, path: str = "") -> Iterator[str]:
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from undescribed(item, root, f"{path}/{index}")
    elif isinstance(schema, dict):
        for name, item in schema.get("properties", {}).items():
            # A branch narrows a property that the kind itself describes.
            branch = path.endswith(("/then", "/else")) and "description" in root[
                "properties"
            ].get(name, {})
            if not described(item, root) and not branch:
                yield f"{path}/{name}"
        for key, item in schema.items():
            if key != "if":
                yield from undescribed(item, root, f"{path}/{key}")


SCHEMAS = sorted(
    {
        *(ROOT / "schemas").rglob("*.json"),
        *NEW_PACK.rglob("*.json"),
        *(ROOT / "tests/toys").rglob("*.schema.json"),
    }
)


@pytest.mark.parametrize(
    "path", SCHEMAS, ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_every_property_is_described(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(undescribed(schema, schema)) == []


FILES = [
    ("roster", "cards/*/rosters/*.yaml"),
    ("rules", "cards/*/rules.yaml"),
    ("pack", "cards/*/pack.yaml"),
    ("vocabulary", "cards/*/vocabulary.yaml"),
    ("translation", "cards/*/i18n/*/*/*.yaml"),
]


@pytest.mark.parametrize(("name", "pattern"), FILES)
def test_an_editor_accepts_what_the_program_accepts(name: str, pattern: str) -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads((Project.core_schemas / f"{name}.schema.json").read_text("utf-8"))
    )
    roots = [ROOT, ROOT / "tests/toys/lanterns", ROOT / "tests/toys/brigade"]
    for path in (path for root in roots for path in root.glob(pattern)):
        document, _ = read_document(path, path.name)
        assert document is not None
        wrong = [
            f"{path}: {error.json_path}: {error.message[:100]}"
            for error in validator.iter_errors(document.value)
        ]
        assert wrong == []


FIRST_LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


def wanted_schema(path: Path) -> Path:
    """Return the schema that an editor needs for a file of the packs."""
    pack, *folders = path.relative_to(ROOT / "cards").parts[:-1]
    core = {"i18n": "translation", "rosters": "roster"}
    if not folders or folders[0] in core:
        return (
            ROOT
            / "schemas/core"
            / f"{core[folders[0]] if folders else path.stem}.schema.json"
        )
    return ROOT / "schemas" / pack / f"{folders[0]}.schema.json"


def test_every_file_of_a_pack_names_its_schema() -> None:
    """An editor offers no completion for a card, translation or squad without first line."""
    wrong = []
    for path in sorted((ROOT / "cards").rglob("*.yaml")):
        with path.open(encoding="utf-8") as file:
            named = FIRST_LINE.fullmatch(file.readline())
        found = (path.parent / named[1]).resolve() if named else None
        if found != wanted_schema(path) or not found.is_file():
            wrong.append(f"{path.relative_to(ROOT)}: {found}")
    assert wrong == []
