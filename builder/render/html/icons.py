"""Build a font from a pack's SVG icons, with one glyph per file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from builder.cache import cache_at, fingerprint
from builder.files import find_files, write_if_changed
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.render import render_codes

if TYPE_CHECKING:
    from fontTools.ttLib.tables._g_l_y_f import Glyph

FAMILY = "icons"
FIRST_CHARACTER = 0xE000
UNITS_PER_EM = 1000
MIN_DOUBLE_AREA = 200
"""Twice the square units that a contour must enclose to be seen."""
SHAPES = frozenset({"path", "rect", "circle", "ellipse", "polygon", "polyline", "line"})
UNSUPPORTED_ELEMENTS = frozenset({"text", "use", "image", "foreignObject"})
"""Elements that draw something, of which no letter can be made."""
HIDDEN = frozenset({"defs", "clipPath", "mask", "marker", "pattern", "symbol"})
"""Elements whose contents are not drawn at their position."""
_PAINT = re.compile(r"(?:^|;)\s*(fill|stroke)\s*:\s*([^;\s]+)")
MAX_ICON_BYTES = 200_000
"""Bytes of an icon."""
MAX_COORDINATE = 0x7FFF
"""Units from the origin that a font can count."""


@dataclass(frozen=True, slots=True)
class IconFont:
    """The font made of a pack's icons, with the character of each icon."""

    path: Path | None
    hash: str
    glyphs: Mapping[str, str]
    findings: tuple[Finding, ...] = ()


def load_icon_font(
    folder: Path, cache_dir: Path, folder_name: str, is_written: bool = True
) -> IconFont:
    """Return the font made of a folder of SVG icons. It is built once for equal files.

    `folder_name` is its name in findings.

    A check needs no file: with `is_written` false it works on a full disk.
    """
    files = find_files(folder.parent, f"{folder.name}/*.svg")
    sources = {path.stem: path.read_bytes() for path in files}
    digest = hashlib.sha256(
        fingerprint("render/html", libraries=("fonttools",)).encode()
    )
    for name, source in sources.items():
        digest.update(name.encode() + b"\0" + source + b"\0")
    key = digest.hexdigest()[:32]
    glyphs = {name: chr(FIRST_CHARACTER + index) for index, name in enumerate(sources)}
    if not sources:
        return IconFont(None, key, glyphs)
    path = cache_dir / "icons" / key / "icons.ttf"
    findings: tuple[Finding, ...] = ()
    data = cache_at(cache_dir).data("icons", key)
    if data is None:
        data, findings = build_font(sources, folder_name)
        # A font with empty glyphs is not cached: it would be taken without its findings.
        if not findings:
            cache_at(cache_dir).write("icons", key, {}, data)
    if (
        is_written
    ):  # also with an empty glyph: else each face would fail for want of the font
        write_if_changed(path, data)
    return IconFont(path, key, glyphs, findings)


