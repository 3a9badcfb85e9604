"""The state of a pack's translations as text and JSON, and the file that a translator fills."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from builder.errata.translations import Coverage, Standing


def as_text(pack: str, all_coverage: Sequence[Coverage]) -> str:
    """For a person: a line per language, a line per kind, then what is left to do."""
    lines = []
    for one in all_coverage:
        lines.append(f"{pack} [{one.lang}]: {_counts(one)}")
        lines += [f"  {kind}: {_counts(one, kind)}" for kind in one.kinds]
        lines += [f"    {item.standing.value:9} {item.card} {item.path}" for item in one.open]
    return "\n".join(lines or [f"{pack} has no translations"]) + "\n"


def _counts(one: Coverage, kind: str | None = None) -> str:
    numbers = {standing: one.count(standing, kind) for standing in Standing}
    total = sum(numbers.values())
    share = numbers[Standing.FRESH] / total if total else 1
    rest = [f"{count} {standing.value}" for standing, count in numbers.items() if count and standing != "fresh"]
    return ", ".join([f"{numbers[Standing.FRESH]} of {total} fresh ({share:.0%})", *rest])


def as_json(pack: str, all_coverage: Sequence[Coverage]) -> str:
    """For programs."""
    languages = {
        one.lang: {
            "counts": {standing.value: one.count(standing) for standing in Standing},
            "open": [{key: value for key, value in asdict(item).items() if value} for item in one.open],
        }
        for one in all_coverage
    }
    return json.dumps({"pack": pack, "languages": languages}, ensure_ascii=False, indent=2) + "\n"


def template(pack: str, one: Coverage) -> str:
    """The file for the translator: every open string with its source, and a place for the translation."""
    lines = [
        f"# {pack}, {one.lang}: texts to translate: {len(one.open)}. Write each translation behind `text:`, keep the",
        "# words in braces, or write `same: true` where the source's own words are meant. Then:",
        f"#   squadpress translations --pack {pack} --take FILE",
        f"lang: {one.lang}",
        "strings:" if one.open else "strings: []",
    ]
    for item in one.open:
        lines += [f"  - card: {item.card}", f"    path: {item.path}", f"    standing: {item.standing.value}"]
        texts = {"before": item.before, "source": item.source, "present": item.text}
        lines += [f"    {name}: {json.dumps(text, ensure_ascii=False)}" for name, text in texts.items() if text]
        lines.append('    text: ""')
    return "\n".join(lines) + "\n"
