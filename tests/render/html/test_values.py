"""No Python value reaches paper: numbers, dates, lists and truth values are printed for readers."""

import pytest

from builder.model.pack import Kind, Languages, Manifest, Pack, Size, Vocabulary
from builder.render.html.templates import TemplateSet
from builder.render.html.values import format_number, format_value
from builder.render.html.view import TemplateView, TemplateWords


def make_pack(labels):
    kind = Kind(name={"en": "Fighter"}, size=Size(width=63, height=88))
    manifest = Manifest(
        id="toy",
        name={"en": "Game"},
        languages=Languages(source="en", translations=("de", "ru")),
        kinds={"fighter": kind},
    )
    return Pack(manifest=manifest, vocabulary=Vocabulary(labels=labels))


@pytest.mark.parametrize(
    ("value", "lang", "text"),
    [
        (True, "en", "yes"),
        (False, "de", "nein"),
        (True, "ru", "да"),
        (None, "en", "–"),
        ("", "ru", "–"),
        (2.5, "en", "2.5"),
        (2.5, "de", "2,5"),
        (2.0, "de", "2"),
        (-1, "en", "−1"),
        (4006381333931, "ru", "4006381333931"),
        (("fen", "wood"), "en", "fen, wood"),
        ((1.5, None, True), "ru", "1,5, –, да"),
        ({"name": "Bite", "damage": 3}, "en", "Bite"),
        ({"ge": 2, "le": 4}, "en", "ge: 2; le: 4"),
        ("2026-11-08", "en", "8 Nov 2026"),
        ("2026-11-08", "de", "08.11.2026"),
        ("2026-11-08", "pt-BR", "08/11/2026"),
        ("2026-11-08", "he", "2026-11-08"),
        ("2026-13-08", "en", "2026-13-08"),
        ("1/4", "de", "1/4"),
    ],
)
def test_a_value_follows_the_language(value, lang, text):
    assert format_value(value, lang, lambda label: "") == text


def test_labels_of_the_pack_replace_the_program_s_words():
    words = TemplateWords(
        make_pack({"yes": {"en": "✓"}, "decimal": {"en": "·"}}), "en", {}
    )
    assert (words.format_value(True), words.format_value(1.5)) == ("✓", "1·5")


def test_a_small_number_has_no_useless_digits():
    assert (format_number(3.0, "."), format_number(0.1, ",")) == ("3", "0,1")


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("{{ card.terrain }}", "fen, wood"),
        ("{{ card.flying }}", "ja"),
        ("{{ card.get('wings') }}", "–"),
        ("{{ card.armour | value }}", "1,5"),
        ("<p style='left: {{ card.armour }}mm'>", "<p style='left: 1.5mm'>"),
        ("{{ card.rules | value }}", "Zwei &lt; drei"),
        ("{{ ('<b>2</b>' | safe) | value }}", "<b>2</b>"),
        ("{% set both %}{{ card.terrain }}{% endset %}{{ both }}", "fen, wood"),
    ],
)
def test_a_template_prints_no_raw_value(source, html, tmp_path):
    (tmp_path / "card.j2").write_text(source)
    templates = TemplateSet(tmp_path, tmp_path)
    templates.use(TemplateWords(make_pack({}), "de", {}))
    fields = {
        "terrain": ("fen", "wood"),
        "flying": True,
        "armour": 1.5,
        "rules": "Zwei < drei",
    }
    assert templates.render("card.j2", {"card": TemplateView(fields)}) == html


def test_a_template_of_no_pack_prints_english(tmp_path):
    (tmp_path / "page.j2").write_text("{{ items }} {{ gone }}")
    assert (
        TemplateSet(tmp_path, tmp_path).render(
            "page.j2", {"items": [True], "gone": None}
        )
        == "yes –"
    )
