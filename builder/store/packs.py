"""A pack from its folder. One bad file never hides another: what is wrong becomes findings, the rest is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from builder.findings import Finding, Location, in_order
from builder.messages import gettext as _
from builder.model.gauge import GaugeSet
from builder.model.loaded import Document, LoadedPack
from builder.model.pack import Manifest, Pack, Vocabulary
from builder.model.rules import RuleSet
from builder.model.stats import StatsFile
from builder.store import codes
from builder.store.cardfiles import CardFiles, Translations
from builder.store.project import Project
from builder.store.sources import Reader, collector_off

__all__ = ["LoadedPack", "load_pack"]

M = TypeVar("M", bound=BaseModel)


def load_pack(project: Project, pack_id: str) -> LoadedPack:
    """Everything of a pack, and all that is wrong with it. UsageError if there is no such pack."""
    project.choose(pack_id)
    with collector_off():
        return _load(project, pack_id)


def _load(project: Project, pack_id: str) -> LoadedPack:
    folder = project.cards_dir(pack_id)
    reader = Reader(project, remembers=True)
    sources: dict[str, Document] = {}
    manifest = _source(reader, folder / "pack.yaml", Manifest, sources)
    if manifest is None:
        return LoadedPack(None, sources=sources, findings=in_order(reader.findings))
    if manifest.id != pack_id:
        message = _("the pack's id is {id}, but its folder is {folder}", id=manifest.id, folder=pack_id)
        reader.add([codes.PACK_ID.finding(message, sources["pack.yaml"].locate(("id",)))])
    vocabulary = _source(reader, folder / "vocabulary.yaml", Vocabulary, sources) or Vocabulary()
    rules = _source(reader, folder / "rules.yaml", RuleSet, sources) or RuleSet()
    gauges = _source(reader, folder / "gauges.yaml", GaugeSet, sources)
    stats = _source(reader, folder / "stats.yaml", StatsFile, sources)
    cards = CardFiles(reader, manifest, folder, project.schemas_dir(pack_id))
    cards.load()
    translations = Translations(reader, folder / "i18n")
    translations.load()
    reader.save()
    return LoadedPack(
        pack=_pack(project.templates_dir(pack_id), manifest, vocabulary, rules, cards, translations),
        files=tuple(cards.files),
        unread=cards.unread,
        documents=cards.documents,
        translations=translations.documents,
        mentions=cards.mentions,
        wheres=cards.wheres,
        art=_art(folder / "art", project.templates_dir(pack_id) / "art"),
        sources=sources,
        gauges=gauges,
        stats=stats,
        findings=in_order(reader.findings),
        read=frozenset(reader.read),
    )


def _source(reader: Reader, path: Path, model: type[M], sources: dict[str, Document]) -> M | None:
    """A file of the pack itself; those besides pack.yaml may be absent."""
    if not path.exists():
        if path.name == "pack.yaml":
            place = Location(file=reader.project.relative(path))
            reader.add([codes.PACK_FILE.finding(_("{key} is missing", key="pack.yaml"), place)])
        return None
    document = reader.document(path)
    if document is None:
        return None
    sources[path.name] = document
    return reader.model(document, model)


def _pack(
    templates: Path,
    manifest: Manifest,
    vocabulary: Vocabulary,
    rules: RuleSet,
    cards: CardFiles,
    translations: Translations,
) -> Pack:
    """The game as one value."""
    icons = (templates / "icons").glob("*.svg")
    return Pack(
        manifest=manifest,
        vocabulary=vocabulary,
        rules=rules,
        cards=cards.cards,
        texts=cards.texts,
        rich=cards.rich,
        translations=translations.strings,
        icons=frozenset(path.stem for path in icons),
    )


def _art(*folders: Path) -> frozenset[str]:
    """All files of the art folders, relative to them."""
    return frozenset(
        path.relative_to(folder).as_posix() for folder in folders for path in folder.rglob("*") if path.is_file()
    )


def load_stats(project: Project, pack_id: str) -> tuple[StatsFile | None, tuple[Finding, ...]]:
    """The forms a pack declares, and what is wrong with them; (None, ()) where it declares none."""
    path = project.cards_dir(pack_id) / "stats.yaml"
    if not path.exists():
        return None, ()
    reader = Reader(project)
    document = reader.document(path)
    found = reader.model(document, StatsFile) if document is not None else None
    return found, tuple(reader.findings)
