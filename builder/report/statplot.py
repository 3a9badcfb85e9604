"""A squad's numbers drawn as SVG: distributions, tables and duels. Pure; mm."""

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from math import ceil, floor, log10

from builder.model.sheets import DuelLine, SquadShare, StatTable
from builder.report.stats import Words, decimal, foe, percent, targets

INK = "#111111"
WIDTH_OF_LETTER = 0.56
"""How wide a letter is on average, in sizes of the type."""


def rectangle(x: float, y: float, width: float, height: float, ink: str) -> str:
    """A filled rectangle."""
    return f'<rect x="{x:g}" y="{y:.2f}" width="{width:.2f}" height="{height:g}" fill="{ink}"/>'


def text(x: float, y: float, label: str, anchor: str = "middle", size: float = 2.6, ink: str = INK) -> str:
    """A short text on its base line."""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.3g}" font-family="Roboto, sans-serif"'
        f' text-anchor="{anchor}" fill="{ink}">{escape(label)}</text>'
    )


def fitting(label: str, width: float, size: float) -> float:
    """The type size at which a text fits into a width, at most `size`."""
    return min(size, width / (WIDTH_OF_LETTER * max(1, len(label))))


def svg(width: float, height: float, body: Sequence[str]) -> str:
    """A picture of that size."""
    size = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    return f"<svg {size}>{''.join(body)}</svg>"


WIDE = 178.0
NAMES, BARS, ROW, HEAD = 62.0, 70.0, 4.2, 5.0
DEALT, TAKEN = "#0b3c5d", "#c98a63"
COLUMNS = (142.0, 154.0, 165.0, 176.0)
"""Right edges of the four columns of numbers."""


def duel_plot(lines: Sequence[DuelLine], words: Words) -> str:
    """A row for each foe: two bars and four numbers."""
    most = max((max(line.dealt, line.taken) for line in lines), default=0) or 1
    body = [text(NAMES, 3, words["foe"], "end", 2.6, "#555555")]
    for edge, name in zip(COLUMNS, ("dealt", "taken", "fells", "falls"), strict=True):
        ink = {"dealt": DEALT, "taken": "#a0562a"}.get(name, "#555555")
        body.append(text(edge, 3, words[name], "end", 2.4, ink))
    for index, line in enumerate(lines):
        y = HEAD + index * ROW
        if index % 2 == 0:
            body.append(rectangle(0, y - 0.3, WIDE, ROW, "#f4f4f4"))
        label = foe(line)
        body.append(text(NAMES, y + 2.5, label, "end", fitting(label, NAMES, 2.6)))
        for at, value, ink in ((0.1, line.dealt, DEALT), (1.9, line.taken, TAKEN)):
            body.append(rectangle(NAMES + 1.5, y + at, (BARS - 4) * float(value / most), 1.5, ink))
        means = (decimal(line.dealt, words), decimal(line.taken, words))
        numbers = (*means, percent(line.fells), percent(line.falls))
        body += [text(edge, y + 2.5, number, "end", 2.6) for edge, number in zip(COLUMNS, numbers, strict=True)]
    return svg(WIDE, HEAD + len(lines) * ROW, body)


LINES = ("#0b3c5d", "#b5461f", "#3b7a3e", "#7a4b94", "#9c7a00", "#4a4a4a")
"""Colours of lines, dark enough for paper; dashes tell them apart in black and white."""

DASHES = ("none", "2 0.8", "0.6 0.6", "3 0.6 0.6 0.6", "1 1", "none")
WIDTH, HEIGHT = 86.0, 36.0
LEFT, RIGHT, TOP, FOOT = 9.0, 22.0, 2.0, 7.0
BAR = 5.0
"""Height of a bar with its gap."""


