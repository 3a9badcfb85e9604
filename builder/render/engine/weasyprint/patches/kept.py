"""Style objects that outlive their document, and what was worked out from them alone.

Only such styles remember anything: the engine writes to styles of its own while it lays out tables, flexible boxes and
notes, but always to copies, and copies are the engine's plain styles again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple


@dataclass(slots=True)
class Stock:
    """What this process remembers of fonts and of lines of text, by their looks, and how many lines in all."""

    faces: dict[Any, Any] = field(default_factory=dict)
    looks: dict[Any, Any] = field(default_factory=dict)
    lines: int = 0
    named: bool = False
    """True if some element names the page it wants to stand on."""

    def clear(self) -> None:
        """Forget all."""
        self.faces.clear()
        self.looks.clear()
        self.lines, self.named = 0, False


stock = Stock()


class Kinds(NamedTuple):
    """The two classes of kept styles: of elements, and of boxes without one."""

    computed: type[Any]
    anonymous: type[Any]


class _Unset(NamedTuple):
    """What properties come to that no rule sets: inherited, initial, or no width where no line is drawn (by the name of
    the property that draws one). Logical properties may set physical ones.
    """

    inherited: frozenset[str]
    initial: dict[str, Any]
    widths: dict[str, str]
    logical: frozenset[str]


def _unset() -> _Unset:
    from weasyprint.css import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES, PHYSICAL_FUNCTIONS

    flow = {"position", "float", "display"}
    passed_on = {name for name in INITIAL_VALUES if name[:16] == "text_decoration_"} | {"page"}
    inherited = (passed_on | set(INHERITED)) - flow
    plain = set(INITIAL_VALUES) - inherited - flow - set(INITIAL_NOT_COMPUTED)
    widths = {f"border_{side}_width": f"border_{side}_style" for side in ("top", "right", "bottom", "left")}
    logical = {function(block="ttb", inline=way) for function in PHYSICAL_FUNCTIONS.values() for way in ("ltr", "rtl")}
    return _Unset(
        frozenset(inherited),
        {name: INITIAL_VALUES[name] for name in plain},
        {**widths, "outline_width": "outline_style"},
        frozenset(logical),
    )


def _anonymous() -> type[Any]:
    from weasyprint.css import AnonymousStyle

    class Anonymous(AnonymousStyle):  # type: ignore[misc]
        """The style of boxes without an element, kept with the style they inherit from."""

        def __init__(self, parent_style: Any) -> None:
            super().__init__(parent_style)
            self.known: dict[Any, Any] = {}

        @cached_property
        def anonymous_style(self) -> Anonymous:
            return Anonymous(self)

    return Anonymous


@cache
def kinds() -> Kinds:
    """The engine's styles with a memory."""
    from weasyprint.css import INITIAL_VALUES, PHYSICAL_FUNCTIONS, ComputedStyle

    inherited, initial, widths, logical = _unset()
    compute = ComputedStyle.__missing__

    anonymous = _anonymous()

    class Computed(ComputedStyle):  # type: ignore[misc]
        """The style of an element."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.known: dict[Any, Any] = {}

        @cached_property
        def anonymous_style(self) -> Any:
            return anonymous(self)

        def __missing__(self, key: str) -> Any:
            """A property no rule sets, without asking what only set ones need."""
            if self.parent_style is None or key in self.cascaded:
                return compute(self, key)
            if key in PHYSICAL_FUNCTIONS and not logical.isdisjoint(self.cascaded):
                return compute(self, key)
            if key in inherited:
                value = self.parent_style[key]
            elif key in initial:
                value = initial[key]
            elif key in widths and widths[key] not in self.cascaded:
                value = 0
            elif key == "position" or (key == "float" and self["position"]):
                value = self.specified[key] = INITIAL_VALUES[key]  # a display follows from what was declared
            else:
                return compute(self, key)
            self[key] = value
            return value

    return Kinds(Computed, anonymous)
