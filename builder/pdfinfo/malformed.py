"""What reading a damaged PDF raises."""

from __future__ import annotations

import pikepdf

MALFORMED = (TypeError, ValueError, AttributeError, LookupError, OverflowError, pikepdf.PdfError)
"""An object of the wrong type or a missing one: what cannot be followed is counted and passed over, as viewers do."""
