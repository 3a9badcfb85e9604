"""Lines added up from words, or found before, are the lines that the engine breaks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.render.engine.weasyprint.patches.letters import (
    CYRILLIC,
    FAMILIES,
    KERNED,
    LATIN,
    ends,
    plain,
    starts,
    unbroken,
)
from builder.render.engine.weasyprint.patches.text import first_line
from builder.render.fonts import font_files

pytestmark = pytest.mark.slow

STYLE = {
    "font_family": ("Roboto", "sans-serif"),
    "font_style": "normal",
    "font_stretch": "normal",
    "font_weight": 400,
    "lang": "ru",
    "letter_spacing": "normal",
    "word_spacing": 0,
    "overflow_wrap": "normal",
    "word_break": "normal",
    "direction": "ltr",
    "hyphens": "manual",
    "hyphenate_limit_chars": (5, 2, 2),
    "hyphenate_limit_zone": SimpleNamespace(value=0, unit="px"),
    "hyphenate_character": "-",
    "text_decoration_line": "none",
    "white_space": "normal",
    "tab_size": 8,
    "font_kerning": "auto",
    **{f"font_variant_{name}": "normal" for name in ("ligatures", "position", "caps", "numeric", "alternates")},
    **{f"font_{name}": "normal" for name in ("variant_east_asian", "feature_settings", "variation_settings")},
    "font_language_override": "normal",
}
CHANGES = (
    *({},) * 6,
    *({"font_weight": 700}, {"font_weight": 900, "font_style": "italic"}, {"lang": "en"}, {"white_space": "nowrap"}),
    *(
        {"letter_spacing": 0.7},
        {"letter_spacing": 0.7, "white_space": "nowrap"},
        {"letter_spacing": -0.4},
        {"white_space": "pre-line"},
        {"white_space": "pre"},
    ),
    *({"overflow_wrap": "break-word"}, {"hyphens": "auto"}, {"font_family": ("Manrope",)}, {"word_spacing": 2}),
    {"text_decoration_line": {"underline"}},
)
CYRILLIC_WORDS = (
    "и из-за модель, Тень ТЕСТ. враг. (1) «Ага!» 6″ [2] 10–11 +1 — по-прежнему труднопроходимый 50% если/или ! /"
)
LATIN_WORDS = "a the of unit-wide Move Tokens office fluffy (1) T AV To. d6 and/or don’t «w» “q” ffi"
ODD = (
    "",
    "\ue003",
    "\ue003\ue004",
    "\xad",
    "\u2009",
    "\n",
    "\t",
    "\u200b",
    "\ue000",
    "א",
    "два\u00a0слова",
    "е\u0301",
    "№5",
    "Ђ",
    "слово—слово",
)


class Style(dict):
    """A style as the engine keeps it, with a memory."""

    def __init__(self, fonts: object, **changes: object) -> None:
        super().__init__({**STYLE, **changes})
        self.font_config, self.known, self.cache = fonts, {}, {}


@pytest.fixture(scope="module")
def ways(fonts):
    """The engine's way and the shorter one, and the fonts of the press."""
    from weasyprint.text.line_break import split_first_line

    return split_first_line, first_line(split_first_line), fonts, {}


def said(line: tuple[object, ...]) -> tuple[object, ...]:
    """All that a line says."""
    layout, *numbers = line
    return {name: value for name, value in vars(layout).items() if name not in ("ruler", "shape")}, *numbers


WORDS = st.one_of(
    *(st.lists(st.sampled_from(words.split()), min_size=1, max_size=12) for words in (CYRILLIC_WORDS, LATIN_WORDS))
)
TEXTS = st.one_of(
    st.builds(
        "{}{}{}".format, st.sampled_from(("", "", " ", ", ")), WORDS.map(" ".join), st.sampled_from(("", "", " "))
    ),
    st.builds(
        lambda words, odd, at: " ".join([*words[:at], odd, *words[at:]]), WORDS, st.sampled_from(ODD), st.integers(0, 5)
    ),
)


@settings(max_examples=1_500, deadline=None)
@given(
    text=TEXTS.filter(str.strip),
    change=st.sampled_from(CHANGES),
    size=st.sampled_from((5.3, 8.77, 13.2)),
    share=st.floats(0, 1.2) | st.sampled_from((None, 0.0, 1.0, 1 - 1e-9, 1 + 1e-9)),
    words=st.integers(1, 6),
    start=st.booleans(),
)
def test_a_line_is_the_engine_s(ways, text, change, size, share, words, start):
    """In any room, above all in that of its first words, a hair more or less. Styles keep what they learn."""
    engine, short, fonts, styles = ways
    key = (size, *sorted(map(str, change.items())))
    style = styles.setdefault(key, Style(fonts, font_size=size, **change))
    context = SimpleNamespace(dictionaries={})
    room = share
    if share is not None:
        begun = " ".join(text.split(" ")[:words])
        room = share * engine(begun if begun.strip() else text, style, context, None, 0)[3]
    wanted = said(engine(text, style, context, room, 0, start, not start))
    assert said(short(text, style, context, room, 0, start, not start)) == wanted
    assert said(short(text, style, context, room, 0, start, not start)) == wanted


