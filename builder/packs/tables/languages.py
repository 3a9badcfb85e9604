"""The language of the texts in a table, by their letters and frequent words. Pure."""

import re
from collections import Counter
from collections.abc import Iterable

LETTERS_BY_LANG = {
    "en": "[a-z]",
    "ru": "[а-яё]",
    "he": "[א-ת]",
    "ar": "[ء-ي]",
    "el": "[α-ω]",
    "ja": "[ぁ-ヿ]",
    "ko": "[가-힣]",
    "zh": "[一-龥]",
}
"""Letters that decide about the language. Of equal numbers the first counts."""
FREQUENT_WORDS = {
    "en": "the and of you your is to a in with for it or may this when each",
    "de": "regeln kosten effekt der die das und ein eine einen du nicht ist mit im auf für von zu"
    " dem den oder wenn",
    "fr": "nom effet règles texte coût il elle puis le la les un une des du et vous votre est si"
    " dans pour de au à ce ou sur",
    "es": "nombre efecto reglas coste el las un una y de del tu tus en con para por si al es cada"
    " que",
    "it": "nome effetto regole costo il lo gli un una e di del della tuo tua in con per se è ogni"
    " che",
    "pl": "nazwa efekt zasady koszt i w z na do nie się jest po o gdy możesz lub za tej",
    "pt": "o os as um uma e de do da seu sua em com para se não ou que",
    "nl": "de het een en van je jouw is niet op met voor in als of",
}
"""Words by which languages with Latin letters are distinguished."""
MIN_FREQUENT_WORDS = 3


def guess_language(texts: Iterable[str], headings: Iterable[str] = ()) -> str:
    """Guess the language of texts by their letters and their most frequent words.

    For words, the names of columns count too.
    """
    text = " ".join(texts).lower()
    counts: dict[str, int] = {}
    for lang, letters in LETTERS_BY_LANG.items():
        counts[lang] = len(re.findall(letters, text))
    lang = max(counts, key=counts.__getitem__)
    if lang != "en":
        return lang
    return guess_latin_language(f"{text} {' '.join(headings).lower()}")


def guess_latin_language(text: str) -> str:
    """Guess the language of a text in Latin letters by its words. English if few are known."""
    word_counts = Counter(re.findall(r"[^\W\d_]+", text))
    counts: dict[str, int] = {}
    for lang, words in FREQUENT_WORDS.items():
        counts[lang] = sum(word_counts[word] for word in words.split())
    lang = max(counts, key=counts.__getitem__)
    return lang if counts[lang] >= MIN_FREQUENT_WORDS else "en"
