"""Style objects that outlive their document, and what was worked out from them alone.

Only such styles remember anything: the engine writes to styles of its own while it lays out tables, flexible boxes and
notes, but always to copies, and copies are the engine's plain styles again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple


@dataclass(slots=True)
class Stock:
    """How much the styles of this process remember."""

    lines: int = 0


stock = Stock()


class Kinds(NamedTuple):
    """The two classes of kept styles: of elements, and of boxes without one."""

    computed: type[Any]
    anonymous: type[Any]


@cache
def kinds() -> Kinds:
    """The engine's styles with a memory."""
    from weasyprint.css import (
        INHERITED,
        INITIAL_NOT_COMPUTED,
        INITIAL_VALUES,
        PHYSICAL_FUNCTIONS,
        AnonymousStyle,
        ComputedStyle,
    )

    logical = {function(block="ttb", inline=way) for function in PHYSICAL_FUNCTIONS.values() for way in ("ltr", "rtl")}
    special = {"page", "position", "float", "display"}
    names = {name for name in (*INITIAL_VALUES, *INHERITED) if name[:16] != "text_decoration_"} - special
    inherited = names & set(INHERITED)
    initial = {name: INITIAL_VALUES[name] for name in names - inherited if name not in INITIAL_NOT_COMPUTED}
    compute = ComputedStyle.__missing__

    class Anonymous(AnonymousStyle):  # type: ignore[misc]
        """The style of boxes without an element, kept with the style they inherit from."""

        def __init__(self, parent_style: Any) -> None:
            super().__init__(parent_style)
            self.known: dict[Any, Any] = {}

        @cached_property
        def anonymous_style(self) -> Anonymous:
            return Anonymous(self)

    class Computed(ComputedStyle):  # type: ignore[misc]
        """The style of an element."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.known: dict[Any, Any] = {}

        @cached_property
        def anonymous_style(self) -> Anonymous:
            return Anonymous(self)

        def __missing__(self, key: str) -> Any:
            """A property no rule sets is inherited or initial, without asking what only set ones need."""
            if self.parent_style is None or key in self.cascaded:
                return compute(self, key)
            if key in PHYSICAL_FUNCTIONS and not logical.isdisjoint(self.cascaded):
                return compute(self, key)
            if key in inherited:
                value = self[key] = self.parent_style[key]
                return value
            if key in initial:
                value = self[key] = initial[key]
                return value
            return compute(self, key)

    return Kinds(Computed, Anonymous)
