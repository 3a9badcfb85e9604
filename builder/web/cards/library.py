"""The games that this server has: packs and their judges, each read once for all who ask, and anew when files change.

What is worked out from them is `remembered` as long as they stay the same.
"""

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
from builder.model.loaded import LoadedRoster
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.packs.file_codes import MISSING_RULES
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project, find_project
from builder.packs.rosters import dump, parse_roster
from builder.render.keys import engine_hash
from builder.rules.judge import Judge
from builder.rules.names import Names
from builder.usecases.build.records import MAKERS
from builder.usecases.roster.check_roster import JudgedRoster, Judges, judge_roster, require_verdict
from builder.usecases.roster.verdict import ListRow, Submission, list_rosters
from builder.web.environment import PROJECT
from builder.web.templating import get_page_language

P = ParamSpec("P")
R = TypeVar("R")
LOOK = 2.0
"""Seconds between two looks at whether a game's files have changed."""


class Library:
    """The packs of one project, each as its files were when it was first asked for. May be asked by several threads."""

    def __init__(self, project: Project) -> None:
        self.project, self.stamps = project, stamps_of(project)
        self.packs = PackFiles(project)
        self.judges = Judges(self.packs, requires_formats=False)
        self.known: dict[
            object, Any
        ] = {}  # what is remembered of these games, by the function that works it out
        self._lock = RLock()
        self._parsed = lru_cache(maxsize=500)(self._parse)

    def _judges(self, day: date | None) -> Judges:
        """The judges on a day of play; today for none."""
        return replace(self.judges, played=FormatDay("", day)) if day is not None else self.judges

    def judge(
        self, pack: str, release: str | None = None, played: FormatDay | None = None
    ) -> Judge:
        """The judge of a pack, as it is or as a release has it. UsageError where there is no such pack.

        PackUnreadable if a file that a verdict depends on is missing or broken.
        """
        with self._lock:
            self._require(pack)
            return self.judges.judge(pack, release or None).playing(played)

    def pack(self, pack: str, release: str | None = None, played: FormatDay | None = None) -> Pack:
        """A pack whose cards are shown, also with errors: cards that can be read are. UsageError where there is none.

        PackUnreadable if pack.yaml cannot be read.
        """
        with self._lock:
            self._require(pack)
            found = self.judges.load(pack, release or None)
            if found.judge is None:
                raise PackUnreadable(pack, found.errors)
            return found.judge.playing(played).pack

    def cards_judge(self, pack: str, release: str | None = None) -> Judge:
        """The judge for pages of single cards, which say who may carry a card and where it may be used.

        A pack of cards without rules is shown, too. PackUnreadable if a file that these answers depend on is broken.
        """
        with self._lock:
            self._require(pack)
            found = self.judges.load(pack, release or None)
        errors = [error for error in found.errors if error.code != MISSING_RULES.code]
        if errors or found.judge is None:
            raise PackUnreadable(pack, errors)
        return found.judge

    def _require(self, pack: str) -> None:
        """UsageError where there is no such pack."""
        if pack not in self.packs.packs():
            raise UsageError(
                _("there is no game {pack} here", pack=pack), _("Choose one of the games shown.")
            )

    def games(self) -> Iterator[Pack]:
        """All packs that squads can be built of."""
        for name in self.packs.packs():
            with self._lock:
                judge = self.judges.load(name).judge
            if judge is not None and any(
                kind.role != "none" for kind in judge.pack.manifest.kinds.values()
            ):
                yield judge.pack

    def parse(self, text: str, name: str) -> LoadedRoster:
        """A squad from its text."""
        return self._parsed(text, name, len(self.judges.made))

    def _parse(self, text: str, name: str, _judges: int) -> LoadedRoster:
        """The same; what a text says may hang on whose judge was made."""
        with self._lock:
            return parse_roster(text, name, self.project, self.judges.form)

    def judged(self, text: str, name: str, lang: str, day: date | None = None) -> JudgedRoster:
        """A squad judged by its release and its play format, told in a language.

        PackUnreadable if its pack or release cannot be read.
        """
        loaded = self.parse(text, name)
        if loaded.roster is not None:
            self._require(loaded.roster.pack)
        with self._lock:
            judged = judge_roster(self._judges(day), loaded, name, lang)
        require_verdict(judged)
        return judged

    def row(self, text: str, name: str, day: date | None = None) -> ListRow:
        """A squad as a row of an organiser's table."""
        loaded = self.parse(text, name)
        with self._lock:
            return list_rosters(self._judges(day), [Submission(name, name, loaded)]).rows[0]

    def text(self, roster: Roster) -> str:
        """What a squad's text is that nobody has written yet."""
        return dump(roster)


def stamps_of(project: Project) -> Mapping[str, str]:
    """The stamps of all packs."""
    return {pack: stamp_of(project, pack) for pack in project.packs()}


def stamp_of(project: Project, pack: str) -> str:
    """What tells a pack, and the program that sets it, apart from what they were: the names, sizes and times of files,
    and the program's own hash."""
    made = sha256(f"{fingerprint(*MAKERS)}\0{engine_hash(AUTO)}\0".encode())
    own = (project.cards_dir(pack), project.schemas_dir(pack), project.templates_dir(pack))
    for folder in (*own, project.base_templates, project.core_schemas):
        for path in sorted(
            Path(inside, name) for inside, _folders, names in os.walk(folder) for name in names
        ):
            with suppress(OSError):  # it may be gone since
                status = path.stat()
                made.update(
                    f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode(
                        errors="surrogateescape"
                    )
                )
    return made.hexdigest()[:24]


class Newest:
    """The games as they are now."""

    def __init__(self) -> None:
        self.library: Library | None = None
        self.until = 0.0
        self._looking = Lock()

    def get(self) -> Library:
        """The games; whether their files have changed is looked at now and then, by one thread."""
        known = self.library
        if known is not None and (time.monotonic() < self.until or self._looking.locked()):
            return known
        with self._looking:
            return self._look()

    def _look(self) -> Library:
        begun, known = time.monotonic(), self.library
        if known is not None and begun < self.until:  # another thread has looked
            return known
        project = (
            known.project
            if known is not None
            else find_project(Path(os.environ.get(PROJECT) or "."))
        )
        if known is None or stamps_of(project) != known.stamps:
            known = self.library = Library(project)
        took = time.monotonic() - begun
        self.until = begun + took + max(LOOK, 100 * took)
        return known


newest = Newest()


def library() -> Library:
    """The games of the project that the environment names, else of the one around the working folder."""
    return newest.get()


def remembered(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let the last values of a function of the games be remembered until a game changes."""

    def decorate(worked_out: Callable[P, R]) -> Callable[P, R]:
        @wraps(worked_out)
        def asked(*args: P.args, **named: P.kwargs) -> R:
            known: Callable[P, R] = library().known.setdefault(
                worked_out, lru_cache(most)(worked_out)
            )
            return known(*args, **named)

        return asked

    return decorate


def card_language(pack: Pack, lang: str) -> str:
    """The language in which a game's cards are shown to someone who reads `lang`: that, English, or the source."""
    known = pack.manifest.languages.all
    return next((one for one in (lang, "en") if one in known), known[0])


def names_of(pack: Pack, lang: str) -> Names:
    """What a game calls its things, to someone who reads `lang`."""
    return Names(pack, card_language(pack, lang))


def formats_of(pack: Pack) -> list[tuple[str, str]]:
    """The play formats of a game with what they are called."""
    names = names_of(pack, get_page_language())
    return [(key, names.of(one.name, key)) for key, one in pack.formats.items()]
