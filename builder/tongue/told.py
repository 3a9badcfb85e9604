"""A message as data: an English form with gaps and what fills them, so that it can be told in another language too.

A `Told` is its English text, and can be used as one. Where a language has no words for a form, English is told: better
than none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from importlib import import_module
from string import Formatter
from typing import Any

LANGUAGES = {"ru": "builder.tongue.russian"}
"""Language -> the module whose `FORMS` maps English forms to those of the language."""

DECIMAL = {"ru": ","}
"""What stands between the whole and the broken part of a number, where that is no point."""


class Told(str):
    """`Told("{name} is missing", name="cost")`; a gap may be filled with another Told.

    Without values a form is taken as it stands, braces and all.
    """

    form: str
    values: Mapping[str, object]

    def __new__(cls, form: str, /, **values: object) -> Told:
        """The English text, which remembers how it came about; of a Told it is the same."""
        if isinstance(form, Told) and not values:
            return form
        made = super().__new__(cls, form.format(**values) if values else form)
        made.form = form
        made.values = values
        return made

    def __reduce__(self) -> tuple[Callable[..., Told], tuple[str, Mapping[str, object]]]:
        """For pickle and copies, which know nothing of values by name."""
        return _again, (self.form, self.values)


def _again(form: str, values: Mapping[str, object]) -> Told:
    return Told(form, **values)


def said(text: str, lang: str) -> str:
    """A message in a language (`ru`, `ru-RU`), as far as the language has words for it.

    A message without gaps need not be a Told; what fills a gap is translated only if it is one.
    """
    if not isinstance(text, Told):
        return forms(lang).get(text, text)
    form = forms(lang).get(text.form)
    if form is None:
        return str(text)
    filled = {key: said(value, lang) if isinstance(value, Told) else value for key, value in text.values.items()}
    return _Filling(lang).format(form, **filled) if filled else form


class _Filling(Formatter):
    """Fills gaps. A gap that says how a number is written (`{wide:.2f}`) holds a measure, written as the language does;
    any other number is one that stands in a file, and is written as there.
    """

    def __init__(self, lang: str) -> None:
        self._decimal = DECIMAL.get(lang.partition("-")[0], ".")

    def format_field(self, value: object, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        return text.replace(".", self._decimal) if format_spec and isinstance(value, int | float) else text


def plain(text: str) -> object:
    """A message as a value that JSON can hold."""
    if not isinstance(text, Told):
        return text
    return {"form": text.form, "values": {key: _plain(value) for key, value in text.values.items()}}


def _plain(value: object) -> object:
    return plain(value) if isinstance(value, str) else value if isinstance(value, int | float) else str(value)


def again(value: Any) -> str:
    """The message that `plain` made a value of. KeyError or TypeError for any other."""
    if isinstance(value, str):
        return value
    return Told(value["form"], **{key: _filled(filling) for key, filling in value["values"].items()})


def _filled(value: object) -> object:
    return again(value) if isinstance(value, dict) else value


def why(error: Exception) -> Told:
    """What the system says of a file that cannot be read or written, or a library of what is in it."""
    return Told((error.strerror if isinstance(error, OSError) else "") or str(error))


def joined(texts: Iterable[str], form: str = "{first}, {rest}") -> str:
    """Texts put together by a form with `first` and `rest`, such as `{first} or {rest}`; nothing for none."""
    items = list(texts)
    return reduce(lambda rest, first: Told(form, first=first, rest=rest), reversed(items)) if items else ""


@cache
def forms(lang: str) -> Mapping[str, str]:
    """What a language says for each English form; nothing for English and languages that have no words here."""
    module = LANGUAGES.get(lang.partition("-")[0])
    found: Mapping[str, str] = import_module(module).FORMS if module else {}
    return found
