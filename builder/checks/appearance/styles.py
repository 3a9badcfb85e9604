"""A style sheet closes what it opens; it and templates ask for no more boxes, tracks and values than a card holds."""

import math
import re
from collections.abc import Iterator
from itertools import chain, islice

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import SPANS, TOLD, StyleSheet, TemplateFile, wide_spans

UNCLOSED = define(
    "looks/unclosed",
    _("A brace, bracket, quote or comment of a style sheet is not closed, or closes nothing"),
    _(
        "All rules that follow are swallowed or dropped without a word, and the cards look otherwise than was meant."
    ),
    _("Close it where it ends, or take it out."),
)
TOO_MUCH = define(
    "looks/too-much",
    _("A drawing, style sheet or template asks for more than any card can hold"),
    _(
        "A few words can stand for millions of shapes, boxes or colours: setting would take hours or all memory."
    ),
    _("Use a smaller number, or fewer copies; write out what is meant."),
)

TOKENS = re.compile(
    r"""/\*.*?(?:\*/|\Z) | "(?:[^"\\\n]|\\.)*["\n]? | '(?:[^'\\\n]|\\.)*['\n]?
    | url\(\s*[^"'()\s][^()"']*\) | \\. | [][(){}]""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
CLOSING = {"{": "}", "(": ")", "[": "]"}
DEEP = 64
"""Levels of brackets: more is a slip or an attack."""
MANY = 1000
"""Tracks, columns or lines of a grid."""
LONG = 10_000
"""Mm: ten metres."""
VALUES = 10_000
"""Words that a value comes to once all its variables are put in."""
NARROW = 0.05
"""Mm: colours that repeat in a shorter stretch cannot be seen, and there are too many of them."""
NESTED = 12
"""Rules within rules."""
SELECTORS = 10_000
"""What the selectors of nested rules come to once each is joined to those around it."""
_MM = {
    "%": 1,
    "px": 25.4 / 96,
    "pt": 25.4 / 72,
    "pc": 25.4 / 6,
    "mm": 1,
    "cm": 10,
    "in": 25.4,
    "q": 0.25,
    "em": 3,
}
_REPEAT = re.compile(r"\brepeat\(\s*(\d+)", re.IGNORECASE)
_LINES = re.compile(
    r"(?<![\w-])(?:grid-(?:row|column|area)[\w-]*|column-count|columns)\s*:([^;{}]*)", re.IGNORECASE
)
_WHOLE = re.compile(r"(?<![\w.#-])-?(\d+)(?![\w.%])")
_LENGTH = re.compile(r"(?<![\w#.-])([\d.]+(?:e[+]?\d+)?)(px|pt|pc|mm|cm|in|q|em)\b", re.IGNORECASE)
_PART = re.compile(
    r"(?<![\w#.-])([\d.]+(?:e[+-]?\d+)?)(%|(?:px|pt|pc|mm|cm|in|q|em)\b)", re.IGNORECASE
)
_REACH = re.compile(
    r"(?<![\w-])((?:min-|max-)?(?:height|width|block-size|inline-size)|margin[\w-]*|padding[\w-]*|top|bottom|left|right"
    r"|inset[\w-]*|font-size|line-height|(?:row-|column-)?gap|size)\s*:([^;{}]*)", re.IGNORECASE)  # fmt: skip
_STRIPED = re.compile(r"\brepeating-\w+-gradient\((.*)", re.IGNORECASE)
_TILED = re.compile(
    r"(?<![\w-])(?:background|mask)(?:-size\s*:|\s*:[^;{}]*?/(?=[\s\d.]))([^;{}]*)", re.IGNORECASE
)
_VARIABLE = re.compile(r"(?<![\w-])(--[\w-]+)\s*:([^;{}]*)")
_USED = re.compile(r"\bvar\(\s*(--[\w-]+)", re.IGNORECASE)


def check(sheet: StyleSheet | TemplateFile) -> Iterator[Finding]:
    """What is open at the end first: what stands in it is not what its author meant. Of a template the spans of cells
    that are written as they stand; those that are worked out are looked at when they are.
    """
    if isinstance(sheet, TemplateFile):
        for name, number, offset in islice(wide_spans(sheet.text), TOLD):
            message = _(
                "{name} {number}; {most} are the most", name=name, number=number, most=SPANS
            )
            yield TOO_MUCH.finding(message, sheet.at(offset))
        return
    unclosed = tuple(_unclosed(sheet))
    yield from unclosed
    if not unclosed:
        text = re.sub(
            r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found[0]), sheet.text, flags=re.DOTALL
        )
        excess = (_too_many, _too_long, _too_narrow, _too_deep, _variables)
        yield from islice(chain.from_iterable(each(sheet, text) for each in excess), TOLD)


def _unclosed(sheet: StyleSheet) -> Iterator[Finding]:
    """The first thing that has no partner: what follows may only come of it."""
    open_at: list[tuple[str, int]] = []
    for found in TOKENS.finditer(sheet.text):
        sign = found[0]
        if sign in CLOSING:
            open_at.append((sign, found.start()))
            if len(open_at) > DEEP:
                yield TOO_MUCH.finding(
                    _("brackets are nested more than {most} deep", most=DEEP),
                    sheet.at(found.start()),
                )
                return
        elif sign in CLOSING.values():
            if not open_at or CLOSING[open_at[-1][0]] != sign:
                # A brace that closes a rule says that a bracket in it was forgotten.
                inner = open_at and sign == "}" and any(each == "{" for each, _unused in open_at)
                sign, place = open_at[-1] if inner else (sign, found.start())
                form = (
                    _("{sign} is opened and never closed")
                    if inner
                    else _("{sign} closes what was never opened")
                )
                yield UNCLOSED.finding(_(form, sign=sign), sheet.at(place))
                return
            open_at.pop()
        elif (sign.startswith("/*") and not (sign.endswith("*/") and len(sign) > 3)) or (
            sign[0] in "\"'" and (len(sign) < 2 or sign[-1] != sign[0])
        ):
            opened = sign[:2] if sign.startswith("/*") else sign[0]
            yield UNCLOSED.finding(
                _("{sign} is opened and never closed", sign=opened), sheet.at(found.start())
            )
            return
    for sign, place in open_at[-1:]:
        yield UNCLOSED.finding(_("{sign} is opened and never closed", sign=sign), sheet.at(place))


def _too_many(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    numbers = [(found[1], found.start(1)) for found in _REPEAT.finditer(text)]
    for found in _LINES.finditer(text):
        numbers += [
            (number[1], found.start(1) + number.start(1)) for number in _WHOLE.finditer(found[1])
        ]
    for number, offset in numbers:
        if len(number) > 9 or int(number) > MANY:
            form = _("{number} tracks or lines; {most} are the most")
            yield TOO_MUCH.finding(_(form, number=number[:12], most=MANY), sheet.at(offset))


def _too_long(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    for found in _REACH.finditer(text):
        for length in _LENGTH.finditer(found[2]):
            if (mm := _mm(length)) > LONG:
                form = _("{property}: {far:g} m; {most:g} m are the most")
                message = _(form, property=found[1], far=mm / 1000, most=LONG / 1000)
                yield TOO_MUCH.finding(message, sheet.at(found.start(2) + length.start()))


def _too_narrow(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    stripes = _("stripes of {width:g} mm; {least:g} mm are the least")
    tiles = _("tiles of {width:g} mm; {least:g} mm are the least")
    for pattern, form, widest in ((_STRIPED, stripes, max), (_TILED, tiles, min)):
        for found in pattern.finditer(text):
            widths = [
                mm for part in _PART.finditer(found[1].partition(";")[0]) if (mm := _mm(part)) > 0
            ]
            if widths and (width := widest(widths)) < NARROW:
                yield TOO_MUCH.finding(_(form, width=width, least=NARROW), sheet.at(found.start()))


def _too_deep(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    """Rules within rules, whose selectors multiply; `&` stands for all that are around it."""
    counts: list[int] = []
    start = 0
    for found in TOKENS.finditer(text):
        if found[0] == "{":
            selector = text[max(start, text.rfind(";", start, found.start())) : found.start()]
            counts.append((selector.count(",") + 1) * max(1, selector.count("&")))
            if len(counts) > NESTED or (len(counts) > 1 and math.prod(counts) > SELECTORS):
                yield TOO_MUCH.finding(_("rules are nested too deep"), sheet.at(found.start()))
                return
        elif found[0] == "}":
            counts.pop()
        if found[0] in "{}":
            start = found.end()


def _mm(length: re.Match[str]) -> float:
    """A length in mm, font sizes taken for those of ordinary text, boxes for those of a card."""
    try:
        return float(length[1]) * _MM[length[2].lower()]
    except ValueError:  # several points
        return 0.0


def _variables(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    """Variables that hold each other again and again."""
    stated: dict[str, re.Match[str]] = {}
    for found in _VARIABLE.finditer(text):
        if found[1] not in stated or len(stated[found[1]][2]) < len(found[2]):
            stated[found[1]] = found
    sizes: dict[str, int] = {}
    for name, found in stated.items():
        size = _size(name, stated, sizes, ())
        if size > VALUES:
            form = _("{name} comes to more than {most} words once the variables in it are put in")
            yield TOO_MUCH.finding(_(form, name=name, most=VALUES), sheet.at(found.start(1)))
            return


def _size(
    name: str, stated: dict[str, re.Match[str]], sizes: dict[str, int], within: tuple[str, ...]
) -> int:
    """So many words a variable comes to; one that holds itself holds nothing."""
    if name in within or name not in stated or len(within) > DEEP:
        return VALUES + 1 if len(within) > DEEP else 1
    if name not in sizes:
        value = stated[name][2]
        held = (_size(each, stated, sizes, (*within, name)) for each in _USED.findall(value))
        sizes[name] = min(len(value.split()) + sum(held), VALUES + 1)
    return sizes[name]
