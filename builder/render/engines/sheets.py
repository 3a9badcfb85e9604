"""Find faults in style sheets."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from html import unescape
from typing import NamedTuple

import tinycss2
from tinycss2.ast import Node

from builder.findings import Finding, Location, find_position
from builder.messages import gettext as _
from builder.render import render_codes
from builder.render.engines.complaints import (
    Complaint,
    quote_engine,
    report_font_face,
    report_unknown_property,
)
from builder.render.engines.support import STYLES
from builder.render.fonts import fold_family_name
from builder.render.html.icons import FAMILY

GENERIC_FAMILIES = frozenset(
    {
        "serif",
        "sans-serif",
        "monospace",
        "cursive",
        "fantasy",
        "system-ui",
        "ui-serif",
        "ui-sans-serif",
        "ui-monospace",
        "ui-rounded",
        "math",
        "emoji",
        "fangsong",
        FAMILY,
    }
)
"""Names that ask for no family of that name, and the icons: a pack without any may be written to
have some.
"""

GLOBAL_VALUES = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})

_IGNORED = re.compile(
    r"/\*.*?(?:\*/|\Z)|@font-face\s*\{[^}]*\}", re.DOTALL | re.IGNORECASE
)
_DECLARED = re.compile(r"(?<![\w-])font(?:-family)?\s*:[^;{}]*", re.IGNORECASE)


class Support(NamedTuple):
    """The CSS at-rules, properties and functions that an engine supports.

    `refuse` returns why the engine drops a declaration, by its name and parsed value. Empty if it
    does not. Selectors have no name, and queries of `@media` have the name `@media`.
    """

    rules: frozenset[str]
    properties: frozenset[str]
    functions: frozenset[str]
    refuse: Callable[[str, Iterable[Node]], str]


def find_style_problems(
    file: str,
    sheet: str,
    complaints: Iterable[Complaint],
    known_families: Collection[str],
    *,
    is_engine_only: bool = False,
) -> Iterator[Finding]:
    """Yield the engine's complaints about a style sheet as findings, and unknown families."""
    for complaint in complaints:
        line, column = complaint.at or (_find_font_line(sheet, complaint.font), None)
        yield complaint.finding(Location(file=file, line=line, column=column))
    if not is_engine_only:
        yield from _find_unknown_families(file, sheet, known_families)


def _find_font_line(sheet: str, font: str) -> int | None:
    """Return the line of the `@font-face` rule that loads a font, or None."""
    if not font:
        return None
    match = re.search(rf"@font-face\s*\{{[^}}]*{re.escape(font)}", sheet, re.IGNORECASE)
    return find_position(sheet, match.start()).line if match else None


def _find_unknown_families(
    file: str, sheet: str, known_families: Collection[str]
) -> Iterator[Finding]:
    """Report font families in a style sheet that no font has."""
    # Blanks in place of comments: so positions stay the same.
    text = _IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), sheet)
    reported: set[str] = set()
    for declaration in _DECLARED.finditer(text):
        for family in list_families(declaration[0]):
            is_known = fold_family_name(family) in known_families
            if is_known or family.lower() in GENERIC_FAMILIES or family in reported:
                continue
            reported.add(family)
            place = Location(
                file=file, line=find_position(text, declaration.start()).line
            )
            what = _("the font family {family} is unknown", family=family)
            yield render_codes.FAMILY.finding(what, place)


@lru_cache(maxsize=1000)
def list_families(declaration: str) -> tuple[str, ...]:
    """Return the font families in a declaration of `font-family` or `font`."""
    parsed = tinycss2.parse_one_declaration(declaration)
    if parsed.type != "declaration":
        return ()
    parts: list[list[Node]] = [[]]
    for token in parsed.value:
        if token == ",":
            parts.append([])
        elif token.type not in ("whitespace", "comment"):
            parts[-1].append(token)
    if parsed.lower_name == "font":
        parts[0] = _drop_up_to_size(parts[0])
    names: list[str] = []
    for tokens in parts:
        if not {token.type for token in tokens} <= {"ident", "string"}:
            return ()
        name = " ".join(token.value for token in tokens)
        if name and name.lower() not in GLOBAL_VALUES:
            names.append(name)
    return tuple(names)


def _drop_up_to_size(tokens: list[Node]) -> list[Node]:
    """Return the words after the font size in a value of `font`. Empty without a size."""
    # From the end, because families are words and strings, and a size is neither.
    for index in reversed(range(len(tokens))):
        if tokens[index].type not in ("ident", "string"):
            return tokens[index + 1 :]
    return []


def find_dropped_css(sheet: str, engine: Support) -> Iterator[Complaint]:
    """Find the declarations of a style sheet that the engine ignores."""
    items = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    yield from _find_dropped_rules(items, engine)