def test_most_lines_are_added_up(ways):
    """The engine is not asked: its words are known, and where they may part."""
    _, _, fonts, _ = ways
    style = Style(fonts, font_size=9)
    short = first_line(lambda *_: pytest.fail("asked"))
    text = "Модель может переместиться (на 6″) или остаться — по-прежнему «в строю»."
    while text:
        layout, _, resume, width, _, _ = short(text, style, None, 120, 0)
        assert layout.text
        assert width <= 120
        text = "" if resume is None else text.encode()[resume:].decode()


def letters() -> list[str]:
    """All letters of which words that stand by themselves may be made."""
    return [letter for letter in map(chr, range(0x20, 0x2500)) if plain(letter)]


def test_a_space_is_a_place_to_break_between_words():
    from weasyprint.text.line_break import get_log_attrs

    for first in filter(ends, letters()):
        for second in filter(starts, letters()):
            text = f"{first} {second}"
            if plain(text):
                assert [each.is_line_break for each in get_log_attrs(text, "ru")][2], text


def test_a_word_of_letters_and_marks_is_not_broken():
    from weasyprint.text.line_break import can_break_text

    words = [f"«а{first}{second}" for first in letters() for second in letters()]
    for word in [*words, "\ue000\uf8ff"]:
        if unbroken(word):
            assert not can_break_text(word, "ru"), word


@pytest.mark.parametrize(
    "path", [path for path in font_files() if path.stem.split("-")[0] in FAMILIES], ids=lambda path: path.stem
)
def test_no_space_touches_its_neighbours(path):
    """What the font files say of a space and of scripts: kerned with two letters, and never substituted."""
    from fontTools.ttLib import TTFont

    font = TTFont(path)
    names = font.getBestCmap()
    assert all(ord(letter) in names for letter in letters())
    for table in ("GSUB", "GPOS"):
        tables = font[table].table
        chosen = {}
        for script in tables.ScriptList.ScriptRecord:
            features = [tables.FeatureList.FeatureRecord[at] for at in script.Script.DefaultLangSys.FeatureIndex]
            usual = {each.FeatureTag: each.Feature.LookupListIndex for each in features}
            chosen[script.ScriptTag] = {
                name: usual.get(name) for name in ("ccmp", "kern", "calt", "rlig", "clig", "mark")
            }
        assert all(each == chosen["DFLT"] for each in chosen.values())
        lookups = {at for indexes in chosen["DFLT"].values() for at in indexes or ()}
        for lookup in (tables.LookupList.Lookup[at] for at in sorted(lookups)):
            for rule in lookup.SubTable:
                kerned = _with_space(getattr(rule, "ExtSubTable", rule), names[0x20])
                assert {chr(code) for code, name in names.items() if name in kerned and plain(chr(code))} <= set(KERNED)


def _with_space(rule: object, space: str) -> set[str]:
    """The letters that a rule names together with a space; the space itself for rules of any other kind."""
    import io

    from fontTools.misc.xmlWriter import XMLWriter

    if type(rule).__name__ != "PairPos":
        out = io.StringIO()
        rule.toXML(XMLWriter(out), None)
        return {space} if f'"{space}"' in out.getvalue() else set()
    if rule.Format == 1:
        pairs = zip(rule.Coverage.glyphs, rule.PairSet, strict=True)
        return {
            other
            for first, others in pairs
            for each in others.PairValueRecord
            for other in ({each.SecondGlyph} if first == space else {first} if each.SecondGlyph == space else ())
        }
    assert space not in rule.Coverage.glyphs
    assert space not in rule.ClassDef2.classDefs
    others = [each.Class2Record[0] for each in rule.Class1Record]
    assert not any(
        value for each in others for kern in (each.Value1, each.Value2) if kern for value in vars(kern).values()
    )
    return set()


def test_both_scripts_are_named():
    assert plain(f"{LATIN[0]} {LATIN[-1]}")
    assert plain(f"{CYRILLIC[0]} {CYRILLIC[-1]}")
    assert not plain("Aа")
    assert unbroken("\ue000\uf8ff")
