"""Pages without transparency: what shines through becomes a picture in inks, type stays type above it.

Type that something is drawn over cannot lie above the picture: such a page becomes a picture as a whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Literal, cast

from builder.pdf import (
    Dictionary,
    Instruction,
    Name,
    Object,
    Page,
    Pdf,
    list_entries,
    read_instructions,
    serialize_instructions,
)
from builder.render.cache import Result, ResultCache
from builder.render.prepress.drawings import (
    content,
    drawings,
    forms_of,
    images_of,
    page_form,
    stated,
    store,
)
from builder.render.prepress.ink import Ink
from builder.render.prepress.raster import opened, picture
from builder.render.sheets.pdfwriter import number

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

UNFILLED = {"f": "n", "F": "n", "f*": "n", "B": "S", "B*": "S", "b": "s", "b*": "s"}
UNSTROKED = {"S": "n", "s": "n", "B": "f", "B*": "f*", "b": "f", "b*": "f*"}
"""What paints a path, and what does so without its fill, or without its line."""
PAINTS = frozenset({*UNFILLED, *UNSTROKED})
UNPARTED = frozenset({"Tj", "TJ", "'", '"', "Do", "sh", "INLINE IMAGE"})
"""What paints otherwise: letters move what follows them, and drawings have paints of their own."""
FAINTS = frozenset({"/ca", "/CA", "/SMask", "/BM"})
Keep = Literal["art", "type"]


class Splitter:
    """Makes copies of forms that hold only their art, or only their type. Each copy is made once."""

    def __init__(self, pdf: Pdf, memo: ResultCache | None = None) -> None:
        self._pdf = pdf
        self._memo = memo or ResultCache()
        self._made: dict[tuple[tuple[int, int], Keep], Object] = {}

    def form(self, form: Object, keep: Keep) -> Object:
        """A copy of a form; text that is not opaque, by itself or with the form it stands in, counts as art."""
        key = (form.objgen, keep)
        if key not in self._made:
            copy = self._pdf.make_stream(b"")
            for name, value in form.items():
                if name not in ("/Length", "/Filter", "/DecodeParms"):
                    copy[name] = value
            self._made[key] = copy
            resources = self._resources(form, keep)
            copy["/Resources"] = resources
            said = [content(form), stated(form.get("/Resources"), "/ExtGState")]
            said += [name.encode() for name, _ in images_of(form.get("/Resources"))]
            copy.write(
                self._memo.get(
                    keep, said, lambda: (serialize_instructions(self._kept(form, keep)), ())
                )[0]
            )
        return self._made[key]

    def _resources(self, form: Object, keep: Keep) -> Object:
        """The same resources, forms among them split too."""
        resources = Dictionary(dict(form.get("/Resources", Dictionary()).items()))
        forms = forms_of(resources)
        if forms or "/XObject" in resources:
            objects = Dictionary(dict(resources["/XObject"].items()))
            for name, inner in forms:
                objects[name] = self.form(inner, keep)
                if keep == "art" and _any_faint(resources):
                    objects[_whole(name)] = inner
            resources["/XObject"] = objects
        if keep == "art" and "/Font" in resources and not _any_faint(resources):
            del resources["/Font"]
        return resources

    def _kept(self, form: Object, keep: Keep) -> list[Instruction]:
        """The instructions of one half."""
        resources = form.get("/Resources")
        images, forms = ({name for name, _ in found(resources)} for found in (images_of, forms_of))
        kept: list[Instruction] = []
        for part in _parts(
            read_instructions(form), dict(list_entries(resources, "/ExtGState")), forms, keep
        ):
            if part.text:
                kept += part.content if (keep == "type") == part.solid else _states(part.content)
            else:
                kept += (
                    part.content
                    if keep == "art"
                    else [_unpainted(item, images) for item in part.content]
                )
        return [item for item in kept if item[1]]


@dataclass(slots=True)
class _Part:
    """A run of instructions: a text block (solid where it is opaque throughout), or anything else."""

    text: bool
    solid: bool = True
    content: list[Instruction] = field(default_factory=list)


def _parts(
    drawing: Iterable[Instruction], states: Mapping[str, Object], forms: set[str], keep: Keep
) -> list[_Part]:
    """A drawing cut into text blocks and the rest. A form drawn faintly is art as a whole."""
    parts = [_Part(False)]
    faint, stack = False, []
    for operands, name in drawing:
        if name == "q":
            stack.append(faint)
        elif name == "Q" and stack:
            faint = stack.pop()
        elif name == "gs":
            state = states.get(str(operands[0]))
            # An opaque state only resets what it names.
            named = state is not None and not FAINTS.isdisjoint(state.keys())
            faint = transparent(state) or (faint and not named)
        elif name == "BT":
            parts.append(_Part(True))
        parts[-1].solid &= not faint
        if not (faint and name == "Do" and str(operands[0]) in forms):
            parts[-1].content.append((operands, name))
        elif keep == "art":
            parts[-1].content.append(((Name(_whole(str(operands[0]))),), name))
        if name == "ET":
            parts.append(_Part(False))
    return parts


def _whole(name: str) -> str:
    """What a form is called in the art's resources with its type still in it."""
    return f"{name}Whole"


