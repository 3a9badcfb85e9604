"""The gallery page: in its cards' language, each picture told in words, nothing of a pack becomes markup."""

from __future__ import annotations

import pytest

from builder.report.table import Hung, gallery_html

EVIL = "<script>'\"&"


@pytest.mark.parametrize(("lang", "front", "back"), [("en", "front", "back"), ("ru", "лицо", "оборот")])
def test_each_picture_is_told_in_the_cards_language(lang: str, front: str, back: str) -> None:
    text = gallery_html(
        "Title", lang, [Hung("Axe", "a.webp", "b.webp", (63, 88)), Hung("Bow", "c.webp", None, (63, 88))]
    )
    assert f'<html lang="{lang}">' in text
    assert [f'alt="{alt}"' in text for alt in (f"Axe, {front}", f"Axe, {back}", f"Bow, {front}")] == [True] * 3
    assert text.count("<img ") == 3
    assert 'width="63" height="88"' in text


def test_a_language_without_words_of_its_own_takes_english_ones() -> None:
    assert 'alt="Axe, front"' in gallery_html("Title", "xx", [Hung("Axe", "a.webp", None, (63, 88))])


def test_nothing_of_a_pack_becomes_markup() -> None:
    text = gallery_html(EVIL, "en", [Hung(EVIL, "a.webp", None, (63, 88))])
    assert "<script>" not in text
    assert 'alt="&lt;script&gt;&#x27;&quot;&amp;, front"' in text
