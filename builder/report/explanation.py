"""A code explained, and the list of all codes, as text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from builder.model.codes import Code


def explanation(code: Code) -> str:
    """One code: what it means, why it matters, what to do."""
    return (
        f"{code.code} ({code.severity.value})\n  {code.title}.\n\nWhy it matters\n  {code.why}\n\n"
        f"What to do\n  {code.remedy}\n"
    )


def listing(codes: Iterable[Code]) -> str:
    """All codes with their titles, by group."""
    ordered = sorted(codes, key=lambda code: code.code)
    width = max((len(code.code) for code in ordered), default=0)
    blocks = [
        "".join(f"{code.code:<{width}}  {code.title}\n" for code in group)
        for _, group in groupby(ordered, key=lambda code: code.code.partition("/")[0])
    ]
    return "\n".join(blocks)
