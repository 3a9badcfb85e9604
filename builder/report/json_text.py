"""JSON as a text file."""

import json
from collections.abc import Callable


def dump_json(
    value: object, indent: int = 2, default: Callable[[object], object] | None = None
) -> str:
    """Return a value as JSON that ends with a line break. `default` converts unknown types."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=default) + "\n"