def _unpainted(item: Instruction, images: set[str]) -> Instruction:
    """An instruction without its paint: paths end unpainted, pictures and shadings vanish (an empty name)."""
    operands, name = item
    if name in PAINTS:
        return ((), "n")
    gone = name in ("sh", "BI", "INLINE IMAGE") or (name == "Do" and str(operands[0]) in images)
    return ((), "") if gone else item


def _states(block: list[Instruction]) -> list[Instruction]:
    """What a left-out text block leaves behind for what follows: colours and graphics states."""
    return [
        item
        for item in block
        if item[1] in ("rg", "RG", "g", "G", "k", "K", "cs", "CS", "sc", "scn", "gs")
    ]


def transparent(state: Object | None) -> bool:
    """True if a graphics state lets what lies beneath shine through."""
    if state is None:
        return False
    mask = state.get("/SMask")
    return (
        float(state.get("/ca", 1)) < 1
        or float(state.get("/CA", 1)) < 1
        or (mask is not None and str(mask) != "/None")
        or str(state.get("/BM", "/Normal")) not in ("/Normal", "/Compatible")
    )


def _any_faint(resources: Object | None) -> bool:
    return any(transparent(state) for _, state in list_entries(resources, "/ExtGState"))


DPI = 600
LOOK, FAINT = 100, 40
"""Dots an inch at which a page is looked at for type beneath its art, and how little of a difference is none."""


def is_transparent(page: Object) -> bool:
    """True if anything drawn on a page lets what lies beneath shine through."""
    for item, resources in drawings([page]):
        faint = [
            name for name, state in list_entries(resources, "/ExtGState") if transparent(state)
        ]
        faint += [name for name, image in images_of(resources) if "/SMask" in image]
        said = content(item) if faint else b""
        if any(name.encode() in said for name in faint):
            return True
    return False


def drop_unseen(pdf: Pdf, memo: ResultCache) -> None:
    """Take out of all drawings what is painted wholly clear, such as a border of that colour: it needs no picture."""
    for item, resources in drawings([page.obj for page in pdf.pages]):
        states = dict(list_entries(resources, "/ExtGState"))
        if any(_clear(state) for state in states.values()):
            said = [content(item), stated(resources, "/ExtGState")]
            kept = memo.get(
                "seen",
                said,
                lambda: (serialize_instructions(_seen(item, states)), ()),  # noqa: B023
            )[0]
            store(item, kept, pdf)


def _clear(state: Object) -> bool:
    """True if a graphics state says of its paint that it is not seen, and nothing else."""
    named = set(state.keys()) - {"/Type"}
    return bool(named) and named <= {"/ca", "/CA"} and not any(float(state[name]) for name in named)


def _seen(item: Object, states: Mapping[str, Object]) -> list[Instruction]:
    """A drawing without its clear paint; as it was where letters or other drawings are clear."""
    whole, kept = read_instructions(item), []
    fill, line, stack = 1.0, 1.0, []
    for operands, name in whole:
        state = states.get(str(operands[0])) if name == "gs" else None
        if name == "q":
            stack.append((fill, line))
        elif name == "Q" and stack:
            fill, line = stack.pop()
        elif state is not None:
            fill, line = float(state.get("/ca", fill)), float(state.get("/CA", line))
        elif not (fill and line) and name in UNPARTED:
            return whole
        if state is None or not _clear(state):
            paint = name if fill else UNFILLED.get(name, name)
            kept.append((operands, paint if line else UNSTROKED.get(paint, paint)))
    return kept


