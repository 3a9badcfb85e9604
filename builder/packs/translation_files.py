"""Files of translators: PO files of gettext, and XLIFF 1.2. XLIFF 2 is only read."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from builder.errata.translations import Coverage, Item, TranslationState
from builder.errors import InputUnreadable, SquadpressError, ToolMissing
from builder.files import read_limited
from builder.messages import describe_os_error, gettext as _

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

SEPARATOR = "|"
"""The separator of card id and path in the context that translation programs show."""
XLIFF = "urn:oasis:names:tc:xliff:document:1.2"
STATES = {
    TranslationState.CURRENT: "translated",
    TranslationState.MISSING: "new",
    TranslationState.STALE: "needs-review-translation",
    TranslationState.IDENTICAL: "needs-translation",
}
"""The states of texts in XLIFF 1.2."""
UNFINISHED = frozenset(
    {
        "initial",
        "needs-adaptation",
        "needs-l10n",
        "needs-review-translation",
        "needs-translation",
        "new",
    }
)
"""The states of texts that are not read."""


@dataclass(frozen=True, slots=True)
class FilledText:
    """A text from a translator, and the source text that it translates."""

    card: str
    path: str
    source: str
    text: str


def make_po_file(pack: str, coverage: Coverage) -> bytes:
    """Return all texts of a language as a PO file. Outdated translations are marked fuzzy.

    Raise ToolMissing if Babel is not installed.
    """
    catalog = _make_babel_catalog(coverage.lang)
    catalog.project = pack
    catalog.header_comment = f"# {pack}: {coverage.lang}"
    for item in coverage.items:
        message = catalog.add(
            item.source,
            _get_target(item),
            flags=["fuzzy"] if item.state is TranslationState.STALE else [],
            previous_id=[item.before] if item.before else [],
            context=_format_context(item),
        )
        # What a card says in braces is no gap of Python's.
        message.flags -= {"python-format", "python-brace-format"}
    from babel.messages.pofile import write_po

    out = BytesIO()
    write_po(out, catalog, include_previous=True, width=0, omit_header=False)
    lines = out.getvalue().splitlines(keepends=True)
    # Without the time, equal translations are equal files.
    return b"".join(
        line for line in lines if not line.startswith(b'"POT-Creation-Date')
    )


def make_xliff_file(pack: str, coverage: Coverage) -> bytes:
    """Return all texts of a language as an XLIFF 1.2 file."""
    root = ElementTree.Element("xliff", {"version": "1.2", "xmlns": XLIFF})
    attributes = {
        "original": pack,
        "source-language": coverage.source,
        "target-language": coverage.lang,
        "datatype": "plaintext",
    }
    file = ElementTree.SubElement(root, "file", attributes)
    body = ElementTree.SubElement(file, "body")
    for item in coverage.items:
        unit_attributes = {"id": _format_context(item), "xml:space": "preserve"}
        unit = ElementTree.SubElement(body, "trans-unit", unit_attributes)
        ElementTree.SubElement(unit, "source").text = item.source
        target = ElementTree.SubElement(unit, "target", {"state": STATES[item.state]})
        target.text = _get_target(item)
        if item.before:
            ElementTree.SubElement(unit, "note").text = item.before
    ElementTree.indent(root, " ")
    data: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _get_target(item: Item) -> str:
    """Return the translation of a text, or "" if it only copies the source text."""
    return "" if item.state is TranslationState.IDENTICAL else item.text


def _format_context(item: Item) -> str:
    return f"{item.card}{SEPARATOR}{item.path}"


def _make_babel_catalog(lang: str) -> Catalog:
    try:
        from babel.messages.catalog import Catalog
    except ImportError as error:
        hint = _("Install it: pip install 'squadpress[catalogues]', or use XLIFF.")
        raise ToolMissing(_("PO files need Babel"), hint) from error
    return Catalog(locale=lang, fuzzy=False)


def read_translations(file: Path) -> tuple[str, tuple[FilledText, ...]]:
    """Read a translator's PO or XLIFF file. Return its language and its finished texts.

    Raise InputUnreadable if it is neither.
    """
    try:
        data = read_limited(file)
        if file.suffix == ".po":
            lang, texts = _read_po(data)
        else:
            lang, texts = _read_xliff(data.decode("utf-8-sig"))
    except (SquadpressError, MemoryError):
        raise
    # The libraries raise errors of many types for damaged files.
    except Exception as error:
        message = _("{file}: {reason}", file=file, reason=describe_os_error(error))
        hint = _("The file must be PO (extension .po) or XLIFF, in UTF-8.")
        raise InputUnreadable(message, hint) from error
    return lang, tuple(text for text in texts if text.text.strip())


def _read_po(data: bytes) -> tuple[str, list[FilledText]]:
    _make_babel_catalog("en")
    from babel.messages.pofile import PoFileError, read_po

    if not data.endswith(b"\n"):
        raise ValueError(_("the last line is incomplete: the file was cut off"))
    try:
        catalog = read_po(BytesIO(data), abort_invalid=True)
    except PoFileError as error:
        raise ValueError(str(error)) from error
    texts = []
    for message in catalog:
        if message.context and isinstance(message.id, str) and not message.fuzzy:
            card, _bar, path = message.context.partition(SEPARATOR)
            texts.append(FilledText(card, path, message.id, str(message.string)))
    return catalog.locale_identifier or "", texts


def _read_xliff(text: str) -> tuple[str, list[FilledText]]:
    """Read XLIFF 1.2 or 2.0. Return the language and the finished texts.

    Raise ValueError for a document type, because it can make a small file grow.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError(_("it contains a document type declaration"))
    root = ElementTree.fromstring(text)
    lang = root.get("trgLang")
    texts: list[FilledText] = []
    for element in root.iter():
        if not lang and _has_name(element, "file"):
            lang = element.get("target-language")
        if _has_name(element, "trans-unit") or _has_name(element, "unit"):
            filled_text = _read_filled_text(element)
            if filled_text is not None:
                texts.append(filled_text)
    return lang or "", texts


def _has_name(element: ElementTree.Element, name: str) -> bool:
    return element.tag.rpartition("}")[2] == name


def _read_filled_text(unit: ElementTree.Element) -> FilledText | None:
    """Return the text of a translation unit, or None if it is not finished."""
    parts: dict[str, str] = {}
    is_unfinished = unit.get("approved") == "no"
    for part in unit.iter():
        is_unfinished = is_unfinished or part.get("state") in UNFINISHED
        if _has_name(part, "source") or _has_name(part, "target"):
            name = part.tag.rpartition("}")[2]
            parts[name] = parts.get(name, "") + "".join(part.itertext())
    if is_unfinished or parts.keys() != {"source", "target"}:
        return None
    card, _bar, path = (unit.get("id") or "").partition(SEPARATOR)
    return FilledText(card, path, parts["source"], parts["target"])
