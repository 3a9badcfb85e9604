"""Reads the archive that "Your data" exports (squads.zip).

Squads with their notes and games, collections, and imported lists.
"""

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from uuid import uuid4
from zipfile import BadZipFile, ZipFile

from django.conf import settings

from builder.errors import SquadpressError, UsageError
from builder.messages import Message, gettext as _
from builder.model.roster import Collection
from builder.usecases.roster.reading import read_squad
from builder.web.accounts.owned_data import SETTINGS_FILE
from builder.web.cards.library import get_library
from builder.web.collection.counts import (
    merge_counts,
    migrate_counts,
    update_collection,
)
from builder.web.squads.models import SavedSquad, SquadGame, squads_of
from builder.web.squads.play_page import read_game_state
from builder.web.squads.roster_changes import MAX_BENCHED_MODELS, dump_entry, load_bench
from builder.web.squads.storage import MAX_NOTE_CHARACTERS, SquadStorage
from builder.web.squads.tags import add_tag, read_tag

MAX_ARCHIVE_BYTES = 10_000_000
MAX_FILES = 10_000
"""Files of an archive: an export has two for each squad, and one for each collection, event and
list handed in.
"""
MAX_FILE_BYTES = 20_000_000
"""Bytes of one file that is read, unpacked: that of a squad holds all its changes."""
MAX_TOTAL_BYTES = 500_000_000
"""Bytes of all files together, unpacked."""
OWN_LIST_NAME = re.compile(r"imported-[0-9a-f-]{36}\.\w+")
"""The names of imported lists in an export."""
OWN_NAME = re.compile(
    rf".+\.yaml|account\.json|(?:collection|event|handed-in)-[^/]+\.json|{OWN_LIST_NAME.pattern}"
)
"""The names of files in an export: squads, the account, collections, events and lists."""
AddList = Callable[[str, bytes], bool]
"""Adds a list with a file's name and content to those of an owner. False if already stored."""
UNREADABLE = (
    BadZipFile,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    struct.error,
    zlib.error,
)
"""The errors of zipfile for a file that is damaged, encrypted or packed in an unknown way."""


@dataclass
class ArchiveReport:
    """The result of importing an archive of own data: counts, and messages by file."""

    squads: int = 0
    present_squads: int = 0
    games: int = 0
    collections: int = 0
    lists: int = 0
    language: str = ""
    """The language of the pages. Empty if the archive names none."""
    left_out: int = 0
    """Files about events, lists that were handed in, and the account."""
    remarks: list[tuple[str, str]] = field(default_factory=list)


def is_archive(data: bytes) -> bool:
    """Return True if a file begins like a ZIP archive."""
    return data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06")


def has_own_files(names: Iterable[str]) -> bool:
    """Return True if an archive has a file that the export "Your data" writes."""
    return any(OWN_NAME.fullmatch(name) for name in names)