def build_font(
    sources: Mapping[str, bytes], folder_name: str
) -> tuple[bytes, tuple[Finding, ...]]:
    """Build a font of SVG icons. Return it with findings. A broken icon becomes an empty glyph."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    findings: list[Finding] = []
    glyphs: dict[str, Glyph] = {".notdef": TTGlyphPen(None).glyph()}
    for name, source in sources.items():
        try:
            glyphs[name] = _make_glyph(source)
        except MemoryError:
            raise
        except (
            Exception
        ) as error:  # whatever the libraries meet in a drawing that is none
            glyphs[name] = TTGlyphPen(None).glyph()
            reason = type(error).__name__
            if error.args and isinstance(error.args[0], str):
                reason = error.args[0]
            message = _(
                "the icon {name} cannot be read: {reason}", name=name, reason=reason
            )
            location = Location(f"{folder_name}/{name}.svg", 1, 1)
            findings.append(render_codes.ICON.finding(message, location))
    font = FontBuilder(UNITS_PER_EM, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap(
        {FIRST_CHARACTER + index: name for index, name in enumerate(sources)}
    )
    font.setupGlyf(glyphs)
    # The width of each glyph, and where its outline begins.
    metrics: dict[str, tuple[int, int]] = {}
    for name, glyph in glyphs.items():
        metrics[name] = (UNITS_PER_EM, getattr(glyph, "xMin", 0) or 0)
    font.setupHorizontalMetrics(metrics)
    font.setupHorizontalHeader(ascent=880, descent=-120)
    font.setupNameTable(
        {
            "familyName": FAMILY,
            "styleName": "Regular",
            "psName": FAMILY,
            "fullName": FAMILY,
        }
    )
    font.setupOS2(
        sTypoAscender=880, sTypoDescender=-120, usWinAscent=880, usWinDescent=120
    )
    font.setupPost()
    # A fixed day, so that equal icons give equal bytes.
    header = font.font["head"]
    header.created = header.modified = 3_600_000_000
    font.font.recalcTimestamp = False
    out = BytesIO()
    font.save(out)
    return out.getvalue(), tuple(findings)


def _check_shapes(element: Element, fill: str, stroke: str) -> None:
    """Raise ValueError for an SVG shape that a glyph cannot show correctly."""
    name = str(element.tag).rpartition("}")[2]
    if name in UNSUPPORTED_ELEMENTS:
        raise ValueError(
            _("<{name}> is not supported: only shapes can be used in icons", name=name)
        )
    styled = dict(_PAINT.findall(element.get("style", "")))
    fill = styled.get("fill", element.get("fill", fill))
    stroke = styled.get("stroke", element.get("stroke", stroke))
    if name in SHAPES and fill == "none":
        raise ValueError(
            _("<{name}> has no fill; icons print filled shapes only", name=name)
        )
    if name in SHAPES and stroke != "none":
        raise ValueError(
            _("<{name}> has a stroke; icons print filled shapes only", name=name)
        )
    if name in HIDDEN:
        return
    for part in element:
        _check_shapes(part, fill, stroke)


def _check_effects(root: Element) -> None:
    """Raise ValueError for an SVG effect that a glyph cannot show.

    The icon would be another picture.
    """
    effects = []
    for name, default in (("mask", "none"), ("stop-opacity", "1")):
        for element in root.iter():
            styled = re.search(
                rf"(?:^|;)\s*{name}\s*:\s*([^;\s]+)", element.get("style", "")
            )
            value = styled[1] if styled else element.get(name, default)
            if value != default:
                effects.append(name)
                break
    if effects:
        raise ValueError(
            _(
                "{names} cannot be used in an icon: icons become glyphs of a font",
                names=", ".join(effects),
            )
        )


def _has_area(glyph: Glyph) -> bool:
    """Return True if the outlines of a glyph enclose an area."""
    ends = glyph.endPtsOfContours
    start = 0
    for end in ends:
        points = list(glyph.coordinates[start : end + 1])
        start = end + 1
        double_area = 0
        next_points = points[1:] + points[:1]
        for (x1, y1), (x2, y2) in zip(points, next_points, strict=True):
            double_area += x1 * y2 - x2 * y1
        # The sign only tells in which direction the contour runs.
        if abs(double_area) > MIN_DOUBLE_AREA:
            return True
    return False


def _make_glyph(source: bytes) -> Glyph:
    """Convert an SVG icon to a TrueType glyph of 1000 units, with its bottom at -120."""
    from fontTools.cu2qu.errors import Error as CurveError
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.svgLib import SVGPath

    # Entities could fill the memory. In UTF-16, with its zero bytes, they would not be found.
    has_declarations = b"<!" in source.replace(b"<!--", b"")
    if len(source) > MAX_ICON_BYTES or has_declarations or b"\0" in source:
        raise ValueError(_("it is too large or declares entities"))
    root = ElementTree.fromstring(source)
    view_box = root.get("viewBox", "0 0 1000 1000").strip()
    box = [float(part) for part in re.split(r"[\s,]+", view_box)]
    if len(box) != 4 or min(box[2:]) <= 0:
        raise ValueError(
            _("viewBox {box!r} must be four numbers", box=root.get("viewBox"))
        )
    _check_effects(root)
    _check_shapes(root, "black", "none")
    x, y, width, height = box
    scale = UNITS_PER_EM / max(width, height)
    shift_x = (UNITS_PER_EM - width * scale) / 2 - x * scale
    shift_y = 880 - (UNITS_PER_EM - height * scale) / 2 + y * scale
    pen = TTGlyphPen(None)
    # Drawings count downwards, fonts upwards; the mirrored contours are turned back so that holes
    # stay holes.
    quadratic = Cu2QuPen(pen, max_err=0.8, reverse_direction=True)
    try:
        SVGPath.fromstring(source).draw(
            TransformPen(quadratic, (scale, 0, 0, -scale, shift_x, shift_y))
        )
    except NotImplementedError:
        raise ValueError(
            _("a transform other than matrix(...) is not supported")
        ) from None
    except CurveError:
        raise ValueError(_("it is drawn far outside its viewBox")) from None
    glyph = pen.glyph(dropImpliedOnCurves=True)
    if glyph.numberOfContours == 0:
        raise ValueError(_("it contains no path"))
    if not _has_area(glyph):
        raise ValueError(_("it encloses no area, and only filled areas are printed"))
    if max(map(abs, chain.from_iterable(glyph.coordinates))) > MAX_COORDINATE:
        raise ValueError(_("it is drawn far outside its viewBox"))
    return glyph
