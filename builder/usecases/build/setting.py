"""The set faces of the wanted cards: what every way to publish begins with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from builder.errors import UsageError
from builder.findings import Finding, in_order
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.spelling import suggestion
from builder.render.jobs import FaceJob, Places
from builder.render.renderer import Rendered, Renderer
from builder.roster.chosen import original, spoken
from builder.store.project import Project
from builder.usecases.build.compose import jobs_of
from builder.usecases.build.options import BuildResult, Progress, Selection, WorkerPool
from builder.usecases.build.select import chosen_cards, roster_cards


@dataclass(frozen=True, slots=True)
class SetCards:
    """The wanted cards, by language in printing order, and what came of setting their faces."""

    renderer: Renderer
    orders: Mapping[str, Sequence[Card]]
    rendered: Rendered

    @property
    def keys(self) -> Mapping[FaceJob, str]:
        """Where each face is kept."""
        return self.rendered.keys


def set_cards(
    project: Project, loaded: LoadedPack, select: Selection, workers: WorkerPool, progress: Progress | None = None
) -> SetCards:
    """Choose the cards (or those of a squad) and set all their faces. The pack must have been loaded."""
    assert loaded.pack is not None
    pack = spoken(loaded.pack)
    langs = languages(pack, select.langs)
    orders: Mapping[str, Sequence[Card]]
    if select.roster is not None:
        pack, squad = roster_cards(project, pack, select.roster)
        orders = dict.fromkeys(langs, squad)
    else:
        orders = {lang: chosen_cards(pack, select.only, lang) for lang in langs}
    spots, files = places(project, pack.id), _file_of(loaded, pack)
    renderer = Renderer(pack, spots, files, workers=workers.count, shared=workers.shared)
    named = {PurePosixPath(file).stem for file in loaded.read}
    edited = {card for card in pack.cards if original(card) in named}
    wanted = (job for lang in langs for card in orders[lang] for job in jobs_of(renderer, card, lang, select.variant))
    return SetCards(renderer, orders, renderer.render(wanted, progress, edited))


def languages(pack: Pack, asked: Sequence[str]) -> tuple[str, ...]:
    """The asked languages; all where none or `all` is asked. UsageError for one the pack does not have."""
    known = pack.manifest.languages.all
    if "all" in asked:
        return known
    for lang in asked:
        if lang not in known:
            raise UsageError(
                _("{pack} has no language {lang}", pack=pack.id, lang=lang),
                suggestion(lang, known, _("Its languages")),
            )
    return tuple(dict.fromkeys(asked)) or known


def places(project: Project, pack_id: str) -> Places:
    """Where setting this pack may read and keep things."""
    return Places(
        templates=project.templates_dir(pack_id),
        base=project.base_templates,
        data=project.cards_dir(pack_id),
        cache=project.cache_dir,
        project=project.root,
    )


def _file_of(loaded: LoadedPack, pack: Pack) -> Callable[[str, str], str | None]:
    """Tells where a card's text lies in a language; a chosen card's lies where its original's does."""

    def find(card: str, lang: str) -> str | None:
        if lang == pack.manifest.languages.source:
            document = loaded.documents.get(original(card))
        else:
            document = loaded.translations.get((lang, original(card)))
        return None if document is None else document.file

    return find


def collect(results: Sequence[BuildResult]) -> tuple[Finding, ...]:
    """The findings of several builds together."""
    return in_order(finding for result in results for finding in result.findings)
