"""Symbols in texts are printed as the icons that pack.yaml lists for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builder.packs.loading import load_pack
from builder.render.html.markup import render_markup
from builder.render.html.templates import TemplateSet
from builder.render.html.view import TemplateWords, collect_pack_values
from builder.usecases.check_pack import check_packs

ICONS = {"🔓": "wick", "🔓🔓": "reed", "(R)": "reed"}


@pytest.fixture
def words(lanterns) -> TemplateWords:
    pack = load_pack(lanterns, "lanterns").whole
    manifest = pack.manifest.model_copy(update={"icons": ICONS})
    pack = replace(pack, manifest=manifest)
    return TemplateWords(pack, "en", {"wick": "W", "reed": "R"})


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Open 🔓.", '<p>Open <i class="icon">W</i>.</p>'),
        ("Open 🔓\ufe0f.", '<p>Open <i class="icon">W</i>.</p>'),
        ("🔓🔓🔓", '<p><i class="icon">R</i><i class="icon">W</i></p>'),
        (
            "**(R)** & <b>",
            '<p><strong><i class="icon">R</i></strong> &amp; &lt;b&gt;</p>',
        ),
        ("(r)", "<p>(r)</p>"),
    ],
)
def test_a_symbol_becomes_its_icon(words, text, html):
    # Typography ties short words with hard spaces.
    assert str(render_markup(text, words)).replace("\xa0", " ") == html


def test_a_plain_value_has_icons_too(words, tmp_path):
    (tmp_path / "card.j2").write_text("{{ '1 🔓' | value }} {{ ['🔓', 2] | value }}")
    templates = TemplateSet(tmp_path, tmp_path)
    templates.use(words)
    icon = '<i class="icon">W</i>'
    assert templates.render("card.j2", {}) == f"1 {icon} {icon}, 2"


def test_icons_are_part_of_what_shapes_a_face(words, lanterns):
    pack = load_pack(lanterns, "lanterns").whole
    assert collect_pack_values(pack).hash_fields() != words.pack.hash_fields()


def test_a_symbol_without_an_icon_file_is_reported_and_one_with_it_needs_no_font(
    lanterns,
):
    manifest = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    text = manifest.read_text("utf-8")
    card = next((lanterns.get_cards_dir("lanterns") / "spirit").glob("*.yaml"))
    card.write_text(card.read_text("utf-8").replace("name: ", "name: 🔓 ", 1), "utf-8")

    def list_codes(icon: str) -> set[str]:
        manifest.write_text(f'{text}\nicons: {{"🔓": {icon}}}\n', "utf-8")
        findings = check_packs(lanterns, "lanterns")
        return {finding.code for finding in findings if "i18n" not in finding.code}

    assert list_codes("lock") == {"cards/unknown-icon"}
    assert list_codes("wick") == set()
    manifest.write_text(text, "utf-8")
    assert "looks/missing-letter" in {
        item.code for item in check_packs(lanterns, "lanterns")
    }
