"""Marked words as elements, or as words alone where a template asks for less."""

from __future__ import annotations

from builder.render.html.markup import rich
from builder.render.html.view import TemplateWords
from builder.store.packs import load_pack

TEXT = "Each {key:mothling} within {dist:6} rolls {dice:d6} or is {term:dimmed|out & *about*}."


def words(lanterns) -> TemplateWords:
    pack = load_pack(lanterns, "lanterns").pack
    assert pack is not None
    return TemplateWords(pack, "en", {})


def test_plain_marks_keep_their_words_and_lose_their_elements(lanterns):
    marked = str(rich(TEXT, words(lanterns)))
    bare = str(rich(TEXT, words(lanterns), ["term"]))
    assert '<span class="term">' in marked
    assert bare == marked.replace('<span class="term">', "").replace(" *about*</span>", " *about*")
    assert str(rich("{dist:6}", words(lanterns), ["dist"])) == "<p>6&#34;</p>"


def test_a_plain_word_is_no_markup(lanterns):
    assert str(rich("{term:dimmed|<b>}", words(lanterns), ["term"])) == "<p>&lt;b&gt;</p>"
