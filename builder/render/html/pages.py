"""The program's own web pages.

Templates, style sheets and scripts of `builder/data/pages`, filled in.
"""

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from builder.messages import Message, ngettext, translate
from builder.model.languages import get_text_direction

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parents[2] / "data" / "pages"


@cache
def _load_environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    options = {
        "autoescape": True,
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    return Environment(
        loader=FileSystemLoader(FOLDER),
        keep_trailing_newline=True,
        **options,  # type: ignore[arg-type]
    )


# Positional arguments, so that a template may have values of these names.
def page(template: str, lang: str, /, **values: object) -> str:
    """Return an HTML page of the program, filled in from a template.

    The template knows `_`, `ngettext` and `say`.
    """

    def translate_text(text: str, **gaps: object) -> str:
        return translate(Message(text, **gaps), lang)

    def translate_plural(singular: str, plural: str, count: int) -> str:
        return translate(ngettext(singular, plural, count), lang)

    words = {
        "_": translate_text,
        "ngettext": translate_plural,
        "say": partial(translate, lang=lang),
        "lang": lang,
    }
    words["text_direction"] = get_text_direction
    return (
        _load_environment().get_template(f"{template}.j2").render({**values, **words})
    )


def asset(name: str) -> bytes:
    """Return the text of a style sheet or script of the program."""
    return (FOLDER / name).read_bytes()
