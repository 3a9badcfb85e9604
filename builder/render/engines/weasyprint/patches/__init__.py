"""Replacements of private functions of the engine, which correct two of its errors."""

from functools import cache

from builder.render.engines.weasyprint.patches import lines, widths

CORRECTIONS = {"widths": widths.find_replacements, "lines": lines.find_replacements}


@cache
def apply_corrections() -> tuple[str, ...]:
    """Replace faulty functions of the engine. Return the names of patches that do not fit."""
    lacking = []
    for name, find_replacements in CORRECTIONS.items():
        try:
            replacements = list(find_replacements())
        except (
            ImportError,
            AttributeError,
        ):  # another version may have other functions
            lacking.append(name)
            continue
        for owner, replaced, instead in replacements:
            setattr(owner, replaced, instead)
    return tuple(lacking)