def import_archive(
    owner: str, data: bytes, count_squad: Callable[[], None], add_list: AddList
) -> ArchiveReport:
    """Import the squads, collections and lists of an archive for an owner.

    `count_squad` is called before each squad is added, and raises UsageError for one too many. A
    squad that is there already with the same text is not added again. Of each card the larger
    number of copies is kept. Raise UsageError for a file that is damaged, too large, or no archive
    of this program.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            return import_files(
                owner, SizedArchive(archive), ArchiveReport(), count_squad, add_list
            )
    except UNREADABLE as error:
        advice = _("Export the archive again, and import the new file.")
        raise UsageError(
            _("the archive cannot be read: {reason}", reason=error), advice
        ) from None


class SizedArchive:
    """A ZIP archive with limits of size. Raises UsageError if it is too large.

    One file is unpacked at a time.
    """

    def __init__(self, archive: ZipFile) -> None:
        self.archive = archive
        self.members = {
            member.filename: member
            for member in archive.infolist()
            if not member.is_dir()
        }
        sizes = [member.file_size for member in self.members.values()]
        if len(sizes) > MAX_FILES or sum(sizes) > MAX_TOTAL_BYTES:
            raise UsageError(
                _("the archive is too large"), _("Import the squads one at a time.")
            )

    def read_file(self, name: str) -> bytes:
        """Return the bytes of a file in the archive. Empty if it is missing.

        Raise UsageError for a file that is too large.
        """
        member = self.members.get(name)
        if member is None:
            return b""
        if member.file_size > MAX_FILE_BYTES:
            raise UsageError(
                _("the file is larger than {most} kB", most=MAX_FILE_BYTES // 1000), ""
            )
        with self.archive.open(member) as stream:
            # The stated size may be false: no more than that is unpacked.
            return stream.read(member.file_size)


def import_files(
    owner: str,
    archive: SizedArchive,
    report: ArchiveReport,
    count_squad: Callable[[], None],
    add_list: AddList,
) -> ArchiveReport:
    """Import all files of an open archive. Failures go to the report."""
    names = archive.members
    squad_names = [name for name in names if name.endswith(".yaml")]
    collection_names = [
        name
        for name in names
        if name.startswith("collection-") and name.endswith(".json")
    ]
    list_names = [name for name in names if OWN_LIST_NAME.fullmatch(name)]
    if not squad_names and not collection_names and not list_names:
        reason = _("the archive contains no squads and no collections")
        raise UsageError(
            reason, _("Choose the file that “Your data” exports: squads.zip.")
        )
    for name in squad_names:
        import_squad(owner, name, archive, report, count_squad)
    for name in collection_names:
        import_collection(owner, name, archive, report)
    for name in list_names:
        import_foreign_list(name, archive, report, add_list)
    report.language = read_language(archive) or report.language
    about_squads = {name.removesuffix(".yaml") + ".json" for name in squad_names}
    imported_names = {
        *squad_names,
        *collection_names,
        *list_names,
        *about_squads,
        SETTINGS_FILE,
    }
    report.left_out = len(names.keys() - imported_names)
    return report


def import_foreign_list(
    name: str, archive: SizedArchive, report: ArchiveReport, add_list: AddList
) -> None:
    """Import a list of another program. A failure goes to the report."""
    try:
        report.lists += add_list(name, archive.read_file(name))
    except SquadpressError as error:
        report.remarks.append((name, error.message))


def read_language(archive: SizedArchive) -> str | None:
    """Return the language of pages that the archive stores. Empty if it is unknown."""
    language = json_object(archive.read_file(SETTINGS_FILE)).get("language")
    if isinstance(language, str) and language in dict(settings.LANGUAGES):
        return language
    return None


def import_squad(
    owner: str,
    name: str,
    archive: SizedArchive,
    report: ArchiveReport,
    count_squad: Callable[[], None],
) -> None:
    """Import a squad with its notes and game state. Failures go to the report."""
    about: dict[str, object] = {}
    about_name = name.removesuffix(".yaml") + ".json"
    try:
        about = json_object(archive.read_file(about_name))
    except UsageError as error:  # the squad is added without its notes
        report.remarks.append((about_name, error.message))
    label = str(about.get("name") or name)[:200]
    games = get_library()
    try:
        text = archive.read_file(name).decode("utf-8")
        squad = read_squad(games.packs, text, games.list_games(), games.get_checker)
        games.get_pack(squad.roster.pack, squad.roster.version)
        if squads_of(owner).filter(pack=squad.roster.pack, text=text).exists():
            report.present_squads += 1
            return
        count_squad()
        key = uuid4()
        same_roster = games.parse_squad(text, name).roster == squad.roster
        SquadStorage(games, owner).create(
            str(key), squad.roster, text=text if same_roster else None
        )
    except UnicodeDecodeError:
        report.remarks.append((label, _("the file is not UTF-8 text")))
        return
    except SquadpressError as error:
        report.remarks.append((label, error.message))
        return
    report.squads += 1
    report.remarks += [(label, remark) for remark in squad.remarks]
    _restore_details(SavedSquad.objects.get(id=key), about, label, report)
    if about.get("game") is not None:
        try:
            SquadGame.objects.create(
                squad_id=key, state=read_game_state(about["game"]), edition=1
            )
            report.games += 1
        except UsageError as error:
            report.remarks.append((label, error.message))


def _restore_details(
    squad: SavedSquad, about: Mapping[str, object], label: str, report: ArchiveReport
) -> None:
    """Restore notes, tags and bench of an imported squad. Report invalid ones."""
    notes = about.get("notes")
    if isinstance(notes, str):
        squad.notes = notes[:MAX_NOTE_CHARACTERS]
    squad.archived = about.get("archived") is True
    tags, bench = about.get("tags"), about.get("bench")
    try:
        for tag in tags if isinstance(tags, list) else ():
            add_tag(squad, read_tag(str(tag)))
        entries = load_bench(bench if isinstance(bench, list) else ())
        squad.bench = [dump_entry(entry) for entry in entries[:MAX_BENCHED_MODELS]]
    except UsageError as error:
        report.remarks.append((label, error.message))
    except ValueError:
        report.remarks.append((label, _("the bench cannot be read")))
    squad.save(update_fields=["notes", "archived", "tags", "bench"])


def import_collection(
    owner: str, name: str, archive: SizedArchive, report: ArchiveReport
) -> None:
    """Import a collection. Failures go to the report."""
    try:
        collection = Collection.model_validate(json_object(archive.read_file(name)))
        owned, new_ids = migrate_counts(
            collection, get_library().get_pack(collection.pack).id
        )
    except ValueError:
        report.remarks.append((name, _("this is not a collection")))
        return
    except SquadpressError as error:
        report.remarks.append((name, error.message))
        return
    update_collection(owner, collection.pack, partial(merge_counts, owned))
    report.collections += 1
    report.remarks += [
        (collection.pack, message) for message in renamed_messages(new_ids)
    ]


def renamed_messages(new_ids: Mapping[str, str]) -> Iterator[Message]:
    """Return a message for each card of a collection that was renamed."""
    for old, new in new_ids.items():
        yield _("{old} is now {new}", old=old, new=new)


def json_object(data: bytes) -> dict[str, object]:
    """Parse a JSON object. Empty for anything else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
