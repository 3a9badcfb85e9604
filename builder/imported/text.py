"""Foreign texts as the markup of card texts, with correct typography. Pure."""

import html
import re
from dataclasses import replace

from builder.imported.card import Boxes, CardTable, ImportedCard, TableRow, TitledText
from builder.model.markup import escape_markup

# Tags may have spaces and capitals.
_BREAKS = re.compile(r"<\s*(?:br|/p|/li|/ul|/ol|/tr|/h\d)\s*/?>", re.IGNORECASE)
_ITEM = re.compile(r"<\s*li[^>]*>", re.IGNORECASE)
_BOLD = re.compile(r"<\s*/?\s*(?:b|strong)\s*>", re.IGNORECASE)
_ITALIC = re.compile(r"<\s*/?\s*(?:i|em)\s*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
# Two asterisks on one line; spaces next to them are left out.
_STRONG = re.compile(r"\*\*\s*(\S(?:[^*\n]*\S)?)\s*\*\*")
# A single asterisk next to a letter may be a footnote mark, so both sides are checked.
_EMPHASIS = re.compile(r"(?<![\w*])\*(\w[^*\n]*[^*\s])\*(?![\w*])")
# Two carets around words mark ^^capitals^^.
_CAPITALS = re.compile(r"\^\^([^^\n]+)\^\^")
_BULLET = re.compile(r"(?m)^[ \t]*[•●▪■◦‣∙*-][ \t]+")
_SPACES = re.compile(r"[ \t\u00a0\u2007\u202f]+")
_INVISIBLE = re.compile(
    "[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufe0f\x00-\x08\x0b\x0c\x0e-\x1f"
    "\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]"
    # A joiner between emoji; in Persian and Indic words it changes the letters and stays.
    "|\u200d(?=[\u2600-\u27bf\U0001f000-\U0001faff])"
)
_STRONG_START = "\ufdd0"
_STRONG_END = "\ufdd1"
"""Stand-ins for marks while the text is escaped. Unicode reserves them for such uses."""


TYPOGRAPHY = (
    # Inches after a digit come before quotation marks.
    (re.compile(r'(?<=\d) ?(?:"|\'\'|”)(?!\w)'), "\N{DOUBLE PRIME}"),
    # An apostrophe is between letters.
    (re.compile(r"(?<=\w)'(?=\w)"), "\N{RIGHT SINGLE QUOTATION MARK}"),
    (re.compile(r'(?<![\w.,!?;:)])"(?=\S)'), "\N{LEFT DOUBLE QUOTATION MARK}"),
    (re.compile(r'(?<=\S)"'), "\N{RIGHT DOUBLE QUOTATION MARK}"),
    # A hyphen between spaces, or two hyphens between words, stand for a dash.
    (re.compile(r"(?<=\S) -{1,2} (?=\S)|(?<=\w)--(?=\w)"), " \N{EN DASH} "),
    # A range such as 2-4. Codes with letters or further hyphens stay.
    (re.compile(r"(?<![\w-])(\d+)-(?=\d+(?![\w-]))"), "\\1\N{EN DASH}"),
    (re.compile(r"(?<![\w)\]-])-(?=\d)"), "\N{MINUS SIGN}"),
    # Dice with a usual number of sides: d6, 2d10.
    (re.compile(r"(?<![A-Za-z])(\d*)d(?=(?:3|4|6|8|10|12|20|66|100)(?!\w))"), r"\1D"),
    (re.compile(r"\.\.\."), "…"),
    (re.compile(r"(?<=\w) +(?=[,.;!?](?:\s|$))"), ""),
    # A word that no column can hold is broken.
    (re.compile(r"(\w{30})(?=\w{10})"), r"\1 "),
)
"""Patterns of typing habits, and what is printed: inches, quotes, dashes, minus signs, dice."""


def correct_typography(text: str) -> str:
    """Replace typed quotes, hyphens and minus signs by typographic ones, and `d6` by `D6`."""
    for pattern, replacement in TYPOGRAPHY:
        text = pattern.sub(replacement, text)
    return text


def convert_text(text: str) -> str:
    """Convert a text with HTML, Markdown or BattleScribe marks to the markup of cards."""
    text = html.unescape(text.replace("\r\n", "\n").replace("\r", "\n"))
    # Line breaks and items are marked before the other tags are removed.
    text = _INVISIBLE.sub("", text)
    text = _BREAKS.sub("\n", text)
    text = _ITEM.sub("\n• ", text)
    text = _ITALIC.sub("", text)
    text = _BOLD.sub("**", text)
    text = _OTHER_TAG.sub("", text)
    text = _CAPITALS.sub(r"\1", text)
    # Bold marks get stand-ins, because all other asterisks are escaped.
    text = _STRONG.sub(rf"{_STRONG_START}\1{_STRONG_END}", text)
    text = _EMPHASIS.sub(r"\1", text)
    text = _BULLET.sub("• ", text)
    text = escape_markup(correct_typography(text))
    text = text.replace(_STRONG_START, "**").replace(_STRONG_END, "**")
    lines = [_SPACES.sub(" ", line).strip() for line in text.split("\n")]
    return "\n".join(line for line in lines if line and line != "•")


def convert_name(text: str) -> str:
    """Convert a name or value to plain words on one line, without marks."""
    text = html.unescape(text)
    text = _OTHER_TAG.sub(" ", _INVISIBLE.sub("", text))
    text = _EMPHASIS.sub(r"\1", text.replace("**", "").replace("^^", ""))
    return correct_typography(" ".join(text.split()))


def clean_card(card: ImportedCard) -> ImportedCard:
    """Return a card with converted texts and corrected typography."""
    return replace(
        card,
        name=convert_name(card.name),
        side=convert_name(card.side),
        custom_name=convert_name(card.custom_name),
        stats=tuple(map(_clean_table, card.stats)),
        tables=tuple(map(_clean_table, card.tables)),
        passages=tuple(map(clean_passage, card.passages)),
        keywords=tuple(map(convert_name, card.keywords)),
        models=tuple(map(_clean_row, card.models)),
        equipment=tuple(map(_clean_row, card.equipment)),
        notes=convert_text(card.notes),
        boxes=tuple(map(_clean_boxes, card.boxes)),
        groups=tuple(map(convert_name, card.groups)),
    )


def clean_passage(passage: TitledText) -> TitledText:
    """Return a titled text with converted marks and corrected typography."""
    return TitledText(convert_name(passage.title), convert_text(passage.text))


def _clean_table(table: CardTable) -> CardTable:
    return CardTable(
        convert_name(table.title),
        tuple(map(convert_name, table.columns)),
        tuple(map(_clean_row, table.rows)),
    )


def _clean_row(row: TableRow) -> TableRow:
    values = tuple(map(_clean_value, row.values))
    return replace(row, name=convert_name(row.name), values=values)


def _clean_value(text: str) -> str:
    """Convert a value of a table. An empty value and a lone hyphen become a dash."""
    value = convert_name(text)
    return "–" if value in ("", "-", "--", "—") else value


def _clean_boxes(boxes: Boxes) -> Boxes:
    return replace(boxes, name=convert_name(boxes.name))
