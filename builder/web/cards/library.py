"""The games of this server: packs and checkers, shared by threads, reloaded on change."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import lru_cache, wraps
from hashlib import sha256
from pathlib import Path
from threading import Lock, RLock
from typing import Any, ParamSpec, TypeVar

from builder.cache import fingerprint
from builder.errors import PackUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.engines import AUTO
from builder.model.formats import FormatDay
from builder.model.loaded import LoadedPack, LoadedRoster
from builder.model.pack import Pack, Role
from builder.model.roster import Roster
from builder.packs.file_codes import MISSING_RULES
from builder.packs.pack_files import PackFiles
from builder.packs.privacy import PublicProject
from builder.packs.project import Project, find_project
from builder.packs.rosters import format_roster, parse_roster
from builder.render.keys import hash_engine
from builder.rules.checker import RosterChecker
from builder.rules.names import Names
from builder.usecases.build.records import MAKERS
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    RosterCheckers,
    check_roster,
    require_verdict,
)
from builder.usecases.roster.verdict import RosterRow, Submission, check_submissions
from builder.web.environment import PROJECT, shows_private_packs
from builder.web.templating import get_page_language

P = ParamSpec("P")
R = TypeVar("R")
MIN_SECONDS_BETWEEN_SCANS = 2.0
"""Seconds between two scans for changed files of games."""
MAX_PARSED_SQUADS = 500


class PageCheckers(RosterCheckers):
    """Loads roster checkers for pages. Packs without rules are accepted, without verdicts."""

    def add_pack(self, loaded: LoadedPack, pack: str, state: str | None = None) -> None:
        """Add the checker of a pack that is loaded already."""
        super().add_pack(loaded, pack, state)
        added = self.checkers_by_pack[pack, state]
        # Without the rules that a release has, squads that break them would be shown as legal.
        had_rules = "rules.json" in self.packs.open_releases(pack).list_part_versions()
        if added.errors and not had_rules:
            errors = tuple(
                error for error in added.errors if error.code != MISSING_RULES.code
            )
            self.checkers_by_pack[pack, state] = replace(added, errors=errors)


class Library:
    """All packs of one project, loaded on first use. Files that change later do not affect it.

    Safe for several threads.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.stamps = stamp_packs(project)
        self.packs = PackFiles(project)
        self.checkers = PageCheckers(self.packs, requires_formats=False)
        self.cached_functions: dict[object, Any] = {}
        """The caches of `cache_per_library`, by function."""
        self._lock = RLock()
        self._parse_cached = lru_cache(maxsize=MAX_PARSED_SQUADS)(self._parse_squad)

    def _get_checkers(self, day: date | None) -> RosterCheckers:
        """Return the roster checkers for a day of play. None means today."""
        return (
            replace(self.checkers, format_day=FormatDay("", day))
            if day is not None
            else self.checkers
        )

    def get_checker(
        self, pack: str, release: str | None = None, played: FormatDay | None = None
    ) -> RosterChecker:
        """Return the checker of a pack or release. Raise UsageError for an unknown pack.

        Raise PackUnreadable if a file that a verdict depends on is missing or broken.
        """
        with self._lock:
            self._require_pack(pack)
            return self.checkers.get_checker(pack, release or None).get_format_checker(
                played
            )

    def get_pack(
        self, pack: str, release: str | None = None, played: FormatDay | None = None
    ) -> Pack:
        """Return a pack for card pages, without the cards that cannot be read.

        Raise UsageError for an unknown pack, and PackUnreadable if pack.yaml cannot be read.
        """
        with self._lock:
            self._require_pack(pack)
            loaded = self.checkers.load_pack(pack, release or None)
            if loaded.checker is None:
                raise PackUnreadable(pack, loaded.errors)
            return loaded.checker.get_format_checker(played).pack

    def get_card_checker(self, pack: str, release: str | None = None) -> RosterChecker:
        """Return the checker with which card pages find possible hosts and play formats.

        A pack of cards without rules has one, too. Raise PackUnreadable if a file that these
        answers depend on is broken.
        """
        with self._lock:
            self._require_pack(pack)
            loaded = self.checkers.load_pack(pack, release or None)
        errors = [error for error in loaded.errors if error.code != MISSING_RULES.code]
        if errors or loaded.checker is None:
            raise PackUnreadable(pack, errors)
        return loaded.checker

    def _require_pack(self, pack: str) -> None:
        if pack not in self.packs.list_packs():
            message = _("the game {pack} is not available here", pack=pack)
            raise UsageError(message, _("Choose one of the games in the list."))

    def list_games(self) -> Iterator[Pack]:
        """Yield the packs for which squads can be built."""
        for pack in self._list_readable():
            if has_roles(pack):
                yield pack

    def list_packs_without_roles(self) -> list[Pack]:
        """Return the packs whose cards have no roles, so that no squad can be built."""
        return [pack for pack in self._list_readable() if not has_roles(pack)]

    def _list_readable(self) -> Iterator[Pack]:
        for name in self.packs.list_packs():
            with self._lock:
                checker = self.checkers.load_pack(name).checker
            if checker is not None:
                yield checker.pack

    def parse_squad(self, text: str, name: str) -> LoadedRoster:
        """Parse the YAML text of a squad."""
        # The judges that are loaded decide which choices a text may name.
        return self._parse_cached(text, name, len(self.checkers.checkers_by_pack))

    def _parse_squad(self, text: str, name: str, _loaded_checkers: int) -> LoadedRoster:
        with self._lock:
            return parse_roster(text, name, self.project, self.checkers.get_roster_form)

    def check_squad(
        self, text: str, name: str, lang: str, day: date | None = None
    ) -> CheckedRoster:
        """Check the YAML text of a squad. Findings are in the given language.

        Raise PackUnreadable if its pack or release cannot be read.
        """
        loaded = self.parse_squad(text, name)
        if loaded.roster is not None:
            self._require_pack(loaded.roster.pack)
        with self._lock:
            result = check_roster(self._get_checkers(day), loaded, name, lang)
        require_verdict(result)
        return result

    def make_row(self, text: str, name: str, day: date | None = None) -> RosterRow:
        """Check the text of a squad. Return its row in an organiser's table."""
        submission = Submission(name, name, self.parse_squad(text, name))
        with self._lock:
            return check_submissions(self._get_checkers(day), [submission]).rows[0]

    def format_squad(self, roster: Roster) -> str:
        """Format a new squad as YAML text."""
        return format_roster(roster)


