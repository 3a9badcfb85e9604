"""Lists of other programs: stored for one owner, rendered in a worker, deleted after one day."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from pydantic import TypeAdapter, ValidationError

from builder.errors import InputUnreadable
from builder.files import make_private_folder
from builder.findings import Finding, Severity
from builder.imported.card import ImportedList
from builder.imported.cardmaker import CardScope
from builder.imported.text import convert_name
from builder.interchange.reading import is_foreign_roster
from builder.interchange.unpacking import (
    ROSTER_EXTENSIONS,
    START_BYTES,
    guess_extension,
)
from builder.limits import LimitedProcess, LimitsExceeded
from builder.messages import gettext as _
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.imports.list_findings import relocate_findings
from builder.usecases.imports.print_list import (
    DEFAULT_TEXT_SIZE_PT,
    PrintOptions,
    build_list,
    parse_list,
)
from builder.usecases.imports.themes import choose_theme
from builder.web.cards.faces import make_list_pictures
from builder.web.squads.archive import UNREADABLE, has_own_files
from builder.web.squads.list_facts import make_facts
from builder.web.squads.models import ImportedFile

LIST_LIFETIME = timedelta(days=1)
"""How long a list is stored that its owner does not keep."""
MAX_LISTS = 50
"""Lists of one owner."""
MAX_LIST_BYTES = 10_000_000
MAX_READING_BYTES, MAX_READING_SECONDS = 1_000_000_000, 60
"""Memory and processor time for reading one file."""
MAX_CARDS = 400
"""Cards of one list. A large list has about 60."""
MAX_ERRORS = 5
"""Errors that are shown of a list."""
MAX_WARNINGS = 20
"""Warnings of the build that are shown of a list."""
WORK_PREFIX = "work-"
"""The start of the names of folders in which a worker renders."""


@dataclass(frozen=True, slots=True)
class ListOptions:
    """The print options that the page of an imported list offers.

    An empty `size` is chosen by the amount of text, an empty `theme` by the game system.
    """

    paper: str = "a4"
    size: str = ""
    text_size: float = DEFAULT_TEXT_SIZE_PT
    scope: CardScope = CardScope.UNIT
    theme: str = ""
    ink: bool = False

    def make_print_options(self, workers: WorkerPool) -> PrintOptions:
        """Return the options for printing the list."""
        return PrintOptions(
            format=self.size or None,
            theme=self.theme or None,
            text_size=self.text_size,
            scope=self.scope,
            variant="ink" if self.ink else "full",
            profile=f"home-{self.paper}",
            workers=workers,
        )


_OPTIONS = TypeAdapter(ListOptions)


def load_options(row: ImportedFile) -> ListOptions:
    """Load the stored options of a list. Invalid values become defaults."""
    options = row.options if isinstance(row.options, dict) else {}
    try:
        return _OPTIONS.validate_python(options)
    except ValidationError as error:
        wrong_names = {detail["loc"][0] for detail in error.errors()}
    return _OPTIONS.validate_python(
        {name: value for name, value in options.items() if name not in wrong_names}
    )


@dataclass(frozen=True, slots=True)
class PrintResult:
    """The result of printing a list: its number of pages, errors and remarks."""

    pages: int
    messages: tuple[str, ...] = ()


def is_foreign_list(data: bytes) -> bool:
    """Return True for a list of another program. An archive of own data is not one."""
    if not is_foreign_roster(data):
        return False
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if has_own_files(names):
                return False
            if len(names) > 1:
                return True
            with archive.open(names[0]) as file:
                start = file.read(START_BYTES)
    except UNREADABLE:
        return False
    return guess_extension(start) in ROSTER_EXTENSIONS


def store_list(owner: str, data: bytes, file_name: str) -> ImportedFile:
    """Store an uploaded list for one day."""
    return ImportedFile.objects.create(
        owner=owner,
        name=Path(file_name).stem[:200],
        data=zlib.compress(data),
        options=asdict(ListOptions()),
        expires=timezone.now() + LIST_LIFETIME,
    )


def has_list(owner: str, data: bytes) -> bool:
    """Return True if an owner already has a list of the same file."""
    return find_owned_lists(owner).filter(data=zlib.compress(data)).exists()


def find_owned_lists(owner: str) -> QuerySet[ImportedFile]:
    """Return the lists of an owner that have not expired."""
    if not owner:
        return ImportedFile.objects.none()
    stored = ImportedFile.objects.filter(owner=owner).defer("data")
    return stored.filter(Q(expires=None) | Q(expires__gt=timezone.now()))


def get_imports_folder() -> Path:
    """Return the folder with the files of all imported lists."""
    return Path(settings.DATA) / "imports"


def get_list_folder(key: UUID) -> Path:
    """Return the folder with the files of one imported list."""
    return get_imports_folder() / str(key)


def get_list_file(key: UUID) -> Path:
    """Return the path of a list's PDF. The file may not exist yet."""
    return get_list_folder(key) / "cards.pdf"


