"""Private names of the engine that are replaced for good, to correct two mistakes of it."""

from functools import cache

from builder.render.engines.weasyprint.patches import lines, widths

CORRECTIONS = {"widths": widths.find_replacements, "lines": lines.find_replacements}


@cache
def apply_corrections() -> tuple[str, ...]:
    """Correct the engine.

    Return the names of the corrections that this version of it has no place for.
    """
    lacking = []
    for name, find_replacements in CORRECTIONS.items():
        try:
            replacements = list(find_replacements())
        except (ImportError, AttributeError):
            lacking.append(name)
            continue
        for owner, replaced, instead in replacements:
            setattr(owner, replaced, instead)
    return tuple(lacking)
