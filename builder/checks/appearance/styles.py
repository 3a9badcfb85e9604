"""Checks that a style sheet closes what it opens, and that its numbers are not excessive."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import (
    MAX_CELL_SPAN,
    MAX_FINDINGS_PER_FILE,
    StyleSheet,
    TemplateFile,
    find_wide_spans,
)

UNCLOSED = define(
    "looks/unclosed",
    _(
        "A brace, bracket, quote or comment of a style sheet is not closed, or was never opened"
    ),
    _(
        "All following CSS rules are ignored without an error, and the cards look wrong."
    ),
    _("Add the missing character, or remove the extra one."),
)
TOO_MUCH = define(
    "looks/too-much",
    _("A drawing, style sheet or template exceeds a limit"),
    _(
        "A few words can create millions of shapes, boxes or colours. Rendering them would "
        "take hours or all memory."
    ),
    _("Use a smaller number or fewer copies."),
)

# comments and strings are tokens, so that brackets inside them do not count
TOKENS = re.compile(
    r"""/\*.*?(?:\*/|\Z) | "(?:[^"\\\n]|\\.)*["\n]? | '(?:[^'\\\n]|\\.)*['\n]?
    | url\(\s*[^"'()\s][^()"']*\) | \\. | [][(){}]""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
CLOSING = {"{": "}", "(": ")", "[": "]"}
MAX_BRACKET_DEPTH = 64
"""Levels of brackets: more is a slip or an attack."""
MAX_TRACKS = 1000
"""Tracks, columns or lines of a grid."""
MAX_LENGTH_MM = 10_000
"""Mm: ten metres."""
MAX_WORDS_OF_VALUE = 10_000
"""Words that a value comes to once all its variables are put in."""
MIN_STRIPE_MM = 0.05
"""Mm: colours that repeat in a shorter stretch cannot be seen, and there are too many of them."""
MAX_RULE_DEPTH = 12
"""Rules within rules."""
MAX_SELECTORS = 10_000
"""The maximum number of selectors after nested rules are expanded."""
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
# CSS comments do not nest: the first `*/` ends a comment.
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_REPEAT = re.compile(r"\brepeat\(\s*(\d+)", re.IGNORECASE)
# properties whose numbers are lines or columns
_LINES = re.compile(
    r"(?<![\w-])(?:grid-(?:row|column|area)[\w-]*|column-count|columns)\s*:([^;{}]*)",
    re.IGNORECASE,
)
# A number that is part of a name, a color or a decimal fraction is no number of tracks.
_WHOLE_NUMBER = re.compile(r"(?<![\w.#-])-?(\d+)(?![\w.%])")
_LENGTH = re.compile(
    r"(?<![\w#.-])([\d.]+(?:e[+]?\d+)?)(px|pt|pc|mm|cm|in|q|em)\b", re.IGNORECASE
)
_PART = re.compile(
    r"(?<![\w#.-])([\d.]+(?:e[+-]?\d+)?)(%|(?:px|pt|pc|mm|cm|in|q|em)\b)", re.IGNORECASE
)
# properties whose lengths make a box or the page larger
_REACH = re.compile(
    r"(?<![\w-])((?:min-|max-)?(?:height|width|block-size|inline-size)|margin[\w-]*|padding[\w-]*|top|bottom|left|right"
    r"|inset[\w-]*|font-size|line-height|(?:row-|column-)?gap|size)\s*:([^;{}]*)",
    re.IGNORECASE,
)
_STRIPED = re.compile(r"\brepeating-\w+-gradient\((.*)", re.IGNORECASE)
# In the shorthand `background`, the size of the tiles follows a slash.
_TILED = re.compile(
    r"(?<![\w-])(?:background|mask)(?:-size\s*:|\s*:[^;{}]*?/(?=[\s\d.]))([^;{}]*)",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"(?<![\w-])(--[\w-]+)\s*:([^;{}]*)")
_USED = re.compile(r"\bvar\(\s*(--[\w-]+)", re.IGNORECASE)


def check(sheet: StyleSheet | TemplateFile) -> Iterator[Finding]:
    """Check a style sheet for unclosed brackets and excessive numbers.

    Of a template, check the cell spans.
    """
    if isinstance(sheet, TemplateFile):
        for name, number, offset in islice(
            find_wide_spans(sheet.text), MAX_FINDINGS_PER_FILE
        ):
            form = _("{name} {number}; maximum {most}")
            message = _(form, name=name, number=number, most=MAX_CELL_SPAN)
            yield TOO_MUCH.finding(message, sheet.locate_offset(offset))
        return
    unclosed = tuple(_find_unclosed(sheet))
    yield from unclosed
    if not unclosed:
        # comments become spaces, so that all offsets stay
        text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), sheet.text)
        findings = chain(
            _find_too_many_tracks(sheet, text),
            _find_too_long_lengths(sheet, text),
            _find_too_narrow_stripes(sheet, text),
            _find_too_deep_nesting(sheet, text),
            _find_exploding_variables(sheet, text),
        )
        yield from islice(findings, MAX_FINDINGS_PER_FILE)


def _find_unclosed(sheet: StyleSheet) -> Iterator[Finding]:
    """Report the first bracket, quote or comment without a partner. Others may follow from it."""
    opened = []
    for match in TOKENS.finditer(sheet.text):
        token = match[0]
        offset = match.start()
        if token in CLOSING:
            opened.append((token, offset))
            if len(opened) > MAX_BRACKET_DEPTH:
                form = _("brackets are nested more than {most} levels deep")
                yield TOO_MUCH.finding(
                    _(form, most=MAX_BRACKET_DEPTH), sheet.locate_offset(offset)
                )
                return
        elif token in CLOSING.values():
            if not opened or CLOSING[opened[-1][0]] != token:
                yield _report_wrong_bracket(sheet, token, offset, opened)
                return
            opened.pop()
        elif _is_open_comment(token) or _is_open_string(token):
            yield _report_unclosed(sheet, token, offset)
            return
    if opened:
        yield _report_unclosed(sheet, *opened[-1])


def _report_wrong_bracket(
    sheet: StyleSheet, token: str, offset: int, open_brackets: Sequence[tuple[str, int]]
) -> Finding:
    """Report a closing bracket that does not match the last opening one."""
    # A brace that closes a rule shows that a bracket inside the rule was not closed.
    if token == "}" and any(opening == "{" for opening, _offset in open_brackets):
        return _report_unclosed(sheet, *open_brackets[-1])
    message = _("{sign} has no opening character before it", sign=token)
    return UNCLOSED.finding(message, sheet.locate_offset(offset))


def _report_unclosed(sheet: StyleSheet, token: str, offset: int) -> Finding:
    """Report an opening bracket, quote or comment that is never closed."""
    opening = "/*" if token.startswith("/*") else token[0]
    message = _("{sign} is never closed", sign=opening)
    return UNCLOSED.finding(message, sheet.locate_offset(offset))


def _is_open_comment(token: str) -> bool:
    return token.startswith("/*") and not (token.endswith("*/") and len(token) > 3)


def _is_open_string(token: str) -> bool:
    return token[0] in "\"'" and (len(token) < 2 or token[-1] != token[0])


def _find_too_many_tracks(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    numbers = [(match[1], match.start(1)) for match in _REPEAT.finditer(text)]
    for match in _LINES.finditer(text):
        start = match.start(1)
        matches = _WHOLE_NUMBER.finditer(match[1])
        numbers += [(number[1], start + number.start(1)) for number in matches]
    for number, offset in numbers:
        # Python refuses to read a number of thousands of digits
        if len(number) > 9 or int(number) > MAX_TRACKS:
            form = _("{number} tracks or lines; maximum {most}")
            message = _(form, number=number[:12], most=MAX_TRACKS)
            yield TOO_MUCH.finding(message, sheet.locate_offset(offset))


def _find_too_long_lengths(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    for match in _REACH.finditer(text):
        for length in _LENGTH.finditer(match[2]):
            mm = _convert_to_mm(length)
            if mm > MAX_LENGTH_MM:
                form = _("{property} is {far:g} m; maximum {most:g} m")
                message = _(
                    form, property=match[1], far=mm / 1000, most=MAX_LENGTH_MM / 1000
                )
                offset = match.start(2) + length.start()
                yield TOO_MUCH.finding(message, sheet.locate_offset(offset))


# Stripes are as wide as their largest stop, while tiles are as small as their shorter side.
def _find_too_narrow_stripes(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    stripes = _("stripes of {width:g} mm; minimum {least:g} mm")
    tiles = _("tiles of {width:g} mm; minimum {least:g} mm")
    # stripes repeat at their last stop, tiles in both directions
    for pattern, form, widest in ((_STRIPED, stripes, max), (_TILED, tiles, min)):
        for match in pattern.finditer(text):
            parts = _PART.finditer(match[1].partition(";")[0])
            widths = [width for width in map(_convert_to_mm, parts) if width > 0]
            if widths and widest(widths) < MIN_STRIPE_MM:
                message = _(form, width=widest(widths), least=MIN_STRIPE_MM)
                yield TOO_MUCH.finding(message, sheet.locate_offset(match.start()))


def _find_too_deep_nesting(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    """Report nested CSS rules that expand to too many selectors."""
    counts = []
    start = 0
    for match in TOKENS.finditer(text):
        if match[0] == "{":
            selector = text[
                max(start, text.rfind(";", start, match.start())) : match.start()
            ]
            counts.append((selector.count(",") + 1) * max(1, selector.count("&")))
            # a rule in no other one has as many selectors as it lists
            has_too_many = len(counts) > 1 and math.prod(counts) > MAX_SELECTORS
            if has_too_many or len(counts) > MAX_RULE_DEPTH:
                place = sheet.locate_offset(match.start())
                yield TOO_MUCH.finding(_("rules are nested too deeply"), place)
                return
        elif match[0] == "}":
            counts.pop()
        if match[0] in "{}":
            start = match.end()


def _convert_to_mm(length: re.Match[str]) -> float:
    """Return a CSS length in mm. Relative units are converted as in typical card text."""
    try:
        return float(length[1]) * _MM[length[2].lower()]
    except ValueError:  # several points
        return 0.0


def _find_exploding_variables(sheet: StyleSheet, text: str) -> Iterator[Finding]:
    """Report CSS variables that expand to too many words because they contain each other."""
    definitions: dict[str, re.Match[str]] = {}
    for match in _VARIABLE.finditer(text):
        # which definition wins depends on the elements, so the longest counts
        if match[1] not in definitions or len(definitions[match[1]][2]) < len(match[2]):
            definitions[match[1]] = match
    sizes: dict[str, int] = {}
    for name, match in definitions.items():
        size = _count_words_of_variable(name, definitions, sizes, ())
        if size > MAX_WORDS_OF_VALUE:
            form = _(
                "{name} has more than {most} words after its variables are replaced"
            )
            message = _(form, name=name, most=MAX_WORDS_OF_VALUE)
            yield TOO_MUCH.finding(message, sheet.locate_offset(match.start(1)))
            return


def _count_words_of_variable(
    name: str,
    definitions: dict[str, re.Match[str]],
    sizes: dict[str, int],
    outer_names: tuple[str, ...],
) -> int:
    """Return how many words a CSS variable has after all variables in it are replaced."""
    if len(outer_names) > MAX_BRACKET_DEPTH:
        return MAX_WORDS_OF_VALUE + 1
    # CSS makes a variable that contains itself invalid
    if name in outer_names or name not in definitions:
        return 1
    if name not in sizes:
        value = definitions[name][2]
        size = len(value.split())
        for variable in _USED.findall(value):
            size += _count_words_of_variable(
                variable, definitions, sizes, (*outer_names, name)
            )
        sizes[name] = min(size, MAX_WORDS_OF_VALUE + 1)
    return sizes[name]
