"""The measured support of drawings and style sheets by engines: what they drop without a message.

`python -m tools.engine_support` measures it: a small case with and without each feature, compared
with a browser's pictures. The results lie beside each engine's adapter, by the engine's version.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict, cast

import tinycss2
from tinycss2.ast import Node

from builder.cache import installed
from builder.findings import Position
from builder.messages import Message, gettext as _
from builder.render import render_codes
from builder.render.engines.complaints import Complaint
from builder.render.engines.measured import MARKUP, VOID

ENGINES_FOLDER = Path(__file__).parent
DROPPED, DRAWN_WRONG, NO_EFFECT = "dropped", "wrong", "no effect"
REPORTED_WHEN_WRONG = ("mask", "stop-opacity")
"""Attributes that are reported also where an engine draws them, but wrong: their drawings are
spoilt as a whole.
"""
MAX_REPORTED_PER_DRAWING = 6
"""Parts of one drawing that are named."""
Refuse: TypeAlias = Callable[[str, Iterable[Node]], str]
"""Returns the reason why an engine drops a declaration; empty if it draws it."""
VENDOR_PREFIXES = ("-webkit-", "-moz-", "-ms-", "-o-")

SVG_ELEMENT = re.compile(r"<svg\b.*?</svg\s*>", re.DOTALL | re.IGNORECASE)
STYLES = re.compile(
    r"""<style[^>]*>(.*?)</style>|\sstyle=(?:"([^"]*)"|'([^']*)')""",
    re.DOTALL | re.IGNORECASE,
)
"""A style sheet in a document, or the style of one element in double or in single quotes."""

