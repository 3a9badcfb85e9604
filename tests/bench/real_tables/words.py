"""Compare the words of a table with the words on a printed page."""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
# Signs around a word. Signs of numbers (+, -, %, $, €) belong to the word.
SIGNS_BEFORE = "\"'«»„“”‘’‹›.,;:!?()[]{}*•·–—…-"
SIGNS_AFTER = SIGNS_BEFORE.replace("-", "") + "-"
QUOTES = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "−": "-", "–": "-", "—": "-", "‐": "-"}
)
DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
MAX_LISTED_WORDS = 6
MAX_BACK_WORDS = 4


def _normalise(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").translate(QUOTES)
    text = re.sub("[\ue000-\uf8ff]", " ", text)  # icons
    # Bidirectional marks are no words.
    return re.sub("[\u200b-\u200f\u202a-\u202e\u2066-\u2069]", "", text).casefold()


def split_words(text: str) -> list[str]:
    """Return the words of a text, without the signs around them; each CJK character is a word."""
    words = []
    text = _normalise(text)
    # pdftotext loses the space before a sign of money, and between numbers and Hebrew.
    text = re.sub(r"(?<=\d)\s(?=[€%])", "", text)
    text = re.sub(r"(?<=\d)(?=[א-ת])", " ", text)
    for part in CJK.sub(lambda hit: f" {hit[0]} ", text).split():
        word = part.rstrip(SIGNS_AFTER)
        stripped = word.lstrip(SIGNS_BEFORE)
        # The minus of a number stays.
        word = (
            "-" + stripped
            if stripped[:1].isdigit() and "-" + stripped in word
            else stripped
        )
        if any(character.isalnum() for character in word):
            words.append(word)
    return words


@dataclass(frozen=True)
class CardWords:
    """The words that must be on a card. The first cell is not always its name."""

    words: Counter[str]
    title: str

    @classmethod
    def collect(cls, cells: list[str], title_column: int) -> CardWords:
        words: list[str] = []
        for cell in cells:
            # Lists have no spaces between their items in some programs.
            is_list = re.fullmatch(r"[^\W\d]+(,[^\W\d]+)+", cell)
            words += split_words(cell.replace(",", " ") if is_list else cell)
        return cls(Counter(words), cells[title_column])


def _read_page(page: str, vocabulary: set[str]) -> Counter[str]:
    """Return the words of a page. Put words together that are broken at the end of a line."""
    words: list[str] = []
    lines = [line for line in page.splitlines() if line.strip()]
    carried = ""
    for line in lines:
        text = line.strip()
        if carried:
            first, _, rest = text.partition(" ")
            whole = split_words(carried + first)
            kept = split_words(carried + "-" + first)
            if whole and whole[0] in vocabulary:
                text = carried + text
            elif kept and kept[0] in vocabulary:
                text = f"{carried}-{first} {rest}"
            else:
                text = f"{carried}- {text}"
            carried = ""
        hit = re.search(r"(\S+)[-\u2010]$", text)
        if hit is not None and any(map(str.isalpha, hit[1])):
            carried = hit[1]
            text = text[: hit.start()]
        words += split_words(text)
    words += split_words(carried)
    return Counter(words)


def find_back_pages(pages: list[str], pack: str) -> set[int]:
    """Return the pages that are backs: they have the pack's name, and at most the kind's beside it."""
    backs = set()
    for number, page in enumerate(pages):
        words = split_words(page)
        if pack in words and len(words) <= MAX_BACK_WORDS:
            backs.add(number)
    return backs


def _accept_dates(wanted: Counter[str], page: Counter[str]) -> Counter[str]:
    """Replace the dates of a card by the form in which they are printed."""
    result = Counter(wanted)
    for word in wanted:
        hit = DATE.fullmatch(word)
        if hit is not None and word not in page:
            result.pop(word)
            month = calendar.month_abbr[int(hit[2])].casefold()
            result.update((hit[1], month, str(int(hit[3]))))
    return result


def compare_cards(
    expected: list[CardWords], pages: list[str], known: set[str]
) -> list[str]:
    """Return what is wrong: words that are missing on a card, and words that are not its own."""
    vocabulary = {word for card in expected for word in card.words} | known
    read = [_read_page(page, vocabulary) for page in pages]
    problems = []
    free = list(range(len(read)))
    for card in expected:
        if not free:
            break
        best = max(free, key=lambda number: _rate_match(card.words, read[number]))
        free.remove(best)
        wanted = _accept_dates(card.words, read[best])
        missing = wanted - read[best]
        allowed = set(wanted) | known | {word[0] for word in split_words(card.title)}
        wrong = [word for word in read[best] if word not in allowed]
        if missing:
            problems.append(
                f"{card.title}: missing {' '.join(list(missing)[:MAX_LISTED_WORDS])}"
            )
        if wrong:
            problems.append(f"{card.title}: wrong {' '.join(wrong[:MAX_LISTED_WORDS])}")
    return problems


def _rate_match(words: Counter[str], page: Counter[str]) -> tuple[int, int]:
    common = (words & page).total()
    return common, -page.total()
