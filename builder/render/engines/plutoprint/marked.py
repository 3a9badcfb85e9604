"""A copy of a face whose drawing shows where its boxes are.

The engine reports no positions of boxes. But colours never move a box. In the copy each element has
a colour of its own for its content box, its outline, and the lines above and below its letters; the
letters are not drawn.

Some declarations cannot be seen in a drawing, such as a fixed height or an absolute position. They
are custom properties in the copy. The engine's own cascade adds them up to the width of the
outline.
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
    [
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
    ]
)
_TABLE = frozenset(
    {"caption", "col", "colgroup", "table", "tbody", "tfoot", "thead", "tr"}
)
_CELLS = frozenset({"td", "th"})
_CELL_END = re.compile(r"<(?:/?(?:td|th|tr|tbody|table)\b)", re.IGNORECASE)
_MAX_QUOTED_LENGTH = 200
"""Characters of an element's contents that are kept to quote its text."""
_BLOCK_END = re.compile(r"</(?:div|p|li|h[1-6]|dd|dt|section)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>?")
"""A tag, or the beginning of one at which the kept contents end."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DECLARED = re.compile(
    r"(?<![\w-])(position|height|block-size|max-height|max-block-size|top|bottom|inset|inset-block|float|display|font|"
    r"font-family|font-style|transform|background(?:-color|-image)?|border(?:-top|-right|-bottom|-left)?(?:-width|-style)?)"
    r"\s*:\s*([^;{}!]*)(![^;{}]*)?(?=[;}]|$)",
    re.IGNORECASE,
)
_VALUE = r"""\s*:(?:"[^"]*"|'[^']*'|\([^)]*\)|[^;{}"'(])*"""
"""A value: strings and brackets in it may hold a semicolon."""
_PAINTED = (
    (
        re.compile(
            r"(?<![\w-])(?:background(?:-[a-z]+)?|border(?:-[a-z]+)*-radius|clip-path|color|fill|mask(?:-[a-z]+)?|"
            rf"mix-blend-mode|opacity|outline(?:-[a-z]+)?|stroke|text-decoration(?:-[a-z]+)?){_VALUE};?",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(r"(?<![\w-])overflow(-[xy])?\s*:[^;{}!]*", re.IGNORECASE),
        "overflow:visible",
    ),
    (
        re.compile(r"(?<![\w-])transform\s*:\s*(?!none)[^;{}!]*", re.IGNORECASE),
        "transform:translate(0,0)",
    ),
    (
        re.compile(r"(?<![\w-])visibility\s*:\s*hidden", re.IGNORECASE),
        "visibility:visible",
    ),
)
"""Declarations that are replaced in the copy, because they change what is drawn or where letters
are drawn.
"""

POSITION = 1
HEIGHT = 2
LIMIT = 4
TOP = 8
BOTTOM = 16
FLOAT = 32
ICONS = 64
PAINT = 128
UPRIGHT = 256
TRANSFORM = 512
DISPLAY = 1024
"""Flags that add up to the width of an outline. The display is a multiple of DISPLAY."""
PIXELS_PER_FLAG_UNIT = 0.125
"""Width of an outline for a flag of 1. A wide outline would reach below the page and begin another
one.
"""

INLINE, BLOCK, FLEX, TABLE, CELL = 1, 2, 3, 4, 5
"""Displays. TABLE is any part of a table except a cell, BLOCK is everything else."""

_FLAGS = {
    "position": POSITION,
    "height": HEIGHT,
    "limit": LIMIT,
    "top": TOP,
    "bottom": BOTTOM,
    "float": FLOAT,
    "icons": ICONS,
    "transform": TRANSFORM,
    "display": DISPLAY,
}
_BACKGROUND = frozenset({"background", "background-color", "background-image"})
_FLAGS_BY_PROPERTY: dict[str, tuple[str, ...]] = {
    "block-size": ("height",),
    "max-height": ("limit",),
    "max-block-size": ("limit",),
    "inset": ("top", "bottom"),
    "inset-block": ("top", "bottom"),
    "font": ("icons", "upright", "slanted"),
    "font-family": ("icons", "upright"),
    "font-style": ("slanted",),
}
"""The flags of properties that are not called like their flag."""
_FIRST_FAMILY = re.compile(rf"[^,]*?(?<![\w-])['\"]?{FAMILY}['\"]?\s*(?:,|$)")
"""The family of icons at the first place of a list."""
_SLANTED = re.compile(r"(?:(?:[a-z-]+|\d+)\s+)*?(?:italic|oblique)(?![\w-])")
"""An italic among the words before the size."""
_NOTHING = re.compile(
    r"auto|none|static|relative|sticky|initial|unset|revert|transparent|0(?:[a-z]+)?(?:\s|$)"
)

_SIDES = ("border-top", "border-right", "border-bottom", "border-left")
_PAINTS = ("ground", *_SIDES)
_UNSET = (*_PAINTS, *(name for name in _FLAGS if name != "icons"))
_BEFORE = "html{--m-icons:0;--m-upright:0;--m-slanted:0}address,cite,dfn,em,i,var{--m-slanted:1}"
_BEFORE += f"*{{{';'.join(f'--m-{name}:0' for name in _UNSET)}}}"
_EVERY_ELEMENT = ":not(#m):not(#m)"
"""A selector of all elements with the weight of two ids, to outweigh the rules of packs."""
_LETTERS = (
    "color:transparent!important;text-decoration:underline overline var(--m)!important;"
)
_FLAG_WIDTHS = [
    f"{flag * PIXELS_PER_FLAG_UNIT}px*var(--m-{name})" for name, flag in _FLAGS.items()
]
_PAINT_FLAGS = ",".join(f"var(--m-{name})" for name in _PAINTS)
_AFTER = (
    "@page{-pluto-page-scale:1}"
    f"{_EVERY_ELEMENT}{{{_LETTERS}background-color:var(--m)!important;background-clip:content-box!important;"
    "border-color:transparent!important;outline:solid var(--m)!important;"
    f"outline-width:calc({' + '.join(_FLAG_WIDTHS)} + "
    f"{PAINT * PIXELS_PER_FLAG_UNIT}px*max({_PAINT_FLAGS}) + "
    f"{UPRIGHT * PIXELS_PER_FLAG_UNIT}px*var(--m-upright)*var(--m-slanted))!important}}"
    "img,svg{visibility:hidden!important}"
)
_GENERATED_TEXT = re.compile(
    r":(?:before|after|marker)|list-(?:style|item)|<(?:q|style|summary)\b",
    re.IGNORECASE,
)
GENERATED_TEXT_RULES = (
    ",".join(f"{_EVERY_ELEMENT}::{name}" for name in ("before", "after", "marker"))
    + f"{{{_LETTERS}background:none!important;border-color:transparent!important;"
    "outline:none!important}"
)
"""Rules that a copy needs only if its style generates text. They make layout 20 % slower."""


class Element(NamedTuple):
    """An HTML element of a face, with the color that identifies it in the measuring copy.

    `parent` is the number of the element around it (0 for the body). `block` and `panel` are the
    declared block and its panel. `contents` is the beginning of its HTML.
    """

    tag: str
    classes: str
    parent: int
    block: str = ""
    panel: str = ""
    contents: str = ""

    @property
    def text(self) -> str:
        """The text as a finding quotes it."""
        pattern = _CELL_END if self.tag in _CELLS else _BLOCK_END
        end = pattern.search(self.contents)
        contents = self.contents[: end.start()] if end else self.contents
        return " ".join(unescape(_TAG.sub("", contents)).split())

    @property
    def display(self) -> int:
        """The display of the tag if no style sheet declares another."""
        if self.tag in _CELLS:
            return CELL
        if self.tag in _INLINE:
            return INLINE
        return TABLE if self.tag in _TABLE else BLOCK


LacksItalic = Callable[[str], bool]
"""True for a declaration of `font` or `font-family` whose family has no italic."""


def generates_text(text: str) -> bool:
    """Return True if CSS or HTML may create text that is in no element, such as list markers."""
    return _GENERATED_TEXT.search(text) is not None


def mark_style_sheets(sheets: Sequence[str], lacks_italic: LacksItalic) -> str:
    """Return style sheets for the measuring copy, whose properties leave marks in the drawing."""
    sheets_with_flags = [_add_flags(sheet, lacks_italic) for sheet in sheets]
    return "\n".join((_BEFORE, *sheets_with_flags, _AFTER))


def _add_flags(css: str, lacks_italic: LacksItalic) -> str:
    """Return CSS with flags for declared properties, and without colors and decoration."""
    # Declarations in comments must not count.
    css = _COMMENT.sub("", css)
    css = _DECLARED.sub(
        lambda match: _add_flags_to_declaration(match, lacks_italic), css
    )
    for pattern, replacement in _PAINTED:
        css = pattern.sub(replacement, css)
    return css


def _add_flags_to_declaration(match: re.Match[str], lacks_italic: LacksItalic) -> str:
    """Return a CSS declaration followed by custom properties that flag it."""
    name = match[1].lower()
    value = match[2].strip().lower()
    priority = match[3] or ""
    flags = dict.fromkeys(_list_flags(name), _find_flag_value(name, value))
    if name.startswith("font") and value != "inherit":
        is_set = {
            "icons": bool(_FIRST_FAMILY.match(value)),
            "slanted": bool(_SLANTED.match(value)),
            "upright": lacks_italic(f"{name}:{value}"),
        }
        flags = {flag: "1" if is_set[flag] else "0" for flag in flags}
    text = match[0]
    for flag, flag_value in flags.items():
        text += f";--m-{flag}:{flag_value}{priority}"
    return text


def _list_flags(name: str) -> tuple[str, ...]:
    """Return the custom properties that flag a CSS property."""
    if name in _BACKGROUND:
        return ("ground",)
    if name.startswith("border"):
        return tuple(side for side in _SIDES if side in name) or _SIDES
    return _FLAGS_BY_PROPERTY.get(name, (name,))


def _find_flag_value(name: str, value: str) -> str:
    """Return the number by which a flag encodes the value of a CSS property."""
    if value == "inherit":
        return "inherit"
    if name != "display":
        return "0" if _NOTHING.match(value) else "1"
    if value == "table-cell":
        return str(CELL)
    if value == "inline":
        return str(INLINE)
    if value.endswith("flex"):
        return str(FLEX)
    return str(TABLE) if "table" in value else str(BLOCK)


def mark_face(html: str, lacks_italic: LacksItalic) -> tuple[str, list[Element]]:
    """Return the measuring copy of a face, and its elements.

    Drawings are empty in the copy.
    """
    copy = _FaceCopy(html, lacks_italic)
    for match in MARKUP.finditer(html):
        copy.add_markup(match)
    return "".join((*copy.parts, html[copy.position :])), copy.elements


class _FaceCopy:
    """Builds the measuring copy of a face from its HTML, tag by tag."""

    def __init__(self, html: str, lacks_italic: LacksItalic) -> None:
        self.html = html
        self.lacks_italic = lacks_italic
        self.elements = [Element("body", "", 0)]
        self.open_numbers = [0]
        """Numbers of the elements that are open at the position."""
        self.parts: list[str] = []
        self.position = 0
        self.drawing_depth = 0

    def add_markup(self, match: re.Match[str]) -> None:
        """Copy the HTML up to the end of a tag, and give the element its identifying color.

        The contents of drawings are left out.
        """
        tag = (match[2] or "").lower()
        attributes = match[3] or ""
        is_end = bool(match[1])
        text = self.html[self.position : match.start()]
        self.position = match.end()
        if self.drawing_depth:
            if tag == "svg" and not attributes.endswith("/"):
                self.drawing_depth += -1 if is_end else 1
            return
        self.parts.append(text)
        # A comment has no tag.
        if not tag or is_end:
            self.open_numbers = _close_element(self.open_numbers, self.elements, tag)
            self.parts.append(match[0])
            return
        # Without an end tag, an item or a cell ends where the next one begins.
        if tag in _CLOSED_BY_ITSELF and self.elements[self.open_numbers[-1]].tag == tag:
            self.open_numbers.pop()
        number = len(self.elements)
        self.parts.append(
            f"<{match[2]}{_add_colour(attributes, number, self.lacks_italic)}>"
        )
        contents = self.html[self.position : self.position + _MAX_QUOTED_LENGTH]
        self.elements.append(
            _make_element(tag, attributes, self.open_numbers[-1], contents)
        )
        if tag == "svg":
            if not attributes.endswith("/"):
                self.drawing_depth = 1
                self.parts.append("</svg>")
        elif tag not in VOID:
            self.open_numbers.append(number)


def _make_element(tag: str, attributes: str, parent: int, contents: str) -> Element:
    match = _CLASS.search(attributes)
    classes = _get_value(match) if match else ""
    declared = dict(DECLARED.findall(attributes))
    block = declared.get("block", "")
    panel = declared.get("in", "")
    return Element(tag, classes, parent, block, panel, contents)


def _close_element(
    open_numbers: list[int], elements: Sequence[Element], tag: str
) -> list[int]:
    """Return the numbers of the elements that are still open after an end tag."""
    # The innermost element of this name ends, and all inside it.
    for index in range(len(open_numbers) - 1, 0, -1):
        if elements[open_numbers[index]].tag == tag:
            return open_numbers[:index]
    return open_numbers


def _get_value(attribute: re.Match[str]) -> str:
    """Return the value of an HTML attribute, with or without quotes."""
    return next((value for value in attribute.groups() if value is not None), "")


def format_mark(number: int) -> str:
    """Return the CSS property with the color that identifies an element."""
    return f"--m:#{number:06x}"


def _add_colour(attributes: str, number: int, lacks_italic: LacksItalic) -> str:
    """Return the attributes of an element with its identifying color added."""
    mark = format_mark(number)
    style = _STYLE.search(attributes)
    if style is not None:
        # Between single quotes, a value may hold double ones.
        quote = "'" if style[2] is not None else '"'
        declarations = _add_flags(_get_value(style), lacks_italic)
        marked_style = f" style={quote}{mark};{declarations}{quote}"
        return attributes[: style.start()] + marked_style + attributes[style.end() :]
    slash = "/" if attributes.endswith("/") else ""
    return f'{attributes.removesuffix("/")} style="{mark}"{slash}'
