"""An order's remarks in the words of its sheet."""

from __future__ import annotations

import re

import pytest

from builder.report.remarks import ENDINGS, PHRASES, in_words

PLACE = re.compile(r"\{\w+\}")


@pytest.mark.parametrize(
    ("remark", "said"),
    [
        (
            "spell: 88 × 63 mm is turned upright, front clockwise, back the other way",
            "spell: 88 × 63 мм, карта повёрнута стоймя: лицо по часовой стрелке, оборот против",
        ),
        (
            "a symbol runs 0.30 mm over 3.175 mm from the cut (and 2 more on this page) (and 7 more in this file)",
            "значок: на 0,30 мм ближе к линии реза, чем 3,175 мм (и ещё 2 на этой странице) (и ещё 7 в этом файле)",
        ),
        (
            "CMYK, A, B profile, PDF/X-4, at most 300 % ink",
            "CMYK, A, B profile, PDF/X-4, сумма красок не более 300 %",
        ),
    ],
)
def test_a_remark_is_worded_anew_with_its_numbers(remark: str, said: str) -> None:
    assert in_words(remark, "ru") == said


@pytest.mark.parametrize("lang", ["en", "de", "ru"])
@pytest.mark.parametrize("remark", ["Something no one has words for.", "Один PDF на размер, {без} меток.", ""])
def test_what_has_no_words_stays_as_it_is(remark: str, lang: str) -> None:
    assert in_words(remark, lang) == remark


def test_english_stays_english() -> None:
    assert in_words("a line 0.17 pt wide", "en") == "a line 0.17 pt wide"


@pytest.mark.parametrize("lang", sorted(PHRASES))
def test_every_phrase_keeps_its_places(lang: str) -> None:
    for english, other in (*PHRASES[lang], *ENDINGS[lang].items()):
        assert sorted(PLACE.findall(english)) == sorted(PLACE.findall(other)), english
