"""Style sheets asked what is wrong with them: families that no font is of, fonts they bring along, and what an engine
that says nothing itself does not know.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from html import unescape
from typing import NamedTuple

import tinycss2
from tinycss2.ast import Node

from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.render import render_codes
from builder.render.engines.complaints import Complaint, brought, said, unknown
from builder.render.fonts import compared
from builder.render.html.icons import FAMILY

GENERIC = frozenset({
    "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace",
    "ui-rounded", "math", "emoji", "fangsong", FAMILY,
})  # fmt: skip
"""Names that ask for no family of that name, and the icons: a pack without any may be written to have some."""

WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})

_IGNORED = re.compile(r"/\*.*?(?:\*/|\Z)|@font-face\s*\{[^}]*\}", re.DOTALL | re.IGNORECASE)
_DECLARED = re.compile(r"(?<![\w-])font(?:-family)?\s*:[^;{}]*", re.IGNORECASE)

_STYLES = re.compile(
    r"""<style[^>]*>(.*?)</style>|\sstyle=(?:"([^"]*)"|'([^']*)')""", re.DOTALL | re.IGNORECASE
)


class Support(NamedTuple):
    """What an engine can: rules that begin with an @, properties, and why it does not take a declaration, by its name
    and its parsed value, or selectors, which have no name, or the questions of `@media`; nothing where it does."""

    rules: frozenset[str]
    properties: frozenset[str]
    refuse: Callable[[str, Iterable[Node]], str]


def style_findings(
    file: str,
    sheet: str,
    heard: Iterable[Complaint],
    known: Collection[str],
    *,
    only_heard: bool = False,
) -> Iterator[Finding]:
    """What the engine complained of in a style sheet, and families it names that are not among those known."""
    for each in heard:
        line, column = each.at or (_brought_line(sheet, each.font), None)
        yield each.finding(Location(file=file, line=line, column=column))
    if not only_heard:
        yield from _unknown(file, sheet, known)


def _brought_line(sheet: str, font: str) -> int | None:
    """The line of a style sheet in which it brings along a font; None where there is no such font."""
    found = (
        re.search(rf"@font-face\s*\{{[^}}]*{re.escape(font)}", sheet, re.IGNORECASE)
        if font
        else None
    )
    return sheet.count("\n", 0, found.start()) + 1 if found else None


def _unknown(file: str, sheet: str, known: Collection[str]) -> Iterator[Finding]:
    """Families that a style sheet names and no font is of."""
    text = _IGNORED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), sheet)
    told: set[str] = set()
    for found in _DECLARED.finditer(text):
        for family in families(found[0]):
            if (
                family.lower() not in GENERIC
                and compared(family) not in known
                and family not in told
            ):
                told.add(family)
                place = Location(file=file, line=text.count("\n", 0, found.start()) + 1)
                yield render_codes.FAMILY.finding(
                    _("no font is of the family {family}", family=family), place
                )


@lru_cache(maxsize=1000)
def families(declaration: str) -> tuple[str, ...]:
    """The families in a declaration of `font-family` or, after the size, of `font`."""
    read = tinycss2.parse_one_declaration(declaration)
    if read.type != "declaration":
        return ()
    named: list[list[Node]] = [[]]
    for token in read.value:
        if token == ",":
            named.append([])
        elif token.type not in ("whitespace", "comment"):
            named[-1].append(token)
    if read.lower_name == "font":
        sizes = [at for at, token in enumerate(named[0]) if token.type not in ("ident", "string")]
        named[0] = named[0][sizes[-1] + 1 :] if sizes else []
    if any(token.type not in ("ident", "string") for name in named for token in name):
        return ()
    names = (" ".join(token.value for token in name) for name in named)
    return tuple(name for name in names if name and name.lower() not in WIDE)


def dropped(sheet: str, engine: Support) -> Iterator[Complaint]:
    """What an engine leaves out of a style sheet that knows these rules, in the reference engine's words."""
    yield from _dropped(
        tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), engine
    )


def dropped_within(html: str, engine: Support) -> Iterator[Complaint]:
    """What an engine leaves out of a document's own styles."""
    for sheet, one, other in _STYLES.findall(html):
        if sheet:
            yield from dropped(unescape(sheet), engine)
        yield from _within(one or other, engine)


@lru_cache(maxsize=1000)
def _within(style: str, engine: Support) -> tuple[Complaint, ...]:
    """What an engine leaves out of an element's own style."""
    return tuple(_declarations(unescape(style), engine))


def _dropped(items: Iterable[Node], engine: Support) -> Iterator[Complaint]:
    for item in items:
        if item.type == "error":
            yield said(
                render_codes.CSS,
                f"Parse error at {item.source_line}:{item.source_column}: {item.message}",
            )
        elif item.type == "at-rule" and item.lower_at_keyword not in engine.rules:
            yield said(
                render_codes.CSS,
                f"Unknown rule @{item.at_keyword} at {item.source_line}:{item.source_column}",
            )
        elif item.type == "at-rule" and item.lower_at_keyword == "font-face":
            declared = tinycss2.parse_blocks_contents(item.content or ())
            names = [
                each.value
                for each in declared
                if each.type == "declaration" and each.lower_name == "font-family"
            ]
            family = tinycss2.serialize(names[0]).strip(" \"'") if names else ""
            yield brought(family)
        elif item.type == "at-rule" and item.lower_at_keyword == "media":
            if why := engine.refuse("@media", item.prelude):
                asked = f"@media {tinycss2.serialize(item.prelude).strip()}"
                yield said(
                    render_codes.CSS,
                    f"Ignored rule `{asked}` at {item.source_line}:{item.source_column}, {why}.",
                )
            yield from _dropped(tinycss2.parse_rule_list(item.content or (), True, True), engine)
        elif item.type == "qualified-rule" and (why := engine.refuse("", item.prelude)):
            text = tinycss2.serialize(item.prelude).strip()
            yield said(
                render_codes.CSS,
                f"Ignored rule `{text}` at {item.source_line}:{item.source_column}, {why}.",
            )
        elif item.type == "qualified-rule" or item.content is not None:
            yield from _declarations(item.content, engine)


def _declarations(content: str | Iterable[Node], engine: Support) -> Iterator[Complaint]:
    """Declarations of a rule that an engine leaves out."""
    for item in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if item.type == "error":
            yield said(
                render_codes.CSS,
                f"Parse error at {item.source_line}:{item.source_column}: {item.message}",
            )
        elif item.type == "qualified-rule":
            yield said(
                render_codes.CSS, f"Unknown nested rule at {item.source_line}:{item.source_column}"
            )
        elif item.type == "declaration" and (why := engine.refuse(item.lower_name, item.value)):
            text = tinycss2.serialize(item.value).strip()
            told = (
                f"Ignored `{item.name}: {text}` at {item.source_line}:{item.source_column}, {why}."
            )
            unheard = item.lower_name not in engine.properties
            yield (
                unknown(told, item.name, engine.properties)
                if unheard
                else said(render_codes.CSS, told)
            )
