"""The tables of keys in docs/*.md from schemas/core.

`python -m tools.doc_keys` writes them, a test finds drift.

A page says `<!-- keys SCHEMA: NAME, NAME -->` and `<!-- end of keys -->`; what stands between is a
folded table for each object of that schema, the whole file under its own name in small letters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.files import write_atomic
from builder.packs.project import Project

DOCS = Path(__file__).resolve().parents[1] / "docs"
MARKS = re.compile(
    r"(<!-- keys ([a-z]+): ([\w., -]+) -->\n).*?(<!-- end of keys -->)", re.DOTALL
)


def generate() -> dict[str, str]:
    """Return every page with such tables: file name -> its text."""
    pages = {path.name: path.read_text("utf-8") for path in sorted(DOCS.glob("*.md"))}
    return {
        name: MARKS.sub(lambda found: _tables(*found.groups()), text)
        for name, text in pages.items()
        if MARKS.search(text)
    }


def _tables(start: str, schema: str, names: str, end: str) -> str:
    whole = json.loads(
        (Project.core_schemas / f"{schema}.schema.json").read_text("utf-8")
    )
    told = "\n".join("\n".join(_table(name, whole)) for name in names.split(", "))
    return f"{start}\n{told}\n{end}"


def _table(name: str, whole: dict[str, Any]) -> Iterator[str]:
    """One object: what it is, then a line for each key."""
    part = whole["$defs"][name] if name[0].isupper() else whole
    forms = [one for one in (part, *part.get("anyOf", ())) if "properties" in one]
    about = part.get("description", "").split("\n")[0].removesuffix(".")
    about = about.removeprefix(f"{name}: ")
    head = f"<code>{name}</code>" + (f": {about}" if about != name else "")
    yield f"<details><summary>{head}</summary>\n\n| key | what it says |\n|---|---|"
    for form in forms:
        for key, value in form["properties"].items():
            described = value.get("description") or _described(value, whole)
            needed = " (needed)" if key in form.get("required", ()) else ""
            yield (
                f"| `{key}` | "
                f"{described.replace('|', chr(92) + '|').replace('<', '&lt;')}{needed} |"
            )
    yield "\n</details>\n"


def _described(value: dict[str, Any], whole: dict[str, Any]) -> str:
    """Return what a key says whose schema stands elsewhere."""
    return str(
        whole["$defs"]
        .get(str(value.get("$ref", "")).rpartition("/")[2], {})
        .get("description", "")
    )


if __name__ == "__main__":
    for name, text in generate().items():
        write_atomic(DOCS / name, text.encode())
