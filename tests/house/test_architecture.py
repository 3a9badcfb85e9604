"""docs/architecture.md names only modules and folders that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.house.source import BUILDER, ROOT, modules

CODE_SPAN = re.compile(r"`([^`\n]+)`")
MODULE_PATH = re.compile(r"(?=.*/|.*\.py$)[a-z_]+(?:/[a-z_]+)*(?:\.py|/)?")
"""A path of lower-case names: it has a slash, or is the name of a Python file."""


def list_known_paths() -> set[str]:
    """Every module and folder of the program, by each end of its path: `rules/forms`, `forms`."""
    known = set()
    for path in modules():
        module = path.relative_to(BUILDER).with_suffix("")
        for ancestor in (module, *module.parents):
            parts = ancestor.parts
            known |= {"/".join(parts[start:]) for start in range(len(parts))}
    return known


def find_unknown_paths(text: str) -> Iterator[str]:
    known = list_known_paths()
    for span in CODE_SPAN.findall(text):
        path = span.removesuffix(".py").rstrip("/").removeprefix("builder/")
        if (
            MODULE_PATH.fullmatch(span)
            and path not in known
            and not (ROOT / span).exists()
        ):
            yield span


def test_the_architecture_names_only_existing_modules() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert list(find_unknown_paths(text)) == []


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        (
            "`rules/evaluate.py` and `forms/`, `packs/pack_files.py`, `templates/base`",
            [],
        ),
        ("`rules/evaluated.py`, `no/such/folder/`, `nothing.py`", 3),
        ("`Pack`, `x-ref`, `make test`, `cache.db`, rules/evaluated.py", []),
    ],
)
def test_an_unknown_module_is_found(text: str, unknown: int | list[str]) -> None:
    found = list(find_unknown_paths(text))
    assert found == unknown if isinstance(unknown, list) else len(found) == unknown
