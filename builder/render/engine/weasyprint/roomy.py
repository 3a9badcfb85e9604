"""Room on the interpreter's stack for calls that go deep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

ROOM = 1 << 16
"""Values on the stack of `roomy`: it is given a megabyte, of which it uses next to nothing itself."""


def roomy(call: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Call a function with room for all that it calls.

    CPython fetches memory for frames 16 kB at a time and gives it back as soon as the last frame in it returns. Layout
    goes hundreds of frames deep, back and forth over such an end 120 times a face: a call of the system each time, a
    sixteenth of the work. A function with a large frame is given a large piece, and what it calls goes on in the rest.
    """
    return call(*arguments, **named)


roomy.__code__ = roomy.__code__.replace(co_stacksize=ROOM)
