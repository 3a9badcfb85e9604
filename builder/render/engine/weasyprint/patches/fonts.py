"""No font program in a face's own file.

Records name their fonts, and finished documents embed them once.
"""

from collections.abc import Iterator
from typing import Any

from builder.render.engine.weasyprint.patches.replacing import Replacement


def replacements() -> Iterator[Replacement]:
    """The subsetting of a font."""
    from weasyprint.pdf.fonts import Font

    yield Font, "clean", _no_program


def _no_program(font: Any, _letters: Any, _hinting: Any) -> None:
    font.file_content = b""
