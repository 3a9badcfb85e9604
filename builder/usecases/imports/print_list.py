"""Print a list of another program: its cards and its squad sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Literal

from builder.errors import InputUnreadable, UsageError
from builder.files import read_limited, write_atomic, write_if_changed
from builder.findings import Finding, has_errors
from builder.imported.card import ImportedCard, ImportedList
from builder.imported.cardmaker import CardScope, make_imported_list
from builder.imported.pages import FaceContent
from builder.imported.theme import Theme, apply_theme
from builder.interchange.reading import (
    MAX_BYTES,
    is_foreign_roster,
    read_foreign_roster,
)
from builder.interchange.unpacking import decode_text
from builder.messages import describe_os_error, gettext as _
from builder.packs.project import Project, find_project
from builder.packs.scaffold import make_id
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import (
    SHOP,
    BuildOptions,
    BuildResult,
    PublishOptions,
    Selection,
    WorkerPool,
)
from builder.usecases.build.select import read_roster
from builder.usecases.imports.card_ids import ImportTarget
from builder.usecases.imports.list_findings import (
    SPACE_CODES,
    relocate_findings,
    report_missing_letters,
)
from builder.usecases.imports.pack_files import (
    FORMATS,
    CardFormat,
    PaperCard,
    PaperCardType,
    PrintDesign,
    clean_list,
    list_paper_cards,
    list_texts,
    load_import_names,
    make_pack_files,
)
from builder.usecases.imports.symbols import choose_symbols
from builder.usecases.imports.themes import choose_theme

MAX_LAYOUT_ATTEMPTS = 8
SHRINK_FACTOR = 0.88
"""The factor on the height of a face that overflows, for the next attempt."""
MAX_SHARE_OF_SECOND_CARDS = 0.5
"""The larger format is chosen if a larger share of units needs 2 cards of the smaller one."""
DEFAULT_TEXT_SIZE_PT = 7.5
LARGER_TEXT_SIZES_PT = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0)
"""The sizes that are tried for short texts, which leave space on their cards."""
AUTO_FORMATS = ("120x70", "a6")
PACK_KEY = re.compile(r"""^[\s{]*["']?pack["']?\s*:""", re.MULTILINE)
"""The key that every squad of a pack has."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """The options for printing a list of another program.

    `format`, `lang` and `theme` are chosen by the list if unset. `only` are patterns of names of
    units, or `title` and `reference` for the other cards. `has_rulings` is for a squad of a pack:
    its sheet has the rulings about its cards. `text_size` is in pt; None is the
    largest size for which no face is added.
    """

    format: str | None = None
    lang: str | None = None
    theme: str | None = None
    text_size: float | None = None
    scope: CardScope = CardScope.UNIT
    only: tuple[str, ...] = ()
    copies: int = 1
    has_references: bool = True
    has_rulings: bool = False
    variant: Literal["full", "ink"] = "full"
    profile: str = "home-a4"
    output: Path | None = None
    workers: WorkerPool = field(default_factory=WorkerPool)


@dataclass(frozen=True, slots=True)
class PrintedList:
    """The result of printing a list: the PDF and numbers about it, or findings.

    `copies_by_card` has only the cards that the options select.
    """

    imported: ImportedList
    file: Path | None
    format: str
    copies_by_card: tuple[tuple[PaperCard, int], ...]
    page_count: int
    findings: tuple[Finding, ...] = ()

    @property
    def card_count(self) -> int:
        """The number of printed cards, copies included."""
        return sum(copies for _card, copies in self.copies_by_card)

    @property
    def units(self) -> list[ImportedCard]:
        """The units whose cards are printed."""
        return [card.card for card, _copies in self.copies_by_card if card.is_unit]


@dataclass(frozen=True, slots=True)
class BuiltList:
    """A list that was converted to a pack and built to a PDF."""

    project: Project
    pack: str
    lang: str
    format: str
    cards: tuple[PaperCard, ...]
    result: BuildResult

    @property
    def pdf_file(self) -> Path | None:
        """The PDF, or None after an error."""
        has_file = bool(self.result.files) and not has_errors(self.result.findings)
        return self.result.files[0].path if has_file else None


def read_imported_list(
    path: Path, options: PrintOptions | None = None
) -> ImportedList | None:
    """Read a list of another program from a file. None if the file is a squad of a pack.

    Raise InputUnreadable for any other file.
    """
    try:
        data = read_limited(path, MAX_BYTES)
    except OSError as error:
        message = _(
            "{file} cannot be read: {reason}",
            file=path,
            reason=describe_os_error(error),
        )
        raise InputUnreadable(message) from error
    if not is_foreign_roster(data) and PACK_KEY.search(decode_text(data)):
        return None
    return parse_list(data, path, options)


def parse_list(
    data: bytes, file: Path, options: PrintOptions | None = None
) -> ImportedList:
    """Parse the bytes of a list of another program. Raise InputUnreadable."""
    try:
        roster = read_foreign_roster(data)
    except InputUnreadable as error:
        message = _("{file}: {reason}", file=file, reason=error.message)
        raise InputUnreadable(message, error.remedy) from error
    options = options or PrintOptions()
    names = load_import_names()
    theme = choose_theme(roster.game_system_id, options.theme)
    # The columns of the theme come first, because a game's own words are more certain.
    box_columns = [*map(str.lower, theme.box_columns), *names.box_columns]
    names = replace(names, box_columns=tuple(dict.fromkeys(box_columns)))
    imported = make_imported_list(roster, names, options.scope)
    if not imported.cards:
        message = _("{file} contains no unit or model that could be a card", file=file)
        raise InputUnreadable(message, _("Add units to the list, and export it again."))
    return replace(imported, name=imported.name or file.stem)


def print_list(
    imported: ImportedList, source: Path, options: PrintOptions
) -> PrintedList:
    """Print the cards and the squad sheet of a list as one PDF beside its file."""
    target = options.output or source.with_name(f"{source.stem}-cards.pdf")
    _refuse_overwriting(source, target)
    file, page_count = None, 0
    with TemporaryDirectory(prefix="squadpress-") as folder:
        built = build_list(imported, Path(folder).resolve(), options)
        if built.pdf_file is not None:
            file, page_count = target, built.result.files[0].pages
            write_atomic(file, built.pdf_file.read_bytes())
    copies_by_card: list[tuple[PaperCard, int]] = []
    for card in built.cards:
        copies = _count_copies(card, options)
        if copies:
            copies_by_card.append((card, copies))
    findings = relocate_findings(built.result.findings, built.cards, source)
    return PrintedList(
        imported, file, built.format, tuple(copies_by_card), page_count, tuple(findings)
    )


def _refuse_overwriting(source: Path, target: Path) -> None:
    """Raise UsageError if the PDF would replace the list's own file."""
    if target.exists() and target.samefile(source):
        message = _("{file} is the list itself", file=target)
        raise UsageError(message, _("Use another name for the PDF."))


def build_list(
    imported: ImportedList,
    folder: Path,
    options: PrintOptions,
    target: ImportTarget | None = None,
) -> BuiltList:
    """Convert a list to a pack in an empty folder, and build it.

    Cards whose texts are too long for their faces are spread over more faces, and built again.
    """
    if options.profile.startswith(SHOP):
        form = _(
            "Make a pack of the list, and order it: squadpress import FILE --into DIR, then "
            "squadpress build --profile {profile} --own-use"
        )
        hint = _(form, profile=options.profile)
        raise UsageError(_("`print` makes sheets for a printer at home"), hint)
    name = options.format or choose_format(imported, options)
    theme = choose_theme(imported.system_id, options.theme)
    imported = clean_list(apply_theme(imported, theme))
    lang = options.lang or guess_language(imported)
    project = Project(folder)
    if name not in FORMATS:
        message = _("{format!r} is not a card size", format=name)
        raise UsageError(message, _("Use one of: {names}.", names=", ".join(FORMATS)))
    text_size = options.text_size or choose_text_size(imported, FORMATS[name], theme)
    design = PrintDesign(replace(FORMATS[name], text_size=text_size), theme)
    if target is None:
        pack = make_id(imported.name)[:60].strip("-") or "list"
        target = ImportTarget(pack, pack)
    symbols = choose_symbols(project, list_texts(imported), lang)
    has_larger_type = options.text_size is None and text_size > DEFAULT_TEXT_SIZE_PT
    first_cards = list_paper_cards(imported, design, lang, target)
    _require_printed_card(first_cards, options)
    # The layout is estimated. Only a build shows whether all texts fit.
    for _attempt in range(MAX_LAYOUT_ATTEMPTS):
        cards = list_paper_cards(imported, design, lang, target)
        if has_larger_type and len(cards) > len(first_cards):
            # The larger type was chosen by estimates. In fact it needs further cards.
            has_larger_type = False
            normal_format = replace(FORMATS[name], text_size=DEFAULT_TEXT_SIZE_PT)
            design = PrintDesign(normal_format, theme)
            cards = list_paper_cards(imported, design, lang, target)
        files = make_pack_files(imported, cards, target, lang, design, symbols)
        _write_pack(folder, target.pack, dict(files))
        result = _build_cards(project, target, lang, cards, options)
        full_cards = _find_full_cards(result.findings, cards)
        if not full_cards:
            break
        design = _shrink_faces(design, full_cards)
    findings = (*result.findings, *report_missing_letters(symbols))
    result = replace(result, findings=findings)
    return BuiltList(project, target.pack, lang, name, tuple(cards), result)


def _require_printed_card(cards: Sequence[PaperCard], options: PrintOptions) -> None:
    if not any(_count_copies(card, options) for card in cards):
        names = dict.fromkeys(card.card.name for card in cards if card.is_unit)
        hint = _("Units of this list: {names}.", names=", ".join(names))
        raise UsageError(
            _("no unit is called {names}", names=", ".join(options.only)), hint
        )


def _shrink_faces(design: PrintDesign, indices: Iterable[int]) -> PrintDesign:
    factors = dict(design.shrink_factors)
    for index in indices:
        factors[index] = factors.get(index, 1.0) * SHRINK_FACTOR
    return replace(design, shrink_factors=factors)


def choose_format(imported: ImportedList, options: PrintOptions) -> str:
    """Choose the smallest card size in which at most half of the units need a second card."""
    theme = choose_theme(imported.system_id, options.theme)
    imported = clean_list(apply_theme(imported, theme))
    text_size = options.text_size or DEFAULT_TEXT_SIZE_PT
    for name in AUTO_FORMATS:
        design = PrintDesign(replace(FORMATS[name], text_size=text_size), theme)
        cards = list_paper_cards(imported, design, "en")
        further = sum(card.part == 2 for card in cards if card.card.name)
        if further <= MAX_SHARE_OF_SECOND_CARDS * len(imported.cards):
            return name
    return AUTO_FORMATS[-1]


def choose_text_size(
    imported: ImportedList, card_format: CardFormat, theme: Theme
) -> float:
    """Choose the largest type size in pt that needs no more faces than 7.5 pt."""
    normal_count = _count_faces(imported, card_format, theme, DEFAULT_TEXT_SIZE_PT)
    for text_size in LARGER_TEXT_SIZES_PT:
        if _count_faces(imported, card_format, theme, text_size) <= normal_count:
            return text_size
    return DEFAULT_TEXT_SIZE_PT


def _count_faces(
    imported: ImportedList, card_format: CardFormat, theme: Theme, text_size: float
) -> int:
    design = PrintDesign(replace(card_format, text_size=text_size), theme)
    cards = list_paper_cards(imported, design, "en")
    return sum(1 if card.page.back == FaceContent() else 2 for card in cards)


def _write_pack(folder: Path, pack: str, files: Mapping[str, bytes]) -> None:
    """Write the files of a pack, and delete cards of an earlier attempt."""
    for path in (folder / "cards" / pack).glob("*/*.yaml"):
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(path, data)


def _build_cards(
    project: Project,
    target: ImportTarget,
    lang: str,
    cards: Sequence[PaperCard],
    options: PrintOptions,
) -> BuildResult:
    roster = project.get_cards_dir(target.pack) / "rosters" / f"{target.squad}.yaml"
    copies = tuple((card.id, _count_copies(card, options)) for card in cards)
    # Without drafts: the height of faces is chosen so that all texts fit.
    build_options = BuildOptions(
        Selection(langs=(lang,), roster=roster, variant=options.variant, copies=copies),
        PublishOptions(profile=options.profile, strict=True),
        options.workers,
    )
    return build_pack(project, target.pack, build_options)


def _count_copies(card: PaperCard, options: PrintOptions) -> int:
    """Return how many copies of a card are printed. 0 if the options exclude it."""
    if card.card_type is not PaperCardType.UNIT:
        if options.only:
            return int(card.card_type.value in _split_patterns(options.only))
        return int(card.card_type is PaperCardType.TITLE or options.has_references)
    if options.only and not _matches_name(card.card, options.only):
        return 0
    return card.card.copies * options.copies


def _matches_name(card: ImportedCard, patterns: Iterable[str]) -> bool:
    """Return True if one of the name patterns matches a unit."""
    for pattern in _split_patterns(patterns):
        for name in (card.name, card.custom_name):
            if fnmatchcase(name.lower(), pattern):
                return True
    return False


def _split_patterns(patterns: Iterable[str]) -> list[str]:
    return [pattern.strip() for pattern in ",".join(patterns).lower().split(",")]


def _find_full_cards(
    findings: Sequence[Finding], cards: Sequence[PaperCard]
) -> set[int]:
    """Return the indices of cards whose texts overflow. Empty if there are other errors."""
    indices = {card.id: card.index for card in cards}
    full_cards: set[int] = set()
    for finding in findings:
        if not has_errors([finding]):
            continue
        index = indices.get(PurePosixPath(finding.location.file or "").stem)
        # Smaller faces help against no other error.
        if finding.code not in SPACE_CODES:
            return set()
        if index is not None:
            full_cards.add(index)
    return full_cards


def guess_language(imported: ImportedList) -> str:
    """Return `ru` if most letters of a list are Cyrillic, otherwise `en`."""
    texts = [imported.name]
    for card in (*imported.cards, *imported.references):
        texts.append(card.name)
        texts += [passage.text for passage in card.passages]
    text = "".join(texts).lower()
    cyrillic_count = len(re.findall("[а-яё]", text))
    return "ru" if cyrillic_count > len(re.findall("[a-z]", text)) else "en"


def print_squad(roster: Path, options: PrintOptions) -> BuildResult:
    """Build the cards and the sheet of a squad of a pack, in all languages or one.

    With `output`, the PDF gets this name. Several PDFs add language and profile.
    """
    project = find_project(roster.parent)
    langs = (options.lang,) if options.lang else ()
    selection = Selection(
        langs=langs, roster=roster, variant=options.variant, rulings=options.has_rulings
    )
    publish = PublishOptions(profile=options.profile)
    build_options = BuildOptions(selection, publish, options.workers)
    pack = read_roster(project, roster).pack
    if options.output is None:
        return build_pack(project, pack, build_options)
    _refuse_overwriting(roster, options.output)
    with TemporaryDirectory(prefix="squadpress-") as folder:
        publish = replace(publish, output=Path(folder).resolve())
        result = build_pack(project, pack, replace(build_options, publish=publish))
        files = [file for file in result.files if file.path.suffix == ".pdf"]
        named_files = []
        for file in files:
            target = options.output
            if len(files) > 1:
                # The stem of a built file is that of the roster, then language and profile.
                suffix = file.path.stem.removeprefix(roster.stem)
                target = target.with_name(f"{target.stem}{suffix}{target.suffix}")
            write_atomic(target, file.path.read_bytes())
            named_files.append(replace(file, path=target))
    return replace(result, files=tuple(named_files))
