"""The watched pack's page shows texts of the pack as texts, whatever they hold."""

from __future__ import annotations

from builder.findings import Finding, Location
from builder.report.watchpage import MOST, Picture, Seen, Sight, fragment, page, status_line

EVIL = "<script>alert(1)</script>"


def test_nothing_of_a_pack_becomes_markup() -> None:
    finding = Finding("a/b", EVIL, EVIL, location=Location(file=f"{EVIL}.yaml", line=3))
    seen = Seen("card", "en", EVIL, (Picture("front", "00", 10, 20),))
    sight = Sight(1, (seen,), (finding,), trouble=EVIL)
    for text in (fragment(sight, "en"), page(EVIL, sight, "en")):
        assert EVIL not in text
        assert "&lt;script&gt;" in text


def test_the_page_says_its_language_and_that_of_each_card() -> None:
    text = page("Pack", Sight(1, (Seen("card", "ru", "Фонарь"),)), "en")
    assert '<html lang="en">' in text
    assert '<span lang="ru">Фонарь</span>' in text


def test_an_event_is_one_line() -> None:
    assert "\n" not in fragment(Sight(1, (Seen("card", "en", "two\nlines"),), (Finding("a/b", "x\r\ny\n\nz"),)), "en")


def test_an_old_picture_is_told_from_a_new_one() -> None:
    old = Sight(2, (Seen("card", "en", "Card", (Picture("front", "00", 10, 20),), stale=True),))
    assert "as it was before" in fragment(old, "en")
    assert "as it was before" in status_line(old, "en")
    assert "picture/00.png" in fragment(old, "en")


def test_a_flood_of_findings_does_not_bury_the_page() -> None:
    many = tuple(Finding("a/b", f"number {index}") for index in range(MOST + 5))
    assert fragment(Sight(1, (), many), "en").count("<b>a/b</b>") == MOST
    assert "and 5 more" in fragment(Sight(1, (), many), "en")
