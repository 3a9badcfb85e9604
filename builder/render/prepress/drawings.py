"""Every drawing a page is made of, its own content and the forms it draws, and how equal ones are told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from builder.pdf import Array, Dictionary, Name, Object, Page, Pdf, Stream, list_entries


def page_form(pdf: Pdf, page: Page) -> Object:
    """A page's drawing as a form."""
    form = pdf.make_stream(page.Contents.read_bytes())
    form["/Type"], form["/Subtype"] = Name.XObject, Name.Form
    form["/BBox"], form["/Resources"] = page.mediabox, page.Resources
    return form


def forms_of(resources: Object | None) -> list[tuple[str, Object]]:
    """The form XObjects of a resource dictionary, by name."""
    return [
        (name, item)
        for name, item in list_entries(resources, "/XObject")
        if item.get("/Subtype") == "/Form"
    ]


def images_of(resources: Object | None) -> list[tuple[str, Object]]:
    """The image XObjects of a resource dictionary, by name."""
    return [
        (name, item)
        for name, item in list_entries(resources, "/XObject")
        if item.get("/Subtype") == "/Image"
    ]


def drawings(pages: Iterable[Object]) -> list[tuple[Object, Object | None]]:
    """Each page, form, soft mask and tiling pattern once, with its resources, users before what they use."""
    seen: set[tuple[int, int]] = set()
    found: list[tuple[Object, Object | None]] = []
    todo = [(page, page.get("/Resources")) for page in pages]
    while todo:
        item, resources = todo.pop(0)
        if item.objgen in seen and item.objgen != (0, 0):
            continue
        seen.add(item.objgen)
        found.append((item, resources))
        inner = [form for _, form in forms_of(resources)]
        inner += [
            item
            for _, item in list_entries(resources, "/Pattern")
            if int(item.get("/PatternType", 0)) == 1
        ]
        masks = [state.get("/SMask") for _, state in list_entries(resources, "/ExtGState")]
        # A graphics state without a mask may say so by a name: /SMask /None.
        inner += [mask.G for mask in masks if isinstance(mask, Dictionary) and "/G" in mask]
        todo += [(form, form.get("/Resources", resources)) for form in inner]
    return found


def store(item: Object, data: bytes, pdf: Pdf) -> None:
    """Give a page or form new content."""
    if item.get("/Type") == "/Page":
        item["/Contents"] = pdf.make_stream(data)
    else:
        item.write(data)


def content(item: Object) -> bytes:
    """The bytes of a page's or form's drawing."""
    if item.get("/Type") == "/Page":
        parts = item.get("/Contents", Array([]))
        return b"\n".join(
            part.read_bytes() for part in (list(parts) if isinstance(parts, Array) else [parts])
        )
    return item.read_bytes()


def stated(resources: Object | None, *names: str) -> bytes:
    """These parts of a resource dictionary in full, streams by their data."""
    found = hashlib.sha256()
    for name in names:
        found.update(name.encode())
        part = resources.get(name) if resources is not None else None
        if part is not None:
            _walk(part, found, set())
    return found.digest()


def _walk(item: Object, found: hashlib._Hash, seen: set[tuple[int, int]]) -> None:
    """Feed an object and all it refers to; a font counts by its name, which tells fonts of a press apart."""
    if isinstance(item, Object) and item.is_indirect:
        if item.objgen in seen:
            return
        seen.add(item.objgen)
    if isinstance(item, Stream):
        found.update(item.read_raw_bytes())
    if isinstance(item, Dictionary | Stream):
        if item.get("/Type") == "/Font":
            found.update(str(item.get("/BaseFont")).encode())
            return
        for key in sorted(item.keys()):
            if key != "/Parent":
                found.update(key.encode())
                _walk(item[key], found, seen)
    elif isinstance(item, Array):
        found.update(b"[%d" % len(item))
        for part in list(item):
            _walk(part, found, seen)
    else:
        found.update(repr(item).encode() if not isinstance(item, Object) else item.unparse())
