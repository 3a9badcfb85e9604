"""Small drawings and style sheets by which tools/engine_support.py measures engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

SIDE_MM = 25.4
"""The side of the square page on which a case is drawn."""


class Case(NamedTuple):
    """A feature: what it belongs to, its value, and bodies of HTML with and without it.

    `ID` begins each id.
    """

    key: str
    value: str
    body: str
    plain_body: str
    is_text: bool = False
    reference: str = ""
    """What the browser draws instead of the body, where it cannot do by itself what the feature
    does.
    """


SVG = (
    '<svg width="96" height="96" viewBox="0 0 20 20"><defs>'
    '<mask id="IDm"><rect width="20" '
    'height="20" '
    'fill="#000"/><circle cx="9" '
    'cy="9" r="4" '
    'fill="#fff"/></mask>'
    '<clipPath id="IDc"><circle cx="9" cy="9" r="4"/></clipPath>'
    '<clipPath id="IDe"><path clip-rule="evenodd" d="M2 2H18V18H2ZM6 6H12V12H6Z"/></clipPath>'
    '<filter id="IDf"><feOffset dx="5" dy="4"/></filter>'
    '<marker id="IDk" markerWidth="4" markerHeight="4" '
    'refX="2" '
    'refY="2"><circle '
    'cx="2" cy="2" '
    'r="2"/></marker>'
    '<linearGradient id="IDl"><stop offset="0" stop-color="#00f"/><stop offset="1" stop-color="#0f0"/></linearGradient>'
    '<pattern id="IDp" width="3" height="3" patternUnits="userSpaceOnUse"><circle r="2" fill="#06c"/></pattern>'
    "{defs}</defs>{body}</svg>"
)
PIXELS = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4z8DAsICBiZHh/38NBgAZ/gPJq6IeLwAAAABJ"
    "RU5ErkJggg=="
)
PAINT = 'fill="#c00" stroke="#000" stroke-width="1.5"'
SHAPES = {
    "rect": f'<rect x="4" y="4" width="11" height="9" {PAINT}@/>',
    "circle": f'<circle cx="9" cy="9" r="6" {PAINT}@/>',
    "ellipse": f'<ellipse cx="9" cy="9" rx="7" ry="4" {PAINT}@/>',
    "line": f'<line x1="3" y1="4" x2="16" y2="12" {PAINT}@/>',
    "polyline": f'<polyline points="3,15 9,3 15,15" {PAINT}@/>',
    "polygon": f'<polygon points="3,15 9,3 15,15" {PAINT}@/>',
    "path": f'<path d="M3 3H12V8H7V5H15V15H3" {PAINT}@/>',
    "text": '<text x="3" y="13" font-family="Roboto" font-size="7" fill="#c00"@>Ab cd</text>',
    "tspan": '<text x="2" y="13" font-family="Roboto" font-size="7" fill="#c00">A<tspan@>b c</tspan>d</text>',
    "g": f'<g@><rect x="3" y="3" width="8" height="9" {PAINT}/><circle cx="12" cy="12" r="4" fill="#06c"/></g>',
    "use": '<defs><rect id="IDu" x="3" y="4" width="11" height="9"/></defs><use href="#IDu"@/>',
    "svg": f'<svg x="2" y="2" width="12" height="12"@><rect x="2" y="3" width="14" height="9" {PAINT}/></svg>',
    "image": f'<image x="3" y="3" width="12" height="9" preserveAspectRatio="none" href="{PIXELS}"@/>',
}
ATTRIBUTES = {
    "mask": ("url()", "url(#IDm)", ""),
    "clip-path": ("url()", "url(#IDc)", ""),
    "filter": ("url()", "url(#IDf)", ""),
    "opacity": ("number", ".3", ""),
    "fill-opacity": ("number", ".3", ""),
    "stroke-opacity": ("number", ".2", ' stroke="#000" stroke-width="3"'),
    "fill": ("color", "#0c0", ""),
    "stroke": ("color", "#0c0", ' stroke-width="2"'),
    "stroke-width": ("number", "4", ' stroke="#000"'),
    "stroke-dasharray": ("list", "2 2", ' stroke="#000"'),
    "stroke-dashoffset": (
        "number",
        "2",
        ' stroke="#000" stroke-width="3" stroke-dasharray="3 3"',
    ),
    "stroke-linecap": ("square", "square", ' stroke-width="5"'),
    "stroke-linejoin": ("round", "round", ' stroke-width="6"'),
    "stroke-miterlimit": ("number", "1", ' stroke-width="5"'),
    "fill-rule": ("evenodd", "evenodd", ""),
    "transform": ("rotate()", "rotate(25)", ""),
    "visibility": ("hidden", "hidden", ""),
    "display": ("none", "none", ""),
    "overflow": ("visible", "visible", ""),
    "paint-order": ("stroke", "stroke", ' stroke="#000" stroke-width="4"'),
    "vector-effect": ("non-scaling-stroke", "non-scaling-stroke", ' stroke="#000"'),
    "marker-start": ("url()", "url(#IDk)", ""),
    "marker-mid": ("url()", "url(#IDk)", ""),
    "marker-end": ("url()", "url(#IDk)", ""),
    "text-anchor": ("middle", "middle", ""),
    "letter-spacing": ("number", "1.5", ""),
    "word-spacing": ("number", "4", ""),
    "text-decoration": ("underline", "underline", ""),
    "font-weight": ("bold", "bold", ""),
    "font-style": ("italic", "italic", ""),
    "font-size": ("number", "11", ""),
    "textLength": ("number", "8", ""),
    "rotate": ("number", "40", ""),
    "dx": ("number", "4", ""),
    "dy": ("number", "4", ""),
    "dominant-baseline": ("hanging", "hanging", ""),
    "baseline-shift": ("super", "super", ""),
    "writing-mode": ("vertical-rl", "vertical-rl", ""),
    "image-rendering": ("pixelated", "pixelated", ""),
}
"""Attributes that many elements may have: the name of a value, the value, and what must be there
besides.
"""
STYLES = {
    "mix-blend-mode": ("multiply", '<rect width="20" height="20" fill="#fa0"/>'),
    "transform-origin": ("9px 9px", ""),
    "filter": ("blur(2px)", ""),
    "clip-path": ("circle(3px at 9px 9px)", ""),
}
"""Properties that an element's style may have: the value, and what lies below the element."""
STOPS = '<stop offset="0" stop-color="#f00"{0}/><stop offset="1" stop-color="#00f"{1}/>'
PAINTED_SHAPES = '<rect width="20" height="20" fill="#fd0"/><rect x="2" y="2" width="16" height="16" fill="url(#IDg)"/>'
FADING_STOPS = (
    '<stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#f80"{}/>'
)
PAINT_SERVERS = {
    "linearGradient": (
        '<linearGradient id="IDg"@>' + STOPS.format("", "") + "</linearGradient>",
        {
            "gradientTransform": ("rotate()", "rotate(60)", ""),
            "gradientUnits": ("userSpaceOnUse", "userSpaceOnUse", ' x1="2" x2="8"'),
            "spreadMethod": ("reflect", "reflect", ' x1="0" x2=".25"'),
            "spreadMethod ": ("repeat", "repeat", ' x1="0" x2=".25"'),
            "x1": ("number", ".6", ""),
            "y2": ("number", "1", ""),
        },
    ),
    "radialGradient": (
        '<radialGradient id="IDg"@>' + STOPS.format("", "") + "</radialGradient>",
        {
            "gradientTransform": ("scale()", "scale(.5)", ""),
            "gradientUnits": (
                "userSpaceOnUse",
                "userSpaceOnUse",
                ' cx="6" cy="6" r="5"',
            ),
            "spreadMethod": ("reflect", "reflect", ' r=".15"'),
            "spreadMethod ": ("repeat", "repeat", ' r=".15"'),
            "r": ("number", ".2", ""),
            "fx": ("number", ".2", ""),
            "fr": ("number", ".3", ""),
        },
    ),
    "pattern": (
        '<pattern id="IDg" width="4" height="4" patternUnits="userSpaceOnUse"@><circle cx="1" cy="1" r="1"/></pattern>',
        {
            "patternTransform": ("rotate()", "rotate(40) scale(1.7)", ""),
            "viewBox": ("list", "0 0 2 2", ""),
            "x": ("number", "2", ""),
        },
    ),
}
CONTAINER_ELEMENTS = {
    "mask": (
        '<mask id="IDg"@><rect width="20" height="20" fill="#000"/><circle cx="9" cy="9" r="5" fill="#fff"/></mask>',
        '<rect x="3" y="3" width="13" height="13" fill="#c00" mask="url(#IDg)"/>',
        {
            "maskContentUnits": (
                "objectBoundingBox",
                "objectBoundingBox",
                "",
            ),
            "mask-type": ("alpha", "alpha", ""),
        },
    ),
    "clipPath": (
        '<clipPath id="IDg"@><circle cx=".5" cy=".5" r=".3"/></clipPath>',
        '<rect x="3" y="3" width="13" height="13" fill="#c00" clip-path="url(#IDg)"/>',
        {"clipPathUnits": ("objectBoundingBox", "objectBoundingBox", "")},
    ),
    "marker": (
        '<marker id="IDg" markerWidth="5" markerHeight="5" refX="1" refY="2"@><path d="M0 0L4 2L0 4Z"/></marker>',
        '<path d="M4 4L14 15" stroke="#000" marker-end="url(#IDg)"/>',
        {
            "orient": ("auto", "auto", ""),
            "markerUnits": ("userSpaceOnUse", "userSpaceOnUse", ' viewBox="0 0 9 9"'),
            "viewBox": ("list", "0 0 9 9", ""),
        },
    ),
}
ELEMENTS = {
    "filter": (
        '<rect x="3" y="3" width="9" height="9" filter="url(#IDf)"/>',
        '<rect x="3" y="3" width="9" height="9"/>',
    ),
    "foreignObject": (
        '<foreignObject x="2" y="2" width="17" height="17"><p style="background:#c00">word</p></foreignObject>',
        "",
    ),
    "textPath": (
        '<path id="IDq" d="M2 15Q9 2 18 15" fill="none"/><text font-size="6" font-family="Roboto">'
        '<textPath href="#IDq">words</textPath></text>',
        '<path id="IDq" d="M2 15Q9 2 18 15" fill="none"/>',
    ),
    "symbol": (
        '<symbol id="IDs"><circle cx="9" cy="9" r="6"/></symbol><use href="#IDs"/>',
        "",
    ),
    "symbol viewBox": (
        '<symbol id="IDs" viewBox="0 0 4 4"><circle cx="2" cy="2" r="2"/></symbol><use href="#IDs"/>',
        '<symbol id="IDs"><circle cx="2" cy="2" r="2"/></symbol><use href="#IDs"/>',
    ),
    "switch": ('<switch><circle cx="9" cy="9" r="6"/></switch>', ""),
    "a": ('<a href="#x"><circle cx="9" cy="9" r="6"/></a>', ""),
    "style": (
        '<style>.IDz{fill:#0c0}</style><circle class="IDz" cx="9" cy="9" r="6"/>',
        '<circle cx="9" cy="9" r="6"/>',
    ),
    "pattern": ('<rect width="15" height="15" fill="url(#IDp)"/>', ""),
    "linearGradient": ('<rect width="15" height="15" fill="url(#IDl)"/>', ""),
}


