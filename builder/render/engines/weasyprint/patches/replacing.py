"""Find the places in the engine where a function is replaced."""

import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Replacement: TypeAlias = tuple[Any, str, Any]
"""Owner (a module or class of the engine), name, what takes its place."""


def find_everywhere(
    function: Callable[..., Any], replacement: Callable[..., Any]
) -> Iterator[Replacement]:
    """Find a function in every module of the engine that imported it."""
    for name, module in list(sys.modules.items()):
        if (
            name.startswith("weasyprint.")
            and getattr(module, function.__name__, None) is function
        ):
            yield module, function.__name__, replacement
