"""Feeds of releases follow their specifications, whatever the texts contain."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, strategies as st
from lxml import etree

from builder.report.feeds import Feed, FeedEntry, format_atom, format_json_feed
from tests.report.feed_rules import ATOM, require_atom, require_json_feed

DAY = date(2026, 8, 1)
ENTRY = FeedEntry(
    "urn:x:1", "Moths & <b>", DAY, DAY, ("One moth.", "Costs < 2 & more.")
)
FEED = Feed("urn:x", "Lanterns", "en", (ENTRY,))


def test_links_appear_where_they_are_known() -> None:
    root = require_atom(format_atom(FEED).encode())
    assert not root.findall(f"{ATOM}link")
    assert (
        not {"feed_url", "home_page_url"}
        & require_json_feed(format_json_feed(FEED).encode()).keys()
    )
    entry = replace(
        ENTRY,
        address="https://a.example/#1",
        announcement="https://news.example/?a=1&b=2",
        links=(("Banned: Old Wick", "https://news.example/ban"),),
    )
    feed = replace(
        FEED,
        entries=(entry,),
        home="https://a.example/",
        address="https://a.example/feed.atom",
    )
    root = require_atom(format_atom(feed).encode())
    assert [link.get("rel") for link in root.findall(f"{ATOM}link")] == [
        "alternate",
        "self",
    ]
    (item,) = root.findall(f"{ATOM}entry")
    assert [link.get("href") for link in item.findall(f"{ATOM}link")] == [
        "https://a.example/#1",
        "https://news.example/?a=1&b=2",
    ]
    # Readers parse the content as HTML.
    content = etree.HTML(item.find(f"{ATOM}content").text)
    assert content.findtext(".//p[2]") == "Costs < 2 & more."
    assert content.find(".//a").get("href") == "https://news.example/ban"
    (data,) = require_json_feed(format_json_feed(feed).encode())["items"]
    assert data["external_url"] == "https://news.example/?a=1&b=2"
    assert data["content_text"] == "One moth.\nCosts < 2 & more."


def test_a_feed_is_as_new_as_its_newest_entry() -> None:
    withdrawn = replace(ENTRY, id="urn:x:2", updated=date(2026, 9, 3))
    root = require_atom(format_atom(replace(FEED, entries=(ENTRY, withdrawn))).encode())
    assert root.findtext(f"{ATOM}updated") == "2026-09-03T12:00:00Z"
    require_atom(format_atom(replace(FEED, entries=())).encode())
    require_json_feed(format_json_feed(replace(FEED, entries=())).encode())


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.characters(exclude_categories=["Cs"])),
)
def test_any_text_gives_valid_feeds(title: str, line: str) -> None:
    feed = replace(FEED, entries=(replace(ENTRY, title=title, lines=(line,)),))
    require_atom(format_atom(feed).encode())
    require_json_feed(format_json_feed(feed).encode())


@pytest.mark.parametrize("broken", ["<updated>", "<id>", "<author>"])
def test_the_rules_refuse_a_feed_without_a_required_element(broken: str) -> None:
    lines = format_atom(FEED).splitlines()
    removed = next(line for line in lines if line.startswith(broken))
    lines.remove(removed)
    with pytest.raises(AssertionError):
        require_atom("\n".join(lines).encode())
