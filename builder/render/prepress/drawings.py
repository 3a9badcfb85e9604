"""Every drawing a page is made of, its own content and the forms it draws, and how equal ones are told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any


def page_form(pdf: Any, page: Any) -> Any:
    """A page's drawing as a form."""
    import pikepdf

    form = pdf.make_stream(page.Contents.read_bytes())
    form["/Type"], form["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Form
    form["/BBox"], form["/Resources"] = page.mediabox, page.Resources
    return form


def forms_of(resources: Any) -> list[tuple[str, Any]]:
    """The form XObjects of a resource dictionary, by name."""
    found = resources.get("/XObject", {}) if resources is not None else {}
    return [(name, item) for name, item in found.items() if item.get("/Subtype") == "/Form"]


def images_of(resources: Any) -> list[tuple[str, Any]]:
    """The image XObjects of a resource dictionary, by name."""
    found = resources.get("/XObject", {}) if resources is not None else {}
    return [(name, item) for name, item in found.items() if item.get("/Subtype") == "/Image"]


def patterns_of(resources: Any) -> list[Any]:
    """The tiling patterns of a resource dictionary: drawings too."""
    found = resources.get("/Pattern", {}) if resources is not None else {}
    return [item for _, item in found.items() if int(item.get("/PatternType", 0)) == 1]


def drawings(pages: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Each page object, form and tiling pattern once, with its resources, users before what they use."""
    seen: set[tuple[int, int]] = set()
    found: list[tuple[Any, Any]] = []
    todo = [(page, page.get("/Resources")) for page in pages]
    while todo:
        item, resources = todo.pop(0)
        if item.objgen in seen and item.objgen != (0, 0):
            continue
        seen.add(item.objgen)
        found.append((item, resources))
        inner = [form for _, form in forms_of(resources)] + patterns_of(resources)
        inner += _masks(resources)
        todo += [(form, form.get("/Resources", resources)) for form in inner]
    return found


def _masks(resources: Any) -> list[Any]:
    """Forms that serve as soft masks."""
    states = resources.get("/ExtGState", {}) if resources is not None else {}
    masks = [state.get("/SMask") for _, state in states.items()]
    return [mask.G for mask in masks if mask is not None and hasattr(mask, "keys") and "/G" in mask]


def store(item: Any, data: bytes, pdf: Any) -> None:
    """Give a page or form new content."""
    if item.get("/Type") == "/Page":
        item["/Contents"] = pdf.make_stream(data)
    else:
        item.write(data)


def content(item: Any) -> bytes:
    """The bytes of a page's or form's drawing."""
    if item.get("/Type") == "/Page":
        import pikepdf

        return b"\n".join(part.read_bytes() for part in _parts(item.get("/Contents"), pikepdf.Array))
    return bytes(item.read_bytes())


def _parts(contents: Any, array: Any) -> list[Any]:
    if contents is None:
        return []
    return list(contents) if isinstance(contents, array) else [contents]


def stated(resources: Any, *names: str) -> bytes:
    """These parts of a resource dictionary in full, streams by their data."""
    found = hashlib.sha256()
    for name in names:
        found.update(name.encode())
        part = resources.get(name) if resources is not None else None
        if part is not None:
            _walk(part, found, set())
    return found.digest()


def _walk(item: Any, found: Any, seen: set[tuple[int, int]]) -> None:
    """Feed an object and all it refers to; a font counts by its name, which tells fonts of a press apart."""
    import pikepdf

    if isinstance(item, pikepdf.Object) and item.is_indirect:
        if item.objgen in seen:
            return
        seen.add(item.objgen)
    if isinstance(item, pikepdf.Stream):
        found.update(item.read_raw_bytes())
    if isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
        if item.get("/Type") == "/Font":
            found.update(str(item.get("/BaseFont")).encode())
            return
        for key in sorted(item.keys()):
            if key != "/Parent":
                found.update(key.encode())
                _walk(item[key], found, seen)
    elif isinstance(item, pikepdf.Array):
        found.update(b"[%d" % len(item))
        for part in list(item):
            _walk(part, found, seen)
    else:
        found.update(repr(item).encode() if not isinstance(item, pikepdf.Object) else item.unparse())
