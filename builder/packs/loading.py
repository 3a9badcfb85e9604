"""Load a pack from its folder: its cards, their translations, and the pack's own files.

One bad file never hides another: it becomes a finding, and the rest is loaded.
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

MIN_CARDS_TO_MERGE = 3
"""Cards with the same mistake that may be reported as one finding."""
NOT_KINDS = frozenset({"i18n", "rosters", "releases", "rulings", "art"})
"""Folders of a pack that hold no cards."""
RESERVED_KINDS = NOT_KINDS | {"tables", "base"}
"""Names that a new kind cannot have: folders of a pack, and the folder of all packs' templates."""
MAPPING_SUFFIX = ".mapping.yaml"
"""The end of the names of mapping files, which are no cards."""


class CardAnnotations(NamedTuple):
    """The annotated values of a card: translatable texts, mentioned names, and conditions.

    `texts` are the paths of its translatable strings, `rich_texts` of those with markup. `wheres`
    are the paths of conditions.
    """

    texts: tuple[str, ...]
    rich_texts: frozenset[str]
    mentions: tuple[Mention, ...]
    wheres: tuple[DataPath, ...]


class CachedCard(NamedTuple):
    """A valid card of an earlier load. It is used again while its file and schema stay the same."""

    state: Sequence[object]
    file: CardFile
    card: Card
    facts: CardAnnotations


CachedCards: TypeAlias = dict[Path, CachedCard]


