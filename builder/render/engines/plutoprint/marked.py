"""A copy of a face that shows where its boxes stand.

The engine tells nothing of its boxes. But colours never move one: in the copy each element has a colour of its own,
for its content box, its outline and the lines above and below its letters, so that the copy's drawing tells them all;
letters themselves are left out. What the style sheets declare of an element, and its drawing would not tell (whether
its height is fixed, whether it is placed absolutely), rides along as custom properties, through the engine's own
cascade, and comes out as the width of the outline.
"""

import re
from collections.abc import Callable, Sequence
from html import unescape
from typing import NamedTuple

from builder.render.engines.measured import DECLARED, MARKUP, VOID
from builder.render.html.icons import FAMILY

_ATTRIBUTE = r"""\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
_CLASS = re.compile(rf"\sclass{_ATTRIBUTE}", re.IGNORECASE)
_STYLE = re.compile(rf"\sstyle{_ATTRIBUTE}", re.IGNORECASE)
_CLOSED_BY_ITSELF = frozenset(
    {"dd", "dt", "li", "option", "p", "tbody", "td", "tfoot", "th", "thead", "tr"}
)
_INLINE = frozenset(
    {
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "br",
        "cite",
        "code",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
    }
    | {
        "label",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "svg",
        "tt",
        "u",
        "var",
    }
)
_TABLE = frozenset({"caption", "col", "colgroup", "table", "tbody", "tfoot", "thead", "tr"})
_CELLS = frozenset({"td", "th"})
_CELL_END = re.compile(r"<(?:/?(?:td|th|tr|tbody|table)\b)", re.IGNORECASE)
_MAX_QUOTED_LENGTH = 200
"""Characters of an element's contents that are kept to quote its text."""
_BLOCK_END = re.compile(r"</(?:div|p|li|h[1-6]|dd|dt|section)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>?")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DECLARED = re.compile(
    r"(?<![\w-])(position|height|block-size|max-height|max-block-size|top|bottom|inset|inset-block|float|display|font|"
    r"font-family|font-style|transform|background(?:-color|-image)?|border(?:-top|-right|-bottom|-left)?(?:-width|-style)?)"
    r"\s*:\s*([^;{}!]*)(![^;{}]*)?(?=[;}]|$)",
    re.IGNORECASE,
)
_VALUE = r"""\s*:(?:"[^"]*"|'[^']*'|\([^)]*\)|[^;{}"'(])*"""
_PAINTED = (
    (
        re.compile(
            r"(?<![\w-])(?:background(?:-[a-z]+)?|border(?:-[a-z]+)*-radius|clip-path|color|fill|mask(?:-[a-z]+)?|"
            rf"mix-blend-mode|opacity|outline(?:-[a-z]+)?|stroke|text-decoration(?:-[a-z]+)?){_VALUE};?",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"(?<![\w-])overflow(-[xy])?\s*:[^;{}!]*", re.IGNORECASE), "overflow:visible"),
    (
        re.compile(r"(?<![\w-])transform\s*:\s*(?!none)[^;{}!]*", re.IGNORECASE),
        "transform:translate(0,0)",
    ),
    (re.compile(r"(?<![\w-])visibility\s*:\s*hidden", re.IGNORECASE), "visibility:visible"),
)
"""What is painted otherwise in the copy, and what would keep letters from being drawn where they were laid out."""

POSITION, HEIGHT, LIMIT, TOP, BOTTOM, FLOAT, ICONS, PAINT, UPRIGHT = (
    1,
    2,
    4,
    8,
    16,
    32,
    64,
    128,
    256,
)
TRANSFORM, DISPLAY = 512, 1024
"""What an outline's width is made of; above these the display."""
UNIT = 0.125
"""Pixels of an outline that stand for 1: the engine begins another page for one that reaches far below the first."""

INLINE, BLOCK, FLEX, TABLE, CELL = 1, 2, 3, 4, 5
"""Displays; a block is anything else, a table any part of one but a cell."""

