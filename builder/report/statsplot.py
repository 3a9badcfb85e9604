"""Plots of a squad's numbers as SVG: bars for shares, lines for damage over a target's numbers. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from builder.model.statsheet import AttackTable, DamageTable, Share, StatSheet

LINES = ("#0b3c5d", "#b5461f", "#3b7a3e", "#7a4b94", "#9c7a00", "#4a4a4a")
"""Colours of lines, dark enough for paper; dashes tell them apart in black and white."""

DASHES = ("none", "2 0.8", "0.6 0.6", "3 0.6 0.6 0.6", "1 1", "none")
WIDTH, HEIGHT = 86.0, 36.0
LEFT, RIGHT, TOP, FOOT = 9.0, 16.0, 2.0, 7.0
LETTERS = 150.0
"""Letters of 1 mm size that fit above a plot; a longer caption is set smaller."""

BAR = 5.0
"""Height of a bar with its gap."""


def chart(damage: DamageTable) -> str:
    """Expected damage: the first target field across, a line for each value of the second."""
    table = damage.mean
    top = float(table.top) or 1.0
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - FOOT
    across = [LEFT + wide * (index + 0.5) / len(table.rows) for index in range(len(table.rows))]
    body = [_text(LEFT - 1, TOP + high * (1 - part) + 0.8, f"{top * part:.2f}", "end") for part in (0, 0.5, 1)]
    body += [_line(LEFT, TOP + high * (1 - part), LEFT + wide, "#cccccc") for part in (0, 0.5, 1)]
    body += [_text(x, HEIGHT - 3.4, shown(value)) for x, value in zip(across, table.rows, strict=True)]
    body += [_text(LEFT + wide / 2, HEIGHT - 0.4, table.axes[0])] if table.axes else []
    for index in range(len(table.columns)):
        points = [(x, TOP + high * (1 - float(row[index]) / top)) for x, row in zip(across, table.cells, strict=True)]
        body += _curve(points, index)
        if len(table.axes) > 1:
            body += _legend(index, f"{table.axes[1]} {shown(table.columns[index])}")
    return _svg(WIDTH, HEIGHT, body)


def bars(shares: Sequence[Share]) -> str:
    """A division of the squad: a bar a part; models where no model has a price."""
    wide, start = 60.0, 52.0
    priced = any(share.points and share.models for share in shares)
    shares = [share for share in shares if priced or share.models]
    amounts = [share.points if priced else share.models for share in shares]
    most = max(amounts, default=1) or 1
    body: list[str] = []
    for index, (share, amount) in enumerate(zip(shares, amounts, strict=True)):
        y = index * BAR
        body.append(_text(start - 1.5, y + 3.2, share.name, "end", 3))
        body.append(
            f'<rect x="{start:g}" y="{y + 0.6:.2f}" width="{wide * amount / most:.2f}" height="3.8" fill="{LINES[0]}"/>'
        )
        body.append(_text(start + wide * amount / most + 1, y + 3.4, f"{amount:g}", "start", 3))
    return _svg(start + wide + 12, BAR * len(shares), body)


def poster(sheet: StatSheet) -> str:
    """All plots as one picture, two beside each other."""
    parts: list[str] = [_text(0, 6, sheet.name or sheet.game, "start", 6)]
    y = 10.0
    for title, shares in sheet.roles:
        parts.append(_text(0, y + 3, title, "start", 3.4))
        parts.append(_placed(bars(shares), 0, y + 5))
        y += BAR * len(shares) + 9
    plots = [(attack, damage) for attack in sheet.attacks for damage in attack.damage if damage.mean.fields]
    for index, (attack, damage) in enumerate(plots):
        column, row = index % 2, index // 2
        at, down = column * (WIDTH + 6), y + row * (HEIGHT + 8)
        told = caption(attack, damage)
        parts.append(_text(at, down + 3, told, "start", min(3, LETTERS / len(told))))
        parts.append(_placed(chart(damage), at, down + 4.5))
    return _svg(2 * WIDTH + 6, y + (len(plots) + 1) // 2 * (HEIGHT + 8), parts, "http://www.w3.org/2000/svg") + "\n"


def caption(attack: AttackTable, damage: DamageTable) -> str:
    """Whose plot it is."""
    many = f" ×{attack.count}" if attack.count > 1 else ""
    return f"{attack.owner}: {attack.name}{many} · {damage.title}"


def shown(value: int | None) -> str:
    """A target's number; a dash where no die damages it."""
    return "—" if value is None else str(value)


def _curve(points: Sequence[tuple[float, float]], index: int) -> Iterator[str]:
    """One line with its dots."""
    ink, dash = LINES[index % len(LINES)], DASHES[index % len(DASHES)]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash != "none" else ""
    yield f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="0.5"{dashed}/>'
    for x, y in points:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.7" fill="{ink}"/>'


def _legend(index: int, text: str) -> Iterator[str]:
    """A line's name at the right."""
    y = TOP + 1 + index * 4.2
    ink = LINES[index % len(LINES)]
    yield f'<rect x="{WIDTH - RIGHT + 1:g}" y="{y - 0.4:.2f}" width="3" height="0.8" fill="{ink}"/>'
    yield _text(WIDTH - RIGHT + 5, y + 0.9, text, "start")


def _line(x: float, y: float, to: float, ink: str) -> str:
    return f'<rect x="{x:g}" y="{y - 0.05:.2f}" width="{to - x:.2f}" height="0.1" fill="{ink}"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle", size: float = 2.6) -> str:
    """A short text on its base line."""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" font-family="Roboto, sans-serif"'
        f' text-anchor="{anchor}" fill="#111111">{escape(text)}</text>'
    )


def _svg(width: float, height: float, body: Sequence[str], space: str = "") -> str:
    """A picture of that size in mm."""
    xmlns = f' xmlns="{space}"' if space else ""
    size = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    return f"<svg{xmlns} {size}>{''.join(body)}</svg>"


def _placed(picture: str, x: float, y: float) -> str:
    """A picture inside another, its size in the other's units."""
    return picture.replace("<svg ", f'<svg x="{x:.2f}" y="{y:.2f}" ', 1).replace('mm"', '"')
