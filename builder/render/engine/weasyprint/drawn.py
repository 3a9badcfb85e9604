"""Laying out, and records from what was drawn, by the engine's own objects: no file is written and read for them."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any

from builder.render.sheets.extract import Drawing, Extractor, extract_file, glyphs_of
from builder.render.sheets.record import FontUse, Record

_REFERENCE = re.compile(rb"(\d+) 0 R")
_NUMBER = re.compile(rb"-?\d+(\.\d*)?")
_WORD = re.compile(rb"true|false|/[A-Za-z0-9.+-]+")


class Unusual(Exception):
    """The engine drew with something that is not known here: its file tells what it is."""


def lay_out(html: Any, sheets: Sequence[Any], fonts: Any) -> tuple[Any, ...]:
    """The page boxes of a document without style sheets of its own; titles and links are not looked for."""
    from weasyprint import DEFAULT_OPTIONS
    from weasyprint.css import StyleFor
    from weasyprint.css.targets import TargetCollector
    from weasyprint.formatting_structure.build import build_formatting_structure
    from weasyprint.images import get_image_from_uri
    from weasyprint.layout import LayoutContext, layout_document

    (counters,), targets = html._ua_counter_style(), TargetCollector()
    ranked = [(sheet, "user agent", None) for sheet in html._ua_stylesheets()]
    styles = StyleFor(html, [*ranked, *((sheet, "user", None) for sheet in sheets)], False, fonts, targets)
    images = partial(get_image_from_uri, cache={}, url_fetcher=html.url_fetcher, options=DEFAULT_OPTIONS)
    context = LayoutContext(styles, images, fonts, counters, targets)
    rest = html.base_url, targets, counters, context.footnotes
    root = build_formatting_structure(html.etree_element, styles, context.get_image_from_uri, *rest)
    return tuple(layout_document(html, root, context))


def paint(document: Any) -> Any:
    """A document of the engine as its own objects: drawn, not yet written."""
    from weasyprint import DEFAULT_OPTIONS
    from weasyprint.document import generate_pdf

    return generate_pdf(document, None, 1, **DEFAULT_OPTIONS)


def extract_pages(pdf: Any, height: float, fonts: Mapping[str, FontUse]) -> list[Record]:
    """The records of all pages of a painted document; only the top `height` points of each are the face.

    Where it holds what is not known here, the file is written to be read.
    """
    pages = [pdf.objects[number] for number in pdf.pages["Kids"][::3]]
    try:
        return [_cut(page, pdf.objects, height, fonts) for page in pages]
    except Unusual:
        file = BytesIO()
        pdf.write(file, None, None, True)
        return extract_file(file.getvalue(), height, fonts)


def _cut(page: Any, objects: Sequence[Any], height: float, fonts: Mapping[str, FontUse]) -> Record:
    cutter = _ObjectExtractor(objects)
    left, bottom, right, top = (float(_plain(edge)) for edge in page["MediaBox"])
    drawing = cutter.drawing_of(cutter.at(page["Contents"]), page["Resources"])
    return cutter.record(drawing, (left, bottom, right, top), height, fonts)


class _ObjectExtractor(Extractor[Any]):
    """Reads from the engine's objects."""

    def __init__(self, objects: Sequence[Any]) -> None:
        super().__init__()
        self.all = objects

    def at(self, item: Any) -> Any:
        """The object behind a reference; anything else is itself."""
        found = _REFERENCE.fullmatch(item) if isinstance(item, bytes) else None
        return self.all[int(found[1])] if found else item

    def resource(self, resources: Any, group: str, name: str) -> bytes:
        """One of a drawing's resources as text."""
        return self.text(self.at(resources[group])[name])

    def entries(self, item: Any) -> Mapping[str, Any] | None:
        """The entries of a stream by their names; None for any other object."""
        import pydyf

        return item.extra if isinstance(item, pydyf.Stream) else None

    def data(self, item: Any) -> bytes:
        """A stream's data as they would lie in a file. Raises Unusual where they would be compressed."""
        if item.compress:
            raise Unusual
        return _content(item)

    def drawing_of(self, item: Any, resources: Any) -> Drawing[Any]:
        """A stream as a drawing."""
        content = _content(item)
        return Drawing(content, self.at(resources), glyphs_of(content))

    def text(self, item: Any) -> bytes:
        """Any PDF value as text; indirect objects become references within the record."""
        if isinstance(item, bytes) and (found := _REFERENCE.fullmatch(item)):
            return self.reference(int(found[1]), self.all[int(found[1])])
        return self.direct(item)

    def direct(self, item: Any) -> bytes:
        """A value written out where it stands."""
        import pydyf

        if isinstance(item, pydyf.Dictionary):
            parts = [b"/" + key.encode() + b" " + self.text(item[key]) for key in sorted(item)]
            return b"<<" + b" ".join(parts) + b">>"
        if isinstance(item, pydyf.Array):
            return b"[" + b" ".join(map(self.text, item)) + b"]"
        return _plain(item)


def _plain(item: Any) -> bytes:
    """A number, a name or a truth value, as the record has it. Raises Unusual for anything else."""
    from pydyf import _to_bytes

    text: bytes = _to_bytes(item)
    if found := _NUMBER.fullmatch(text):
        return text.rstrip(b"0").rstrip(b".") if found[1] else text
    if _WORD.fullmatch(text):
        return text
    raise Unusual


def _content(drawing: Any) -> bytes:
    """A stream's data before compression."""
    from pydyf import _to_bytes

    return b"\n".join([item if type(item) is bytes else _to_bytes(item) for item in drawing.stream])
