"""Which features of CSS and drawings each engine has.

A small case with and without each, set by both.

`python -m tests.render.engines.features` prints the table of docs/engines.md.
"""

from __future__ import annotations

import zlib

from tests.render.engines.small import set_small

BOX = '<div class="a"><div class="b">one</div><div class="c">two</div></div>'
LONG_WORDS = '<div class="a">extraordinarily incomprehensible responsibilities</div>'
PLACE = ".a{position:absolute;left:5mm;top:5mm;width:40mm;height:30mm}.b,.c{background:#ccc}"
DRAWING = '<svg width="20mm" height="20mm" viewBox="0 0 20 20">%s</svg>'
RED = "<stop offset='0' stop-color='red'/><stop offset='1' stop-color='blue'/>"

CSS = {
    "flex rows and columns": ".a{display:flex;justify-content:space-between}",
    "gap in flex": (".a{display:flex;gap:5mm}", ".a{display:flex}"),
    "order in flex": (".a{display:flex}.b{order:2}", ".a{display:flex}"),
    "grid": ".a{display:grid;grid-template-columns:1fr 1fr}",
    "tables": ".a{display:table}.b,.c{display:table-cell}",
    "columns": (".a{position:static;columns:2}", ".a{position:static}"),
    "column-span": (
        ".a{position:static;columns:2}.c{column-span:all}",
        ".a{position:static;columns:2}",
    ),
    "float": ".b{float:right}",
    "calc() of lengths": ".b{width:calc(12mm - 2mm)}",
    "calc() with percentages": ".b{width:calc(50% - 2mm)}",
    "min(), max(), clamp() of lengths": ".b{width:min(30mm,9mm)}",
    "min(), max(), clamp() with percentages": ".b{width:min(50%,9mm)}",
    "custom properties": ".a{--w:9mm}.b{width:var(--w)}",
    ("custom properties as a part of a value"): (
        ".a{--f:Manrope;--w:2mm}.b{font:800 12pt var(--f);padding:0 var(--w)}"
    ),
    "custom properties with a fallback": ".a{--d:red}.b{color:var(--none,var(--d))}",
    "::before, ::after": '.b::before{content:"x"}',
    ":nth-child()": ".a :nth-child(2){color:red}",
    ":not()": ".a :not(.b){color:red}",
    ":is(), :where()": ".a :is(.b){color:red}",
    ":has()": ".a:has(.b){color:red}",
    "counters": ".b{counter-increment:n}.b::after{content:counter(n)}",
    "@media print": "@media print{.b{color:red}}",
    "@supports": "@supports (color:red){.b{color:red}}",
    "@layer": "@layer x{.b{color:red}}",
    "nesting": ".a{.b{color:red}}",
    "linear-gradient()": ".b{background:linear-gradient(red,blue)}",
    "border-radius": ".b{border-radius:3mm}",
    "border-image": ".b{border:2mm solid;border-image:linear-gradient(red,blue) 1}",
    "box-shadow": ".b{box-shadow:1mm 1mm red}",
    "text-shadow": ".b{text-shadow:1mm 1mm red}",
    "outline": ".b{outline:1mm solid red}",
    "opacity": ".b{opacity:.5}",
    "mix-blend-mode": ".b{mix-blend-mode:multiply}",
    "transform": ".b{transform:rotate(9deg)}",
    "clip-path": ".b{clip-path:circle(2mm)}",
    "filter": ".b{filter:blur(2mm)}",
    "hyphens": (".a{width:27mm;hyphens:auto}", ".a{width:27mm}", LONG_WORDS),
    "text-align: justify": ".a{width:9mm;text-align:justify}",
    "text-decoration": ".b{text-decoration:underline}",
    "letter-spacing": ".b{letter-spacing:1mm}",
    "font-feature-settings": '.b{font-feature-settings:"smcp"}',
    "small capitals": ".b{font-variant-caps:small-caps}",
    "aspect-ratio": ".b{width:9mm;aspect-ratio:1}",
    "inset": ".b{position:absolute;inset:3mm}",
    "device-cmyk()": ".b{color:device-cmyk(0 1 1 0)}",
}
SQUARE = "<rect width='9' height='9' %s/>"
DOT = "<circle r='5' fill='#fff'/>"
DRAWN = {
    "gradients": f"<defs><linearGradient id='g'>{RED}</linearGradient></defs>"
    + SQUARE % "fill='url(#g)'",
    "patterns": (
        f"<defs><pattern id='p' width='2' height='2' "
        f"patternUnits='userSpaceOnUse'>{DOT}</pattern></defs>"
    )
    + SQUARE % "fill='url(#p)'",
    "clipPath": f"<defs><clipPath id='c'>{DOT}</clipPath></defs>"
    + SQUARE % "clip-path='url(#c)'",
    "use, symbol": "<defs><symbol id='s'><circle r='5'/></symbol></defs><use href='#s'/>",
    "text": "<text y='9' font-size='4'>word</text>",
    "markers": f"<defs><marker id='k' markerWidth='3' markerHeight='3'>{DOT}</marker></defs>"
    "<path d='M1 1H9' stroke='#000' marker-end='url(#k)'/>",
    "filters": "<defs><filter id='f'><feOffset dx='3'/></filter></defs>"
    + SQUARE % "filter='url(#f)'",
    "foreignObject": "<foreignObject width='19' height='19'><p>word</p></foreignObject>",
}
WITHOUT = {"clipPath": " clip-path='url(#c)'", "filters": " filter='url(#f)'"}
WITHOUT |= {"markers": " marker-end='url(#k)'"}


def has(engine: str, with_it: tuple[str, str], without: tuple[str, str]) -> bool:
    """Return True if a body and style sheet are drawn differently and without complaint."""
    drawn = []
    for body, css in (with_it, without):
        (face,) = set_small(engine, body, css=css)
        if face.record is None:
            return False
        drawn.append(
            (
                zlib.decompress(face.record.content),
                [each.data for each in face.record.objects],
            )
        )
    return drawn[0] != drawn[1]


def table(engines: tuple[str, ...]) -> dict[str, tuple[bool, ...]]:
    """Which engine has which feature."""
    found = {}
    for name, css in CSS.items():
        more, less, body = (*css, BOX)[:3] if isinstance(css, tuple) else (css, "", BOX)
        found[name] = tuple(
            has(each, (body, PLACE + more), (body, PLACE + less)) for each in engines
        )
    for name, body in DRAWN.items():
        cut = WITHOUT.get(name)
        plain = body.replace(cut, "") if cut else ""
        found[f"SVG: {name}"] = tuple(
            has(each, (DRAWING % body, ""), (DRAWING % plain, "")) for each in engines
        )
    return found


def rows(engines: tuple[str, ...]) -> list[str]:
    """Return the table as docs/engines.md has it."""
    return [
        f"| {name} | {' | '.join('yes' if each else '-' for each in has)} |"
        for name, has in table(engines).items()
    ]


if __name__ == "__main__":
    print("\n".join(rows(("weasyprint", "plutoprint"))))
