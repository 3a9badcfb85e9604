"""A pack from its folder.

Its cards put to their kinds' schemas, their translations, and the pack's own files.

One bad file never hides another: what is wrong becomes findings, the rest is loaded.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from pydantic import BaseModel

from builder.diskmap import DiskMap
from builder.files import find_files
from builder.findings import Finding, Location, sort_findings
from builder.messages import gettext as _
from builder.model.base import DataPath, Json, Mention
from builder.model.card import Card, Translation
from builder.model.formats import FormatSet
from builder.model.loaded import CardFile, Document, LoadedPack
from builder.model.pack import Manifest, Pack, TranslatedString, Vocabulary
from builder.model.rules import RuleSet
from builder.model.words import suggest_word
from builder.packs import file_codes
from builder.packs.project import Project
from builder.packs.schema.annotations import find_misspelt_annotations
from builder.packs.schema.bundle import BrokenSchema, Bundler
from builder.packs.schema.validation import KindSchema
from builder.packs.sources import (
    MAX_UNSAVED_FILES,
    Reader,
    list_named_files,
    list_yaml_files,
    pause_garbage_collector,
)

if TYPE_CHECKING:
    from builder.model.stats import StatsFile

__all__ = ["LoadedPack", "load_pack"]

H = TypeVar("H", bound=Hashable)
M = TypeVar("M", bound=BaseModel)

NOT_KINDS = frozenset({"i18n", "rosters", "releases", "art"})
"""Folders of a pack that hold no cards."""
MAPPING_SUFFIX = ".mapping.yaml"
"""How the names of files end that say how a table is read. They are in `tables/`."""


class KnownCard(NamedTuple):
    """A card that was right when it was read, and all that was kept of it.

    `state` tells whether it is still so.
    """

    state: Sequence[object]
    file: CardFile
    card: Card
    texts: tuple[str, ...]
    rich: frozenset[str]
    mentions: tuple[Mention, ...]
    wheres: tuple[DataPath, ...]


KnownCards: TypeAlias = dict[Path, KnownCard]
Values: TypeAlias = tuple[
    tuple[str, ...], frozenset[str], tuple[Mention, ...], tuple[DataPath, ...]
]
"""What a card's values are: the last fields of a `KnownCard`."""


