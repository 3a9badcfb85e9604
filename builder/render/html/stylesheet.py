"""The style sheets of a kind: page and shrinking steps made from the manifest, then base, pack, kind, variant."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from builder.geometry.boxes import face_boxes
from builder.model.pack import Kind, Size
from builder.render.html.templates import read_inside
from builder.render.jobs import Places, Style, Variant

TALL = 5
"""A page is this many times as tall as a face: text that overflows its box is seen whole, not dropped at the end."""

_URL = re.compile(r"""url\(\s*['"]?([^'")]+)""")
_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([^'");]+)""")

_SHARED = re.compile(r"""@import\s+(?:url\(\s*)?['"]?([\w./-]+\.css)['"]?\s*\)?\s*;""")
"""A style sheet of the pack taken in as it is, without conditions."""


def page_css(size: Size, fit: Mapping[str, tuple[float, ...]]) -> str:
    """The part of a style sheet that the manifest decides: page size, face size, steps of shrinking blocks."""
    box = face_boxes(size).bleed
    lines = [
        f"@page{{size:{box.width:g}mm {box.height * TALL:g}mm;margin:0}}",
        "html,body{margin:0;padding:0}",
        f".face{{position:relative;width:{box.width:g}mm;height:{box.height:g}mm;margin:0;padding:0}}",
        ".face+.face{break-before:page}",
    ]
    for name, sizes in fit.items():
        lines += [f".fit-{name}.step-{step}{{font-size:{size:g}pt}}" for step, size in enumerate(sizes)]
    return "\n".join(lines)


def style_of(places: Places, kind_id: str, kind: Kind, lang: str, variant: Variant) -> Style:
    """Everything a batch of faces of this kind shares; its key changes with every file it draws on."""
    names = ["base/face.css", "pack.css", f"{kind_id}/card.css", *(["ink.css"] if variant == "ink" else [])]
    fit = {name: block.sizes for name, block in kind.fit.items()}
    sheets = [("page", page_css(kind.size, fit))]
    for name in names:
        root = places.base if name.startswith("base/") else places.templates
        path = read_inside(root, name.removeprefix("base/"))
        if path is not None:
            sheets += _with_shared(places, root, path)
    # Not where the files lie: two machines have the program in different folders.
    digest = hashlib.sha256(repr((names, [text for _, text in sheets], kind.size, fit, lang)).encode())
    for name in sorted({found for _, text in sheets for found in (*_URL.findall(text), *_IMPORT.findall(text))}):
        digest.update(file_hash(places, name).encode())
    return Style(digest.hexdigest(), tuple(sheets), kind.size, fit, lang)


def _with_shared(places: Places, root: Path, path: Path) -> list[tuple[str, str]]:
    """A style sheet after those of its pack that it imports: every rule is known before faces are laid out.

    An import that names no such file is left to the engine, which says what is wrong with it.
    """
    text, before = path.read_text(encoding="utf-8"), []
    for found in _SHARED.finditer(text):
        shared = read_inside(root, found[1])
        if shared is not None and shared != path:
            before.append((places.shown(shared), shared.read_text(encoding="utf-8")))
            text = text.replace(found[0], "")
    return [*before, (places.shown(path), text)]


def file_hash(places: Places, name: str) -> str:
    """A hash of a file that a style sheet or a face draws on; of its name alone where it cannot be opened."""
    from builder.render.engine.files import BASE_URL, Refused, locate

    try:
        path = locate(BASE_URL + name, places.templates, places.base, places.data)
    except (Refused, FileNotFoundError, ValueError):
        return f"none:{name}"
    return hashlib.sha256(path.read_bytes()).hexdigest()
