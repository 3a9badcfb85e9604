"""Findings kept between two runs, so that what was judged once is not judged again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from builder.findings import Finding
from builder.store.atomic import write_atomic


def note(path: Path, findings: Sequence[Finding], **more: object) -> None:
    """Write findings, and whatever else is worth noting. Raises OutputNotWritten."""
    value = {**more, "findings": [finding.to_json() for finding in findings]}
    write_atomic(path, json.dumps(value, ensure_ascii=False, sort_keys=True).encode())


def noted(path: Path) -> tuple[tuple[Finding, ...], Mapping[str, Any]] | None:
    """The findings and the rest as they were noted; None where there is nothing to be read."""
    try:
        value = json.loads(path.read_bytes())
        return tuple(Finding.from_json(item) for item in value.pop("findings")), value
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
