"""Where the engine's private functions are replaced."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any


def everywhere(function: Callable[..., Any], other: Callable[[Any], Any]) -> Iterator[tuple[Any, str, Any]]:
    """A function under its name in every module of the engine that imported it: module, name, what takes its place."""
    replacement = other(function)
    for name, module in list(sys.modules.items()):
        if name.startswith("weasyprint.") and getattr(module, function.__name__, None) is function:
            yield module, function.__name__, replacement
