"""Whether a box is in the normal flow follows from its style: asked some thirty times of every box."""

from collections.abc import Callable, Iterator
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement


def replacements() -> Iterator[Replacement]:
    """The question."""
    from weasyprint.formatting_structure.boxes import Box

    yield Box, "is_in_normal_flow", _by_style(Box.is_in_normal_flow)


def _by_style(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def is_in_normal_flow(box: Any) -> bool:
        try:
            found: bool = box.style.known["in flow"]
        except AttributeError:
            return original(box)
        except KeyError:
            found = box.style.known["in flow"] = original(box)
        return found

    return is_in_normal_flow