_ATTRIBUTE = re.compile(r"""([a-zA-Z][\w:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_FUNCTION = re.compile(r"[a-z-]+(?=\()")
_WORD = re.compile(r"[a-z-]+$")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:%|[a-z]{0,4})$")
_LIST = re.compile(r"[-+.\d][-+.,\s\da-z%]*$")


class LostFeature(NamedTuple):
    """A part of a drawing that an engine omits or draws wrong.

    An attribute with its element, or an element.
    """

    element: str
    attribute: str
    is_wrong: bool
    offset: int

    @property
    def what(self) -> str:
        """The name of the feature in messages."""
        return (
            f"{self.attribute} of <{self.element}>"
            if self.attribute
            else f"<{self.element}>"
        )


@dataclass(frozen=True)
class EngineSupport:
    """The SVG features that one version of an engine draws correctly.

    `cases` holds the outcome of each value by feature.
    """

    engine: str
    version: str
    cases: Mapping[str, Mapping[str, str]]
    risky: re.Pattern[str] = field(init=False)
    """Finds whatever may be lost of a drawing: most drawings hold nothing of it and need not be
    read.
    """

    def __post_init__(self) -> None:
        names: set[str] = set()
        for feature, outcomes in self.cases.items():
            is_lost = not {DROPPED, DRAWN_WRONG}.isdisjoint(outcomes.values())
            if is_lost and feature.startswith("svg "):
                names.add(feature.split()[-1])
        # Without names, a pattern that matches nowhere.
        pattern = "|".join(map(re.escape, sorted(names))) or r"(?!)"
        object.__setattr__(self, "risky", re.compile(pattern))

    def find_lost(self, drawing: str) -> Iterator[LostFeature]:
        """Find the parts of a drawing that the engine omits or draws wrong, each once."""
        if not self.risky.search(drawing):
            return
        seen: set[tuple[str, str]] = set()
        open_elements: list[str] = []
        for match in MARKUP.finditer(drawing):
            name = (match[2] or "").rpartition(":")[2]
            if not name:
                continue
            if match[1]:
                # An end tag also ends elements inside it that lack their own.
                while open_elements and open_elements.pop() != name:
                    pass
                continue
            # A stop is measured in each kind of gradient.
            element = name
            if name == "stop" and open_elements:
                element = f"{open_elements[-1]}/{name}"
            if not match[3].endswith("/") and name not in VOID:
                open_elements.append(name)
            for lost in self._find_lost_of_element(element, match[3], match.start()):
                if (lost.element, lost.attribute) not in seen:
                    seen.add((lost.element, lost.attribute))
                    yield lost

    def _find_lost_of_element(
        self, element: str, attributes: str, offset: int
    ) -> Iterator[LostFeature]:
        """Find the features of one SVG element that the engine does not draw."""
        if self.cases.get(f"svg {element}", {}).get("") == DROPPED:
            yield LostFeature(element, "", False, offset)
        values = {
            name: first or second
            for name, first, second in _ATTRIBUTE.findall(attributes)
        }
        for declaration in values.pop("style", "").split(";"):
            name, _colon, value = declaration.partition(":")
            values[name.strip()] = value.strip()
        for name, value in values.items():
            outcome = self._get_outcome(f"svg {element} {name}", value.strip())
            if outcome == DROPPED or (
                outcome == DRAWN_WRONG and name in REPORTED_WHEN_WRONG
            ):
                yield LostFeature(
                    element.rpartition("/")[2], name, outcome == DRAWN_WRONG, offset
                )

    def _get_outcome(self, key: str, value: str) -> str:
        """Return how the engine treats an attribute with a value.

        "drawn" if that was not measured.
        """
        values = self.cases.get(key)
        # An engine that ignores opacity draws what is opaque correctly.
        if not values or (key.endswith("opacity") and value in ("1", "100%", "1.0")):
            return "drawn"
        return values.get(value) or values.get(classify_value(value)) or "drawn"

    def is_harmless(self, name: str) -> bool:
        """Return True for a CSS property that changes nothing in browsers either."""
        outcomes = self.cases.get(f"css {name}")
        return outcomes is not None and {*outcomes.values()} == {NO_EFFECT}

    def is_declaration_dropped(self, name: str, words: Iterable[str]) -> bool:
        """Return True if the engine drops this CSS property.

        Either with all values, or with one of these words and functions.
        """
        values = self.cases.get(f"css {name}", {})
        counted = {
            value: outcome for value, outcome in values.items() if outcome != NO_EFFECT
        }
        lost = {value for value, outcome in counted.items() if outcome == DROPPED}
        # One word that is dropped tells nothing of the others; a number or a length stands for all
        # of them.
        if lost and len(lost) == len(counted) and not all(map(_WORD.match, lost)):
            return True
        return any(word in map(_name_word, lost) for word in words)

    def are_columns_dropped(self, context: str) -> bool:
        """Return True if the engine drops columns in boxes with this layout.

        The layout is absolute, float or inline-block.
        """
        return self.cases.get(f"css columns@{context}", {}).get("2") == DROPPED


def _name_word(value: str) -> str:
    """Return the name of the CSS function in a value, or the value itself."""
    function = _FUNCTION.match(value)
    return function[0] if function else value


def classify_value(value: str) -> str:
    """Return the type of an attribute's value, as the measured cases name it.

    Url(), another function, number, list, or the word.
    """
    function = _FUNCTION.match(value)
    if function:
        return f"{function[0]}()"
    if _NUMBER.match(value):
        return "number"
    return "list" if _LIST.match(value) else value


class Measurement(TypedDict):
    """What one version of an engine draws: the outcome of each value, by feature."""

    reference: str
    cases: Mapping[str, Mapping[str, str]]


@cache
def _load_measurements(engine: str) -> dict[str, Measurement]:
    """Return the measurements of all versions of an engine."""
    path = ENGINES_FOLDER / engine / "support.json"
    # The measuring tool itself begins without a file.
    if not path.is_file():
        return {}
    return cast("dict[str, Measurement]", json.loads(path.read_text("utf-8")))


def is_measured(engine: str) -> bool:
    """Return True if the installed version of an engine was measured."""
    return installed(engine) in _load_measurements(engine)


@cache
def load_support(engine: str) -> EngineSupport:
    """Return the features that the installed version of an engine supports.

    If this version was not measured, use the latest measured one.
    """
    measured = _load_measurements(engine)
    version = installed(engine)
    if not measured:
        return EngineSupport(engine, version, {})
    measurement = measured.get(version) or measured[max(measured)]
    return EngineSupport(engine, version, measurement["cases"])


ENGINE_NAMES = {"weasyprint": "WeasyPrint", "plutoprint": "PlutoPrint"}


def format_lost_feature(support: EngineSupport, lost: LostFeature) -> Message:
    """Return the message about a part of a drawing that is omitted or drawn wrong."""
    form = _("{engine} does not draw {what}")
    if lost.is_wrong:
        form = _("{engine} draws {what} incorrectly")
    engine = ENGINE_NAMES.get(support.engine, support.engine)
    return _(form, engine=engine, what=lost.what)


def find_lost_in_drawing(drawing: str, support: EngineSupport) -> Iterator[Complaint]:
    """Find the parts of an SVG drawing that the engine omits or draws wrong."""
    for number, lost in enumerate(support.find_lost(drawing)):
        if number < MAX_REPORTED_PER_DRAWING:
            message = format_lost_feature(support, lost)
            yield Complaint(render_codes.UNDRAWN_FEATURE, message, feature=lost.what)


def find_lost_in_html(
    html: str, support: EngineSupport, refuse: Refuse | None = None
) -> Iterator[Complaint]:
    """Find everything in inline drawings and styles that the engine ignores without a warning."""
    for drawing in SVG_ELEMENT.finditer(html):
        yield from find_lost_in_drawing(drawing[0], support)
    for sheet, double_quoted, single_quoted in STYLES.findall(html):
        if sheet:
            yield from find_lost_in_style_sheet(sheet, support, refuse)
        else:
            yield from _find_lost_in_style(
                double_quoted or single_quoted, support.engine, refuse
            )


@lru_cache(maxsize=2000)
def _find_lost_in_style(
    style: str, engine: str, refuse: Refuse | None
) -> tuple[Complaint, ...]:
    """Find the declarations in a `style` attribute that the engine ignores."""
    nodes = tinycss2.parse_blocks_contents(
        unescape(style), skip_comments=True, skip_whitespace=True
    )
    complaints = _find_lost_declarations(nodes, load_support(engine), refuse)
    return tuple(replace(complaint, at=None) for complaint in complaints)


def find_lost_in_style_sheet(
    sheet: str, support: EngineSupport, refuse: Refuse | None = None
) -> Iterator[Complaint]:
    """Find the declarations of a style sheet that the engine ignores without a warning."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    yield from _find_lost_in_rules(rules, support, refuse)


def _find_lost_in_rules(
    items: Iterable[Node], support: EngineSupport, refuse: Refuse | None
) -> Iterator[Complaint]:
    for item in items:
        if item.type == "qualified-rule":
            nodes = tinycss2.parse_blocks_contents(
                item.content, skip_comments=True, skip_whitespace=True
            )
            yield from _find_lost_declarations(nodes, support, refuse)
        elif item.type == "at-rule" and item.lower_at_keyword in (
            "media",
            "layer",
            "supports",
        ):
            inner_rules = tinycss2.parse_rule_list(item.content or (), True, True)
            yield from _find_lost_in_rules(inner_rules, support, refuse)


def _find_lost_declarations(
    nodes: Sequence[Node], support: EngineSupport, refuse: Refuse | None
) -> Iterator[Complaint]:
    """Find the declarations of one CSS rule that the engine ignores."""
    declared = {node.lower_name for node in nodes if node.type == "declaration"}
    for node in nodes:
        if node.type == "qualified-rule":
            yield from _find_lost_in_rules([node], support, refuse)
        if node.type != "declaration":
            continue
        if refuse is not None and refuse(node.lower_name, node.value):
            continue  # that is reported already
        hint = _suggest_replacement(node, declared, support)
        if hint:
            text = tinycss2.serialize(node.value).strip()
            engine = ENGINE_NAMES.get(support.engine, support.engine)
            form = _("{engine} ignores `{name}: {value}`")
            what = _(form, engine=engine, name=node.name, value=text)
            position = Position(node.source_line, node.source_column)
            feature = f"{node.name}: {text}"
            code = render_codes.DROPPED_CSS
            yield Complaint(code, what, at=position, hint=hint, feature=feature)


def _suggest_replacement(node: Node, declared: set[str], support: EngineSupport) -> str:
    """Return the hint for a CSS declaration that the engine ignores, or "" if it is drawn."""
    name = node.lower_name
    vendor = next((prefix for prefix in VENDOR_PREFIXES if name.startswith(prefix)), "")
    if vendor:
        standard_name = name.removeprefix(vendor)
        # A vendor's own spelling beside the standard one is for browsers.
        if (
            standard_name in declared
            or support.is_harmless(f"-webkit-{standard_name}")
            or support.is_harmless(name)
        ):
            return ""
        return _("Use {name} without the prefix, or remove it.", name=standard_name)
    words = {token.lower_value for token in node.value if token.type == "ident"}
    words |= {token.lower_name for token in node.value if token.type == "function"}
    if support.is_declaration_dropped(name, words):
        return _(
            "Use other CSS, or choose an engine that supports this: see docs/engines.md."
        )
    return ""
