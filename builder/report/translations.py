"""The state of a pack's translations as text and JSON, and the file that a translator fills."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from builder.errata.translations import Coverage, Standing
from builder.messages import Message, gettext as _, joined, translate

STANDINGS = {
    Standing.FRESH: _("fresh"),
    Standing.MISSING: _("missing"),
    Standing.STALE: _("stale"),
    Standing.IDENTICAL: _("identical"),
}
"""Where a string stands, for people."""


def as_text(pack: str, all_coverage: Sequence[Coverage], lang: str) -> str:
    """For a person, in a language: a line per language, a line per kind, then what is left to do."""
    words = {standing: translate(word, lang) for standing, word in STANDINGS.items()}
    wide = max(map(len, words.values()))
    lines = []
    for one in all_coverage:
        lines.append(f"{pack} [{one.lang}]: {translate(_counts(one), lang)}")
        lines += [f"  {kind}: {translate(_counts(one, kind), lang)}" for kind in one.kinds]
        lines += [f"    {words[item.standing]:{wide}} {item.card} {item.path}" for item in one.open]
    return "\n".join(lines or [translate(_("{pack} has no translations", pack=pack), lang)]) + "\n"


def _counts(one: Coverage, kind: str | None = None) -> str:
    numbers = {standing: one.count(standing, kind) for standing in Standing}
    total, fresh = sum(numbers.values()), numbers.pop(Standing.FRESH)
    first = _("{fresh} of {total} fresh ({share:.0%})", fresh=fresh, total=total, share=fresh / total if total else 1)
    rest = (Message("{count} {what}", count=count, what=STANDINGS[word]) for word, count in numbers.items() if count)
    return joined((first, *rest))


def as_json(pack: str, all_coverage: Sequence[Coverage], _lang: str = "") -> str:
    """For programs."""
    languages = {
        one.lang: {
            "counts": {standing.value: one.count(standing) for standing in Standing},
            "open": [{key: value for key, value in asdict(item).items() if value} for item in one.open],
        }
        for one in all_coverage
    }
    return json.dumps({"pack": pack, "languages": languages}, ensure_ascii=False, indent=2) + "\n"


def template(pack: str, one: Coverage, lang: str) -> str:
    """The file for the translator, told in a language: every open string with its source, and a place for its own."""
    head = _("{pack}, {lang}: texts to translate: {many}.", pack=pack, lang=one.lang, many=len(one.open))
    advice = (
        _("Write each translation behind `text:` and keep the words in braces,"),
        _("or write `same: true` where the source's own words are meant. Then:"),
    )
    lines = [
        *(f"# {translate(line, lang)}" for line in (head, *advice)),
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