_FLAGS = {
    "position": POSITION,
    "height": HEIGHT,
    "limit": LIMIT,
    "top": TOP,
    "bottom": BOTTOM,
    "float": FLOAT,
}
_FLAGS |= {"icons": ICONS, "transform": TRANSFORM, "display": DISPLAY}
_GROUND = frozenset({"background", "background-color", "background-image"})
_NAMES: dict[str, tuple[str, ...]] = {
    "block-size": ("height",),
    "max-height": ("limit",),
    "max-block-size": ("limit",),
}
_NAMES |= {"inset": ("top", "bottom"), "inset-block": ("top", "bottom")}
_NAMES |= {
    "font": ("icons", "upright", "slanted"),
    "font-family": ("icons", "upright"),
    "font-style": ("slanted",),
}
_FIRST_FAMILY = re.compile(rf"[^,]*?(?<![\w-])['\"]?{FAMILY}['\"]?\s*(?:,|$)")
_SLANTED = re.compile(r"(?:(?:[a-z-]+|\d+)\s+)*?(?:italic|oblique)(?![\w-])")
_NOTHING = re.compile(
    r"auto|none|static|relative|sticky|initial|unset|revert|transparent|0(?:[a-z]+)?(?:\s|$)"
)

_SIDES = tuple(f"border-{side}" for side in ("top", "right", "bottom", "left"))
_PAINTS = ("ground", *_SIDES)
_UNSET = (*_PAINTS, *(name for name in _FLAGS if name != "icons"))
_BEFORE = "html{--m-icons:0;--m-upright:0;--m-slanted:0}address,cite,dfn,em,i,var{--m-slanted:1}"
_BEFORE += f"*{{{';'.join(f'--m-{name}:0' for name in _UNSET)}}}"
_EACH = ":not(#m):not(#m)"
_LETTERS = "color:transparent!important;text-decoration:underline overline var(--m)!important;"
_AFTER = (
    "@page{-pluto-page-scale:1}"
    f"{_EACH}{{{_LETTERS}background-color:var(--m)!important;background-clip:content-box!important;"
    "border-color:transparent!important;outline:solid var(--m)!important;"
    f"outline-width:calc({' + '.join(f'{flag * UNIT}px*var(--m-{name})' for name, flag in _FLAGS.items())} + "
    f"{PAINT * UNIT}px*max({','.join(f'var(--m-{name})' for name in _PAINTS)}) + "
    f"{UPRIGHT * UNIT}px*var(--m-upright)*var(--m-slanted))!important}}"
    "img,svg{visibility:hidden!important}"
)
_MADE = re.compile(
    r":(?:before|after|marker)|list-(?:style|item)|<(?:q|style|summary)\b", re.IGNORECASE
)
MADE = ",".join(f"{_EACH}::{name}" for name in ("before", "after", "marker"))
MADE += f"{{{_LETTERS}background:none!important;border-color:transparent!important;outline:none!important}}"
"""What a copy's style sheet says besides where the style makes letters: it costs a fifth of the time of a layout."""


class Element(NamedTuple):
    """An element of a face: its tag, classes, the number of the element it stands in (0 for the body), the block and
    the panel that it is declared as and to stand in, and how its contents begin.
    """

    tag: str
    classes: str
    parent: int
    block: str = ""
    panel: str = ""
    contents: str = ""

    @property
    def text(self) -> str:
        """Its text as a finding quotes it."""
        end = (
            _CELL_END.search(self.contents)
            if self.tag in _CELLS
            else _BLOCK_END.search(self.contents)
        )
        contents = self.contents[: end.start()] if end else self.contents
        return " ".join(unescape(_TAG.sub("", contents)).split())

    @property
    def display(self) -> int:
        """Its display where no style sheet tells another."""
        if self.tag in _CELLS:
            return CELL
        return INLINE if self.tag in _INLINE else TABLE if self.tag in _TABLE else BLOCK


Upright = Callable[[str], bool]
"""Tells of a declaration of `font` or `font-family` whether what it names has no italic."""


def makes_letters(text: str) -> bool:
    """True for style sheets, or HTML, by which letters may come about that stand in no element."""
    return _MADE.search(text) is not None


