"""Checks that a drawing is valid SVG, is drawn by the engines, and is not too complex."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain, islice
from math import hypot
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from builder.checks.appearance.styles import TOO_MUCH
from builder.findings import Finding
from builder.messages import Message, gettext as _
from builder.model.codes import define
from builder.model.loaded import MAX_FINDINGS_PER_FILE, DrawingFile
from builder.model.words import suggest_word

BROKEN = define(
    "looks/broken-drawing",
    _("A drawing is not a complete SVG file"),
    _("The drawing would be missing on the card."),
    _("Save the drawing again as plain SVG."),
)
UNDRAWN = define(
    "looks/undrawn",
    _("A drawing uses a feature that no engine supports"),
    _(
        "Filters and foreign objects are ignored without an error: shadows, blurs and texts are "
        "missing in print."
    ),
    _(
        "Draw it as paths, save it as a picture, or flatten the filters in the drawing program."
    ),
)
FONT = define(
    "looks/drawing-font",
    _("A text in a drawing uses an unknown font"),
    _("Another font replaces it, so the text is wider or narrower than drawn."),
    _(
        "Convert the text to paths, use a font family of the pack, or put the font into "
        "templates/<pack>/fonts."
    ),
)

SVG = "{http://www.w3.org/2000/svg}"
HREF = ("href", "{http://www.w3.org/1999/xlink}href")
NEVER_DRAWN = frozenset({"filter", "foreignObject"})
"""Elements, and the attribute of that name, that no engine draws."""
NEVER = {f"{SVG}{name}": name for name in NEVER_DRAWN}
GENERIC = frozenset(
    {
        "serif",
        "sans-serif",
        "monospace",
        "cursive",
        "fantasy",
        "system-ui",
        "inherit",
        "initial",
    }
)
DEEP = 200
"""Elements inside each other."""
MAX_SHAPES = 20_000
"""Shapes that are drawn once all references are followed."""
STOPS = 1000
"""Colours of a gradient."""
MAX_REPEATS = 1000
"""How often a gradient or the side of a pattern may fit into the drawing."""
_URL = re.compile(r"""url\(\s*["']?#([^"')\s]+)""")
_STYLED = re.compile(r"(?:^|;)\s*(font-family|filter)\s*:\s*([^;]+)")
# Numbers as SVG writes them, such as `-.5` and `1e3`.
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# Each letter in the data of a path is a command, which ends at a corner.
_VERTEX = re.compile(r"[A-Za-z]")


def check(drawing: DrawingFile) -> Iterator[Finding]:
    """Check that an SVG drawing can be read, and that the engines can draw all it uses."""
    # This must come first: the parser would expand the entities while it reads the file.
    if b"<!ENTITY" in drawing.data:
        message = _(
            "it declares entities, and nested entities can expand to billions of characters"
        )
        yield BROKEN.finding(
            message, drawing.locate_offset(drawing.text.find("<!ENTITY"))
        )
        return
    try:
        findings = _ParsedDrawing(drawing, _parse_drawing(drawing.data))
    except ElementTree.ParseError as error:
        line, column = error.position
        place = replace(drawing.locate_offset(), line=line, column=column + 1)
        # after the colon, the message repeats the line and column
        reason = error.msg.partition(":")[0]
        yield BROKEN.finding(
            _("it cannot be read as XML: {reason}", reason=reason), place
        )
        return
    except RecursionError:
        message = _("elements are nested more than {most} levels deep", most=DEEP)
        yield TOO_MUCH.finding(message, drawing.locate_offset())
        return
    if findings.root.tag != f"{SVG}svg":
        message = _("it does not begin with an <svg> element in the SVG namespace")
        yield BROKEN.finding(message, drawing.locate_offset())
        return
    all_findings = chain(
        findings.find_undrawn(),
        findings.find_missing_fonts(),
        findings.find_wrong_gradients(),
        findings.find_too_many_shapes(),
    )
    yield from islice(all_findings, MAX_FINDINGS_PER_FILE)


def _parse_drawing(data: bytes) -> Element:
    """Return the root element of a drawing. Raise RecursionError if it is nested too deeply."""
    depth = 0
    root: Element | None = None
    for event, element in ElementTree.iterparse(BytesIO(data), ("start", "end")):
        root = element if root is None else root
        depth += 1 if event == "start" else -1
        if depth > DEEP:
            raise RecursionError
    assert root is not None
    return root


@dataclass
class _ParsedDrawing:
    """A parsed drawing with its elements by id, and how many shapes each of them draws."""

    drawing: DrawingFile
    root: Element
    ids: dict[str, Element] = field(default_factory=dict)
    costs: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for element in self.root.iter():
            # Of several elements with one id, a reference means the first.
            self.ids.setdefault(element.get("id", ""), element)

    def _locate(self, *words: str) -> int:
        """Return the offset in the file of the first word that it contains, else 0."""
        for word in words:
            offset = self.drawing.text.find(word) if word else -1
            if offset >= 0:
                return offset
        return 0

    def find_undrawn(self) -> Iterator[Finding]:
        """Report filters and foreign objects, which no engine draws. Each is reported once."""
        names = set()
        for element in self.root.iter():
            if element.tag in NEVER:
                names.add(NEVER[element.tag])
            if _read_attribute(element, "filter") not in (None, "none"):
                names.add("filter")
        for name in sorted(names):
            place = self.drawing.locate_offset(self._locate(f"<{name}", name))
            yield UNDRAWN.finding(
                _("the engine does not draw {name}", name=name), place
            )

    def find_missing_fonts(self) -> Iterator[Finding]:
        """Report each font family that neither the pack nor the program has.

        Only the first family of a list counts.
        """
        # A family has no effect in a drawing without text.
        if not any(element.tag == f"{SVG}text" for element in self.root.iter()):
            return
        reported = set()
        for element in self.root.iter():
            families = _read_attribute(element, "font-family") or ""
            family = families.split(",")[0].strip().strip("\"'")
            if not family or family in reported or self._has_family(family):
                continue
            reported.add(family)
            message = _("the font family {family} is unknown", family=family)
            hint = suggest_word(family, self.drawing.families, _("Families"))
            place = self.drawing.locate_offset(self._locate(family))
            yield FONT.finding(message, place, hint)

    def _has_family(self, family: str) -> bool:
        """Return True if the font family is generic, or one of the pack or of the program."""
        name = family.lower()
        return name in GENERIC or name.replace(" ", "") in self.drawing.families

    def find_wrong_gradients(self) -> Iterator[Finding]:
        """Report gradients with too many colors or repetitions, and too small pattern tiles."""
        box = [float(part) for part in _NUMBER.findall(self.root.get("viewBox", ""))]
        # A drawing without a viewBox has no units of its own, so a usual size is assumed.
        wide, high = box[2:] if len(box) == 4 else (1000.0, 1000.0)
        for element in self.root.iter():
            name = str(element.tag).removeprefix(SVG)
            messages: Iterable[Message] = ()
            if name in ("linearGradient", "radialGradient"):
                messages = _find_gradient_fault(element, name, hypot(wide, high))
            elif name == "pattern":
                messages = _find_pattern_fault(element, wide, high)
            for message in messages:
                offset = self._locate(f'id="{element.get("id")}"', f"<{name}")
                yield TOO_MUCH.finding(message, self.drawing.locate_offset(offset))

    def find_too_many_shapes(self) -> Iterator[Finding]:
        """Report elements that contain themselves, and references that multiply the shapes."""
        shapes = self._count_shapes(self.root, (), 0)
        place = self.drawing.locate_offset(self._locate("<use", "url("))
        if shapes is None:
            yield TOO_MUCH.finding(_("an element refers to itself"), place)
        elif shapes > MAX_SHAPES:
            form = _("it has more than {most} shapes after all references are resolved")
            yield TOO_MUCH.finding(_(form, most=MAX_SHAPES), place)

    def _count_shapes(
        self, element: Element, within: tuple[str, ...], depth: int
    ) -> int | None:
        """Return how many shapes an element draws, or None if it contains itself.

        `outer_ids` are the ids of the elements around it.
        """
        # Chains of references can be deeper than elements, and must not exhaust Python's stack.
        if depth > 2 * DEEP:
            return MAX_SHAPES + 1
        element_id = element.get("id", "")
        if element_id and element_id in within:
            return None
        # Copies of copies would otherwise be counted again and again.
        if element_id in self.costs:
            return self.costs[element_id]
        outer_ids = (*within, element_id) if element_id else within
        total = 1
        parts = [(child, 1) for child in element]
        for name, times in _list_references(element):
            if name in self.ids:
                parts.append((self.ids[name], times))
        for part, times in parts:
            shapes = self._count_shapes(part, outer_ids, depth + 1)
            if shapes is None:
                return None
            # more than the maximum is not counted, so that the numbers stay small
            total = min(total + shapes * times, MAX_SHAPES + 1)
        if element_id:
            self.costs[element_id] = total
        return total


def _find_pattern_fault(
    element: Element, width: float, height: float
) -> Iterator[Message]:
    """Return a message if a pattern repeats too often in a drawing of this size."""
    # Other patterns are measured in shares of what they fill.
    if element.get("patternUnits") != "userSpaceOnUse":
        width = height = 1
    for side, length in (("width", width), ("height", height)):
        if 0 < _read_number(element, side, 1) * MAX_REPEATS < length:
            yield _("a pattern repeats more than {most} times", most=MAX_REPEATS)
            return


def _find_gradient_fault(
    element: Element, element_name: str, diagonal: float
) -> Iterator[Message]:
    """Return messages if a gradient has too many colors or repeats too often."""
    if sum(child.tag == f"{SVG}stop" for child in element) > STOPS:
        yield _("a gradient has more than {most} colours", most=STOPS)
    # In the other unit, lengths are shares of the filled object.
    length = diagonal if element.get("gradientUnits") == "userSpaceOnUse" else 1.0
    is_repeated = element.get("spreadMethod") in ("repeat", "reflect")
    if is_repeated and _read_length(element, element_name) * MAX_REPEATS < length:
        yield _("a gradient repeats more than {most} times", most=MAX_REPEATS)


def _list_references(element: Element) -> Iterator[tuple[str, int]]:
    """Yield the ids that an element refers to, each with how often it is drawn."""
    if element.tag == f"{SVG}use":
        for name in HREF:
            value = element.get(name, "")
            if value.startswith("#"):
                yield value[1:], 1
    for name, value in element.attrib.items():
        is_marker = "marker" in name or "marker" in value
        for address in _URL.findall(value):
            yield address, _count_corners(element) if is_marker else 1


def _count_corners(element: Element) -> int:
    """Return how many markers a line has: one at each corner, at least 1."""
    path_corners = len(_VERTEX.findall(element.get("d", "")))
    polygon_corners = len(_NUMBER.findall(element.get("points", ""))) // 2
    return max(1, path_corners + polygon_corners)


def _read_attribute(element: Element, name: str) -> str | None:
    """Return an attribute of an element, or the CSS property of that name in its style."""
    styled = {
        match[1]: match[2].strip()
        for match in _STYLED.finditer(element.get("style", ""))
    }
    return styled.get(name, element.get(name))


def _read_number(element: Element, name: str, default: float) -> float:
    """Return an attribute as a number, or `default`. A percentage is a share of 1."""
    text = element.get(name, "").strip()
    match = _NUMBER.match(text)
    if match is None:
        return default
    number = float(match[0])
    return number / 100 if text.endswith("%") else number


def _read_length(element: Element, element_name: str) -> float:
    """Return the length after which a gradient repeats."""
    if element_name == "radialGradient":
        return _read_number(element, "r", 0.5) - _read_number(element, "fr", 0)
    x1 = _read_number(element, "x1", 0.0)
    y1 = _read_number(element, "y1", 0.0)
    x2 = _read_number(element, "x2", 1.0)
    y2 = _read_number(element, "y2", 0.0)
    return hypot(x2 - x1, y2 - y1)
