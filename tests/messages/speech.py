"""What holds of every finding told in Russian."""

from __future__ import annotations

import re

from builder.findings import Finding

CYRILLIC = re.compile("[а-яё]")


def speaks_russian(finding: Finding) -> bool:
    """True if the message and the hint are told in Russian, and the finding as it is in English."""
    told = finding.translate("ru")
    english = (
        CYRILLIC.search(finding.message + finding.hint) is None
        and finding.translate("en") == finding
    )
    return english and all(
        CYRILLIC.search(text) for text in (told.message, told.hint) if text
    )