def _drawing(body: str, defs: str = "") -> str:
    return SVG.replace("{defs}", defs).replace("{body}", body)


def drawing_cases() -> Iterator[Case]:
    """Return the cases of elements with attributes."""
    yield from _shape_cases()
    yield from _gradient_cases()
    yield from _holder_cases()


def _shape_cases() -> Iterator[Case]:
    """Return the cases of shapes with attributes and styles."""
    for element, shape in SHAPES.items():
        is_text = element in ("text", "tspan")
        for name, (value_name, value, besides) in ATTRIBUTES.items():
            # What a shape has already is replaced by what the case sets.
            bare = shape
            for attribute in (
                name,
                *(part.partition("=")[0] for part in besides.split('" ')),
            ):
                bare = _without(bare, attribute.strip())
            with_it, without = (
                bare.replace("@", part, 1)
                for part in (f'{besides} {name}="{value}"', besides)
            )
            yield Case(
                f"svg {element} {name}",
                value_name,
                _drawing(with_it),
                _drawing(without),
                is_text,
            )
        for name, (value, below) in STYLES.items():
            turned = "transform:rotate(40deg);" if name == "transform-origin" else ""
            styled = (f' style="{turned}{name}:{value}"', f' style="{turned}"')
            with_it, without = (
                _drawing(below + shape.replace("@", part, 1)) for part in styled
            )
            yield Case(
                f"svg {element} {name}",
                f"{value.partition('(')[0]}()" if "(" in value else value,
                with_it,
                without,
            )


