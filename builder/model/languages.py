"""Languages by their codes: the direction of their writing."""

import re
from typing import Literal

from builder.messages import Message, gettext as _
from builder.model.codes import define

RIGHT_TO_LEFT_LANGUAGES = frozenset(
    {
        "ar",
        "arc",
        "arz",
        "azb",
        "bgn",
        "ckb",
        "dv",
        "fa",
        "glk",
        "he",
        "iw",
        "ji",
        "ks",
        "lrc",
        "mzn",
        "nqo",
        "pnb",
        "ps",
        "sd",
        "skr",
        "syr",
        "ug",
        "ur",
        "yi",
    }
)
"""Languages that are written from right to left, by their codes in lower case."""
RIGHT_TO_LEFT_SCRIPTS = frozenset(
    {"adlm", "arab", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
)
"""Scripts that are written from right to left, by their ISO 15924 codes in lower case."""


def get_text_direction(lang: str) -> Literal["ltr", "rtl"]:
    """Return the direction in which a language is written: "ltr" or "rtl"."""
    parts = re.split("[-_]", lang.lower())
    # In a language tag only the script has four letters: `ku-Arab`.
    script = next((part for part in parts[1:] if len(part) == 4 and part.isalpha()), "")
    # A language with two scripts, such as Kurdish, is written in both directions.
    if script:
        return "rtl" if script in RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if parts[0] in RIGHT_TO_LEFT_LANGUAGES else "ltr"


DIRECTION = define(
    "i18n/direction",
    _("The engine cannot print right-to-left languages"),
    _(
        "WeasyPrint reverses Latin words and numbers that "
        "change style: 2D6 with a bold 2 is "
        "printed as D62."
    ),
    _(
        "Set `engine: plutoprint` in pack.yaml and install it: pip install 'plutoprint<0.24'."
    ),
)


def describe_unsupported_direction(lang: str) -> Message:
    """Return the message that WeasyPrint cannot print a language."""
    return _("WeasyPrint cannot print the right-to-left language {lang}", lang=lang)