def flatten(pdf: Pdf, ink: Ink, memo: ResultCache | None = None) -> tuple[list[int], list[int]]:
    """Flatten every page that needs it; pictures that `memo` knows are not drawn again.

    Which pages it were, counted from 0, and on which of them type had to become part of the picture.
    """
    memo, covered = memo or ResultCache(), []
    drop_unseen(pdf, memo)
    pages = {index: page for index, page in enumerate(pdf.pages) if is_transparent(page.obj)}
    splitter = Splitter(pdf, memo)
    for index, page in pages.items():
        whole = page_form(pdf, page)
        width, height = (float(edge) for edge in page.mediabox[2:])
        pixels = (round(width / 72 * DPI), round(height / 72 * DPI))
        said = [
            content(whole),
            stated(whole["/Resources"], *sorted(whole["/Resources"].keys())),
            repr(pixels).encode(),
        ]

        def drawn(
            page: Page = page, whole: Object = whole, pixels: tuple[int, int] = pixels
        ) -> Result:
            """The picture in inks, packed; and a word where type had to be part of it."""
            art, letters = splitter.form(whole, "art"), splitter.form(whole, "type")
            with opened(_alone([page] * 3, ((art,), (whole,), (art, letters)))) as document:
                over = _covers(document, 1, 2)
                inks = ink.picture(picture(document, int(over), pixels)).tobytes()
                return zlib.compress(inks, 6), ("over" * over,)

        data, (over, *_) = memo.get("flat", said, drawn)
        _replace(pdf, page, data, pixels, None if over else splitter.form(whole, "type"))
        covered += [index] if over else []
    return list(pages), covered


def _covers(document: PdfDocument, whole: int, parted: int) -> bool:
    """True if a page looks otherwise with its type above its art: then something is drawn over the type."""
    from PIL import ImageChops

    pages: list[Image] = []
    for index in (whole, parted):
        width, height = document[index].get_size()
        pages.append(
            picture(document, index, (round(width / 72 * LOOK), round(height / 72 * LOOK)))
        )
    differs = ImageChops.difference(*pages).reduce(2)
    return any(
        most > FAINT for _, most in cast("tuple[tuple[int, int], ...]", differs.getextrema())
    )


def _alone(pages: Sequence[Page], layers: Sequence[Sequence[Object]]) -> bytes:
    """Pages of these sizes in a file of their own, each with some forms upon one another, to be drawn."""
    with Pdf.new() as other:
        for page, forms in zip(pages, layers, strict=True):
            width, height = (float(edge) for edge in page.mediabox[2:])
            made = other.add_blank_page(page_size=(width, height))
            copies = {f"/L{index}": other.copy_foreign(form) for index, form in enumerate(forms)}
            made.Resources = Dictionary(XObject=Dictionary(copies))
            made.Contents = other.make_stream("".join(f"{name} Do\n" for name in copies).encode())
        out = BytesIO()
        other.save(out)
        return out.getvalue()


def _replace(
    pdf: Pdf, page: Page, inks: bytes, pixels: tuple[int, int], letters: Object | None
) -> None:
    """The picture (its inks packed), then the type, if any is left."""
    image = pdf.make_stream(b"")
    image["/Type"], image["/Subtype"] = Name.XObject, Name.Image
    image["/Width"], image["/Height"] = pixels
    image["/ColorSpace"], image["/BitsPerComponent"] = Name.DeviceCMYK, 8
    image.write(inks, filter=Name.FlateDecode)
    width, height = (float(edge) for edge in page.mediabox[2:])
    objects = Dictionary(Art=image)
    content = b"q %s 0 0 %s 0 0 cm /Art Do Q\n" % (number(width), number(height))
    if letters is not None:
        objects["/Type"], content = letters, content + b"/Type Do\n"
    page.obj["/Resources"] = Dictionary(XObject=objects)
    page.obj["/Contents"] = pdf.make_stream(content)
