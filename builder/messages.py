"""Translatable messages, and the gettext catalogues in `builder/locale`.

A `Message` is a str with its English text. The code that prints it translates it. A message without
a translation is printed in English.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from gettext import NullTranslations, find, translation
from hashlib import sha256
from os import PathLike, fspath, scandir
from os.path import dirname, join
from string import Formatter
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # JSON needs no models
    from pydantic import JsonValue

DOMAIN = "squadpress"
LOCALE_FOLDER = join(dirname(__file__), "locale")  # noqa: PTH118, PTH120 - pathlib is not for the pure layers


class Message(str):
    """A translatable text, such as `Message("{name} is missing", name="cost")`.

    Values may be messages too. A text without values is used unchanged, with its braces. `plural`
    is the English text for other numbers than 1, chosen by the value `count`. `context`
    distinguishes messages with equal English texts.
    """

    msgid: str
    plural: str
    context: str
    values: Mapping[str, object]

    def __new__(
        cls, msgid: str, plural: str = "", context: str = "", /, **values: object
    ) -> Message:
        """Make the English text. It also stores its parts for a later translation."""
        if isinstance(msgid, Message):
            if not values:
                return msgid
            context = context or msgid.context
        text = plural if plural and values.get("count") != 1 else msgid
        message = super().__new__(cls, text.format(**values) if values else text)
        message.msgid = msgid
        message.plural = plural
        message.context = context
        message.values = values
        return message

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Message], tuple[str, str, str, Mapping[str, object]]]:
        """Return the constructor and its arguments, for pickle and copy."""
        return _create_message, (self.msgid, self.plural, self.context, self.values)


def _create_message(
    msgid: str, plural: str, context: str, values: Mapping[str, object]
) -> Message:
    return Message(msgid, plural, context, **values)


def gettext(msgid: str, /, **values: object) -> Message:
    """Make a translatable message. Import it as `_`, which the message extractor looks for."""
    return Message(msgid, **values)


def pgettext(context: str, msgid: str, /, **values: object) -> Message:
    """Make a translatable message whose translation depends on a context.

    For example: `pgettext("rule", "at most {bound}", bound=3)`.
    """
    return Message(msgid, "", context, **values)


def ngettext(singular: str, plural: str, /, count: int, **values: object) -> Message:
    """Make a translatable message with a singular and a plural form, chosen by `count`.

    For example: `ngettext("{count} card", "{count} cards", len(cards))`.
    """
    return Message(singular, plural, count=count, **values)


CONTROL_CHARACTERS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that control a terminal or the direction of text, except tabs and line breaks."""


def escape_controls(text: str, keep_line_breaks: bool = True) -> str:
    r"""Escape control characters, which could change a terminal, as `\\u001b` and so on.

    Without `keep_line_breaks` line breaks and tabs are escaped too.
    """
    if not keep_line_breaks and ("\n" in text or "\t" in text):
        text = text.replace("\n", "\\n").replace("\t", "\\t")
    if not CONTROL_CHARACTERS.search(text):
        return text
    return CONTROL_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def translate(text: str, lang: str) -> str:
    """Translate a message to a language (`ru`, `ru-RU`). Untranslated messages stay English.

    Values in it are translated if they are messages. Control characters in other values are
    escaped, because they may come from strangers.
    """
    if not isinstance(text, Message) or not text:
        return escape_controls(text)
    catalog = load_catalogue(lang.partition("-")[0])
    if text.plural:
        count = text.values["count"]
        # gettext takes whole numbers only. Other numbers have the plural.
        form = catalog.ngettext(
            text.msgid, text.plural, count if isinstance(count, int) else 2
        )
    elif text.context:
        form = catalog.pgettext(text.context, text.msgid)
    else:
        form = catalog.gettext(text.msgid)
    if not text.values:
        return form
    values: dict[str, object] = {}
    for key, value in text.values.items():
        if isinstance(value, str | PathLike):
            values[key] = translate(fspath(value), lang)
        else:
            values[key] = value
    return _MessageFormatter(lang).format(form, **values)


