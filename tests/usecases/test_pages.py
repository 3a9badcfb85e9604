"""Pages show texts of a pack as texts, whatever they hold, in their own language.

A gallery tells each picture.
"""

from __future__ import annotations

import pytest

from builder.findings import Finding, Location
from builder.geometry.boxes import make_face_boxes
from builder.model.pack import Size
from builder.render.html.pages import page
from builder.usecases.watch.watch_view import (
    MAX_SHOWN_FINDINGS,
    WatchedCard,
    WatchedFace,
    WatchView,
    format_page_fragment,
    format_status_line,
    format_watch_page,
)

EVIL = "<script>alert(1)</script>"
BOXES = make_face_boxes(Size(width=63, height=88))


def test_nothing_of_a_pack_becomes_markup() -> None:
    finding = Finding("a/b", EVIL, EVIL, location=Location(file=f"{EVIL}.yaml", line=3))
    watched_card = WatchedCard(
        "card", "en", EVIL, (WatchedFace("front", "00", 10, 20, BOXES),)
    )
    view = WatchView(1, (), (watched_card,), (finding,), failure=EVIL)
    for text in (format_page_fragment(view, "en"), format_watch_page(EVIL, view, "en")):
        assert EVIL not in text
        assert "&lt;script&gt;" in text


def test_the_page_says_its_language_and_that_of_each_card() -> None:
    text = format_watch_page(
        "Pack", WatchView(1, (), (WatchedCard("card", "ru", "Фонарь"),)), "en"
    )
    assert '<html lang="en">' in text
    assert '<span lang="ru">Фонарь</span>' in text


def test_an_event_is_one_line() -> None:
    assert "\n" not in format_page_fragment(
        WatchView(
            1,
            (),
            (WatchedCard("card", "en", "two\nlines"),),
            (Finding("a/b", "x\r\ny\n\nz"),),
        ),
        "en",
    )


def test_an_old_picture_is_distinguished_from_a_new_one() -> None:
    old = WatchView(
        2,
        (),
        (
            WatchedCard(
                "card",
                "en",
                "Card",
                (WatchedFace("front", "00", 10, 20, BOXES),),
                stale=True,
            ),
        ),
    )
    assert "previous picture" in format_page_fragment(old, "en")
    assert "previous picture" in format_status_line(old, "en")
    assert "picture/00.png" in format_page_fragment(old, "en")


def test_a_flood_of_findings_does_not_bury_the_page() -> None:
    findings = tuple(
        Finding("a/b", f"number {index}") for index in range(MAX_SHOWN_FINDINGS + 5)
    )
    assert (
        format_page_fragment(WatchView(1, findings=findings), "en").count("<b>a/b</b>")
        == MAX_SHOWN_FINDINGS
    )
    assert "and 5 more" in format_page_fragment(WatchView(1, findings=findings), "en")


QUOTED = "<script>'\"&"
AXE = {
    "name": "Axe",
    "front": "a",
    "back": None,
    "size": "poker",
    "kind": "",
    "faction": "",
    "facts": (),
}


def gallery(title: str, lang: str, *cards: dict[str, object]) -> str:
    files = {face: face for face in "abc"}
    return page(
        "gallery.html",
        lang,
        title=title,
        cards=cards,
        files=files,
        pixels=lambda _size: (63, 88),
    )


@pytest.mark.parametrize(
    ("lang", "front", "back"), [("en", "front", "back"), ("ru", "лицо", "оборот")]
)
def test_each_picture_is_reported_in_the_cards_language(
    lang: str, front: str, back: str
) -> None:
    text = gallery(
        "Title", lang, {**AXE, "back": "b"}, {**AXE, "name": "Bow", "front": "c"}
    )
    assert f'<html lang="{lang}">' in text
    assert [
        f'alt="{alt}"' in text
        for alt in (f"Axe, {front}", f"Axe, {back}", f"Bow, {front}")
    ] == [True] * 3
    assert text.count("<img ") == 3
    assert 'src="a.webp" width="63" height="88"' in text


def test_a_language_without_words_of_its_own_takes_english_ones() -> None:
    assert 'alt="Axe, front"' in gallery("Title", "xx", AXE)


def test_nothing_of_a_pack_becomes_markup_in_a_gallery() -> None:
    text = gallery(QUOTED, "en", {**AXE, "name": QUOTED})
    assert QUOTED not in text
    assert text.count("<script") == 1
    assert 'alt="&lt;script&gt;&#39;&#34;&amp;, front"' in text


def test_a_gallery_reports_facts_and_picks_by_what_distinguishes_cards() -> None:
    """A list to pick from is there only for what differs, each value once.

    The script is the page's own.
    """
    axe = {**AXE, "kind": "Weapon", "faction": "Foxes", "facts": ("3 pts", "Heavy")}
    owls = {**AXE, "kind": "Weapon", "faction": "Owls"}
    text = gallery("Title", "de", axe, {**owls, "name": "Bow"}, {**owls, "name": "Cap"})
    assert "Weapon · Foxes · 3 pts · Heavy" in text
    assert 'name="faction"' in text
    assert text.count("<option>Owls</option>") == 1
    assert 'name="kind"' not in text
    assert "Alle Fraktionen" in text
    assert 'data-faction="Owls"' in text
    assert "<script src" not in text
    assert "http" not in text


def test_no_fact_of_a_pack_becomes_markup_in_a_gallery() -> None:
    cards = (
        {**AXE, "kind": QUOTED, "faction": f"{QUOTED}{end}", "facts": (QUOTED,)}
        for end in "ab"
    )
    assert QUOTED not in gallery("Title", "en", *cards)
