"""Days in texts. This module imports no library: commands read it before they load anything."""

import re
from datetime import date


def parse_day(text: str) -> date | None:
    """Return the date of a text such as "2026-02-01" or "2026-2-1", or None if it is no date."""
    # `fromisoformat` refuses months and days of one digit, which people write.
    match = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text.strip())
    try:
        return date(*map(int, match.groups())) if match else date.fromisoformat(text)
    except ValueError:
        return None
