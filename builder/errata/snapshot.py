"""A state of a pack as plain JSON, as releases store it. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from io import StringIO
from typing import Literal, TypeAlias, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError

from builder.errata import release_codes
from builder.errata.change import are_identical
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import (
    Announcement,
    Id,
    InnerPath,
    Json,
    Localized,
    Model,
    Sha256,
    VersionName,
    format_path,
    look_up,
)
from builder.model.card import Card, Day, Migration, hash_source
from builder.model.engines import EngineName
from builder.model.formats import FormatCard, FormatSet
from builder.model.loaded import CardFile, Document, LoadedPack
from builder.model.pack import Languages, Manifest, Pack, TranslatedString, Vocabulary
from builder.model.rules import RuleSet

RawCard: TypeAlias = Mapping[str, Json]
Translations: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Json]]]
"""Language, card id, dotted path: `{text, source, same?}`."""
FACES_PROGRAM, FACES_ENGINE = "rasteriser", "engine"
"""The keys in `faces` of the program that made the digests, and of the engine."""
WORK = "work"
"""The label of the state that is being edited."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of a pack as JSON values: a release, a draft or the edited files.

    `label` is a version or `work`. `files` holds the SHA-256 of every template, picture and schema
    contract by path; `faces` the digest of the pixels of each printed face as `lang/card/face`,
    empty where none were taken; `texts` and `rich` are the dotted paths of each card's translatable
    strings and of those with markup; `unread` the ids of cards whose files are there but cannot be
    parsed; `lost` the parts of a release that cannot be read, such as `cards.json`. `introduced` is
    the release that each card was new in, kept where `formats` (formats.yaml) are. `withdrawal` is
    set if the release was withdrawn. `engine` renders a release; a state that is being edited has
    none.
    """

    pack: str
    label: str = WORK
    released: date | None = None
    effective: date | None = None
    manifest: Mapping[str, Json] = field(default_factory=dict)
    vocabulary: Mapping[str, Json] = field(default_factory=dict)
    rules: Mapping[str, Json] = field(default_factory=dict)
    cards: Mapping[str, RawCard] = field(default_factory=dict)
    translations: Translations = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rich: Mapping[str, frozenset[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    faces: Mapping[str, str] = field(default_factory=dict)
    migrations: tuple[Migration, ...] = ()
    formats: Mapping[str, Json] = field(default_factory=dict)
    introduced: Mapping[str, str] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()
    withdrawal: "Withdrawal | None" = None
    engine: "ReleaseEngine | None" = None
    announcement: str = ""
    """The page on which the release was announced."""

    @property
    def source(self) -> str:
        """The language the cards are written in."""
        return self.languages[0] if self.languages else "und"

    @property
    def languages(self) -> tuple[str, ...]:
        """The source language, then the translations.

        Empty where the manifest does not state them as it should.
        """
        return self.stated_languages.all if self.stated_languages else ()

    @property
    def stated_languages(self) -> Languages | None:
        """The languages of the manifest, or None if they are not valid."""
        try:
            return Languages.model_validate(self.manifest.get("languages"))
        except ValidationError:
            return None

    def get_strings(self, lang: str, card: str) -> dict[str, str]:
        """Return the translated texts of a card by dotted path, as far as they hold.

        English for a language it has not.
        """
        # Readers of other languages more likely read English than the source language.
        lang = lang if lang in self.languages or "en" not in self.languages else "en"
        strings = (
            self.translations.get(lang, {}).get(card, {}) if lang != self.source else {}
        )
        # A partial language shows the source text instead of a translation that no longer fits.
        partial = (
            self.stated_languages is not None and lang in self.stated_languages.partial
        )
        raw = self.cards.get(card, {})
        return {
            path: str(item["text"])
            for path, item in strings.items()
            if isinstance(item, Mapping)
            and "text" in item
            and not (
                partial
                and item.get("source")
                != hash_source(str(look_up(raw, path.split("."))))
            )
        }

    @property
    def play_formats(self) -> FormatSet:
        """The play formats. If they cannot be read, there are none."""
        try:
            return FormatSet.model_validate(self.formats)
        except ValidationError:
            return FormatSet()

    def format_cards(self) -> Iterator[FormatCard]:
        """Yield the fields of each card that play formats read."""
        for card, raw in self.cards.items():
            kind = raw.get("kind")
            faction = raw.get("faction")
            yield FormatCard(
                card,
                str(kind),
                str(faction) if faction else None,
                self.introduced.get(card),
            )


def replace_texts(
    value: Json, texts: Mapping[str, str], path: tuple[str, ...] = ()
) -> Json:
    """Return a card, or the part of it at `path`, with other texts at these dotted paths."""
    if isinstance(value, Mapping):
        return {
            key: replace_texts(item, texts, (*path, key)) for key, item in value.items()
        }
    if isinstance(value, list):
        return [
            replace_texts(item, texts, (*path, str(index)))
            for index, item in enumerate(value)
        ]
    return texts.get(".".join(path), value)


def format_canonical(value: object) -> str:
    """Return a value as JSON with an indent of one space and a line break at the end.

    Keys stay in the author's order, which is the printing order. Callers sort maps of ids.
    """
    out = StringIO()  # not all its pieces at once
    json.dump(value, out, ensure_ascii=False, indent=1)
    return out.getvalue() + "\n"


def hash_data(data: bytes) -> str:
    """Return the SHA-256 of bytes as hexadecimal digits."""
    return sha256(data).hexdigest()


def is_converted(data: bytes, sha256: str) -> bool:
    """Return True if bytes have this digest after CRLF becomes LF again.

    Git may convert line ends at checkout.
    """
    return b"\r\n" in data and hash_data(data.replace(b"\r\n", b"\n")) == sha256


EXPLANATIONS = {"description", "title", "$comment", "examples", "markdownDescription"}
"""Keys of a schema that only explain it."""


def extract_contract(schema: Json) -> Json:
    """Return the parts of a JSON schema that decide validity, without explanations.

    Schemas with equal contracts accept the same cards.
    """
    if isinstance(schema, list):
        return [extract_contract(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    contract: dict[str, Json] = {}
    for key, value in schema.items():
        if key in EXPLANATIONS:
            continue
        if key in ("properties", "$defs") and isinstance(
            value, Mapping
        ):  # its keys are names
            contract[key] = {
                name: extract_contract(item) for name, item in value.items()
            }
        else:
            contract[key] = extract_contract(value)
    return contract


M = TypeVar("M", bound=BaseModel)


def make_snapshot(
    loaded: LoadedPack, files: Mapping[str, str], migrations: tuple[Migration, ...] = ()
) -> Snapshot:
    """Return the current state of a pack. Invalid cards are included without changes."""
    pack = loaded.pack
    cards: dict[str, Mapping[str, Json]] = {}
    for file in loaded.files:
        if isinstance(file.document.value, dict):
            # If two files have the same id, the first one counts; `check` reports the other.
            cards.setdefault(file.id or file.stem, file.document.value)
    manifest = _read_source(loaded, "pack.yaml")
    return Snapshot(
        pack=pack.id if pack else str(manifest.get("id", "")),
        manifest=manifest,
        vocabulary=_read_source(loaded, "vocabulary.yaml"),
        rules=_read_source(loaded, "rules.yaml"),
        formats=_read_source(loaded, "formats.yaml"),
        cards=cards,
        translations=_read_translations(loaded),
        texts=dict(pack.texts) if pack else {},
        rich=dict(pack.rich) if pack else {},
        files=files,
        migrations=migrations,
        unread=frozenset(loaded.unread),
    )


def _read_source(loaded: LoadedPack, name: str) -> Mapping[str, Json]:
    document = loaded.sources.get(name)
    return document.value if document and isinstance(document.value, dict) else {}


def _read_translations(loaded: LoadedPack) -> dict[str, dict[str, Mapping[str, Json]]]:
    translations: dict[str, dict[str, Mapping[str, Json]]] = {}
    for (lang, card), document in loaded.translations.items():
        strings = (
            document.value.get("strings") if isinstance(document.value, dict) else None
        )
        if isinstance(strings, dict):
            translations.setdefault(lang, {})[card] = strings
    return translations


def share_cards(before: Snapshot, state: Snapshot) -> Snapshot:
    """Return the state with the card objects of `before` for unchanged cards, to save memory."""
    old_cards = before.cards
    cards = {
        card: old_cards[card] if are_identical(old_cards.get(card), raw) else raw
        for card, raw in state.cards.items()
    }
    return replace(state, cards=cards)


def load_snapshot(
    state: Snapshot, file: str, parsed_cards: Mapping[str, Card] | None = None
) -> LoadedPack:
    """Load a pack from a state.

    What today's formats refuse is a finding; `file` is its file there.

    Cards in `parsed_cards` are not parsed again.
    """
    findings: list[Finding] = []
    manifest = _parse_part(Manifest, state.manifest, file, "pack.yaml", findings)
    if manifest is None:
        return LoadedPack(None, findings=tuple(findings))
    if state.engine is not None:
        # A release is printed with its own engine, whatever the pack asks for today.
        manifest = manifest.model_copy(update={"engine": state.engine.name})
    vocabulary = _parse_part(
        Vocabulary, state.vocabulary, file, "vocabulary.yaml", findings
    )
    rules = _parse_part(RuleSet, state.rules, file, "rules.yaml", findings)
    formats = _parse_part(FormatSet, state.formats, file, "formats.yaml", findings)
    cards = {}
    for card_id, raw in state.cards.items():
        card = (parsed_cards or {}).get(card_id) or _parse_part(
            Card, raw, file, card_id, findings
        )
        # A card of a kind that the manifest lacks cannot be checked or printed.
        if card is not None and card.kind in manifest.kinds and card.id == card_id:
            cards[card_id] = card
    # The pack's icons are files of the release, of which only the names are needed.
    icons = [file for file in state.files if "/icons/" in file]
    pack = Pack(
        manifest=manifest,
        vocabulary=vocabulary or Vocabulary(),
        rules=rules or RuleSet(),
        cards=cards,
        texts=state.texts,
        rich=state.rich,
        translations=_parse_all_translations(state),
        icons=frozenset(icon.rpartition("/")[2].removesuffix(".svg") for icon in icons),
        formats=(formats or FormatSet()).formats,
        introduced=state.introduced,
    ).current
    documents = {
        card: Document(file, cast("Json", raw)) for card, raw in state.cards.items()
    }
    return LoadedPack(
        pack=pack,
        files=tuple(
            CardFile(document, str(state.cards[card].get("kind", "")), card)
            for card, document in documents.items()
        ),
        documents={
            card: document for card, document in documents.items() if card in cards
        },
        translations=_make_translation_documents(state, file),
        sources=_make_source_documents(state, file),
        findings=tuple(findings),
    )


def _parse_all_translations(
    state: Snapshot,
) -> dict[str, dict[str, dict[str, TranslatedString]]]:
    translations: dict[str, dict[str, dict[str, TranslatedString]]] = {}
    for lang, strings_by_card in state.translations.items():
        translations[lang] = {
            card: parse_translations(strings)
            for card, strings in strings_by_card.items()
        }
    return translations


def _make_translation_documents(
    state: Snapshot, file: str
) -> dict[tuple[str, str], Document]:
    """Return the translations by language and card, in the form of their files, for the checks."""
    documents: dict[tuple[str, str], Document] = {}
    for lang, strings_by_card in state.translations.items():
        part_file = _name_part_file(file, f"i18n/{lang}.json")
        for card, strings in strings_by_card.items():
            documents[lang, card] = Document(
                part_file, {"id": card, "strings": dict(strings)}
            )
    return documents


def _make_source_documents(state: Snapshot, file: str) -> dict[str, Document]:
    parts = {
        "pack": state.manifest,
        "vocabulary": state.vocabulary,
        "rules": state.rules,
        "formats": state.formats,
    }
    documents: dict[str, Document] = {}
    for part, value in parts.items():
        if value:
            part_file = _name_part_file(file, f"{part}.json")
            documents[f"{part}.yaml"] = Document(part_file, dict(value))
    return documents


def _name_part_file(file: str, name: str) -> str:
    folder = file.rpartition("/")[0]
    return f"{folder}/{name}" if folder else file


def _parse_part(
    model: type[M], value: object, file: str, part: str, findings: list[Finding]
) -> M | None:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        message = _(
            "{part}: {place}: {reason}",
            part=part,
            place=format_path(first["loc"]),
            reason=first["msg"],
        )
        findings.append(
            release_codes.OUTDATED.finding(message, Location(file=file, path=part))
        )
        return None


def parse_translations(strings: Mapping[str, Json]) -> dict[str, TranslatedString]:
    """Return the translated strings of a card as they stand in a release."""
    return {
        path: TranslatedString(
            str(item.get("text", "")),
            str(item.get("source", "")),
            item.get("same") is True,
        )
        for path, item in strings.items()
        if isinstance(item, Mapping)
    }


class ReleasedFile(Model):
    """One file of a release."""

    path: InnerPath
    bytes: int = Field(ge=0)
    sha256: Sha256


class Predecessor(Model):
    """The release before a release, with the SHA-256 of its manifest."""

    version: VersionName
    sha256: Sha256


class ReleaseEngine(Model):
    """The engine that renders a release, and the version it was made with.

    Empty if it is unknown.
    """

    name: EngineName
    version: str = ""

    def __str__(self) -> str:
        """Return name and version as faces.json has them."""
        return f"{self.name} {self.version}".strip()


class ReleaseManifest(Model):
    """The manifest of a release. `files` are all other files of its folder.

    `previous` is the version it continues; `predecessors` are the releases that no manifest had
    named before it.
    """

    format: Literal[1] = 1
    pack: Id
    version: VersionName
    released: date
    effective: date
    previous: VersionName | None = None
    predecessors: tuple[Predecessor, ...] = Field(default=(), max_length=500)
    engine: ReleaseEngine | None = None
    announcement: Announcement | None = None
    counts: Mapping[str, Json] = Field(default_factory=dict)
    files: tuple[ReleasedFile, ...] = Field(max_length=500)


class Withdrawal(Model):
    """The withdrawal of a release: its day, reason and successor."""

    version: VersionName = Field(description="The release.")
    date: Day = Field(description="The first day on which it is no longer in force.")
    reason: Localized = Field(min_length=1, description="The reason, per language.")
    successor: VersionName | None = Field(
        default=None, description="The release that replaces it."
    )


class Withdrawals(Model):
    """The content of releases/withdrawn.yaml."""

    withdrawn: tuple[Withdrawal, ...] = Field(
        default=(), description="One entry per release, oldest first."
    )
