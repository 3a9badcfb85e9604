"""The feeds of a publication, in each language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import NAMESPACE_URL, uuid5

from builder.errata.notes import Notes
from builder.errata.reader import NoteReader
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot
from builder.messages import gettext as _, translate
from builder.report.feeds import (
    Feed,
    FeedEntry,
    format_atom,
    format_json_feed,
    make_feed_entry,
)


@dataclass(frozen=True, slots=True)
class FeedWriter:
    """Makes the news feeds about the releases of a pack, as of a day.

    Without `base_url` they have no links to the publication, because feeds need absolute ones.
    """

    last: Snapshot
    releases: Sequence[Release]
    day: date
    base_url: str = ""

    def list_files(
        self, all_notes: Sequence[Notes], lang: str
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the Atom and the JSON feed in a language. `all_notes` are oldest first."""
        entries: list[FeedEntry] = []
        # Readers of feeds expect the newest entry first.
        for notes in reversed(all_notes):
            address = self._make_address(f"index.{lang}.html#{notes.new}")
            entry_id = self._make_id(lang, notes.new)
            entry = make_feed_entry(notes, self.releases, self.day, entry_id, address)
            if entry is not None:
                entries.append(entry)
        name = NoteReader(self.last, lang).pick_language(self.last.manifest.get("name"))
        title = translate(_("{name}: releases", name=name or self.last.pack), lang)
        home = self._make_address(f"index.{lang}.html")
        for extension, format_feed in (
            ("atom", format_atom),
            ("json", format_json_feed),
        ):
            file = f"feed.{lang}.{extension}"
            feed = Feed(
                self._make_id(lang),
                title,
                lang,
                tuple(entries),
                home,
                self._make_address(file),
            )
            yield file, format_feed(feed).encode()

    def _make_address(self, path: str) -> str:
        return f"{self.base_url}/{path}" if self.base_url else ""

    def _make_id(self, *names: str) -> str:
        """Return an id for the feed that does not depend on its address."""
        return uuid5(
            NAMESPACE_URL, "/".join(("squadpress", self.last.pack, *names))
        ).urn