def marked_sheet(sheets: Sequence[str], upright: Upright) -> str:
    """The style sheets of a copy."""
    return "\n".join((_BEFORE, *(_flagged(sheet, upright) for sheet in sheets), _AFTER))


def _flagged(css: str, upright: Upright) -> str:
    css = _DECLARED.sub(lambda match: _with_flag(match, upright), _COMMENT.sub("", css))
    for pattern, instead in _PAINTED:
        css = pattern.sub(instead, css)
    return css


def _with_flag(match: re.Match[str], upright: Upright) -> str:
    """A declaration, and after it what it says as custom properties."""
    name, value = match[1].lower(), match[2].strip().lower()
    if value == "inherit":
        said = "inherit"
    elif name == "display":
        if value == "table-cell":
            said = "5"
        else:
            said = (
                "1"
                if value == "inline"
                else "3"
                if value.endswith("flex")
                else "4"
                if "table" in value
                else "2"
            )
    else:
        said = "0" if _NOTHING.match(value) else "1"
    names = _NAMES.get(name, (name,))
    if name in _GROUND:
        names = ("ground",)
    elif name.startswith("border"):
        names = tuple(side for side in _SIDES if side in name) or _SIDES
    flags = dict.fromkeys(names, said)
    if name.startswith("font") and value != "inherit":
        icons, slanted = _FIRST_FAMILY.match(value), _SLANTED.match(value)
        held = {"icons": icons, "slanted": slanted, "upright": upright(f"{name}:{value}")}
        flags = {flag: "1" if held[flag] else "0" for flag in flags}
    return match[0] + "".join(f";--m-{flag}:{said}{match[3] or ''}" for flag, said in flags.items())


def marked(html: str, upright: Upright) -> tuple[str, list[Element]]:
    """The copy of a face, its elements marked; drawings are left empty."""
    elements, opened, parts = [Element("body", "", 0)], [0], list[str]()
    at = drawings = 0
    for match in MARKUP.finditer(html):
        tag, ends = (match[2] or "").lower(), bool(match[1])
        if not drawings:
            parts.append(html[at : match.start()])
        at = match.end()
        if drawings:
            drawings += (tag == "svg" and not match[3].endswith("/")) * (-1 if ends else 1)
            continue
        if not tag or ends:
            opened = _closed(opened, elements, tag)
            parts.append(match[0])
            continue
        if tag in _CLOSED_BY_ITSELF and elements[opened[-1]].tag == tag:
            opened.pop()
        parts.append(f"<{match[2]}{_coloured(match[3], len(elements), upright)}>")
        classes = _CLASS.search(match[3])
        said = dict(DECLARED.findall(match[3]))
        named = _value_of(classes) if classes else ""
        contents = html[match.end() : match.end() + _MAX_QUOTED_LENGTH]
        elements.append(
            Element(tag, named, opened[-1], said.get("block", ""), said.get("in", ""), contents)
        )
        if tag == "svg":
            drawings = int(not match[3].endswith("/"))
            parts.append("</svg>" * drawings)
        elif tag not in VOID:
            opened.append(len(elements) - 1)
    return "".join((*parts, html[at:])), elements


def _closed(opened: list[int], elements: Sequence[Element], tag: str) -> list[int]:
    """The open elements after an end tag."""
    for place in range(len(opened) - 1, 0, -1):
        if elements[opened[place]].tag == tag:
            return opened[:place]
    return opened


def _value_of(attribute: re.Match[str]) -> str:
    return next((said for said in attribute.groups() if said is not None), "")


def mark_of(number: int) -> str:
    """How an element's colour is written down."""
    return f"--m:#{number:06x}"


def _coloured(attributes: str, number: int, upright: Upright) -> str:
    """An element's attributes with its colour."""
    mark, own = mark_of(number), _STYLE.search(attributes)
    if own is not None:
        quote = "'" if own[2] is not None else '"'
        style = f" style={quote}{mark};{_flagged(_value_of(own), upright)}{quote}"
        return attributes[: own.start()] + style + attributes[own.end() :]
    slash = "/" if attributes.endswith("/") else ""
    return f'{attributes.removesuffix("/")} style="{mark}"{slash}'