def find_dropped_inline_css(html: str, engine: Support) -> Iterator[Complaint]:
    """Find the declarations in `style` attributes that the engine ignores."""
    for sheet, double_quoted, single_quoted in STYLES.findall(html):
        if sheet:
            yield from find_dropped_css(unescape(sheet), engine)
        yield from _find_dropped_style(double_quoted or single_quoted, engine)


@lru_cache(maxsize=1000)
def _find_dropped_style(style: str, engine: Support) -> tuple[Complaint, ...]:
    """Find the declarations in one `style` attribute that the engine ignores."""
    return tuple(_find_dropped_declarations(unescape(style), engine))


def _find_dropped_rules(items: Iterable[Node], engine: Support) -> Iterator[Complaint]:
    for item in items:
        if item.type == "at-rule":
            yield from _find_dropped_of_at_rule(item, engine)
        elif item.type == "qualified-rule":
            yield from _find_dropped_of_rule(item, engine)
        elif item.type == "error":
            yield _report_parse_error(item)


def _report_parse_error(error: Node) -> Complaint:
    text = f"Parse error at {_format_position(error)}: {error.message}"
    return quote_engine(render_codes.CSS, text)


def _find_dropped_of_at_rule(rule: Node, engine: Support) -> Iterator[Complaint]:
    """Find the declarations inside an at-rule that the engine ignores."""
    name = rule.lower_at_keyword
    if name not in engine.rules:
        text = f"Unknown rule @{rule.at_keyword} at {_format_position(rule)}"
        yield replace(
            quote_engine(render_codes.CSS, text), feature=f"@{rule.at_keyword}"
        )
    elif name == "font-face":
        yield report_font_face(_get_family(rule))
    elif name == "media":
        reason = engine.refuse("@media", rule.prelude)
        if reason:
            text = f"@media {tinycss2.serialize(rule.prelude).strip()}"
            yield _report_ignored_rule(rule, text, reason)
        # True, True: without comments and spaces.
        inner_rules = tinycss2.parse_rule_list(rule.content or (), True, True)
        yield from _find_dropped_rules(inner_rules, engine)
    elif rule.content is not None:
        yield from _find_dropped_declarations(rule.content, engine)


def _get_family(font_face: Node) -> str:
    """Return the font family that a `@font-face` rule declares."""
    for item in tinycss2.parse_blocks_contents(font_face.content or ()):
        if item.type == "declaration" and item.lower_name == "font-family":
            return str(tinycss2.serialize(item.value)).strip(" \"'")
    return ""


def _find_dropped_of_rule(rule: Node, engine: Support) -> Iterator[Complaint]:
    """Find the declarations in a CSS rule that the engine ignores."""
    reason = engine.refuse("", rule.prelude)
    if reason:
        yield _report_ignored_rule(
            rule, tinycss2.serialize(rule.prelude).strip(), reason
        )
    else:
        yield from _find_dropped_declarations(rule.content, engine)


def _report_ignored_rule(rule: Node, text: str, reason: str) -> Complaint:
    message = f"Ignored rule `{text}` at {_format_position(rule)}, {reason}."
    return replace(quote_engine(render_codes.CSS, message), feature=text)


def _find_dropped_declarations(
    content: str | Iterable[Node], engine: Support
) -> Iterator[Complaint]:
    """Find the declarations in a rule's content that the engine ignores."""
    for item in tinycss2.parse_blocks_contents(
        content, skip_comments=True, skip_whitespace=True
    ):
        if item.type == "error":
            yield _report_parse_error(item)
        elif item.type == "qualified-rule":
            text = f"Unknown nested rule at {_format_position(item)}"
            yield replace(
                quote_engine(render_codes.CSS, text), feature=_("nesting of rules")
            )
        elif item.type == "declaration":
            reason = engine.refuse(item.lower_name, item.value)
            if reason:
                yield _report_ignored_declaration(item, reason, engine)


def _report_ignored_declaration(
    declaration: Node, reason: str, engine: Support
) -> Complaint:
    """Return the warning about a CSS declaration that the engine ignores."""
    name = declaration.name
    value = tinycss2.serialize(declaration.value).strip()
    message = f"Ignored `{name}: {value}` at {_format_position(declaration)}, {reason}."
    if declaration.lower_name not in engine.properties:
        return report_unknown_property(message, name, engine.properties)
    feature = f"{name}: {value}"
    for token in declaration.value:
        if token.type == "function" and token.lower_name not in engine.functions:
            feature = f"{token.name}()"
            break
    return replace(quote_engine(render_codes.CSS, message), feature=feature)


def _format_position(node: Node) -> str:
    return f"{node.source_line}:{node.source_column}"
