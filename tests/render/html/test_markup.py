"""Marked words as elements, or as words alone where a template asks for less."""

from __future__ import annotations

from dataclasses import replace

from builder.packs.loading import load_pack
from builder.render.html.markup import render_markup
from builder.render.html.templates import TemplateSet
from builder.render.html.view import TemplateWords

TEXT = "Each {key:mothling} within {dist:6} rolls {dice:d6} or is {term:dimmed|out & *about*}."


def words(lanterns) -> TemplateWords:
    pack = load_pack(lanterns, "lanterns").pack
    assert pack is not None
    return TemplateWords(pack, "en", {})


def test_plain_marks_keep_their_words_and_lose_their_elements(lanterns):
    marked = str(render_markup(TEXT, words(lanterns)))
    bare = str(render_markup(TEXT, words(lanterns), ["term"]))
    assert '<span class="term">' in marked
    assert bare == marked.replace('<span class="term">', "").replace(
        " *about*</span>", " *about*"
    )
    assert str(render_markup("{dist:6}", words(lanterns), ["dist"])) == "<p>6&#34;</p>"


def test_a_text_that_stands_in_a_template_speaks_the_words_of_each_use(
    lanterns, tmp_path
):
    (tmp_path / "card.j2").write_text("{{ '{key:mothling}'|rich }}", "utf-8")
    pack = load_pack(lanterns, "lanterns").pack
    assert pack is not None
    mothling = pack.vocabulary.keywords["mothling"]
    other = mothling.model_copy(update={"name": {"en": "Gnat"}})
    changed = pack.vocabulary.model_copy(
        update={"keywords": {**pack.vocabulary.keywords, "mothling": other}}
    )
    said = []
    for vocabulary in (pack.vocabulary, changed):
        templates = TemplateSet(tmp_path, tmp_path)
        templates.use(TemplateWords(replace(pack, vocabulary=vocabulary), "en", {}))
        said.append(templates.render("card.j2", {}))
    assert "Gnat" in said[1]
    assert "Gnat" not in said[0]


def test_a_plain_word_is_no_markup(lanterns):
    assert (
        str(render_markup("{term:dimmed|<b>}", words(lanterns), ["term"]))
        == "<p>&lt;b&gt;</p>"
    )