def has_roles(pack: Pack) -> bool:
    """Return True if at least one card of a pack can be part of a squad."""
    return any(kind.role != Role.NONE for kind in pack.manifest.kinds.values())


def stamp_packs(project: Project) -> Mapping[str, str]:
    """Return the stamp of each pack, by pack."""
    return {pack: stamp_pack(project, pack) for pack in project.list_packs()}


def stamp_pack(project: Project, pack: str) -> str:
    """Return a hash of the names, sizes and times of a pack's files, and of the renderer."""
    stamp = sha256(f"{fingerprint(*MAKERS)}\0{hash_engine(AUTO)}\0".encode())
    folders = (
        project.get_cards_dir(pack),
        project.get_schemas_dir(pack),
        project.get_templates_dir(pack),
        project.base_templates,
        project.core_schemas,
    )
    for folder in folders:
        for path in sorted(_list_files(folder)):
            with suppress(OSError):  # the file may have been removed since
                status = path.stat()
                line = f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0"
                stamp.update(line.encode(errors="surrogateescape"))
    return stamp.hexdigest()[:24]


def _list_files(folder: Path) -> Iterator[Path]:
    for parent, _folders, names in os.walk(folder):
        for name in names:
            yield Path(parent, name)


class LibraryCache:
    """Keeps the current library, and replaces it when files of a game change."""

    def __init__(self) -> None:
        self.library: Library | None = None
        self.next_scan = 0.0
        """When files are scanned again, in seconds of the monotonic clock."""
        self._scan_lock = Lock()

    def get(self) -> Library:
        """Return the current library. Check now and then whether files have changed.

        One thread scans for changes; all others go on with the library they had.
        """
        is_fresh = time.monotonic() < self.next_scan or self._scan_lock.locked()
        if self.library is not None and is_fresh:
            return self.library
        with self._scan_lock:
            return self._scan()

    def _scan(self) -> Library:
        library = self.library
        start = time.monotonic()
        if (
            library is not None and start < self.next_scan
        ):  # another thread has scanned meanwhile
            return library
        if library is None:
            project = find_project(Path(os.environ.get(PROJECT) or "."))
            shows_all = shows_private_packs()
            library = Library(project if shows_all else PublicProject(project.root))
        elif stamp_packs(library.project) != library.stamps:
            library = Library(library.project)
        self.library = library
        seconds = time.monotonic() - start
        # Scanning takes at most one hundredth of the time.
        self.next_scan = start + seconds + max(MIN_SECONDS_BETWEEN_SCANS, 100 * seconds)
        return library


library_cache = LibraryCache()


def get_library() -> Library:
    """Return the current library of the project that the server shows."""
    return library_cache.get()


def cache_per_library(max_values: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a decorator that caches a function's last results until a game changes."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call_cached(*args: P.args, **options: P.kwargs) -> R:
            functions = get_library().cached_functions
            cached: Callable[P, R] = functions.setdefault(
                function, lru_cache(max_values)(function)
            )
            return cached(*args, **options)

        return call_cached

    return decorate


def choose_card_language(pack: Pack, lang: str) -> str:
    """Choose the language of a game for readers of `lang`: that one, English or the source."""
    langs = pack.manifest.languages.all
    return next((choice for choice in (lang, "en") if choice in langs), langs[0])


def get_names(pack: Pack, lang: str) -> Names:
    """Return the translated names of a game for readers of `lang`."""
    return Names(pack, choose_card_language(pack, lang))


def list_play_formats(pack: Pack) -> list[tuple[str, str]]:
    """Return (id, name) of a game's play formats."""
    names = get_names(pack, get_page_language())
    return [
        (key, names.choose_name(play_format.name, key))
        for key, play_format in pack.formats.items()
    ]