@dataclass
class CardFiles:
    """Reads and validates the card files of one pack.

    `files` could be parsed. `unread` are the kind folders of those that could not, by name.
    `cards`, `documents` and `facts` are those of the valid cards, by id.
    """

    reader: Reader
    manifest: Manifest
    folder: Path
    schemas_dir: Path
    cached_cards: CachedCards | None = None
    """Cards of earlier loads, which are updated. None if the pack is loaded once."""
    outside_links: frozenset[Path] = frozenset()
    """Folders that are not read: links to a place outside the project."""
    files: list[CardFile] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    cards: DiskMap[str, Card] = field(default_factory=DiskMap)
    documents: dict[str, Document] = field(default_factory=dict)
    facts: dict[str, CardAnnotations] = field(default_factory=dict)
    _values: DiskMap[str, Json] = field(default_factory=DiskMap)
    # Cards of one kind have mostly equal annotations. Equal values are stored once, which saves
    # most of their memory.
    _shared_values: dict[Hashable, Hashable] = field(default_factory=dict)
    _facts_by_json: dict[str, CardAnnotations] = field(default_factory=dict)
    _schemas: dict[str, KindSchema | None] = field(default_factory=dict)
    _mistakes: dict[tuple[str, str, str], list[Finding]] = field(default_factory=dict)
    """Findings of the schemas, by kind, code and message."""

    def __post_init__(self) -> None:
        project = self.reader.project
        self._bundler = Bundler(project.core_schemas, project.root)

    def list_card_paths(self) -> dict[Path, str]:
        """Return all card files of the pack, each with the name of its kind's folder."""
        folders = [
            path for path in self.reader.list_folder(self.folder) if path.is_dir()
        ]
        paths: dict[Path, str] = {}
        for folder_path in folders:
            name = folder_path.name
            # A pack from before rulings may have a kind of that name.
            has_cards = name not in NOT_KINDS or name in self.manifest.kinds
            if (
                not has_cards
                or name.startswith(".")
                or folder_path in self.outside_links
            ):
                continue
            for path in list_yaml_files(folder_path, self.reader.report_unreadable):
                if not path.name.endswith(MAPPING_SUFFIX):
                    paths[path] = folder_path.name
        return paths

    def load_cards(self) -> None:
        """Read and validate all card files of the pack."""
        self._report_wrong_extensions()
        paths = self.list_card_paths()
        if self.cached_cards is not None:
            for removed_path in self.cached_cards.keys() - paths.keys():
                del self.cached_cards[removed_path]
        for number, (path, folder) in enumerate(paths.items()):
            # Records are loaded in batches: all at once would fill the memory.
            if self.cached_cards is None and number % MAX_UNSAVED_FILES == 0:
                self.reader.prefetch_records(
                    islice(paths, number, number + MAX_UNSAVED_FILES)
                )
            cached_card = self._find_cached_card(path)
            if cached_card is not None:
                self.files.append(cached_card.file)
                self._add_card(cached_card)
            else:
                self._load_card(path, folder)
        self._report_mistakes()

    def _report_wrong_extensions(self) -> None:
        for path in list_named_files(self.folder, ".yml"):
            location = Location(file=self.reader.project.shorten_path(path))
            message = _("the name of {file} does not end in .yaml", file=path.name)
            self.reader.add_finding(file_codes.EXTENSION.finding(message, location))

    def _find_cached_card(self, path: Path) -> CachedCard | None:
        """Return the card of an earlier load, or None if its file or schema has changed."""
        if self.cached_cards is None or path not in self.cached_cards:
            return None
        cached_card = self.cached_cards[path]
        file_state = self.reader.make_state_key(path)
        if file_state is None:
            return None
        state = (file_state, self._make_fingerprint(cached_card.card.kind))
        return cached_card if cached_card.state == state else None

    def _load_card(self, path: Path, folder: str) -> None:
        """Read and validate one card file."""
        file_state = None
        if self.cached_cards is not None:
            # Before the file is read: a change during the load must not be missed.
            file_state = self.reader.make_state_key(path)
        count_before = len(self.reader.findings)
        document = self.reader.read_document(path)
        if document is None:
            self.unread[path.stem] = folder
            return
        # The document itself has positions, which would take most of the memory.
        stored_document = self.reader.store_value(document, self._values)
        stored_file = CardFile(stored_document, folder, path.stem)
        self.files.append(stored_file)
        cached_card = self._validate_card(
            CardFile(document, folder, path.stem), stored_file
        )
        if cached_card is None:
            return
        self._add_card(cached_card)
        has_findings = len(self.reader.findings) > count_before
        if (
            self.cached_cards is not None
            and file_state is not None
            and not has_findings
        ):
            state = (file_state, self._make_fingerprint(cached_card.card.kind))
            self.cached_cards[path] = cached_card._replace(state=state)

    def _report_mistakes(self) -> None:
        """Report the schema errors of all cards.

        An error that all cards of a kind have is reported once, because the schema may be wrong.
        """
        card_counts = Counter(file.kind or file.folder for file in self.files)
        for (kind, _code, reason), findings in self._mistakes.items():
            count = card_counts[kind]
            mistaken_files = {finding.location.file for finding in findings}
            if len(mistaken_files) < max(MIN_CARDS_TO_MERGE, count):
                self.reader.add_findings(findings)
                continue
            form = _("{reason}; this applies to all {count} cards of the kind")
            message = _(form, reason=reason, count=count)
            hint = _("If the cards are right, fix the kind's schema.")
            if findings[0].hint:
                hint = _("{about} {rest}", about=findings[0].hint, rest=hint)
            self.reader.add_finding(replace(findings[0], message=message, hint=hint))

    def _make_fingerprint(self, kind: str) -> str:
        """Return a hash of the schema that the cards of a kind are checked with."""
        schema = self._load_schema(kind) if kind in self.manifest.kinds else None
        return schema.fingerprint if schema else ""

    def _validate_card(
        self, file: CardFile, stored_file: CardFile
    ) -> CachedCard | None:
        """Return the card in a file, or None after reporting its errors."""
        document = file.document
        # The model reports that the file is no map.
        if not isinstance(document.value, dict):
            self.reader.read_model(document, Card)
            return None
        kind = file.kind or file.folder
        if kind not in self.manifest.kinds:
            hint = suggest_word(kind, self.manifest.kinds, _("Kinds in pack.yaml"))
            message = _("{kind} is not a kind of this pack", kind=kind)
            location = document.locate(("kind",))
            self.reader.add_finding(
                file_codes.UNKNOWN_KIND.finding(message, location, hint)
            )
            return None
        schema = self._load_schema(kind)
        facts = (
            None if schema is None else self._find_annotations(schema, kind, document)
        )
        if facts is None:
            return None
        card = self.reader.read_model(document, Card)
        if card is None:
            return None
        return CachedCard((), stored_file, card, facts)

    def _add_card(self, cached_card: CachedCard) -> None:
        """Add a valid card, unless another card already has its id."""
        card = cached_card.card
        if card.id not in self.cards:
            self.cards[card.id] = card
            self.documents[card.id] = cached_card.file.document
            self.facts[card.id] = cached_card.facts

    def _share_value(self, value: H) -> H:
        """Return the first stored value that equals this one, to save memory."""
        return cast("H", self._shared_values.setdefault(value, value))

    def _parse_annotations(self, json_text: str) -> CardAnnotations:
        """Parse annotations that were cached as JSON.

        Raise TypeError or the like for a damaged cache.
        """
        if json_text not in self._facts_by_json:
            parts = cast("list[list[Any]]", json.loads(json_text))
            texts, rich_texts, wheres, raw_mentions = parts
            mentions = [
                Mention(tuple(path), *details) for path, *details in raw_mentions
            ]
            self._facts_by_json[json_text] = CardAnnotations(
                texts=self._share_value(tuple(map(str, texts))),
                rich_texts=self._share_value(frozenset(map(str, rich_texts))),
                mentions=self._share_value(tuple(map(self._share_value, mentions))),
                wheres=self._share_value(tuple(map(tuple, wheres))),
            )
        return self._facts_by_json[json_text]

    def _find_annotations(
        self, schema: KindSchema, kind: str, document: Document
    ) -> CardAnnotations | None:
        """Return the annotations of a valid card, or None after recording its schema errors.

        The result of the last load is used if the schema has not changed.
        """
        cached_result = self.reader.find_result(document, "schema")
        if isinstance(cached_result, list) and cached_result[:1] == [
            schema.fingerprint
        ]:
            # A cache may be damaged in any way.
            with suppress(LookupError, TypeError, ValueError, RecursionError):
                return self._parse_annotations(cast("str", cached_result[1]))
        try:
            mistakes = schema.validate_document(document)
        except BrokenSchema as broken:
            self.reader.add_finding(broken.finding)
            self._schemas[kind] = None
            return None
        for mistake in mistakes:
            key = (kind, mistake.code, mistake.message)
            self._mistakes.setdefault(key, []).append(mistake)
        if mistakes:
            return None
        text = json.dumps(schema.annotate_document(document).to_json())
        self.reader.cache_result(document, "schema", [schema.fingerprint, text])
        return self._parse_annotations(text)

    def _load_schema(self, kind: str) -> KindSchema | None:
        """Return the schema of a kind. Return None if it is broken, and report that once."""
        if kind not in self._schemas:
            name = self.manifest.schemas.get(kind, f"{kind}.schema.json")
            try:
                self._schemas[kind] = KindSchema(self._bundler, self.schemas_dir / name)
                misspelt = find_misspelt_annotations(self._bundler, self.manifest.kinds)
                self.reader.add_findings(misspelt)
            except BrokenSchema as broken:
                self.reader.add_finding(broken.finding)
                self._schemas[kind] = None
        return self._schemas[kind]


