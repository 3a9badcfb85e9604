"""A state of a pack as plain JSON: what a release freezes, and how it is frozen. Pure."""

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
from builder.model.card import Card, Day, Migration, source_hash
from builder.model.formats import FormatCard, FormatSet
from builder.model.loaded import CardFile, Document, LoadedPack
from builder.model.pack import Languages, Manifest, Pack, TranslatedString, Vocabulary
from builder.model.rules import RuleSet

RawCard: TypeAlias = Mapping[str, Json]
Translations: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Json]]]
"""Language, card id, dotted path: `{text, source, same?}`."""
WORK = "work"
"""The label of the state that is being edited."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of a pack.

    `label` is a version or `work`. `files` holds the SHA-256 of every template, picture and schema contract by path;
    `faces` the digest of the pixels of each printed face as `lang/card/face`, empty where none were taken;
    `texts` and `rich` are the dotted paths of each card's translatable strings and of those with markup; `unread` the
    ids of cards whose files are there but cannot be parsed; `lost` the parts of a release that cannot be read, such as
    `cards.json`. `introduced` is the release that each card was new in, kept where `formats` (formats.yaml) are.
    `withdrawal` is set if the release was withdrawn.
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

    @property
    def source(self) -> str:
        """The language the cards are written in."""
        return self.languages[0] if self.languages else "und"

    @property
    def languages(self) -> tuple[str, ...]:
        """The source language, then the translations; empty where the manifest does not state them as it should."""
        return self.stated_languages.all if self.stated_languages else ()

    @property
    def stated_languages(self) -> Languages | None:
        """What the manifest says of languages; None where it does not say it as it should."""
        try:
            return Languages.model_validate(self.manifest.get("languages"))
        except ValidationError:
            return None

    def strings(self, lang: str, card: str) -> dict[str, str]:
        """The translated texts of a card by dotted path, as far as they hold; English for a language it has not."""
        lang = lang if lang in self.languages or "en" not in self.languages else "en"
        found = self.translations.get(lang, {}).get(card, {}) if lang != self.source else {}
        partial = self.stated_languages is not None and lang in self.stated_languages.partial
        raw = self.cards.get(card, {})
        return {
            path: str(item["text"])
            for path, item in found.items()
            if isinstance(item, Mapping)
            and "text" in item
            and not (
                partial and item.get("source") != source_hash(str(look_up(raw, path.split("."))))
            )
        }

    @property
    def play_formats(self) -> FormatSet:
        """The play formats; none where they cannot be read."""
        try:
            return FormatSet.model_validate(self.formats)
        except ValidationError:
            return FormatSet()

    def format_cards(self) -> Iterator[FormatCard]:
        """What play formats ask of each card."""
        for card, raw in self.cards.items():
            kind, faction = raw.get("kind"), raw.get("faction")
            yield FormatCard(
                card, str(kind), str(faction) if faction else None, self.introduced.get(card)
            )


def replace_texts(value: Json, texts: Mapping[str, str], path: tuple[str, ...] = ()) -> Json:
    """Return a card, or the part of it at `path`, with other texts at these dotted paths."""
    if isinstance(value, Mapping):
        return {key: replace_texts(item, texts, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [replace_texts(item, texts, (*path, str(index))) for index, item in enumerate(value)]
    return texts.get(".".join(path), value)


def format_canonical(value: object) -> str:
    """The one JSON text of a value: one space of indent, a line break at the end.

    Keys stay in the author's order, which is the order of print; whoever makes a map of ids sorts it before.
    """
    out = StringIO()  # not all its pieces at once
    json.dump(value, out, ensure_ascii=False, indent=1)
    return out.getvalue() + "\n"


def hash_data(data: bytes) -> str:
    """SHA-256 in hex."""
    return sha256(data).hexdigest()


def is_converted(data: bytes, sha256: str) -> bool:
    """True if bytes have this digest once their line ends are LF again: Git wrote CRLF when it checked them out."""
    return b"\r\n" in data and hash_data(data.replace(b"\r\n", b"\n")) == sha256


def extract_contract(schema: Json) -> Json:
    """A schema without what only explains it: two schemas with one contract accept the same cards."""
    if isinstance(schema, Mapping):
        talk = {"description", "title", "$comment", "examples", "markdownDescription"}
        return {
            key: {name: extract_contract(item) for name, item in value.items()}
            if key in ("properties", "$defs") and isinstance(value, Mapping)
            else extract_contract(value)
            for key, value in schema.items()
            if key not in talk
        }
    if isinstance(schema, list):
        return [extract_contract(item) for item in schema]
    return schema


M = TypeVar("M", bound=BaseModel)


def make_snapshot(
    loaded: LoadedPack, files: Mapping[str, str], migrations: tuple[Migration, ...] = ()
) -> Snapshot:
    """The state that is being edited. Cards that do not validate are taken as they stand."""
    pack = loaded.pack
    cards: dict[str, Mapping[str, Json]] = {}
    for file in loaded.files:
        if isinstance(file.document.value, dict):
            cards.setdefault(file.id or file.stem, file.document.value)
    manifest = _source(loaded, "pack.yaml")
    return Snapshot(
        pack=pack.id if pack else str(manifest.get("id", "")),
        manifest=manifest,
        vocabulary=_source(loaded, "vocabulary.yaml"),
        rules=_source(loaded, "rules.yaml"),
        formats=_source(loaded, "formats.yaml"),
        cards=cards,
        translations=_translations(loaded),
        texts=dict(pack.texts) if pack else {},
        rich=dict(pack.rich) if pack else {},
        files=files,
        migrations=migrations,
        unread=frozenset(loaded.unread),
    )


def _source(loaded: LoadedPack, name: str) -> Mapping[str, Json]:
    document = loaded.sources.get(name)
    return document.value if document and isinstance(document.value, dict) else {}


def _translations(loaded: LoadedPack) -> dict[str, dict[str, Mapping[str, Json]]]:
    found: dict[str, dict[str, Mapping[str, Json]]] = {}
    for (lang, card), document in loaded.translations.items():
        strings = document.value.get("strings") if isinstance(document.value, dict) else None
        if isinstance(strings, dict):
            found.setdefault(lang, {})[card] = strings
    return found


def share_cards(before: Snapshot, state: Snapshot) -> Snapshot:
    """The state in which a card that is as it was before is the very same value, and not a second time in memory."""
    known = before.cards
    cards = {
        card: known[card] if are_identical(known.get(card), raw) else raw
        for card, raw in state.cards.items()
    }
    return replace(state, cards=cards)


def load_snapshot(
    state: Snapshot, file: str, known: Mapping[str, Card] | None = None
) -> LoadedPack:
    """The pack as it was. What today's formats refuse is a finding, the rest is loaded; `file` names it in findings.
    Of cards that are `known` already none is made again.
    """
    findings: list[Finding] = []
    manifest = _model(Manifest, state.manifest, file, "pack.yaml", findings)
    if manifest is None:
        return LoadedPack(None, findings=tuple(findings))
    cards = {}
    for card_id, raw in state.cards.items():
        card = (known or {}).get(card_id) or _model(Card, raw, file, card_id, findings)
        if card is not None and card.kind in manifest.kinds and card.id == card_id:
            cards[card_id] = card
    pack = Pack(
        manifest=manifest,
        vocabulary=_model(Vocabulary, state.vocabulary, file, "vocabulary.yaml", findings)
        or Vocabulary(),
        rules=_model(RuleSet, state.rules, file, "rules.yaml", findings) or RuleSet(),
        cards=cards,
        texts=state.texts,
        rich=state.rich,
        translations={
            lang: {card: parse_translations(strings) for card, strings in by_card.items()}
            for lang, by_card in state.translations.items()
        },
        icons=frozenset(
            path.rpartition("/")[2].removesuffix(".svg")
            for path in state.files
            if "/icons/" in path
        ),
        formats=(
            _model(FormatSet, state.formats, file, "formats.yaml", findings) or FormatSet()
        ).formats,
        introduced=state.introduced,
    ).current
    documents = {card: Document(file, cast("Json", raw)) for card, raw in state.cards.items()}
    parts = {
        "pack": state.manifest,
        "vocabulary": state.vocabulary,
        "rules": state.rules,
        "formats": state.formats,
    }
    folder = file.rpartition("/")[0]

    def within(name: str) -> str:
        return f"{folder}/{name}" if folder else file

    return LoadedPack(
        pack=pack,
        files=tuple(
            CardFile(found, str(state.cards[card].get("kind", "")), card)
            for card, found in documents.items()
        ),
        documents={card: found for card, found in documents.items() if card in cards},
        translations={  # each as its file would hold it: what is checked looks for whole files
            (lang, card): Document(
                within(f"i18n/{lang}.json"), {"id": card, "strings": dict(strings)}
            )
            for lang, by_card in state.translations.items()
            for card, strings in by_card.items()
        },
        sources={
            f"{part}.yaml": Document(within(f"{part}.json"), dict(value))
            for part, value in parts.items()
            if value
        },
        findings=tuple(findings),
    )


def _model(
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
        findings.append(release_codes.OUTDATED.finding(message, Location(file=file, path=part)))
        return None


def parse_translations(strings: Mapping[str, Json]) -> dict[str, TranslatedString]:
    """The translated strings of a card as they stand in a release."""
    return {
        path: TranslatedString(
            str(item.get("text", "")), str(item.get("source", "")), item.get("same") is True
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
    """A release by the digest of its manifest."""

    version: VersionName
    sha256: Sha256


class ReleaseManifest(Model):
    """What a release says of itself; `files` are all the others of its folder.

    `previous` is the version it continues; `predecessors` are the releases that no manifest had named before it.
    """

    format: Literal[1] = 1
    pack: Id
    version: VersionName
    released: date
    effective: date
    previous: VersionName | None = None
    predecessors: tuple[Predecessor, ...] = Field(default=(), max_length=500)
    counts: Mapping[str, Json] = Field(default_factory=dict)
    files: tuple[ReleasedFile, ...] = Field(max_length=500)


class Withdrawal(Model):
    """A release that is in force no more."""

    version: VersionName = Field(description="The release.")
    date: Day = Field(description="The first day on which it is in force no more.")
    reason: Localized = Field(min_length=1, description="Why, per language.")
    successor: VersionName | None = Field(default=None, description="Release that replaces it.")


class Withdrawals(Model):
    """releases/withdrawn.yaml."""

    withdrawn: tuple[Withdrawal, ...] = Field(
        default=(), description="One entry per release, oldest first."
    )
