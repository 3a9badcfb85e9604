"""Blow for blow as SVG: for each foe what is dealt and what is taken, with the chances. Lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence

from builder.model.statsheet import DuelLine
from builder.report.statlines import Words, foe, means, percent
from builder.report.svg import fitting, rectangle, svg, text

WIDE = 178.0
NAMES, BARS, ROW, TOP = 62.0, 70.0, 4.2, 5.0
DEALT, TAKEN = "#0b3c5d", "#c98a63"
COLUMNS = (142.0, 154.0, 165.0, 176.0)
"""Right edges of the four columns of numbers."""


def duel_plot(lines: Sequence[DuelLine], words: Words) -> str:
    """A row for each foe: two bars and four numbers."""
    most = max((max(line.dealt, line.taken) for line in lines), default=0) or 1
    number = means(words)
    body = [text(NAMES, 3, words["foe"], "end", 2.6, "#555555")]
    for edge, name in zip(COLUMNS, ("dealt", "taken", "fells", "falls"), strict=True):
        ink = {"dealt": DEALT, "taken": "#a0562a"}.get(name, "#555555")
        body.append(text(edge, 3, words[name], "end", 2.4, ink))
    for index, line in enumerate(lines):
        y = TOP + index * ROW
        if index % 2 == 0:
            body.append(rectangle(0, y - 0.3, WIDE, ROW, "#f4f4f4"))
        told = foe(line)
        body.append(text(NAMES, y + 2.5, told, "end", fitting(told, NAMES, 2.6)))
        for at, value, ink in ((0.1, line.dealt, DEALT), (1.9, line.taken, TAKEN)):
            body.append(rectangle(NAMES + 1.5, y + at, (BARS - 4) * float(value / most), 1.5, ink))
        shown = (number(line.dealt), number(line.taken), percent(line.fells), percent(line.falls))
        body += [text(edge, y + 2.5, value, "end", 2.6) for edge, value in zip(COLUMNS, shown, strict=True)]
    return svg(WIDE, TOP + len(lines) * ROW, body)