@dataclass
class Translations:
    """Reads the translation files of one pack.

    `documents` are by language and file name, `strings` by language and card id.
    """

    reader: Reader
    folder: Path
    documents: dict[tuple[str, str], Document] = field(default_factory=dict)
    strings: dict[str, DiskMap[str, Mapping[str, TranslatedString]]] = field(
        default_factory=dict
    )
    _values: DiskMap[str, Json] = field(default_factory=DiskMap)

    def load_translations(self) -> None:
        """Read every file in i18n/LANGUAGE/."""
        for path in list_yaml_files(self.folder, self.reader.report_unreadable):
            lang = path.relative_to(self.folder).parts[0]
            document = self.reader.read_document(path)
            translation = (
                self.reader.read_model(document, Translation) if document else None
            )
            if document is None or translation is None:
                continue
            first = self.documents.get((lang, path.stem))
            if first is not None:
                message = _(
                    "{file} also translates {card}", file=first.file, card=path.stem
                )
                location = document.locate(("id",))
                finding = file_codes.DUPLICATE_TRANSLATION.finding(message, location)
                self.reader.add_finding(finding)
                continue
            self.documents[lang, path.stem] = self.reader.store_value(
                document, self._values
            )
            strings_by_card = self.strings.setdefault(lang, DiskMap())
            # Two files may translate one card, under different names. The first one counts.
            if translation.id not in strings_by_card:
                strings: dict[str, TranslatedString] = {}
                for field_path, string in translation.strings.items():
                    strings[field_path] = TranslatedString(
                        string.text, string.source, string.same
                    )
                strings_by_card[translation.id] = strings


