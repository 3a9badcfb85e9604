"""The drawings of a page.

Its own content and the forms it draws, and how equal ones are recognised.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeAlias

from builder.pdf import (
    Array,
    Dictionary,
    Name,
    Object,
    ObjectId,
    Page,
    Pdf,
    Stream,
    list_entries,
)

DrawingWithResources: TypeAlias = tuple[Object, Object | None]
NamedObject: TypeAlias = tuple[str, Object]


def make_page_form(pdf: Pdf, page: Page) -> Object:
    """Return the drawing of a page as a form, which other pages can draw."""
    form = pdf.make_stream(page.Contents.read_bytes())
    form["/Type"] = Name.XObject
    form["/Subtype"] = Name.Form
    form["/BBox"] = page.mediabox
    form["/Resources"] = page.Resources
    return form


def list_forms(resources: Object | None) -> list[NamedObject]:
    """Return the forms in a resource dictionary, by name."""
    return _list_objects(resources, "/Form")


def list_images(resources: Object | None) -> list[NamedObject]:
    """Return the images in a resource dictionary, by name."""
    return _list_objects(resources, "/Image")


def _list_objects(resources: Object | None, subtype: str) -> list[NamedObject]:
    objects = list_entries(resources, "/XObject")
    return [(name, item) for name, item in objects if item.get("/Subtype") == subtype]


def find_drawings(pages: Iterable[Page]) -> list[DrawingWithResources]:
    """Yield each page, form, soft mask and pattern once, with its resources.

    A drawing comes before those it uses.
    """
    seen_ids: set[ObjectId] = set()
    drawings: list[DrawingWithResources] = []
    queue: list[DrawingWithResources] = [
        (page.obj, page.obj.get("/Resources")) for page in pages
    ]
    while queue:
        item, resources = queue.pop(0)
        # Only indirect objects have a number by which they are recognised.
        is_direct = item.objgen == (0, 0)
        if is_direct or item.objgen not in seen_ids:
            seen_ids.add(item.objgen)
            drawings.append((item, resources))
            inner_drawings = _list_inner_drawings(resources)
            # A form without resources of its own uses those of the page.
            queue += [
                (inner, inner.get("/Resources", resources)) for inner in inner_drawings
            ]
    return drawings


def _list_inner_drawings(resources: Object | None) -> list[Object]:
    inner = [form for _name, form in list_forms(resources)]
    for _name, pattern in list_entries(resources, "/Pattern"):
        # Type 1 repeats a drawing; type 2 is a gradient.
        if int(pattern.get("/PatternType", 0)) == 1:
            inner.append(pattern)
    for _name, state in list_entries(resources, "/ExtGState"):
        mask = state.get("/SMask")
        # A graphics state without a mask may state so by a name: /SMask /None.
        if isinstance(mask, Dictionary) and "/G" in mask:
            inner.append(mask.G)
    return inner


def replace_content(item: Object, data: bytes, pdf: Pdf) -> None:
    """Replace the drawing of a page or form."""
    if item.get("/Type") == "/Page":
        item["/Contents"] = pdf.make_stream(data)
    else:
        item.write(data)


def read_content(item: Object) -> bytes:
    """Return the drawing of a page or form as bytes."""
    if item.get("/Type") != "/Page":
        return item.read_bytes()
    # A page may have its content in several streams.
    contents = item.get("/Contents", Array([]))
    streams = list(contents) if isinstance(contents, Array) else [contents]
    return b"\n".join(stream.read_bytes() for stream in streams)


def hash_resources(resources: Object | None, *names: str) -> bytes:
    """Return a hash of these resources and everything they refer to."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode())
        part = resources.get(name) if resources is not None else None
        if part is not None:
            _hash_object(part, digest, set())
    return digest.digest()


def _hash_object(item: Object, digest: hashlib._Hash, seen_ids: set[ObjectId]) -> None:
    """Add an object and everything it refers to to a hash.

    Of a font, feed the name: it is unique in a build.
    """
    if isinstance(item, Object) and item.is_indirect:
        if item.objgen in seen_ids:
            return
        seen_ids.add(item.objgen)
    if isinstance(item, Stream):
        digest.update(item.read_raw_bytes())
    if isinstance(item, Dictionary | Stream):
        _hash_entries(item, digest, seen_ids)
    elif isinstance(item, Array):
        digest.update(b"[%d" % len(item))
        for part in list(item):
            _hash_object(part, digest, seen_ids)
    elif isinstance(item, Object):
        digest.update(item.unparse())
    else:
        # pikepdf returns numbers as plain Python values.
        digest.update(repr(item).encode())


def _hash_entries(item: Object, digest: hashlib._Hash, seen_ids: set[ObjectId]) -> None:
    if item.get("/Type") == "/Font":
        digest.update(str(item.get("/BaseFont")).encode())
        return
    for key in sorted(item.keys()):
        # A parent leads to the whole page tree, so that equal drawings would differ.
        if key != "/Parent":
            digest.update(key.encode())
            _hash_object(item[key], digest, seen_ids)
