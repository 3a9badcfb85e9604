"""Watch a pack while it is edited: render the faces that a save affects, as pictures."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from builder.checks.registry import check_loaded_pack
from builder.errors import SquadpressError, ToolMissing
from builder.findings import Finding, Severity, has_errors, sort_findings
from builder.geometry.boxes import FaceBoxes, make_face_boxes
from builder.messages import Message, gettext as _, join_messages
from builder.model.card import Card
from builder.model.engines import EngineName
from builder.model.loaded import LoadedPack
from builder.model.pack import Size
from builder.packs.loading import CachedCards, load_pack
from builder.packs.project import Project
from builder.render.filling import list_card_jobs, list_layers
from builder.render.html.view import localize_card
from builder.render.jobs import FaceJob, SideName
from builder.render.prepress.raster import open_document
from builder.render.renderer import Renderer
from builder.render.sheets.sheets import Stack
from builder.roster.choice_keywords import add_choice_keywords
from builder.units import POINTS_PER_INCH
from builder.usecases.appearance import (
    ENDLESS,
    check_appearance,
    check_appearance_files,
)
from builder.usecases.build.build_options import (
    EngineChoice,
    Selection,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.engine_choice import (
    get_fixed_engine,
    with_chosen_engine,
    with_engine,
)
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    render_cards,
    select_languages,
)
from builder.usecases.watch.edited_tables import EditedTables
from builder.usecases.watch.face_blocks import FaceBlock, list_face_blocks
from builder.usecases.watch.sheet_pages import draw_sheets
from builder.usecases.watch.watch_view import (
    CardRow,
    CardState,
    WatchedCard,
    WatchedFace,
    WatchedSheets,
    WatchView,
)
from builder.usecases.watch.watched_files import (
    CardLang,
    CardText,
    TextsByFile,
    choose_shown_cards,
    find_saved_parts,
    list_texts_by_file,
)

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfPage

PICTURE_DPI = 144
MAX_CARDS_PER_CHECK = 8
"""Cards that are laid out while nothing is saved. A save waits until they are done."""


@dataclass
class PackWatch:
    """The state of `squadpress watch` for one pack. Each save updates its view.

    Without `langs`, each card is shown in the language that was edited.
    """

    project: Project
    pack: str
    langs: tuple[str, ...] = ()
    engine: EngineName | None = None
    engine_choice: EngineChoice | None = None
    """Set if neither an option nor pack.yaml names the engine."""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """PNG files of this view and the view before, by digest."""

    _loaded: LoadedPack | None = None
    _loaded_cards: CachedCards = field(default_factory=dict)
    _texts_by_file: TextsByFile = field(default_factory=dict)
    _last_pictures: dict[CardLang, WatchedCard] = field(default_factory=dict)
    _view: WatchView = field(default_factory=WatchView)
    _states: dict[CardLang, CardState] = field(default_factory=dict)
    """The results of laying cards out since the last save."""
    _tables: EditedTables | None = None
    _checked_findings: tuple[Finding, ...] = ()
    _endless: tuple[Finding, ...] = ()
    """Findings about files that could take all memory or time. With any, nothing is rendered."""

    def start_watch(self, latest_paths: Iterable[str]) -> WatchView:
        """Load the pack and show the card that was saved last.

        Raise UsageError for an unknown pack or language.
        """
        self._tables = EditedTables(self.project, self.pack)
        loaded = self._load_pack()
        self._find_endless_files()
        if loaded.pack is not None and self.langs:
            self.langs = select_languages(add_choice_keywords(loaded.pack), self.langs)
        card_paths = [path for path in latest_paths if path in self._texts_by_file]
        return self.show_saved_files(card_paths[:1])

    def warm_up(self) -> None:
        """Render a card of each kind without output, so that the first save is fast too."""
        if self._loaded is None or self._loaded.pack is None or self._endless:
            return
        pack = add_choice_keywords(self._loaded.pack)
        places = get_render_folders(self.project, self.pack)
        renderer = Renderer(pack, places, engine=self.engine or "", workers=1)
        lang = self._choose_language(self._loaded)
        for kind in pack.manifest.kinds:
            for card in islice(pack.list_cards_of_kind(kind), 1):
                renderer.warm_up(list_card_jobs(renderer, card, lang, "full"))
        # These objects stay. Without this, each garbage collection would look through them.
        gc.freeze()

    def _choose_language(self, loaded: LoadedPack) -> str:
        """Return the first of `langs`, or the source language of the pack."""
        return self.langs[0] if self.langs else loaded.whole.manifest.languages.source

    def show_saved_files(self, paths: Iterable[str]) -> WatchView:
        """Render and show the cards in saved files. After a failure the last pictures stay."""
        start = time.monotonic()
        try:
            view = self._render_saved_cards(tuple(paths), self._load_pack())
        except ToolMissing:  # no later save can repair it
            raise
        except SquadpressError as error:
            parts = [Message(part) for part in (error.message, error.remedy) if part]
            view = replace(
                self._view, failure=join_messages(parts, _("{first} {rest}"))
            )
        except Exception as error:  # a bug must not end the watch
            failure = _(
                "the program failed: {error}", error=str(error) or type(error).__name__
            )
            view = replace(self._view, failure=failure)
        milliseconds = round(1000 * (time.monotonic() - start))
        # The sheets are older than the save. The page requests them again if it shows them.
        return self._change_view(replace(view, milliseconds=milliseconds, sheets=None))

    def _change_view(self, view: WatchView) -> WatchView:
        """Replace the view. A higher number tells the page that it is new."""
        self._view = replace(view, number=self._view.number + 1)
        return self._view

    def check_pack(self) -> WatchView:
        """Run all checks and show their findings.

        This takes longer than rendering, so it is done after.

        They run after the pictures are shown.
        """
        if self._loaded is None or self._view.failure:
            return self._view
        findings = [*self._view.findings, *check_loaded_pack(self._loaded)]
        if self._loaded.pack is not None:
            findings += check_appearance(self.project, self._loaded)
        self._checked_findings = sort_findings(findings)
        rows = self._list_rows(self._checked_findings)
        return self._change_view(
            replace(self._view, findings=self._checked_findings, rows=rows)
        )

    def select_card(self, card: str) -> WatchView:
        """Show a card in all languages of the page. An unknown card changes nothing."""
        loaded = self._loaded
        if loaded is None or loaded.pack is None or card not in loaded.whole.cards:
            return self._view
        start = time.monotonic()
        langs = self.langs or loaded.whole.manifest.languages.all
        keys = tuple((card, lang) for lang in langs)
        try:
            view = self._render_cards(keys, loaded)
        except ToolMissing:
            raise
        except SquadpressError as error:
            view = replace(self._view, failure=error.message)
        milliseconds = round(1000 * (time.monotonic() - start))
        return self._change_view(replace(view, milliseconds=milliseconds))

    def show_sheets(self) -> WatchView:
        """Draw the printed sheets of all cards as they are now."""
        loaded = self._loaded
        if loaded is None or loaded.pack is None or self._endless:
            return self._view
        lang = self._choose_language(loaded)
        pictures: list[tuple[str, int, int]] = []
        hidden_count = 0
        failure = ""
        try:
            for image in draw_sheets(self.project, loaded, lang, self.engine):
                if image is None:
                    hidden_count += 1
                    continue
                digest = self._store_image(image)
                pictures.append((digest, image.width, image.height))
        except ToolMissing:
            raise
        except SquadpressError as error:
            failure = error.message
        sheets = WatchedSheets(tuple(pictures), hidden_count)
        return self._change_view(replace(self._view, sheets=sheets, failure=failure))

    def import_edited_tables(self) -> bool:
        """Import tables that were edited. Return True if there are findings or a failure.

        The files of cards that this changes are noticed like any save.
        """
        if self._tables is None:
            self._tables = EditedTables(self.project, self.pack)
        try:
            findings = self._tables.import_changes()
        except SquadpressError as error:
            self._change_view(replace(self._view, failure=error.message))
            return True
        if findings:
            findings = sort_findings((*self._view.findings, *findings))
            self._change_view(replace(self._view, findings=findings))
        return bool(findings)

    @property
    def view(self) -> WatchView:
        """The current content of the page."""
        return self._view

    def check_next_cards(self) -> WatchView | None:
        """Lay out the next cards that were not laid out yet, to find out whether they fit.

        Return the new view, or None if all cards are done.
        """
        loaded = self._loaded
        if loaded is None or loaded.pack is None or self._endless or self._view.failure:
            return None
        lang = self._choose_language(loaded)
        cards = [(card, lang) for card in loaded.whole.cards]
        pending_cards = [card for card in cards if card not in self._states]
        keys = self._list_intact_cards(pending_cards[:MAX_CARDS_PER_CHECK], loaded)
        if not keys:
            return None
        ids = ",".join(card for card, _lang in keys)
        select = Selection(langs=(lang,), only=(ids,), engine=self.engine)
        result = render_cards(self.project, loaded, select, WorkerPool(0), drafts=True)
        self._record_states(result, lang)
        rows = self._list_rows(self._checked_findings)
        return self._change_view(replace(self._view, rows=rows))

    def _record_states(self, result: RenderedCards, lang: str) -> None:
        """Store which of the rendered cards fit."""
        rendered = result.rendered
        for card in result.list_cards(lang):
            jobs = list_card_jobs(result.renderer, card, lang, "full")
            state: CardState = "good"
            if any(job not in rendered.keys for job in jobs):
                is_drawn = all(
                    job in rendered.keys or job in rendered.drafts for job in jobs
                )
                state = "draft" if is_drawn else "error"
            self._states[card.id, lang] = state

    def _list_rows(self, findings: Iterable[Finding]) -> tuple[CardRow, ...]:
        """Return the rows of the page's card list, with states, sorted by kind and name."""
        if self._loaded is None or self._loaded.pack is None:
            return self._view.rows
        severities: dict[str, set[Severity]] = {}
        for finding in findings:
            for card_id, _lang in self._texts_by_file.get(
                finding.location.file or "", ()
            ):
                severities.setdefault(card_id, set()).add(finding.severity)
        pack = self._loaded.pack
        lang = self._choose_language(self._loaded)
        rows = []
        for kind in pack.manifest.kinds:
            for card in pack.list_cards_of_kind(kind):
                name = localize_card(pack, card, lang)[0]
                state = _find_worst_state(
                    card.id, self._states, severities.get(card.id, set())
                )
                rows.append(CardRow(card.id, name, state))
        return tuple(rows)

    def _find_endless_files(self) -> None:
        findings = check_appearance_files(self.project, self.pack)
        self._endless = tuple(
            finding for finding in findings if finding.code in ENDLESS
        )

    def _load_pack(self) -> LoadedPack:
        """Load the pack again, and forget cards whose files were removed."""
        loaded = self._with_engine(
            load_pack(self.project, self.pack, self._loaded_cards)
        )
        root = self.project.root
        earlier_texts = {
            file: texts
            for file, texts in self._texts_by_file.items()
            if (root / file).exists()
        }
        self._loaded = loaded
        self._texts_by_file = list_texts_by_file(loaded, earlier_texts)
        cards: set[str] = set()
        for texts in self._texts_by_file.values():
            cards.update(card for card, lang in texts if lang is None)
        self._last_pictures = {
            key: picture
            for key, picture in self._last_pictures.items()
            if key[0] in cards
        }
        cards_of_page = tuple(item for item in self._view.cards if item.card in cards)
        self._view = replace(self._view, cards=cards_of_page)
        return loaded

    def _with_engine(self, loaded: LoadedPack) -> LoadedPack:
        """Return the pack with the engine that was chosen when the watch started."""
        if loaded.pack is None:
            return loaded
        if self.engine is None:
            places = get_render_folders(self.project, self.pack)
            loaded, self.engine_choice = with_chosen_engine(places, loaded)
            self.engine = get_fixed_engine(loaded.whole)
        return with_engine(loaded, self.engine)

    def _render_saved_cards(
        self, paths: tuple[str, ...], loaded: LoadedPack
    ) -> WatchView:
        """Return the view after files were saved. A save may also repair a broken card."""
        cards_of_page = tuple((item.card, item.lang) for item in self._view.cards)
        self._states.clear()  # a save may change any face; those in the cache are found at once
        # Pictures, drawings, style sheets and templates are no YAML.
        if not all(path.endswith(".yaml") for path in paths):
            self._find_endless_files()
        if loaded.pack is None:
            return self._show_cards(cards_of_page, {}, loaded.findings)
        kinds = loaded.pack.manifest.kinds
        saved_parts = find_saved_parts(paths, self.pack, kinds, self._texts_by_file)
        cards = choose_shown_cards(saved_parts, cards_of_page, loaded.pack, self.langs)
        return self._render_cards(cards or cards_of_page, loaded)

    def _render_cards(
        self, cards: tuple[CardLang, ...], loaded: LoadedPack
    ) -> WatchView:
        """Render and show cards. A card whose own files have errors keeps its last picture."""
        findings = [*loaded.findings, *self._endless]
        pictures: dict[CardLang, WatchedCard] = {}
        ids_by_lang: dict[str, list[str]] = {}
        for card_id, lang in self._list_intact_cards(cards, loaded):
            ids_by_lang.setdefault(lang, []).append(card_id)
        is_skipped = bool(self._endless)
        # A process of its own for a few cards would start slower than it renders.
        workers = WorkerPool(0)
        for lang, ids in ids_by_lang.items():
            select = Selection(langs=(lang,), only=(",".join(ids),), engine=self.engine)
            result = render_cards(
                self.project,
                loaded,
                select,
                workers,
                is_skipped=is_skipped,
                drafts=True,
            )
            findings += result.rendered.findings
            self._record_states(result, lang)
            if result.rendered.drafts:
                result = result.make_draft("full")
            for card in result.list_cards(lang):
                watched_card = self._draw_card_pictures(result, card, lang)
                if watched_card is not None:
                    pictures[card.id, lang] = watched_card
        return self._show_cards(cards, pictures, sort_findings(findings))

    def _list_intact_cards(
        self, cards: Iterable[CardLang], loaded: LoadedPack
    ) -> list[CardLang]:
        """Return the cards whose own files have no errors."""
        broken_texts: set[CardText] = set()
        for finding in loaded.findings:
            if has_errors((finding,)):
                broken_texts |= self._texts_by_file.get(
                    finding.location.file or "", frozenset()
                )
        intact_cards = []
        for card, lang in cards:
            is_broken = not broken_texts.isdisjoint(((card, None), (card, lang)))
            if card in loaded.whole.cards and not is_broken:
                intact_cards.append((card, lang))
        return intact_cards

    def _draw_card_pictures(
        self, result: RenderedCards, card: Card, lang: str
    ) -> WatchedCard | None:
        """Draw the pictures of a rendered card. None if one of its faces could not be rendered."""
        renderer, keys = result.renderer, result.rendered.keys
        kind = renderer.pack.manifest.kinds[card.kind]
        layers_by_side: dict[SideName, list[FaceJob]] = {}
        faces: list[tuple[Stack, Size]] = []
        for side in kind.list_faces(card):
            layers = list_layers(renderer, card, side, lang, "full")
            if any(job not in keys for job in layers):
                return None
            layers_by_side[side] = layers
            faces.append((tuple(keys[job] for job in layers), kind.size))
        profile = TRIM.model_copy(update={"bleed": kind.size.bleed})
        boxes = make_face_boxes(kind.size)
        pictures = []
        with (
            compose_face_pages(renderer, profile, faces, card.id) as path,
            open_document(path) as document,
        ):
            for index, (side, layers) in enumerate(layers_by_side.items()):
                blocks: list[FaceBlock] = []
                for job in layers:
                    blocks += list_face_blocks(
                        renderer, job, result.rendered.faces[job]
                    )
                picture = self._draw_face_picture(document[index], side, boxes)
                pictures.append(replace(picture, blocks=tuple(blocks)))
        name = localize_card(renderer.pack, card, lang)[0]
        is_draft = self._states.get((card.id, lang)) == "draft"
        return WatchedCard(card.id, lang, name, tuple(pictures), draft=is_draft)

    def _draw_face_picture(
        self, document_page: PdfPage, side: str, boxes: FaceBoxes
    ) -> WatchedFace:
        image = (
            document_page.render(scale=PICTURE_DPI / POINTS_PER_INCH)
            .to_pil()
            .convert("RGB")
        )
        return WatchedFace(
            side, self._store_image(image), image.width, image.height, boxes
        )

    def _store_image(self, image: Image) -> str:
        """Store a picture for the browser as PNG. Return its digest."""
        buffer = BytesIO()
        # The browser is on this computer: time counts, not size.
        image.save(buffer, "PNG", compress_level=1)
        data = buffer.getvalue()
        digest = hashlib.sha256(data).hexdigest()[:24]
        self.pictures[digest] = data
        return digest

    def _show_cards(
        self,
        keys: tuple[CardLang, ...],
        new_pictures: Mapping[CardLang, WatchedCard],
        findings: tuple[Finding, ...],
    ) -> WatchView:
        """Return a view of cards.

        Cards without new pictures keep the last ones, marked as stale.
        """
        # A browser may still be loading the pictures of the view before.
        used_digests = _list_digests(self._view.cards)
        self._last_pictures |= new_pictures
        cards = []
        for key in keys:
            last_card = self._last_pictures.get(key, WatchedCard(*key, key[0]))
            cards.append(new_pictures.get(key) or replace(last_card, stale=True))
        used_digests |= _list_digests(self._last_pictures.values())
        if self._view.sheets is not None:
            used_digests.update(
                digest for digest, _width, _height in self._view.sheets.pictures
            )
        for digest in self.pictures.keys() - used_digests:
            del self.pictures[digest]
        rows = self._list_rows(findings)
        return replace(
            self._view, cards=tuple(cards), findings=findings, failure="", rows=rows
        )


def _find_worst_state(
    card: str, states: Mapping[CardLang, CardState], severities: set[Severity]
) -> CardState:
    """Return the worst state of a card over all languages and findings."""
    states_of_card = {
        state for (card_id, _lang), state in states.items() if card_id == card
    }
    if "draft" in states_of_card:
        return "draft"
    if "error" in states_of_card or Severity.ERROR in severities:
        return "error"
    if not states_of_card:
        return "unchecked"
    return "warning" if Severity.WARNING in severities else "good"


def _list_digests(cards: Iterable[WatchedCard]) -> set[str]:
    digests: set[str] = set()
    for card in cards:
        digests.update(picture.digest for picture in card.pictures)
    return digests