DECIMAL_POINT = pgettext("decimal point", ".")
"""The decimal separator, translated for each language."""


class _MessageFormatter(Formatter):
    """Fills the values into a message. Decimal points depend on the language.

    Only numbers with a format, such as `{width:.2f}`, are measures and get the language's decimal
    point. Other numbers are printed as they are in files.
    """

    def __init__(self, lang: str) -> None:
        self._decimal = translate(DECIMAL_POINT, lang)

    def format_field(self, value: object, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        is_measure = format_spec and isinstance(value, int | float)
        return text.replace(".", self._decimal) if is_measure else text


def to_json(text: str) -> JsonValue:
    """Convert a message to a JSON value that `from_json` restores."""
    if not isinstance(text, Message):
        return text
    values: dict[str, JsonValue] = {}
    for key, value in text.values.items():
        if isinstance(value, int | float):
            values[key] = value
        else:
            values[key] = to_json(value if isinstance(value, str) else str(value))
    return {
        "msgid": text.msgid,
        "plural": text.plural,
        "context": text.context,
        "values": values,
    }


def from_json(value: object) -> str:
    """Restore a message from the JSON value that `to_json` returned.

    Raise TypeError for other values.
    """
    match value:
        case str():
            return value
        case {
            "msgid": str(msgid),
            "plural": str(plural),
            "context": str(context),
            "values": dict(values),
        }:
            restored_values = dict(values)
            for key, item in values.items():
                if isinstance(item, dict):
                    restored_values[key] = from_json(item)
            # A stored message may lack values that its text needs. Formatting it fails then.
            with suppress(LookupError):
                if not plural or "count" in restored_values:
                    return Message(msgid, plural, context, **restored_values)
    raise TypeError("no message")


_OS_ERROR_MESSAGES = {
    errno.ENOENT: gettext("No such file or directory"),
    errno.EEXIST: gettext("a file exists where a folder is expected"),
    errno.EISDIR: gettext("it is a folder"),
    errno.ENOTDIR: gettext("a file exists where a folder is expected"),
    errno.EACCES: gettext("Permission denied"),
    errno.EROFS: gettext("Read-only file system"),
    errno.ENOSPC: gettext("No space left on device"),
    errno.ENAMETOOLONG: gettext("File name too long"),
    errno.EIO: gettext("Input/output error"),
}


def describe_os_error(error: Exception) -> str:
    """Return the translatable reason for a file error, such as "Permission denied"."""
    if not isinstance(error, OSError):
        return str(error)
    return _OS_ERROR_MESSAGES.get(error.errno or 0) or error.strerror or str(error)


def join_messages(texts: Iterable[str], form: str = "{first}, {rest}") -> str:
    """Join messages pairwise by a form such as `{first}, {rest}` or `{first} or {rest}`."""
    *first_texts, joined = list(texts) or [""]
    for text in reversed(first_texts):
        joined = Message(form, first=text, rest=joined)
    return joined


@cache
def list_languages() -> tuple[str, ...]:
    """Return the codes of all interface languages, sorted: English, and those with a catalogue."""
    langs = {"en"}
    for folder in scandir(LOCALE_FOLDER):
        if find(DOMAIN, LOCALE_FOLDER, [folder.name]):
            langs.add(folder.name)
    return tuple(sorted(langs))


@cache
def hash_catalogues() -> str:
    """Return a hash of all translation catalogues, for cache keys of pages."""
    digest = sha256()
    for lang in list_languages():
        path = f"{LOCALE_FOLDER}/{lang}/LC_MESSAGES/{DOMAIN}.mo"
        with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123
            digest.update(file.read())
    return digest.hexdigest()


@cache
def load_catalogue(lang: str) -> NullTranslations:
    """Load the translations of a language. Without a catalogue, messages stay English."""
    return translation(DOMAIN, LOCALE_FOLDER, [lang], fallback=True)
