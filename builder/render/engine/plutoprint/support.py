"""What CSS the engine knows: it leaves out the rest without a word."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from builder.render import codes
from builder.render.engine.complaints import Complaint, said


def _names(text: str) -> frozenset[str]:
    """The names in a text, each `{a,b}` standing for either of its parts."""
    found = set()
    for word in text.split():
        pieces = [piece.split(",") for piece in word.replace("}", "{").split("{")]
        found |= {"".join(parts) for parts in product(*pieces)}
    return frozenset(found)


PROPERTIES = _names("""
    align-{content,items,self} alignment-baseline aspect-ratio baseline-shift box-sizing caption-side clear
    clip{,-path,-rule}
    background{,-attachment,-clip,-color,-image,-origin,-position,-repeat,-size}
    border{,-top,-right,-bottom,-left}{,-color,-style,-width}
    border-{block,inline}{,-start,-end}{,-color,-style,-width}
    border-{collapse,radius,spacing} border-{top,bottom}-{left,right}-radius border-{start,end}-{start,end}-radius
    break-{after,before,inside} {column,page}-break-{after,before,inside} color
    column{s,-count,-fill,-gap,-span,-width} column-rule{,-color,-style,-width}
    content counter-{increment,reset,set} cx cy direction display dominant-baseline empty-cells fill{,-opacity,-rule}
    flex{,-basis,-direction,-flow,-grow,-shrink,-wrap} float
    font{,-family,-feature-settings,-kerning,-size,-stretch,-style,-variation-settings,-weight}
    font-variant{,-caps,-east-asian,-emoji,-ligatures,-numeric,-position} {,column-,row-}gap {,max-,min-}{height,width}
    {,max-,min-}{block,inline}-size hyphens inset{,-block,-inline}{,-start,-end} justify-content
    letter-spacing line-height list-style{,-image,-position,-type}
    {margin,padding}{,-top,-right,-bottom,-left} {margin,padding}-{block,inline}{,-start,-end}
    marker{,-end,-mid,-start} mask{,-type} mix-blend-mode object-{fit,position} opacity order orphans
    outline{,-color,-offset,-style,-width} overflow{,-wrap} page paint-order position quotes r rx ry size
    stop-{color,opacity} stroke{,-dasharray,-dashoffset,-linecap,-linejoin,-miterlimit,-opacity,-width} tab-size
    table-layout text-{align,anchor,indent,orientation,overflow,transform} text-decoration{,-color,-line,-style}
    top right bottom left transform{,-origin} unicode-bidi vector-effect vertical-align visibility white-space widows
    word-{break,spacing} writing-mode x y z-index
""")
"""Properties; besides these any that begin with two dashes, or with the engine's own name."""

RULES = frozenset({"charset", "font-face", "import", "media", "namespace", "page", "counter-style"})
"""Rules that begin with an @."""

KEYWORDS = {
    "display": _names(
        "none block inline {,inline-}{block,flex,table} list-item "
        "table-{caption,cell,column,column-group,row,row-group,header-group,footer-group}"
    ),
    "position": _names("static relative absolute fixed running"),
    "overflow": _names("visible hidden auto scroll"),
    "float": _names("left right none"),
}
"""All words that some properties take, besides those that any takes."""

ANYWHERE = _names("inherit initial unset")
FUNCTIONS = _names(
    "attr calc clamp counter{,s} format hsl{,a} local matrix max min qrcode rgb{,a} rotate scale{,X,Y} skew{,X,Y} "
    "target-counter{,s} translate{,X,Y} url var rect"
)
"""Functions; those that reckon without percentages."""

RECKONING = frozenset({"calc", "clamp", "max", "min"})

_FILTER = re.compile(rb"<(fe[A-Z]\w*)|\sfilter=")


def filtered(drawing: bytes) -> Iterator[Complaint]:
    """What of a drawing is left out."""
    if found := _FILTER.search(drawing):
        yield said(codes.CSS, f"Unsupported filter {(found[1] or b'').decode()} of a drawing")


def refusal(name: str, value: Any) -> str:
    """Why the engine does not take a declaration, whose value is parsed; nothing where it does."""
    if name.startswith(("--", "-pluto-")):
        return ""
    if name not in PROPERTIES:
        return "unknown property"
    if any(_refused(token) for token in value):
        return "invalid value"
    words = [token.lower_value for token in value if token.type == "ident"]
    if name in KEYWORDS and not all(word in KEYWORDS[name] | ANYWHERE for word in words):
        return "invalid value"
    return ""


def _refused(token: Any) -> bool:
    """True for a function that the engine does not know."""
    if token.type != "function":
        return False
    percents = token.lower_name in RECKONING and any(each.type == "percentage" for each in token.arguments)
    known = {name.lower() for name in FUNCTIONS}
    return token.lower_name not in known or percents or any(map(_refused, token.arguments))