@dataclass
class CardFiles:
    """The card files of one pack.

    `files` could be parsed; the other fields hold the valid cards by id.

    Cards of one kind are much alike in what is said of their values; what is equal is kept once.
    """

    reader: Reader
    manifest: Manifest
    folder: Path
    schemas_dir: Path
    loaded_cards: KnownCards | None = None
    outside_links: frozenset[Path] = frozenset()
    """Folders that are not read: links to a place outside the project."""
    files: list[CardFile] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    cards: DiskMap[str, Card] = field(default_factory=DiskMap)
    documents: dict[str, Document] = field(default_factory=dict)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rich: dict[str, frozenset[str]] = field(default_factory=dict)
    mentions: dict[str, tuple[Mention, ...]] = field(default_factory=dict)
    wheres: dict[str, tuple[DataPath, ...]] = field(default_factory=dict)
    _values: DiskMap[str, Json] = field(default_factory=DiskMap)
    _same: dict[Hashable, Hashable] = field(default_factory=dict)
    _thawed: dict[str, Values] = field(default_factory=dict)
    _schemas: dict[str, KindSchema | None] = field(default_factory=dict)
    _mistakes: dict[tuple[str, str, str], list[Finding]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        project = self.reader.project
        self._bundler = Bundler(project.core_schemas, project.root)

    def list_card_paths(self) -> dict[Path, str]:
        """Return the files of cards with the folder of their kind."""
        folders = [path for path in self.reader.list_folder(self.folder) if path.is_dir()]
        paths: dict[Path, str] = {}
        for folder_path in folders:
            is_kind = folder_path.name not in NOT_KINDS and not folder_path.name.startswith(".")
            if not is_kind or folder_path in self.outside_links:
                continue
            for path in list_yaml_files(folder_path, self.reader.report_unreadable):
                if not path.name.endswith(MAPPING_SUFFIX):
                    paths[path] = folder_path.name
        return paths

    def load_cards(self) -> None:
        """Read every card file."""
        for path in list_named_files(self.folder, ".yml"):
            place = Location(file=self.reader.project.shorten_path(path))
            self.reader.add_findings(
                [
                    file_codes.EXTENSION.finding(
                        _("the name of {file} does not end in .yaml", file=path.name), place
                    )
                ]
            )
        paths = self.list_card_paths()
        for removed_path in set(self.loaded_cards or ()).difference(paths):
            del (self.loaded_cards or {})[removed_path]
        for number, (path, folder) in enumerate(paths.items()):
            if self.loaded_cards is None and number % MAX_UNSAVED_FILES == 0:
                self.reader.look_ahead(islice(paths, number, number + MAX_UNSAVED_FILES))
            file_state = self.reader.make_state_key(path) if self.loaded_cards is not None else None
            known_card = self.loaded_cards.get(path) if self.loaded_cards and file_state else None
            if known_card is not None and known_card.state == (
                file_state,
                self._make_fingerprint(known_card.card.kind),
            ):
                self.files.append(known_card.file)
                self._add_card(known_card)
                continue
            count_before = len(self.reader.findings)
            document = self.reader.read_document(path)
            if document is None:
                self.unread[path.stem] = folder
            else:
                file = CardFile(document, folder, path.stem)
                stored_document = self.reader.keep_value(document, self._values)
                self.files.append(CardFile(stored_document, folder, file.stem))
                known_card = self._validate_card(file, stored_document)
                if (
                    known_card
                    and file_state
                    and self.loaded_cards is not None
                    and count_before == len(self.reader.findings)
                ):
                    self.loaded_cards[path] = known_card._replace(
                        state=(file_state, self._make_fingerprint(known_card.card.kind))
                    )
        self._report_mistakes()

    def _report_mistakes(self) -> None:
        """Report the mistakes by the schemas.

        One that all cards of a kind have is reported once, for the schema.
        """
        card_counts = Counter(file.kind or file.folder for file in self.files)
        for (kind, _code, reason), findings in self._mistakes.items():
            if len({finding.location.file for finding in findings}) >= max(3, card_counts[kind]):
                message = _(
                    "{reason}; this applies to all {count} cards of the kind",
                    reason=reason,
                    count=card_counts[kind],
                )
                rest = _("If the cards are right, fix the kind's schema.")
                hint = (
                    _("{about} {rest}", about=findings[0].hint, rest=rest)
                    if findings[0].hint
                    else rest
                )
                findings = [replace(findings[0], message=message, hint=hint)]
            self.reader.add_findings(findings)

    def _make_fingerprint(self, kind: str) -> str:
        """Return a hash of everything that a kind's cards are checked with."""
        schema = self._load_schema(kind) if kind in self.manifest.kinds else None
        return schema.fingerprint if schema else ""

    def _validate_card(self, file: CardFile, kept_document: Document) -> KnownCard | None:
        """Validate a card, and store it if it is valid."""
        document = file.document
        if not isinstance(document.value, dict):
            self.reader.read_model(document, Card)
            return None
        kind = file.kind or file.folder
        if kind not in self.manifest.kinds:
            hint = suggest_word(kind, self.manifest.kinds, _("Kinds in pack.yaml"))
            message = _("{kind} is not a kind of this pack", kind=kind)
            self.reader.add_findings(
                [file_codes.UNKNOWN_KIND.finding(message, document.locate(("kind",)), hint)]
            )
            return None
        schema = self._load_schema(kind)
        annotated = self._validate_document(schema, kind, document) if schema is not None else None
        card = self.reader.read_model(document, Card) if annotated is not None else None
        if annotated is None or card is None:
            return None
        known_card = KnownCard(
            (), CardFile(kept_document, file.folder, file.stem), card, *annotated
        )
        self._add_card(known_card)
        return known_card

    def _add_card(self, known_card: KnownCard) -> None:
        """Keep a valid card, if it is the first of its id."""
        card = known_card.card
        if card.id not in self.cards:
            self.cards[card.id], self.documents[card.id] = card, known_card.file.document
            self.texts[card.id], self.rich[card.id] = known_card.texts, known_card.rich
            self.mentions[card.id], self.wheres[card.id] = known_card.mentions, known_card.wheres

    def _share_value(self, value: H) -> H:
        """Return the value that was kept first of all that equal this one."""
        return cast("H", self._same.setdefault(value, value))

    def _load_annotations(self, frozen: str) -> Values:
        """Parse the JSON of `Annotated.freeze`. Raise TypeError or the like for anything else."""
        if frozen not in self._thawed:
            texts, rich, wheres, raw_mentions = cast("list[list[Any]]", json.loads(frozen))
            mentions = tuple(
                [self._share_value(Mention(tuple(path), *rest)) for path, *rest in raw_mentions]
            )
            text_paths, rich_paths, paths = (
                tuple(map(str, texts)),
                frozenset(map(str, rich)),
                tuple(map(tuple, wheres)),
            )
            values = (
                self._share_value(text_paths),
                self._share_value(rich_paths),
                self._share_value(mentions),
                self._share_value(paths),
            )
            self._thawed[frozen] = values
        return self._thawed[frozen]

    def _validate_document(
        self, schema: KindSchema, kind: str, document: Document
    ) -> Values | None:
        """Return the annotations of a valid card; None for an invalid one.

        Notes of the last reading are reused.
        """
        noted_schema = self.reader.find_note(document, "schema")
        if isinstance(noted_schema, list) and noted_schema[:1] == [schema.fingerprint]:
            with suppress(
                LookupError, TypeError, ValueError, RecursionError
            ):  # a cache is never trusted to be whole
                return self._load_annotations(cast("str", noted_schema[1]))
        try:
            mistakes = schema.validate_document(document)
        except BrokenSchema as broken:
            self.reader.add_findings([broken.finding])
            self._schemas[kind] = None
            return None
        if mistakes:
            for mistake in mistakes:
                self._mistakes.setdefault((kind, mistake.code, mistake.message), []).append(mistake)
            return None
        annotations = json.dumps(schema.annotate_document(document).to_json())
        self.reader.take_note(document, "schema", [schema.fingerprint, annotations])
        return self._load_annotations(annotations)

    def _load_schema(self, kind: str) -> KindSchema | None:
        """Return a kind's schema; a broken one is reported once and its cards are not judged."""
        if kind not in self._schemas:
            name = self.manifest.schemas.get(kind, f"{kind}.schema.json")
            try:
                self._schemas[kind] = KindSchema(self._bundler, self.schemas_dir / name)
                self.reader.add_findings(
                    find_misspelt_annotations(self._bundler, self.manifest.kinds)
                )
            except BrokenSchema as broken:
                self.reader.add_findings([broken.finding])
                self._schemas[kind] = None
        return self._schemas[kind]


@dataclass
class Translations:
    """All translations of one pack.

    Documents by language and file name, strings by language and card id.
    """

    reader: Reader
    folder: Path
    documents: dict[tuple[str, str], Document] = field(default_factory=dict)
    strings: dict[str, DiskMap[str, Mapping[str, TranslatedString]]] = field(default_factory=dict)
    _values: DiskMap[str, Json] = field(default_factory=DiskMap)

    def load_translations(self) -> None:
        """Read every file under i18n/<lang>/."""
        for path in list_yaml_files(self.folder, self.reader.report_unreadable):
            lang = path.relative_to(self.folder).parts[0]
            document = self.reader.read_document(path)
            translation = self.reader.read_model(document, Translation) if document else None
            if document is None or translation is None:
                continue
            first = self.documents.get((lang, path.stem))
            if first is not None:
                message = _("{file} also translates {card}", file=first.file, card=path.stem)
                self.reader.add_findings(
                    [file_codes.DUPLICATE_TRANSLATION.finding(message, document.locate(("id",)))]
                )
                continue
            self.documents[lang, path.stem] = self.reader.keep_value(document, self._values)
            strings = self.strings.setdefault(lang, DiskMap())
            if translation.id not in strings:
                strings[translation.id] = {
                    at: TranslatedString(string.text, string.source, string.same)
                    for at, string in translation.strings.items()
                }


@pause_garbage_collector()
def load_pack(project: Project, pack_id: str, known: KnownCards | None = None) -> LoadedPack:
    """Everything of a pack, and all that is wrong with it.

    UsageError if there is no such pack.

    Who reads it again and again hands over what is `known` of its cards: those whose files are the
    same are not read.
    """
    project.choose_packs(pack_id)
    templates = project.get_templates_dir(pack_id)
    folder = project.get_cards_dir(pack_id)
    reader = Reader(project, remembers=True)
    sources: dict[str, Document] = {}
    manifest = _load_source(reader, folder / "pack.yaml", Manifest, sources)
    if manifest is None:
        return LoadedPack(None, sources=sources, findings=sort_findings(reader.findings))
    if manifest.id != pack_id:
        message = _(
            "the pack's id is {id}, but its folder is {folder}", id=manifest.id, folder=pack_id
        )
        reader.add_findings(
            [file_codes.PACK_ID.finding(message, sources["pack.yaml"].locate(("id",)))]
        )
    vocabulary = (
        _load_source(reader, folder / "vocabulary.yaml", Vocabulary, sources) or Vocabulary()
    )
    rules = _load_source(reader, folder / "rules.yaml", RuleSet, sources) or RuleSet()
    formats = _load_source(reader, folder / "formats.yaml", FormatSet, sources) or FormatSet()
    for name in ("gauges.yaml", "stats.yaml", "products.yaml"):
        _judge_source(reader, folder / name, sources)
    outside_links = frozenset(project.list_outside_links(pack_id))
    for link in sorted(outside_links):
        message = _("the folder {name} is a link to a folder outside the project", name=link.name)
        reader.add_findings(
            [file_codes.LINKED_FOLDER.finding(message, Location(file=project.shorten_path(link)))]
        )
    cards = CardFiles(
        reader, manifest, folder, project.get_schemas_dir(pack_id), known, outside_links
    )
    cards.load_cards()
    translations = Translations(reader, folder / "i18n")
    if translations.folder not in outside_links:
        translations.load_translations()
    reader.save_cache()
    pack = Pack(
        manifest=manifest,
        vocabulary=vocabulary,
        rules=rules,
        cards=cards.cards,
        texts=cards.texts,
        rich=cards.rich,
        translations=translations.strings,
        icons=frozenset(path.stem for path in find_files(templates, "icons/*.svg")),
        formats=formats.formats,
    ).current
    return LoadedPack(
        pack=pack,
        files=tuple(cards.files),
        unread=cards.unread,
        documents=cards.documents,
        translations=translations.documents,
        mentions=cards.mentions,
        wheres=cards.wheres,
        art=_find_art(folder, templates),
        sources=sources,
        findings=sort_findings(reader.findings),
        read=frozenset(reader.read_paths),
    )


def _load_source(
    reader: Reader, path: Path, model: type[M], sources: dict[str, Document]
) -> M | None:
    """Return a file of the pack itself; those besides pack.yaml may be absent."""
    document = _read_source(reader, path, sources)
    return reader.read_model(document, model) if document is not None else None


def _judge_source(reader: Reader, path: Path, sources: dict[str, Document]) -> None:
    """Check a file that few commands need as a model, unless it was valid when it was read last."""
    document = _read_source(reader, path, sources)
    if document is not None and reader.find_note(document, "right") is not True:
        from builder.model.gauge import GaugeSet
        from builder.model.product import ProductSet
        from builder.model.stats import StatsFile

        models: dict[str, type[BaseModel]] = {
            "gauges": GaugeSet,
            "products": ProductSet,
            "stats": StatsFile,
        }
        if reader.read_model(document, models[path.stem]) is not None:
            reader.take_note(document, "right", True)


def _read_source(reader: Reader, path: Path, sources: dict[str, Document]) -> Document | None:
    if not os.path.lexists(path):  # a link that leads nowhere is there, and cannot be read
        if path.name == "pack.yaml":
            place = Location(file=reader.project.shorten_path(path))
            reader.add_findings(
                [file_codes.PACK_FILE.finding(_("{key} is missing", key="pack.yaml"), place)]
            )
        return None
    document = reader.read_document(path)
    if document is not None:
        sources[path.name] = document
    return document


def _find_art(*folders: Path) -> frozenset[str]:
    """Return all files of the `art` folders in these folders, relative to the `art` folder."""
    files: set[str] = set()
    for folder in folders:
        for path in find_files(folder, "art/**/*"):
            files.add(path.relative_to(folder / "art").as_posix())
    return frozenset(files)


def load_stats(project: Project, pack_id: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
    """Return the content of stats.yaml and its findings.

    Return (None, ()) if the pack has no such file.
    """
    from builder.model.stats import StatsFile

    reader = Reader(project)
    return _load_source(
        reader, project.get_cards_dir(pack_id) / "stats.yaml", StatsFile, {}
    ), tuple(reader.findings)