def _gradient_cases() -> Iterator[Case]:
    """Return the cases of gradients, their colours, and patterns."""
    for element, (definition, attributes) in PAINT_SERVERS.items():
        for name, (value_name, value, besides) in attributes.items():
            parts = (f'{besides} {name.strip()}="{value}"', besides)
            with_it, without = (
                _drawing(PAINTED_SHAPES, definition.replace("@", part))
                for part in parts
            )
            yield Case(f"svg {element} {name.strip()}", value_name, with_it, without)
    for gradient in ("linearGradient", "radialGradient"):
        for name, value, value_name in (
            ("stop-opacity", "0", "0"),
            ("stop-opacity", ".5", "number"),
            ("stop-color", "#0c0", "color"),
        ):
            below = PAINTED_SHAPES.replace("#fd0", "#124")
            stops = (FADING_STOPS.format(f' {name}="{value}"'), FADING_STOPS.format(""))
            with_it, without = (
                _drawing(below, f'<{gradient} id="IDg">{part}</{gradient}>')
                for part in stops
            )
            yield Case(f"svg {gradient}/stop {name}", value_name, with_it, without)


def _holder_cases() -> Iterator[Case]:
    """Return the cases of masks, clips and markers, and of whole elements."""
    for element, (definition, body, attributes) in CONTAINER_ELEMENTS.items():
        for name, (value_name, value, besides) in attributes.items():
            parts = (f'{besides} {name}="{value}"', besides)
            with_it, without = (
                _drawing(body, definition.replace("@", part)) for part in parts
            )
            yield Case(f"svg {element} {name}", value_name, with_it, without)
    for element, (with_it, without) in ELEMENTS.items():
        yield Case(
            f"svg {element}",
            "",
            _drawing(with_it),
            _drawing(without),
            element == "textPath",
        )