def chart(table: StatTable, words: Words) -> str:
    """A table as lines: the first target field across, a line for each value of the second."""
    steps = axis(float(table.top) or 1.0)
    top = steps[-1][0]
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - FOOT
    across = [LEFT + wide * (index + 0.5) / len(table.rows) for index in range(len(table.rows))]
    body: list[str] = []
    for value, label in steps:
        y = TOP + high * (1 - value / top)
        body += [text(LEFT - 1, y + 0.8, label.replace(".", words["decimal"]), "end", 2.4)]
        body += [rectangle(LEFT, y - 0.05, wide, 0.1, "#cccccc")]
    body += [text(x, HEIGHT - 3.4, value) for x, value in zip(across, targets(table.rows), strict=True)]
    body += [text(LEFT + wide / 2, HEIGHT - 0.4, table.axes[0])] if table.axes else []
    for index, (values, column) in enumerate(_apart(table)):
        points = [(x, TOP + high * (1 - float(value) / top)) for x, value in zip(across, values, strict=True)]
        body.append(_stroke(points, index))
        ink, radius = LINES[index % len(LINES)], max(0.4, 1.1 - index * 0.15)  # of points in one place each is seen
        body += [f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{ink}"/>' for x, y in points]
        if len(table.axes) > 1:  # the value at the right, behind a piece long enough to show the dashes
            x, y = WIDTH - RIGHT + 1, TOP + 5 + index * 4
            body += [
                _stroke([(x, y), (x + 9, y)], index),
                text(x + 10.5, y + 0.9, column, "start", fitting(column, RIGHT - 12, 2.6)),
            ]
    if len(table.axes) > 1:
        body.append(text(WIDTH - RIGHT + 1, TOP + 2, table.axes[1], "start", fitting(table.axes[1], RIGHT - 1, 2.6)))
    return svg(WIDTH, HEIGHT, body)


def axis(top: float) -> tuple[tuple[float, str], ...]:
    """From 0 to a round number that is not below `top`, in three to five steps such as 0.1, 2 or 50."""
    exponent = floor(log10(top)) - 1
    choices = ((first, exponent + more) for more in (0, 1) for first in (1, 2, 5))
    first, exponent = next(one for one in choices if one[0] * 10.0 ** one[1] * 5 >= top)
    step, places = first * 10.0**exponent, max(0, -exponent)
    return tuple((step * count, f"{step * count:.{places}f}") for count in range(ceil(top / step - 1e-9) + 1))


def _apart(table: StatTable) -> tuple[tuple[tuple[Fraction, ...], str], ...]:
    """The lines of a chart by their numbers; those that would hide each other are one, named after all of them."""
    columns = targets(table.columns)
    alike: dict[tuple[Fraction, ...], list[int]] = {}
    for index in range(len(columns)):
        alike.setdefault(tuple(row[index] for row in table.cells), []).append(index)
    return tuple((values, _span([columns[index] for index in found], found)) for values, found in alike.items())


def _span(names: Sequence[str], places: Sequence[int]) -> str:
    """Several names as one: the first and the last of three or more that follow each other."""
    if len(names) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"{names[0]}\N{EN DASH}{names[-1]}"
    return ", ".join(names)


def bars(shares: Sequence[SquadShare]) -> str:
    """A division of the squad: a bar a part; models where no model has a price."""
    wide, start = 46.0, 36.0
    priced = any(share.points and share.models for share in shares)
    amounts = [(share.name, share.points if priced else share.models) for share in shares if priced or share.models]
    most = max((amount for _name, amount in amounts), default=1) or 1
    body: list[str] = []
    for index, (name, amount) in enumerate(amounts):
        y = index * BAR
        body.append(text(start - 1.5, y + 3.2, name, "end", fitting(name, start - 1.5, 3)))
        body.append(rectangle(start, y + 0.6, wide * amount / most, 3.8, LINES[0]))
        body.append(text(start + wide * amount / most + 1, y + 3.4, f"{amount:g}", "start", 3))
    return svg(start + wide + 12, BAR * len(amounts), body)


def _stroke(points: Sequence[tuple[float, float]], index: int) -> str:
    """A line in its colour and with its dashes."""
    ink, dash = LINES[index % len(LINES)], DASHES[index % len(DASHES)]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash != "none" else ""
    return f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="0.5"{dashed}/>'
