"""The encoding of a text: Unicode, or one that old programs of a region write."""

import codecs
import re
from unicodedata import category

from builder.findings import Finding
from builder.messages import gettext as _
from builder.packs import file_codes
from builder.packs.tables.source import TableSource

CONTROL_CHARACTERS = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
ENCODING_NAMES = {
    "cp1252": "Windows-1252",
    "cp1251": "Windows-1251",
    "cp1250": "Windows-1250",
    "koi8-r": "KOI8-R",
    "mac-roman": "Mac Roman",
    "cp932": "Shift-JIS",
    "euc-kr": "EUC-KR",
    "gb2312": "GB 2312",
    "big5": "Big5",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
}
REGIONAL_ENCODINGS = tuple(
    name for name in ENCODING_NAMES if not name.startswith("utf")
)
"""Encodings that are guessed. Of those that fit equally well, the first is used."""
COMMON_LEAD_BYTES = {
    "cp932": (0x81, 0x97),
    "gb2312": (0xA1, 0xD7),
    "big5": (0xA1, 0xC6),
}
"""First bytes of the frequent characters. Other texts rarely consist of them."""
RARE_ENCODINGS = {"mac-roman": 0.2}
"""By how much an encoding must fit better than the others before it is used."""
BAD_BYTE_SHARE = 0.1
"""Share of letters outside ASCII that may be damaged in a text that is still taken for UTF-8."""
WORKBOOK_EXTENSIONS = (".xlsx", ".xlsm", ".xls", ".ods")


def report_encoding(source: TableSource, encoding: str) -> list[Finding]:
    """Report the encoding of a file if it was guessed."""
    if not encoding:
        return []
    message = _(
        "it is not UTF-8, and was read as {encoding}", encoding=ENCODING_NAMES[encoding]
    )
    code = file_codes.TABLE_ENCODING
    return [code.finding(message, source.locate(), code.remedy)]


def decode_text(source: TableSource) -> tuple[str, str]:
    """Decode a file. Return its text, and the encoding if it had to be guessed.

    Raise InputUnreadable if it is no text.
    """
    data = source.data
    text = None
    encoding = ""
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text = data.decode("utf-16")
        elif b"\0" in data:
            text, encoding = decode_utf16(data)
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse_damaged_utf8(source, error)
        text, encoding = decode_regional(data)
    if text is None or CONTROL_CHARACTERS.search(text):
        refuse_binary(source)
    assert text is not None
    return text, encoding


def decode_utf16(data: bytes) -> tuple[str | None, str]:
    """Decode UTF-16 without a byte order mark. Return (None, "") for anything else.

    Latin letters have a zero byte each: the second or the first.
    """
    first_bytes = data[0:200:2]
    second_bytes = data[1:200:2]
    is_little_endian = second_bytes.count(0) > first_bytes.count(0)
    encoding = "utf-16-le" if is_little_endian else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None, ""
    # Nearly all bytes can be decoded, but only a text has line breaks.
    if "\n" in text or "\r" in text:
        return text, encoding
    return None, ""


def refuse_binary(source: TableSource) -> None:
    """Raise InputUnreadable, because a file is neither text nor a workbook."""
    reason = _("it is no text in an encoding that is known here")
    if b"\0" in source.data:
        reason = _("it is no text: it contains NUL characters (bytes with the value 0)")
    if source.name.lower().endswith(WORKBOOK_EXTENSIONS):
        reason = _("it is no workbook, whatever its name is, and no text")
    raise source.make_error(reason)


def refuse_damaged_utf8(source: TableSource, error: UnicodeDecodeError) -> None:
    """Raise InputUnreadable if a text is UTF-8 except for few bytes.

    Another encoding would spoil all letters.
    """
    text = source.data.decode("utf-8", "replace")
    bad_count = text.count("\ufffd")
    letter_count = len(re.findall(r"[^\0-\x7f\ufffd]", text))
    if error.encoding == "utf-8" and bad_count < letter_count * BAD_BYTE_SHARE:
        line = source.data[: error.start].count(b"\n") + 1
        reason = _(
            "line {line}: {reason}", line=line, reason=_("a letter is not UTF-8")
        )
        hint = _("Correct the letter, and save the file as CSV in UTF-8.")
        raise source.make_error(reason, hint)


def decode_regional(data: bytes) -> tuple[str | None, str]:
    """Decode a text in the old encoding in which it looks most like words."""
    best_text: str | None = None
    best_encoding = ""
    best_score = 0.0
    for encoding in REGIONAL_ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = score_text(text, encoding) - RARE_ENCODINGS.get(encoding, 0)
        if best_text is None or score > best_score:
            best_text = text
            best_encoding = encoding
            best_score = score
    return best_text, best_encoding


def score_text(text: str, encoding: str) -> float:
    """Return how well the characters outside ASCII fit into words, from -1 to 1."""
    scores: list[float] = []
    for match in re.finditer(r"[^\0-\x7f]", text):
        start, end = match.span()
        # Slices, because a character has no neighbour at the ends of the text.
        before = text[start - 1 : start]
        after = text[end : end + 1]
        scores.append(score_character(match[0], before, after, encoding))
    return sum(scores) / len(scores) if scores else 0.0


def score_character(character: str, before: str, after: str, encoding: str) -> float:
    """Return how well one character outside ASCII fits between its neighbours, from -1 to 1."""
    kind = category(character)
    if kind == "Lo" or (kind == "Lm" and encoding == "cp932"):
        return score_caseless_letter(character, encoding)
    is_latin = character < "\u0250"
    # Words of other alphabets look like this in a wrong encoding: `Íàçâà`.
    if is_latin and (is_accented(before) or is_accented(after)):
        return 0.25
    neighbours = before + after
    has_ascii_neighbour = neighbours.isascii() and neighbours.isalpha()
    # No word has letters of two alphabets.
    if not is_latin and kind in ("Ll", "Lu") and has_ascii_neighbour:
        return -1.0
    if kind == "Ll":
        return 1.0
    if kind == "Lu":
        return score_capital(before, after)
    is_beside_word = before.isalpha() or after.isalpha()
    is_mark = kind.startswith(("P", "Z")) or (kind == "Sc" and not is_beside_word)
    return 0.0 if is_mark else -1.0


def score_caseless_letter(character: str, encoding: str) -> float:
    """Return 1 for a frequent character of a script such as Chinese, 0 for a rare one."""
    # Chinese characters are rare in Korean texts of today.
    if encoding == "euc-kr" and not "\uac00" <= character <= "\ud7a3":
        return 0.0
    lead = character.encode(encoding)[0]
    first, last = COMMON_LEAD_BYTES.get(encoding, (0, 0xFF))
    return 1.0 if first <= lead <= last else 0.0


def score_capital(before: str, after: str) -> float:
    """Return -1 for a capital letter inside a word, else 1."""
    is_inside_word = before.isalpha() and (before.islower() or after.islower())
    return -1.0 if is_inside_word else 1.0


def is_accented(character: str) -> bool:
    """Return True for a letter outside ASCII."""
    return character.isalpha() and not character.isascii()
