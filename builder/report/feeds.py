"""Feeds of releases: Atom (RFC 4287) and JSON Feed (jsonfeed.org, version 1.1). Pure."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from xml.sax.saxutils import escape, quoteattr

from builder.errata.notes import Notes
from builder.errata.release import (
    Release,
    ReleaseState,
    describe_state,
    find_release,
    find_state,
)
from builder.messages import translate
from builder.report.release import format_dates, format_heading

ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
JSON_FEED_VERSION = "https://jsonfeed.org/version/1.1"
FORBIDDEN_CHARACTERS = dict.fromkeys(
    (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)
)
"""Characters that no XML document may contain."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One release in a feed. `id` never changes. `links` are (title, address) of announcements."""

    id: str
    title: str
    published: date
    updated: date
    lines: tuple[str, ...]
    address: str = ""
    announcement: str = ""
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """A news feed of releases in one language, the newest entry first.

    `home` is the page about all releases, and `address` that of the feed, if it is known.
    """

    id: str
    title: str
    lang: str
    entries: tuple[FeedEntry, ...]
    home: str = ""
    address: str = ""


def make_feed_entry(
    notes: Notes,
    releases: Sequence[Release],
    day: date,
    entry_id: str,
    address: str = "",
) -> FeedEntry | None:
    """Return the feed entry of a release on a day. None if the release does not exist yet."""
    release = find_release(releases, notes.new)
    if release is None:
        return None
    title = format_heading(notes)
    # A reader must not start to use a planned release, or one that is or will be withdrawn.
    is_planned = find_state(release, releases, day) is ReleaseState.PLANNED
    if is_planned or release.withdrawal is not None:
        title += f" ({translate(describe_state(release, releases, day), notes.lang)})"
    # Feed readers show an entry again if it was updated, as for a withdrawal.
    # Feed readers hide or reject entries with a date in the future, as of a planned release.
    published = updated = min(release.released, day)
    lines = [format_dates(notes)]
    if release.withdrawal is not None:
        lines.append(notes.withdrawn)
        if release.is_withdrawn(day):
            updated = release.withdrawal.date
    links = [
        (rule.title, rule.announcement) for rule in notes.rules if rule.announcement
    ]
    return FeedEntry(
        entry_id,
        title,
        published,
        updated,
        (*lines, *notes.summary),
        address,
        release.announcement,
        tuple(links),
    )


def format_atom(feed: Feed) -> str:
    """Format a feed as an Atom file. An empty feed has a date before all releases."""
    updated = max((entry.updated for entry in feed.entries), default=date(1970, 1, 1))
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    lines.append(
        f'<feed xmlns="{ATOM_NAMESPACE}" xml:lang={_quote_attribute(feed.lang)}>'
    )
    lines += [_format_element("id", feed.id), _format_element("title", feed.title)]
    lines.append(_format_element("updated", _format_noon(updated)))
    lines.append(f"<author>{_format_element('name', feed.title)}</author>")
    lines += _format_link("alternate", feed.home, "text/html")
    lines += _format_link("self", feed.address, "application/atom+xml")
    for entry in feed.entries:
        lines += _format_entry(entry)
    return "\n".join([*lines, "</feed>", ""])


def _format_entry(entry: FeedEntry) -> Iterator[str]:
    yield "<entry>"
    yield _format_element("id", entry.id)
    yield _format_element("title", entry.title)
    yield _format_element("published", _format_noon(entry.published))
    yield _format_element("updated", _format_noon(entry.updated))
    yield from _format_link("alternate", entry.address, "text/html")
    yield from _format_link("related", entry.announcement)
    # The markup inside is text for Atom, so it is escaped once more.
    yield f'<content type="html">{_escape_text(_format_html_content(entry))}</content>'
    yield "</entry>"


def _format_html_content(entry: FeedEntry) -> str:
    """Format the text of an entry as HTML paragraphs, with its links at the end."""
    paragraphs = [f"<p>{_escape_text(line)}</p>" for line in entry.lines]
    for title, address in entry.links:
        paragraphs.append(
            f"<p><a href={_quote_attribute(address)}>{_escape_text(title)}</a></p>"
        )
    return "".join(paragraphs)


def _format_link(relation: str, address: str, content_type: str = "") -> Iterator[str]:
    if address:
        kind = f' type="{content_type}"' if content_type else ""
        yield f'<link rel="{relation}"{kind} href={_quote_attribute(address)}/>'


def _format_element(name: str, text: str) -> str:
    return f"<{name}>{_escape_text(text)}</{name}>"


def _escape_text(text: str) -> str:
    return escape(text.translate(FORBIDDEN_CHARACTERS))


def _quote_attribute(text: str) -> str:
    return quoteattr(text.translate(FORBIDDEN_CHARACTERS))


def _format_noon(day: date) -> str:
    """Format a day as a timestamp at 12:00 UTC, so that every run writes the same."""
    return f"{day.isoformat()}T12:00:00Z"


def format_json_feed(feed: Feed) -> str:
    """Format a feed as JSON Feed. Keys without a value are left out."""
    data: dict[str, object] = {
        "version": JSON_FEED_VERSION,
        "title": feed.title,
        "home_page_url": feed.home,
        "feed_url": feed.address,
        "language": feed.lang,
        "authors": [{"name": feed.title}],
    }
    data = {key: value for key, value in data.items() if value}
    data["items"] = [_make_json_item(entry) for entry in feed.entries]
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _make_json_item(entry: FeedEntry) -> dict[str, str]:
    item = {
        "id": entry.id,
        "url": entry.address,
        "external_url": entry.announcement,
        "title": entry.title,
        "content_html": _format_html_content(entry),
        "content_text": "\n".join(entry.lines),
        "date_published": _format_noon(entry.published),
        "date_modified": _format_noon(entry.updated),
    }
    return {key: value for key, value in item.items() if value}
