"""JSON as a text file."""

import json
from collections.abc import Callable


def dump_json(
    value: object, indent: int = 2, default: Callable[[object], object] | None = None
) -> str:
    """Format a value as JSON with a final line break. `default` converts values of other types."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=default) + "\n"
