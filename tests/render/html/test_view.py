"""What templates may ask for by id."""

import pytest
from jinja2 import UndefinedError

from builder.model.pack import Kind, Languages, Manifest, Pack, Size, Term, Vocabulary
from builder.render.html.view import TemplateWords

KIND = Kind(name={"ru": "Боец"}, size=Size(width=63, height=88))
PACK = Pack(
    manifest=Manifest(
        id="toy",
        name={"ru": "Игра", "en": "Game"},
        languages=Languages(source="ru", translations=("en",)),
        kinds={"fighter": KIND},
    ),
    vocabulary=Vocabulary(
        keywords={
            "swift": Term(
                name={"ru": "Быстрый", "en": "Swift"},
                help={"ru": "Ходит дважды.", "en": "Moves twice."},
            ),
            "mute": Term(name={"ru": "Немой"}),
        },
        terms={"stunned": Term(name={"ru": "оглушён"}, help={"ru": "Пропускает ход."})},
    ),
)


@pytest.mark.parametrize(
    ("lang", "text"), [("ru", "Ходит дважды."), ("en", "Moves twice.")]
)
def test_a_keyword_explains_itself_in_the_language_of_the_face(lang, text):
    assert TemplateWords(PACK, lang, {}).keyword_help("swift") == text


def test_a_word_without_explanation_prints_nothing():
    assert TemplateWords(PACK, "ru", {}).keyword_help("mute") == ""


def test_an_untranslated_explanation_falls_back_to_the_source_language():
    assert TemplateWords(PACK, "en", {}).term_help("stunned") == "Пропускает\u00a0ход."


def test_an_unknown_word_is_refused_with_the_nearest_spelling():
    with pytest.raises(UndefinedError, match="swift"):
        TemplateWords(PACK, "ru", {}).keyword_help("swfit")
