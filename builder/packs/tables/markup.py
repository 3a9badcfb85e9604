r"""Marks that authors write in cells of tables, as markup of this program. Pure.

Squib and nanDECK write line breaks as `\n` and `%n`, many authors write HTML tags or Markdown.
"""

import html
import html.entities
import re
from collections.abc import Sequence

from builder.packs.tables.sheet import Row, TableCell

BULLET = "\N{BULLET}"
STARS_BY_TAG = {"b": "**", "strong": "**", "i": "*", "em": "*"}
# A quick test for all the marks below.
_MARKS = re.compile(
    r"\\n|%n|\]\(https?:|</?[A-Za-z][^<>]*>|^[ \t]*[-*+][ \t]|&#?\w+;", re.MULTILINE
)
_FILE_NAME = re.compile(r"\S*[\w)]\.[A-Za-z]\w{1,4}")
# `50%n` may be a number of per cent, so a digit before `%n` makes it no mark.
_WRITTEN_BREAK = re.compile(r"\s?(?:\\r)?\\n\s?|\s?(?<![\d\s])%n\s?")
_BREAK_TAG = re.compile(r"\s*<(?:br|/p|/li|/?ul|/?ol|/div)\b[^<>]*>\s*", re.IGNORECASE)
_ITEM_TAG = re.compile(r"\s*<li\b[^<>]*>\s*", re.IGNORECASE)
_STAR_TAG = re.compile(
    r"<(b|strong|i|em)(?:\s[^<>]*)?>(\s*)(.*?)(\s*)</\1\s*>", re.IGNORECASE | re.DOTALL
)
_OTHER_TAG = re.compile(
    r"</?(?:b|strong|i|em|u|p|div|span|font|center|small|big|color|size)\b[^<>]*>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9A-Fa-f]{1,5}|[A-Za-z]\w{1,30});")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\(https?://[^\s()]+\)")
"""A Markdown link. Its address cannot be followed on paper."""
_LIST_ITEM = re.compile(r"^[ \t]*[-*+][ \t]+(?=\S)", re.MULTILINE)


def has_marks(text: str) -> bool:
    """Return True if a text may contain HTML, Markdown or other marks."""
    return _MARKS.search(text) is not None


def read_markup(text: str, *, keeps_styles: bool = True) -> str:
    """Convert HTML, Markdown and other marks in a text to the markup of cards.

    Without styles these are left out. Line breaks are written as LF, and bold and italic parts
    with stars. Items of a list begin with a bullet.
    """
    # In a path of Windows, `art\\new.png` has no line break.
    if _FILE_NAME.fullmatch(text):
        return text
    text = _WRITTEN_BREAK.sub("\n", text)
    text = _LINK.sub(r"\1", _read_tags(text, keeps_styles))
    # A single dash may begin a sentence.
    if len(_LIST_ITEM.findall(text)) > 1:
        text = _LIST_ITEM.sub(f"{BULLET} ", text)
    return text.strip()


def _read_tags(text: str, keeps_styles: bool) -> str:
    """Convert HTML tags in a text to markup. Unknown tags stay.

    `<3` and `<name>` may be the author's own.
    """
    plain_text = _ITEM_TAG.sub(f"\n{BULLET} ", text)
    plain_text = _BREAK_TAG.sub("\n", plain_text)

    def put_stars(tag: re.Match[str]) -> str:
        return _put_stars(tag, STARS_BY_TAG[tag[1].lower()] if keeps_styles else "")

    # Twice, for bold within italic.
    plain_text = _STAR_TAG.sub(put_stars, _STAR_TAG.sub(put_stars, plain_text))
    plain_text = _OTHER_TAG.sub("", plain_text)
    # The author's own empty lines stay, but those that tags made do not.
    if plain_text != text:
        plain_text = re.sub(r"\n{2,}", "\n", plain_text)
    return _ENTITY.sub(_read_entity, plain_text)


def _read_entity(entity: re.Match[str]) -> str:
    """Return the character of an HTML entity such as `&amp;`. Unknown entities stay."""
    text = entity[0]
    is_known = text.startswith("&#") or text[1:] in html.entities.html5
    return html.unescape(text) if is_known else text


def _put_stars(tag: re.Match[str], stars: str) -> str:
    """Put stars around the words of each line inside an HTML tag."""
    lines = [line.strip() for line in tag[3].split("\n")]
    lines = [f"{stars}{line}{stars}" if line else "" for line in lines]
    return tag[2] + "\n".join(lines) + tag[4]


def read_row_markup(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Convert the marks of other programs in all cells to markup."""
    read_rows: list[Row] = []
    for row in rows:
        if any(has_marks(cell.text) for cell in row.cells):
            row = Row(row.number, tuple(map(read_cell_markup, row.cells)))
        read_rows.append(row)
    return tuple(read_rows)


def read_cell_markup(cell: TableCell) -> TableCell:
    """Return a cell whose text has no marks, and whose markup has stars in their place."""
    if not has_marks(cell.text):
        return cell
    text = read_markup(cell.text, keeps_styles=False)
    return cell._replace(text=text, markup=read_markup(cell.markup))
