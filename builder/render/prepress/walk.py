"""Every drawing a page is made of: its own content and the forms it draws, each rewritten once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

Instruction: TypeAlias = tuple[Sequence[Any], str]
"""Operands and operator."""


def instructions(stream: Any) -> list[Instruction]:
    """The instructions of a page or form."""
    import pikepdf

    return [(tuple(item.operands), str(item.operator)) for item in pikepdf.parse_content_stream(stream)]


def unparsed(content: Iterable[Instruction]) -> bytes:
    """Instructions as bytes."""
    import pikepdf

    return pikepdf.unparse_content_stream([(list(operands), pikepdf.Operator(name)) for operands, name in content])


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
