"""One drawing apart into its art and its type, so that one can be made a picture or left out, and the other kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from builder.render.cache import ResultCache
from builder.render.prepress.identity import content, stated
from builder.render.prepress.walk import Instruction, forms_of, images_of, instructions, unparsed

PAINTS = frozenset({"f", "F", "f*", "S", "s", "B", "B*", "b", "b*"})
FAINT_FORM = "Do faint"
"""Stands for the `Do` of a form drawn where the state lets things shine through."""
Keep = Literal["art", "type"]


class Splitter:
    """Makes copies of forms that hold only their art, or only their type. Each copy is made once."""

    def __init__(self, pdf: Any, memo: ResultCache | None = None) -> None:
        self._pdf = pdf
        self._memo = memo or ResultCache()
        self._made: dict[tuple[tuple[int, int], Keep], Any] = {}

    def form(self, form: Any, keep: Keep) -> Any:
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
            copy.write(self._memo.get(keep, said, lambda: (unparsed(self._kept(form, keep)), ()))[0])
        return self._made[key]

    def _resources(self, form: Any, keep: Keep) -> Any:
        """The same resources, forms among them split too."""
        import pikepdf

        resources = pikepdf.Dictionary(dict(form.get("/Resources", pikepdf.Dictionary()).items()))
        forms = forms_of(resources)
        if forms or "/XObject" in resources:
            objects = pikepdf.Dictionary(dict(resources["/XObject"].items()))
            for name, inner in forms:
                objects[name] = self.form(inner, keep)
                if keep == "art" and self._faint(resources):
                    objects[_whole(name)] = inner
            resources["/XObject"] = objects
        if keep == "art" and "/Font" in resources and not self._faint(resources):
            del resources["/Font"]
        return resources

    @staticmethod
    def _faint(resources: Any) -> bool:
        """True if any graphics state of the resources is not opaque."""
        return any(transparent(state) for _, state in resources.get("/ExtGState", {}).items())

    def _kept(self, form: Any, keep: Keep) -> list[Instruction]:
        """The instructions of one half."""
        resources = form.get("/Resources", {})
        images, forms = ({name for name, _ in found(resources)} for found in (images_of, forms_of))
        kept: list[Instruction] = []
        for part in _parts(instructions(form), resources.get("/ExtGState", {}), forms):
            part.content = [_faintly(item, keep) for item in part.content]
            if part.text:
                kept += part.content if (keep == "type") == part.solid else _states(part.content)
            else:
                kept += part.content if keep == "art" else [_unpainted(item, images) for item in part.content]
        return [item for item in kept if item[1]]


@dataclass(slots=True)
class _Part:
    """A run of instructions: a text block (solid where it is opaque throughout), or anything else."""

    text: bool
    solid: bool = True
    content: list[Instruction] = field(default_factory=list)


def _parts(drawing: Iterable[Instruction], states: Any, forms: set[str]) -> list[_Part]:
    """A drawing cut into text blocks and the rest."""
    parts = [_Part(False)]
    faint, stack = False, []
    for operands, name in drawing:
        if name == "q":
            stack.append(faint)
        elif name == "Q" and stack:
            faint = stack.pop()
        elif name == "gs":
            faint = _faint_after(states.get(str(operands[0])), faint)
        elif name == "BT":
            parts.append(_Part(True))
        veiled = faint and name == "Do" and str(operands[0]) in forms
        parts[-1].content.append((operands, FAINT_FORM if veiled else name))
        parts[-1].solid &= not faint
        if name == "ET":
            parts.append(_Part(False))
    return parts


def _whole(name: str) -> str:
    """What a form is called in the art's resources with its type still in it."""
    return f"{name}Whole"


def _faintly(item: Instruction, keep: Keep) -> Instruction:
    """A form drawn faintly is art as a whole."""
    import pikepdf

    operands, name = item
    if name != FAINT_FORM:
        return item
    return ((pikepdf.Name(_whole(str(operands[0]))),), "Do") if keep == "art" else ((), "")


def _unpainted(item: Instruction, images: set[str]) -> Instruction:
    """An instruction without its paint: paths end unpainted, pictures and shadings vanish (an empty name)."""
    operands, name = item
    if name in PAINTS:
        return ((), "n")
    gone = name in ("sh", "BI", "INLINE IMAGE") or (name == "Do" and str(operands[0]) in images)
    return ((), "") if gone else item


def _states(block: list[Instruction]) -> list[Instruction]:
    """What a left-out text block leaves behind for what follows: colours and graphics states."""
    return [item for item in block if item[1] in ("rg", "RG", "g", "G", "k", "K", "cs", "CS", "sc", "scn", "gs")]


def transparent(state: Any) -> bool:
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


def _faint_after(state: Any, before: bool) -> bool:
    """Whether what follows a graphics state is faint: an opaque state only resets what it names."""
    if state is None:
        return before
    if transparent(state):
        return True
    return before and not {"/ca", "/CA", "/SMask", "/BM"} & set(state.keys())