def _without(shape: str, attribute: str) -> str:
    """Return a shape without an attribute."""
    head, found, tail = shape.partition(f' {attribute}="')
    return head + tail.partition('"')[2] if found else shape


WORDS = "Some words of rules that break into many lines, and more words below."
LONG_WORDS = "extraordinarily incomprehensible characterization responsibilities"
TEXT = f'<div class="CLASS">{WORDS}</div>'
THREE_PARAGRAPHS = '<div class="CLASS"><p class="k1">one</p><p class="k2">two two</p><p class="k3">three</p></div>'
TABLE = '<table class="CLASS"><tr><td class="k1">one</td><td>two</td></tr><tr><td></td><td>4</td></tr></table>'
PICTURE = f'<img class="CLASS" src="{PIXELS}" alt="">'
SMALL_TYPE = "font-size:5pt;background:#eee;"
SOFT_HYPHENS = "ex&shy;tra&shy;or&shy;di&shy;nar&shy;i&shy;ly in&shy;com&shy;pre&shy;hen&shy;si&shy;ble char&shy;ac&shy;ter"
PROPERTIES = {
    # Text.
    (
        TEXT,
        SMALL_TYPE,
    ): """text-shadow:1mm 1mm red | text-decoration:underline | text-decoration:underline wavy red
        | text-indent:4mm | text-transform:uppercase | text-align:right | text-align:justify | text-align-last:right
        | letter-spacing:.5mm | word-spacing:2mm | line-height:2 | font-weight:bold | font-style:italic
        | font-variant-caps:small-caps | font-feature-settings:"smcp" | font-size:9pt | direction:rtl | color:red
        | writing-mode:vertical-rl | text-emphasis:dot | -webkit-text-stroke:.4mm red | -webkit-text-fill-color:red
        | columns:2 | column-count:2 | opacity:.3 | transform:rotate(20deg) | rotate:20deg | scale:.5 | translate:4mm
        | filter:blur(1mm) | filter:invert(1) | backdrop-filter:invert(1) | clip-path:circle(4mm)
        | mask-image:linear-gradient(#000,transparent) | -webkit-mask-image:linear-gradient(#000,transparent)
        | -webkit-transform:rotate(20deg) | -webkit-filter:invert(1) | -webkit-opacity:.3 | -webkit-column-count:2
        | -webkit-columns:2 | -webkit-clip-path:circle(4mm) | -webkit-border-radius:4mm | -webkit-box-reflect:below
        | -webkit-box-shadow:1mm 1mm red | -webkit-font-smoothing:antialiased | -webkit-print-color-adjust:exact
        | -webkit-user-select:none | -webkit-tap-highlight-color:red | -webkit-text-size-adjust:none
        | -webkit-box-sizing:border-box | -webkit-hyphens:auto | -webkit-writing-mode:vertical-rl
        | box-shadow:1mm 1mm red | border-radius:4mm | border:1mm solid red | outline:1mm solid red | padding:2mm
        | margin:3mm | width:9mm | height:5mm | max-width:8mm | min-height:15mm | visibility:hidden | display:none
        | background:red | background:linear-gradient(red,blue) | background:radial-gradient(red,blue)
        | background:conic-gradient(red,blue) | background:repeating-linear-gradient(red,blue 2mm)
        | border-image:linear-gradient(red,blue) 1 | position:relative | zoom:2 | user-select:none | cursor:pointer
        | float:right | word-break:break-all | white-space:nowrap | text-wrap:balance | font-stretch:condensed""",
    (
        TEXT,
        f"{SMALL_TYPE}width:9mm;",
    ): "overflow-wrap:anywhere | word-break:break-all | aspect-ratio:1",
    (
        f'<div class="CLASS">{LONG_WORDS}</div>',
        f"{SMALL_TYPE}width:9mm;",
    ): """overflow-wrap:anywhere
        | overflow-wrap:break-word | word-break:break-all | overflow:hidden | text-overflow:ellipsis""",
    (
        TEXT,
        f"{SMALL_TYPE}overflow:hidden;white-space:nowrap;",
    ): "text-overflow:ellipsis",
    (
        TEXT,
        f"{SMALL_TYPE}position:absolute;left:1mm;width:16mm;height:17mm;",
    ): """columns:2 | column-count:2
        | column-width:7mm | top:4mm | inset:5mm | z-index:-1 | bottom:0 | right:0""",
    (TEXT, f"{SMALL_TYPE}float:left;width:17mm;"): "columns:2 | column-count:2",
    (
        TEXT,
        f"{SMALL_TYPE}display:inline-block;width:17mm;",
    ): "columns:2 | column-count:2 | vertical-align:bottom",
    (
        TEXT,
        f"{SMALL_TYPE}columns:2;",
    ): """column-gap:5mm | column-rule:1mm solid red | column-fill:auto""",
    (
        TEXT,
        f"{SMALL_TYPE}width:9mm;overflow:hidden;height:6mm;",
    ): "overflow:visible | overflow:clip",
    # Boxes in a row or a grid.
    (
        THREE_PARAGRAPHS,
        f"{SMALL_TYPE}display:flex;height:15mm;",
    ): """gap:2mm | flex-direction:column | flex-direction:row-reverse
        | justify-content:space-between | justify-content:center | align-items:center | align-items:flex-end
        | flex-wrap:wrap | justify-content:space-evenly""",
    (
        THREE_PARAGRAPHS,
        SMALL_TYPE,
    ): """display:flex | display:grid | display:inline-flex | display:inline-block | display:table
        | display:contents | columns:2 | list-style:square""",
    (
        THREE_PARAGRAPHS,
        f"{SMALL_TYPE}display:grid;height:15mm;",
    ): """grid-template-columns:1fr 1fr | gap:2mm
        | justify-items:center | align-items:end | place-items:center | align-content:end | grid-auto-flow:column""",
    # Tables and pictures.
    (
        TABLE,
        SMALL_TYPE,
    ): """border-collapse:collapse | border-spacing:3mm | width:100% | caption-side:bottom""",
    (
        PICTURE,
        "width:9mm;height:4mm;",
    ): """object-fit:contain | object-fit:cover | image-rendering:pixelated
        | border-radius:2mm | opacity:.3 | transform:rotate(30deg) | clip-path:circle(1mm) | filter:invert(1)
        | mix-blend-mode:difference""",
    (
        f'<div style="background:#06c">{TEXT}</div>',
        "color:#fa0;font-size:9pt;font-weight:bold;",
    ): """mix-blend-mode:difference
        | background-clip:text | isolation:isolate""",
    (
        TEXT,
        "font-size:9pt;font-weight:bold;background:linear-gradient(red,blue);color:transparent;",
    ): """background-clip:text
        | -webkit-background-clip:text""",
    (
        THREE_PARAGRAPHS,
        f"{SMALL_TYPE}background:linear-gradient(red,blue),#0c0;",
    ): "background-blend-mode:difference",
}
"""Bodies with a style, and declarations that are tried on them."""
CONTEXTS = (
    *(("position:absolute", "absolute"), ("float:", "float")),
    *(("display:inline-block", "inline-block"), ("display:grid", "grid")),
)
"""Styles that make a box be laid out another way: the same property is measured for each."""


def css_cases() -> Iterator[Case]:
    """Return the cases of properties with values."""
    for (body, style), declarations in PROPERTIES.items():
        context = next((name for part, name in CONTEXTS if part in style), "")
        is_text = "<img" not in body
        for declaration in declarations.split("|"):
            name, _colon, value = declaration.strip().partition(":")
            bodies = (
                f"<style>.IDx{{{style}{part}}}</style>{body.replace('CLASS', 'IDx')}"
                for part in (declaration.strip(), "")
            )
            with_it, without = bodies
            key = f"css {name}@{context}" if context else f"css {name}"
            yield Case(key, " ".join(value.split()), with_it, without, is_text)
    # The browser has no dictionary: soft hyphens stand for what it should find.
    plain, hyphened = (
        f'<div style="{SMALL_TYPE}width:9mm;{{}}">{words}</div>'
        for words in (LONG_WORDS, SOFT_HYPHENS)
    )
    yield Case(
        "css hyphens",
        "auto",
        plain.format("hyphens:auto"),
        plain.format(""),
        True,
        hyphened.format(""),
    )
