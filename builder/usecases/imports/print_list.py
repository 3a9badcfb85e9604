"""Print a list of another program: its cards and its squad sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited, write_atomic
from builder.findings import Finding, has_errors
from builder.imported.card import ImportedList
from builder.imported.cardmaker import make_imported_list
from builder.interchange.reading import MAX_BYTES, is_foreign_roster, read_foreign_roster
from builder.interchange.unpacking import decode_text
from builder.messages import describe_os_error, gettext as _
from builder.packs.project import Project, find_project
from builder.packs.scaffold import make_id
from builder.render import render_codes
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import (
    BuildOptions,
    BuildResult,
    PublishOptions,
    Selection,
    WorkerPool,
)
from builder.usecases.build.select import read_roster
from builder.usecases.imports.card_ids import ImportTarget
from builder.usecases.imports.list_findings import translate_places
from builder.usecases.imports.pack_files import (
    FORMATS,
    CardFormat,
    PaperCard,
    list_paper_cards,
    load_import_names,
    make_pack_files,
)

MAX_LAYOUT_ATTEMPTS = 5
SHRINK_FACTOR = 0.88
"""Part of the lines that are tried next if a face overflows: the sizes of texts are estimates."""
MAX_LARGE_SHARE = 0.5
"""The larger format is chosen if more of the cards need a second card of the smaller one."""
AUTO_FORMATS = ("120x70", "a6")
PACK_KEY = re.compile(r"""^[\s{]*["']?pack["']?\s*:""", re.MULTILINE)
"""The key that every squad of ours has."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options for printing a list. `format` and `lang` are guessed from the texts if unset."""

    format: str | None = None
    lang: str | None = None
    profile: str = "home-a4"
    output: Path | None = None
    workers: WorkerPool = field(default_factory=WorkerPool)


@dataclass(frozen=True, slots=True)
class PrintedList:
    """The written file with the facts of the list. Without a file, `findings` say why."""

    imported: ImportedList
    file: Path | None
    format: str
    card_count: int
    page_count: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class SizedList:
    """A list with the size of its cards."""

    imported: ImportedList
    format_name: str
    card_format: CardFormat


@dataclass(frozen=True, slots=True)
class BuiltList:
    """A list as a pack in a project of its own, and the PDF that was built of it."""

    project: Project
    pack: str
    lang: str
    format: str
    cards: tuple[PaperCard, ...]
    result: BuildResult

    @property
    def file(self) -> Path | None:
        """The PDF. None after an error."""
        has_file = bool(self.result.files) and not has_errors(self.result.findings)
        return self.result.files[0].path if has_file else None


def read_list(path: Path) -> ImportedList | None:
    """Return the list in a file of another program; None if the file is a squad of ours.

    Raise InputUnreadable for any other file.
    """
    try:
        data = read_limited(path, MAX_BYTES)
    except OSError as error:
        message = _("{file} cannot be read: {reason}", file=path, reason=describe_os_error(error))
        raise InputUnreadable(message) from error
    if not is_foreign_roster(data) and PACK_KEY.search(decode_text(data)):
        return None
    return parse_list(data, path)


def parse_list(data: bytes, file: Path) -> ImportedList:
    """Return the list in the bytes of a file of another program. Raise InputUnreadable."""
    try:
        roster = read_foreign_roster(data)
    except InputUnreadable as error:
        message = _("{file}: {reason}", file=file, reason=error.message)
        raise InputUnreadable(message, error.remedy) from error
    imported = make_imported_list(roster, load_import_names())
    if not imported.cards:
        raise InputUnreadable(
            _("{file} contains no unit or model that could be a card", file=file),
            _("Add units to the list, and export it again."),
        )
    return replace(imported, name=imported.name or file.stem)


def print_list(imported: ImportedList, source: Path, options: PrintOptions) -> PrintedList:
    """Write the cards and the squad sheet of a list as one PDF next to its file."""
    target = options.output or source.with_name(f"{source.stem}-cards.pdf")
    _require_other_file(source, target)
    with TemporaryDirectory(prefix="squadpress-") as folder:
        built = build_list(imported, Path(folder).resolve(), options)
        if built.file is not None:
            write_atomic(target, built.file.read_bytes())
    return PrintedList(
        imported,
        target if built.file is not None else None,
        built.format,
        sum(card.copies for card in built.cards),
        built.result.files[0].pages if built.file is not None else 0,
        tuple(translate_places(built.result.findings, built.cards, source)),
    )


def _require_other_file(source: Path, target: Path) -> None:
    """Raise UsageError if the PDF would replace the list."""
    if target.exists() and target.samefile(source):
        raise UsageError(
            _("{file} is the list itself", file=target), _("Use another name for the PDF.")
        )


def build_list(
    imported: ImportedList,
    folder: Path,
    options: PrintOptions,
    target: ImportTarget | None = None,
) -> BuiltList:
    """Write a list as a pack into an empty folder, and build it.

    If a text is too long for its face, try again with fewer lines per face.
    """
    name = options.format or choose_format(imported)
    if name not in FORMATS:
        raise UsageError(
            _("{format!r} is not a card size", format=name),
            _("Use one of: {names}.", names=", ".join(FORMATS)),
        )
    card_format = FORMATS[name]
    if target is None:
        pack = make_id(imported.name)[:60].strip("-") or "list"
        target = ImportTarget(pack, pack)
    for attempt in range(MAX_LAYOUT_ATTEMPTS):
        if attempt:
            card_format = replace(card_format, area=card_format.area.shrink(SHRINK_FACTOR))
        sized_list = SizedList(imported, name, card_format)
        built = _build_pack_of_list(sized_list, target, folder / str(attempt), options)
        if not _has_only_overflow_errors(built.result.findings):
            break
    return built


def choose_format(imported: ImportedList) -> str:
    """Return the smallest format in which at most half of the units need a second card."""
    for name in AUTO_FORMATS:
        cards = list_paper_cards(imported, FORMATS[name])
        units = [card for card in cards if card.card.name]
        further = sum(card.part == 2 for card in units)
        if further <= MAX_LARGE_SHARE * len(imported.cards):
            return name
    return AUTO_FORMATS[-1]


def _build_pack_of_list(
    sized_list: SizedList, target: ImportTarget, folder: Path, options: PrintOptions
) -> BuiltList:
    imported, card_format = sized_list.imported, sized_list.card_format
    lang = options.lang or guess_language(imported)
    for name, data in make_pack_files(imported, target, lang, card_format):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    project = Project(folder)
    roster = project.get_cards_dir(target.pack) / "rosters" / f"{target.squad}.yaml"
    # Without drafts: the lines per face are chosen so that all texts fit.
    build_options = BuildOptions(
        Selection(langs=(lang,), roster=roster),
        PublishOptions(profile=options.profile, strict=True),
        options.workers,
    )
    return BuiltList(
        project,
        target.pack,
        lang,
        sized_list.format_name,
        tuple(list_paper_cards(imported, card_format, target)),
        build_pack(project, target.pack, build_options),
    )


def _has_only_overflow_errors(findings: Sequence[Finding]) -> bool:
    """Return True if there are errors and each is a text overflow."""
    errors = [finding for finding in findings if has_errors([finding])]
    return bool(errors) and all(finding.code == render_codes.OVERFLOW.code for finding in errors)


def guess_language(imported: ImportedList) -> str:
    """Return `ru` if most characters of the list are Cyrillic, otherwise `en`."""
    texts = [imported.name]
    for card in (*imported.cards, *imported.references):
        texts += [card.name, *(passage.text for passage in card.passages)]
    text = "".join(texts).lower()
    return "ru" if len(re.findall("[а-яё]", text)) > len(re.findall("[a-z]", text)) else "en"


def print_squad(roster: Path, options: PrintOptions) -> BuildResult:
    """Build the cards and the sheet of a squad of a pack, in all languages or the given one."""
    project = find_project(roster.parent)
    return build_pack(
        project,
        read_roster(project, roster).pack,
        BuildOptions(
            Selection(langs=(options.lang,) if options.lang else (), roster=roster),
            PublishOptions(profile=options.profile),
            WorkerPool(),
        ),
    )
