"""All checks of a single image for print."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from builder.checks.images import colours, edges, shape
from builder.checks.images.face import Face
from builder.findings import Finding, in_order

CHECKS: tuple[Callable[[Face], Iterator[Finding]], ...] = (shape.check, colours.check, edges.check)


def judge(face: Face) -> tuple[Finding, ...]:
    """Everything that stands against printing one image."""
    return in_order(finding for check in CHECKS for finding in check(face))
