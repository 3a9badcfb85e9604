"""Plots of a squad's numbers as SVG: bars for shares, lines for damage over a target's numbers. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.model.statsheet import Share, StatSheet, Table
from builder.report.duelplot import ROW, duel_plot
from builder.report.statlines import Block, Words, blocks, decimal
from builder.report.svg import fitting, placed, rectangle, svg, text

LINES = ("#0b3c5d", "#b5461f", "#3b7a3e", "#7a4b94", "#9c7a00", "#4a4a4a")
"""Colours of lines, dark enough for paper; dashes tell them apart in black and white."""

DASHES = ("none", "2 0.8", "0.6 0.6", "3 0.6 0.6 0.6", "1 1", "none")
WIDTH, HEIGHT = 86.0, 36.0
LEFT, RIGHT, TOP, FOOT = 9.0, 22.0, 2.0, 7.0
BAR = 5.0
"""Height of a bar with its gap."""


def chart(table: Table, words: Words) -> str:
    """A table as lines: the first target field across, a line for each value of the second."""
    top = float(table.top) or 1.0
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - FOOT
    across = [LEFT + wide * (index + 0.5) / len(table.rows) for index in range(len(table.rows))]
    body = [text(LEFT - 1, TOP + high * (1 - part) + 0.8, decimal(top * part, words), "end") for part in (0, 0.5, 1)]
    body += [rectangle(LEFT, TOP + high * (1 - part) - 0.05, wide, 0.1, "#cccccc") for part in (0, 0.5, 1)]
    body += [text(x, HEIGHT - 3.4, shown(value)) for x, value in zip(across, table.rows, strict=True)]
    body += [text(LEFT + wide / 2, HEIGHT - 0.4, table.axes[0])] if table.axes else []
    for index in range(len(table.columns)):
        points = [(x, TOP + high * (1 - float(row[index]) / top)) for x, row in zip(across, table.cells, strict=True)]
        body += _curve(points, index)
        if len(table.axes) > 1:
            body += _legend(index, shown(table.columns[index]))
    if len(table.axes) > 1:
        body.append(text(WIDTH - RIGHT + 1, TOP + 2, table.axes[1], "start", fitting(table.axes[1], RIGHT - 1, 2.6)))
    return svg(WIDTH, HEIGHT, body)


def bars(shares: Sequence[Share]) -> str:
    """A division of the squad: a bar a part; models where no model has a price."""
    wide, start = 60.0, 52.0
    priced = any(share.points and share.models for share in shares)
    shares = drawn(shares)
    amounts = [share.points if priced else share.models for share in shares]
    most = max(amounts, default=1) or 1
    body: list[str] = []
    for index, (share, amount) in enumerate(zip(shares, amounts, strict=True)):
        y = index * BAR
        body.append(text(start - 1.5, y + 3.2, share.name, "end", fitting(share.name, start - 1.5, 3)))
        body.append(rectangle(start, y + 0.6, wide * amount / most, 3.8, LINES[0]))
        body.append(text(start + wide * amount / most + 1, y + 3.4, f"{amount:g}", "start", 3))
    return svg(start + wide + 12, BAR * len(shares), body)


def drawn(shares: Sequence[Share]) -> list[Share]:
    """The parts that have a bar: where no model has a price, only those with models."""
    priced = any(share.points and share.models for share in shares)
    return [share for share in shares if priced or share.models]


def poster(sheet: StatSheet, words: Words) -> str:
    """All plots as one picture, two beside each other."""
    parts: list[str] = [text(0, 6, sheet.name or sheet.game, "start", 6)]
    y = 10.0
    for title, shares in sheet.roles:
        parts.append(text(0, y + 3, title, "start", 3.4))
        parts.append(placed(bars(shares), 0, y + 5))
        y += BAR * len(drawn(shares)) + 9
    parts.append(_curves(sheet, words, y))
    rows = (sum(block.plot is not None for _, block in _blocks(sheet, words)) + 1) // 2
    y += rows * (HEIGHT + 8)
    for label, block in _blocks(sheet, words):
        if block.duels:
            parts.append(text(0, y + 3, label, "start", 3.4))
            parts.append(placed(duel_plot(block.duels, words), 0, y + 5))
            y += TOP + len(block.duels) * ROW + 10
    return svg(2 * WIDTH + 6, y, parts, "http://www.w3.org/2000/svg") + "\n"


def _blocks(sheet: StatSheet, words: Words) -> Iterator[tuple[str, Block]]:
    """Every table with its caption."""
    for attack in sheet.attacks:
        for block in blocks(attack, words):
            yield f"{attack.label} · {block.title}".removesuffix(" · "), block


def _curves(sheet: StatSheet, words: Words, y: float) -> str:
    """The plots of tables, two beside each other, from this height on."""
    parts: list[str] = []
    plots = [(told, block.plot) for told, block in _blocks(sheet, words) if block.plot is not None]
    for index, (told, table) in enumerate(plots):
        column, row = index % 2, index // 2
        at, down = column * (WIDTH + 6), y + row * (HEIGHT + 8)
        parts.append(text(at, down + 3, told, "start", fitting(told, WIDTH, 3)))
        parts.append(placed(chart(table, words), at, down + 4.5))
    return "".join(parts)


def shown(value: int | None) -> str:
    """A target's number; a dash where no die damages it."""
    return "—" if value is None else str(value).replace("-", "−")


def _curve(points: Sequence[tuple[float, float]], index: int) -> Iterator[str]:
    """One line with its dots."""
    yield _stroke(points, index)
    for x, y in points:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.7" fill="{LINES[index % len(LINES)]}"/>'


def _stroke(points: Sequence[tuple[float, float]], index: int) -> str:
    """A line in its colour and with its dashes."""
    ink, dash = LINES[index % len(LINES)], DASHES[index % len(DASHES)]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash != "none" else ""
    return f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="0.5"{dashed}/>'


def _legend(index: int, told: str) -> Iterator[str]:
    """A line's value at the right, below the name of the field, behind a piece long enough to show the dashes."""
    x, y = WIDTH - RIGHT + 1, TOP + 5 + index * 4
    yield _stroke([(x, y), (x + 9, y)], index)
    yield text(x + 10.5, y + 0.9, told, "start")
