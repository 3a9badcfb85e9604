"""The report of what had to shrink, for people and for programs. Pure."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict

from builder.model.fitting import BlockFit, FitReport

EMPTIEST = 10


def fit_text(report: FitReport) -> str:
    """What shrank, worst first; how much of it per language; what is nearly empty."""
    shrunk = report.shrunk
    lines = [f"{report.pack}: {len(shrunk)} of {len(report.blocks)} blocks had to shrink"]
    per_lang = Counter(block.lang for block in report.blocks)
    small = Counter(block.lang for block in shrunk)
    last = Counter(block.lang for block in shrunk if block.size == block.sizes[-1])
    for lang, count in sorted(per_lang.items()):
        lines.append(f"  {lang}: {small[lang]} of {count}, {last[lang]} of them at their smallest size")
    if shrunk:
        lines += ["", "Shrunk, worst first"]
        lines += [f"  {_size(block)}  {_where(block)}  {block.fill:.0%} full" for block in shrunk]
    empty = report.emptiest(EMPTIEST)
    if empty:
        lines += ["", "Emptiest"]
        lines += [f"  {block.fill:4.0%} full at {block.size:g} pt  {_where(block)}" for block in empty]
    return "\n".join(lines) + "\n"


def fit_json(report: FitReport) -> str:
    """The same for programs."""
    value = {
        "pack": report.pack,
        "blocks": len(report.blocks),
        "shrunk": [asdict(block) for block in report.shrunk],
        "emptiest": [asdict(block) for block in report.emptiest(EMPTIEST)],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _size(block: BlockFit) -> str:
    """The size reached, of which range."""
    mark = "!" if block.size == block.sizes[-1] else " "
    return f"{block.size:5.4g} pt{mark} ({block.sizes[0]:g} to {block.sizes[-1]:g})"


def _where(block: BlockFit) -> str:
    """The block as a person names it."""
    return f"{block.kind}/{block.card} {block.side} [{block.lang}] {block.block}"