def get_faces_folder(key: UUID) -> Path:
    """Return the folder with the card pictures of a list."""
    return get_list_folder(key) / "faces"


def delete_list(row: ImportedFile) -> None:
    """Delete an imported list with its PDF and pictures."""
    folder = get_list_folder(row.id)
    row.delete()
    rmtree(folder, ignore_errors=True)


def remove_expired_lists() -> int:
    """Delete expired lists and orphaned folders. Return the number of expired lists."""
    now = timezone.now()
    expired = ImportedFile.objects.filter(expires__lte=now).defer("data")
    count = len(expired)
    for row in expired:
        row.delete()
    keys = {str(key) for key in ImportedFile.objects.values_list("id", flat=True)}
    oldest_work = (now - LIST_LIFETIME).timestamp()
    for folder in get_imports_folder().glob("*"):
        is_work = folder.name.startswith(WORK_PREFIX)
        with suppress(OSError):  # another process deletes it
            if folder.name not in keys and not (
                is_work and folder.stat().st_mtime > oldest_work
            ):
                rmtree(folder)
    return count


def render_list(row: ImportedFile, workers: WorkerPool) -> PrintResult:
    """Render the PDF and the card pictures of a list. Raise InputUnreadable for a bad file."""
    options = load_options(row).make_print_options(workers)
    imported = _read_in_limits(
        zlib.decompress(bytes(row.data)), row.name or "list", options
    )
    if len(imported.cards) + len(imported.references) > MAX_CARDS:
        raise InputUnreadable(
            _("the list has more than {most} cards", most=MAX_CARDS),
            _("Split the list."),
        )
    make_private_folder(get_imports_folder())
    with TemporaryDirectory(prefix=WORK_PREFIX, dir=get_imports_folder()) as temporary:
        folder = Path(temporary).resolve()
        built = build_list(imported, folder / "project", options)
        findings = relocate_findings(built.result.findings, built.cards, Path(row.name))
        if built.pdf_file is None:
            return PrintResult(
                0, tuple(_list_messages(findings, Severity.ERROR)[:MAX_ERRORS])
            )
        warnings = _list_messages(findings, Severity.WARNING)[:MAX_WARNINGS]
        target = folder / "list"
        faces = make_list_pictures(
            built.project, target / "faces", built.pack, built.lang
        )
        theme = choose_theme(imported.system_id, options.theme)
        facts = asdict(make_facts(imported, built, faces, warnings, theme))
        built.pdf_file.replace(target / "cards.pdf")
        own_row = ImportedFile.objects.filter(pk=row.pk)
        rmtree(get_list_folder(row.id), ignore_errors=True)
        target.replace(get_list_folder(row.id))
        is_stored = own_row.update(
            name=convert_name(imported.name)[:200],
            system=convert_name(imported.system_name)[:200],
            facts=facts,
        )
        if not is_stored:  # its owner deleted it meanwhile
            rmtree(get_list_folder(row.id), ignore_errors=True)
    return PrintResult(built.result.files[0].pages)


def _list_messages(findings: Iterable[Finding], severity: Severity) -> list[str]:
    return [finding.message for finding in findings if finding.severity is severity]


def _read_in_limits(data: bytes, name: str, options: PrintOptions) -> ImportedList:
    with LimitedProcess(MAX_READING_BYTES, MAX_READING_SECONDS) as process:
        try:
            return process.run(
                parse_list, data, Path(name), replace(options, workers=WorkerPool())
            )
        except LimitsExceeded as error:
            limit = error.cause.describe_limit(MAX_READING_BYTES, MAX_READING_SECONDS)
            message = _(
                "the list cannot be read: it takes more than {limit}", limit=limit
            )
            raise InputUnreadable(message, _("Split the list.")) from None


class ImportedListData:
    """The interface for counting, exporting and deleting an owner's imported lists."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the number of lists."""
        return {"imports": find_owned_lists(owner).count()}

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Give the lists of one owner to another."""
        ImportedFile.objects.filter(owner=old_owner).update(owner=new_owner)

    def export(self, owner: str) -> Iterator[tuple[str, str | bytes]]:
        """Yield each list as the file that was imported."""
        for row in find_owned_lists(owner):
            data = zlib.decompress(bytes(row.data))
            yield f"imported-{row.id}{guess_extension(data)}", data

    def delete(self, owner: str) -> None:
        """Delete the lists of an owner."""
        for row in ImportedFile.objects.filter(owner=owner):
            delete_list(row)