@pause_garbage_collector()
def load_pack(
    project: Project, pack_id: str, cached_cards: CachedCards | None = None
) -> LoadedPack:
    """Load a pack with its cards, translations and rules, and everything that is wrong with it.

    `cached_cards` are those of earlier loads: unchanged files are not read again. Raise UsageError
    if there is no such pack.
    """
    # It raises the error for an unknown pack.
    project.choose_packs(pack_id)
    templates = project.get_templates_dir(pack_id)
    folder = project.get_cards_dir(pack_id)
    reader = Reader(project, uses_cache=True)
    sources: dict[str, Document] = {}
    manifest = _load_source(reader, folder / "pack.yaml", Manifest, sources)
    if manifest is None:
        return LoadedPack(
            None, sources=sources, findings=sort_findings(reader.findings)
        )
    _check_pack_id(reader, manifest, pack_id, sources["pack.yaml"])
    vocabulary = _load_source(reader, folder / "vocabulary.yaml", Vocabulary, sources)
    rules = _load_source(reader, folder / "rules.yaml", RuleSet, sources)
    formats = _load_source(reader, folder / "formats.yaml", FormatSet, sources)
    for name in ("gauges.yaml", "stats.yaml", "products.yaml"):
        _check_source(reader, folder / name, sources)
    outside_links = frozenset(project.list_outside_links(pack_id))
    for link in sorted(outside_links):
        message = _(
            "the folder {name} is a link to a folder outside the project",
            name=link.name,
        )
        location = Location(file=project.shorten_path(link))
        reader.add_finding(file_codes.LINKED_FOLDER.finding(message, location))
    schemas = project.get_schemas_dir(pack_id)
    cards = CardFiles(reader, manifest, folder, schemas, cached_cards, outside_links)
    cards.load_cards()
    translations = Translations(reader, folder / "i18n")
    if translations.folder not in outside_links:
        translations.load_translations()
    reader.save_cache()
    facts_by_id = cards.facts
    pack = Pack(
        manifest=manifest,
        vocabulary=vocabulary or Vocabulary(),
        rules=rules or RuleSet(),
        cards=cards.cards,
        texts={card_id: facts.texts for card_id, facts in facts_by_id.items()},
        rich={card_id: facts.rich_texts for card_id, facts in facts_by_id.items()},
        translations=translations.strings,
        icons=frozenset(path.stem for path in find_files(templates, "icons/*.svg")),
        formats=formats.formats if formats is not None else {},
    ).current
    return LoadedPack(
        pack=pack,
        files=tuple(cards.files),
        unread=cards.unread,
        documents=cards.documents,
        translations=translations.documents,
        mentions={card_id: facts.mentions for card_id, facts in facts_by_id.items()},
        wheres={card_id: facts.wheres for card_id, facts in facts_by_id.items()},
        art=_find_art(folder, templates),
        sources=sources,
        findings=sort_findings(reader.findings),
        files_read=frozenset(reader.read_paths),
    )


def _check_pack_id(
    reader: Reader, manifest: Manifest, pack_id: str, document: Document
) -> None:
    """Report a pack whose id differs from the name of its folder."""
    if manifest.id != pack_id:
        form = _("the pack's id is {id}, but its folder is {folder}")
        message = _(form, id=manifest.id, folder=pack_id)
        reader.add_finding(
            file_codes.PACK_ID.finding(message, document.locate(("id",)))
        )


def _load_source(
    reader: Reader, path: Path, model: type[M], sources: dict[str, Document]
) -> M | None:
    """Read a file such as rules.yaml as a model. Return None if it is absent or invalid."""
    document = _read_source(reader, path, sources)
    return reader.read_model(document, model) if document is not None else None


def _check_source(reader: Reader, path: Path, sources: dict[str, Document]) -> None:
    """Validate a file that few commands need, unless the cache says that it is valid."""
    document = _read_source(reader, path, sources)
    if document is None or reader.find_result(document, "right") is True:
        return
    # These models take long to import.
    from builder.model.gauge import GaugeSet
    from builder.model.product import ProductSet
    from builder.model.stats import StatsFile

    models: dict[str, type[BaseModel]] = {
        "gauges": GaugeSet,
        "products": ProductSet,
        "stats": StatsFile,
    }
    if reader.read_model(document, models[path.stem]) is not None:
        reader.cache_result(document, "right", True)


def _read_source(
    reader: Reader, path: Path, sources: dict[str, Document]
) -> Document | None:
    """Parse a file such as rules.yaml and add it to `sources`. Return None if it is absent."""
    # A broken link exists by lexists, so that it is reported as unreadable.
    if not os.path.lexists(path):
        if path.name == "pack.yaml":
            message = _("{key} is missing", key="pack.yaml")
            location = Location(file=reader.project.shorten_path(path))
            reader.add_finding(file_codes.PACK_FILE.finding(message, location))
        return None
    document = reader.read_document(path)
    if document is not None:
        sources[path.name] = document
    return document


def _find_art(*folders: Path) -> frozenset[str]:
    """Return the paths of all files in the `art` folders of these folders."""
    files: set[str] = set()
    for folder in folders:
        for path in find_files(folder, "art/**/*"):
            files.add(path.relative_to(folder / "art").as_posix())
    return frozenset(files)


def load_stats(
    project: Project, pack_id: str
) -> tuple[StatsFile | None, tuple[Finding, ...]]:
    """Return the content of stats.yaml and its findings.

    Return (None, ()) if the pack has no such file.
    """
    from builder.model.stats import StatsFile

    reader = Reader(project)
    path = project.get_cards_dir(pack_id) / "stats.yaml"
    stats = _load_source(reader, path, StatsFile, {})
    return stats, tuple(reader.findings)
