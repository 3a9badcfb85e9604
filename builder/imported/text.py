"""Foreign texts as the markup of card texts. Pure."""

import html
import re

from builder.model.markup import escape_markup

_BREAKS = re.compile(r"<\s*(?:br|/p|/li|/ul|/ol|/tr|/h\d)\s*/?>", re.IGNORECASE)
_ITEM = re.compile(r"<\s*li[^>]*>", re.IGNORECASE)
_BOLD = re.compile(r"<\s*/?\s*(?:b|strong)\s*>", re.IGNORECASE)
_ITALIC = re.compile(r"<\s*/?\s*(?:i|em)\s*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_STRONG = re.compile(r"\*\*\s*(\S(?:[^*\n]*\S)?)\s*\*\*")
_CAPITALS = re.compile(r"\^\^([^^\n]+)\^\^")
_BULLET = re.compile(r"(?m)^[ \t]*[•●▪■◦‣∙*-][ \t]+")
_SPACES = re.compile(r"[ \t\u00a0\u2007\u202f]+")
_INVISIBLE = re.compile(
    "[\ue000-\uf8ff\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufe0f\x00-\x08\x0b\x0c\x0e-\x1f"
    "\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]"
)
_STRONG_START, _STRONG_END = "\ufdd0", "\ufdd1"
"""Stand-ins for marks while the text is escaped. Unicode reserves them for such uses."""


def convert_text(text: str) -> str:
    """Return a text with HTML, Markdown or BattleScribe marks as our markup. Every word is kept."""
    text = html.unescape(text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _INVISIBLE.sub("", text)
    text = _BREAKS.sub("\n", text)
    text = _ITEM.sub("\n• ", text)
    text = _ITALIC.sub("", text)
    text = _BOLD.sub("**", text)
    text = _OTHER_TAG.sub("", text)
    text = _CAPITALS.sub(r"\1", text)
    text = _STRONG.sub(rf"{_STRONG_START}\1{_STRONG_END}", text)
    text = _BULLET.sub("• ", text)
    text = escape_markup(text)
    text = text.replace(_STRONG_START, "**").replace(_STRONG_END, "**")
    lines = [_SPACES.sub(" ", line).strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line and line != "•")


def convert_name(text: str) -> str:
    """Return a name or value as plain words on one line, without marks."""
    text = html.unescape(text)
    text = _OTHER_TAG.sub(" ", _INVISIBLE.sub("", text))
    text = text.replace("**", "").replace("^^", "")
    return " ".join(text.split())
