"""A pack watched while it is edited. Faces that a save touches are rendered again, and their pictures are shown."""

import gc
import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from watchfiles import Change, watch

from builder.checks.registry import judge_pack
from builder.errors import SquadpressError, ToolMissing
from builder.findings import Finding, has_errors, sort_findings
from builder.messages import Message, gettext as _, join_messages
from builder.model.card import Card
from builder.model.engines import EngineName
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.packs.loading import KnownCards, load_pack
from builder.packs.project import Project
from builder.render.filling import list_card_jobs, list_layers
from builder.render.html.view import localize_card
from builder.render.prepress.raster import open_document
from builder.render.renderer import Renderer
from builder.roster.chosen import with_choice_keywords
from builder.usecases.appearance import ENDLESS, check_appearance, check_appearance_files
from builder.usecases.build.build_options import EngineChoice, Selection, WorkerPool, make_places
from builder.usecases.build.engine_choice import get_fixed_engine, with_chosen_engine, with_engine
from builder.usecases.build.typeset import (
    TRIM,
    RenderedCards,
    compose_face_pages,
    render_cards,
    select_languages,
)
from builder.usecases.sight import Picture, Seen, Sight

WATCH_TIMEOUT_MS = 100
"""Ms after which a look that found nothing ends."""
DEBOUNCE_STEP_MS = 15
"""Ms without another change until a save counts as whole: editors empty a file before they fill it."""
MAX_DEBOUNCE_MS = 300
"""Ms after which what was saved is told though more is being saved."""
_SKIPPED = frozenset({"releases", "rosters"})
"""Folders of a pack that hold no part of a card as it is edited now."""


class Watched:
    """The files of one pack and the templates all packs share, and what changes among them from now on."""

    def __init__(self, project: Project, pack: str) -> None:
        self._project = project
        pack_folders = (
            project.cards_dir(pack),
            project.templates_dir(pack),
            project.schemas_dir(pack),
        )
        self._folders = [
            folder for folder in (*pack_folders, project.base_templates) if folder.is_dir()
        ]
        self._changes = watch(
            *self._folders,
            watch_filter=lambda _, path: self._matters(path),
            debounce=MAX_DEBOUNCE_MS,
            step=DEBOUNCE_STEP_MS,
            rust_timeout=WATCH_TIMEOUT_MS,
            yield_on_timeout=True,
        )
        next(self._changes)  # only then is it looking

    def _matters(self, path: str) -> bool:
        """False for hidden files and editors' copies."""
        for folder in self._folders:
            if Path(path).is_relative_to(folder):
                parts = Path(path).relative_to(folder).parts
                is_hidden = any(part.startswith(".") or part.endswith("~") for part in parts)
                return not is_hidden and _SKIPPED.isdisjoint(parts)
        return True

    def list_latest(self) -> tuple[str, ...]:
        """Return all files as findings name them, the last saved first."""
        changed_at: dict[Path, int] = {}
        for folder in self._folders:
            for path in folder.rglob("*"):
                if self._matters(str(path)) and path.is_file():
                    changed_at[path] = path.stat().st_mtime_ns
        paths = sorted(changed_at, key=lambda path: -changed_at[path])
        return tuple(map(self._project.relative, paths))

    def wait_for_save(self) -> tuple[str, ...]:
        """The files that came, went or changed since the last call, once nobody is writing them any more.

        Waits a moment for the first; nothing where there is none by then. Raises KeyboardInterrupt.
        """
        changes = next(self._changes)
        passing = {
            path
            for change, path in changes
            if change is Change.added and (Change.deleted, path) in changes
        }
        paths = {
            Path(path) for _, path in changes if not (path in passing and not Path(path).exists())
        }
        return tuple(sorted(self._project.relative(path) for path in paths if not path.is_dir()))


View: TypeAlias = tuple[str, str]
"""A card in a language: what is shown."""
Owners: TypeAlias = Mapping[str, frozenset[tuple[str, str | None]]]
"""By file, whose text it holds: a card and the language of a translation, None for the card's own file."""
MAX_SHOWN_CARDS = 8
"""So many cards are shown at once: what a save touches beyond that is not looked at, and would make everyone wait."""
UNDRAWN_FILES = ("rules.yaml", "gauges.yaml", "migrations.yaml", "products.yaml")
"""Files of a pack that no face draws on; they are judged all the same."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What a save touched: texts of single cards, the looks of whole kinds, or (`everything`) what all cards share."""

    texts: tuple[tuple[str, str | None], ...] = ()
    kinds: frozenset[str] = frozenset()
    everything: bool = False


def find_owners(loaded: LoadedPack, before: Owners | None = None) -> Owners:
    """The owners of a pack's files. A file that cannot be read now keeps those it had `before`."""
    owners_by_file: dict[str, set[tuple[str, str | None]]] = {}
    for card, document in loaded.documents.items():
        owners_by_file.setdefault(document.file, set()).add((card, None))
    for (lang, card), document in loaded.translations.items():
        owners_by_file.setdefault(document.file, set()).add((card, lang))
    return {**(before or {}), **{file: frozenset(cards) for file, cards in owners_by_file.items()}}


def find_touched(
    paths: Iterable[str], pack: str, kinds: Iterable[str], known_owners: Owners
) -> Touched:
    """Return what these files touch; paths are as in findings, from the project's root."""
    texts: set[tuple[str, str | None]] = set()
    restyled: set[str] = set()
    everything = False
    possible = frozenset(kinds)
    for path in paths:
        parts = PurePosixPath(path).parts
        if path in known_owners:
            texts |= known_owners[path]
        elif parts[:2] == ("templates", pack) and len(parts) > 3 and parts[2] in possible:
            restyled.add(parts[2])
        elif parts[:2] == ("schemas", pack):
            restyled |= {name for name in possible if parts[-1] == f"{name}.schema.json"}
        elif parts[:2] == (
            "cards",
            pack,
        ):  # all cards may draw on pictures and on the pack's own files
            everything |= parts[2:3] == ("art",) or (
                len(parts) == 3 and parts[2] not in UNDRAWN_FILES
            )
        else:  # the program's templates lie in the project (a checkout) or outside of it
            is_shared = parts[:2] in (("templates", pack), ("templates", "base"))
            everything |= is_shared or PurePosixPath(path).is_absolute()
    return Touched(
        tuple(sorted(texts, key=lambda text: (text[0], text[1] or ""))),
        frozenset(restyled),
        everything,
    )


def _list_edited_views(touched: Touched, langs: Sequence[str], source: str) -> list[View]:
    """Return the edited cards: a card's own file in all languages, a translation in its own."""
    views: list[View] = []
    for card, edited_lang in touched.texts:
        edited_langs = langs or (edited_lang or source,)
        views += [(card, lang) for lang in edited_langs if edited_lang in (None, lang)]
    return views


def choose_views(
    touched: Touched, shown: Sequence[View], pack: Pack, langs: Sequence[str]
) -> tuple[View, ...]:
    """Return what to render and show after a save; nothing if no shown card looks different.

    An edited card is shown in all of `langs`. Without any, its own file is shown in the source language, a translation
    in its language. For files that many cards share, the shown cards are rendered again, or the first of a kind.
    """
    source = pack.manifest.languages.source
    views = _list_edited_views(touched, langs, source)
    if views:
        return tuple(dict.fromkeys(views))[:MAX_SHOWN_CARDS]
    if touched.everything:
        return tuple(shown)
    for card, lang in shown:
        if card in pack.cards and pack.cards[card].kind in touched.kinds:
            views.append((card, lang))
    if views:
        return tuple(views)
    lang = (*langs, source)[0]
    for kind in pack.manifest.kinds:
        if kind in touched.kinds:
            views += [(card.id, lang) for card in islice(pack.list_cards_of_kind(kind), 1)]
    return tuple(views)[:MAX_SHOWN_CARDS]


DPI = 144


@dataclass
class Watch:
    """One pack under watch. `langs` empty: each card in the language that was edited."""

    project: Project
    pack: str
    langs: tuple[str, ...] = ()
    engine: EngineName | None = None
    engine_choice: EngineChoice | None = None
    """Set if neither an option nor pack.yaml names the engine."""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """PNG by digest: those in sight, and those of the sight before."""

    _loaded: LoadedPack | None = None
    _known: KnownCards = field(default_factory=dict)
    _owners: Owners = field(default_factory=dict)
    _seen: dict[View, Seen] = field(default_factory=dict)
    _sight: Sight = field(default_factory=Sight)
    _endless: tuple[Finding, ...] = ()
    """Files with which nothing is set: it could take all memory or time."""

    def begin(self, latest: Iterable[str]) -> Sight:
        """Show the card that was saved last. UsageError where the pack or a language is unknown."""
        loaded = self._load()
        self._look()
        if loaded.pack is not None and self.langs:
            self.langs = select_languages(with_choice_keywords(loaded.pack), self.langs)
        return self.update([path for path in latest if path in self._owners][:1])

    def warm(self) -> None:
        """Render a card of each kind and discard the faces, so that the first save is as fast as the next."""
        if self._loaded is None or self._loaded.pack is None or self._endless:
            return
        pack = with_choice_keywords(self._loaded.pack)
        renderer = Renderer(
            pack, make_places(self.project, self.pack), engine=self.engine or "", workers=1
        )
        lang = (*self.langs, pack.manifest.languages.source)[0]
        for kind in pack.manifest.kinds:
            for card in islice(pack.list_cards_of_kind(kind), 1):
                renderer.warm_up(list_card_jobs(renderer, card, lang, "full"))
        gc.freeze()  # what is there now stays: every later search for garbage would look through all of it

    def update(self, paths: Iterable[str]) -> Sight:
        """Set and show what these files touch. Whatever goes wrong is told in the sight; the last pictures stay."""
        start = time.monotonic()
        try:
            sight = self._update(tuple(paths), self._load())
        except ToolMissing:
            raise
        except SquadpressError as error:
            message = join_messages(
                map(Message, filter(None, (error.message, error.remedy))), _("{first} {rest}")
            )
            sight = replace(self._sight, trouble=message)
        except Exception as error:  # whoever edits must not lose the watch to a flaw of the program
            sight = replace(
                self._sight,
                trouble=_("the program failed: {error}", error=str(error) or type(error).__name__),
            )
        self._sight = replace(
            sight, number=self._sight.number + 1, took=round(1000 * (time.monotonic() - start))
        )
        return self._sight

    def check(self) -> Sight:
        """Return the same sight with all findings of the checks; after the picture, so that nobody waits for it."""
        if self._loaded is not None and not self._sight.trouble:
            looks = (
                check_appearance(self.project, self._loaded)
                if self._loaded.pack is not None
                else ()
            )
            findings = sort_findings((*self._sight.findings, *judge_pack(self._loaded), *looks))
            self._sight = replace(self._sight, findings=findings, number=self._sight.number + 1)
        return self._sight

    def _look(self) -> None:
        """See whether anything may be set with the files that shape cards."""
        self._endless = tuple(
            finding
            for finding in check_appearance_files(self.project, self.pack)
            if finding.code in ENDLESS
        )

    def _load(self) -> LoadedPack:
        """Read the pack. Forget what belonged to removed files."""
        loaded = self._with_engine(load_pack(self.project, self.pack, self._known))
        existing = {
            file: texts
            for file, texts in self._owners.items()
            if (self.project.root / file).exists()
        }
        self._loaded, self._owners = loaded, find_owners(loaded, existing)
        cards: set[str] = set()
        for texts in self._owners.values():
            cards.update(card for card, lang in texts if lang is None)
        self._seen = {view: seen for view, seen in self._seen.items() if view[0] in cards}
        shown_cards = tuple(seen for seen in self._sight.cards if seen.card in cards)
        self._sight = replace(self._sight, cards=shown_cards)
        return loaded

    def _with_engine(self, loaded: LoadedPack) -> LoadedPack:
        """Fix the engine of the pack. It is chosen once: a watch that is restarted chooses again."""
        if loaded.pack is None:
            return loaded
        if self.engine is None:
            spots = make_places(self.project, self.pack)
            loaded, self.engine_choice = with_chosen_engine(spots, loaded)
            self.engine = get_fixed_engine(loaded.whole)
        return with_engine(loaded, self.engine)

    def _update(self, paths: tuple[str, ...], loaded: LoadedPack) -> Sight:
        """The sight after a save. One that touches no card may still mend a card that could not be set before."""
        shown_views = tuple((seen.card, seen.lang) for seen in self._sight.cards)
        if not all(path.endswith(".yaml") for path in paths):
            self._look()
        if loaded.pack is None:
            return self._show(shown_views, {}, loaded.findings)
        what = find_touched(paths, self.pack, loaded.pack.manifest.kinds, self._owners)
        return self._render(
            choose_views(what, shown_views, loaded.pack, self.langs) or shown_views, loaded
        )

    def _render(self, views: tuple[View, ...], loaded: LoadedPack) -> Sight:
        """Render these cards. A card whose own files are broken keeps its last picture."""
        findings, rendered = [*loaded.findings, *self._endless], dict[View, Seen]()
        intact_views = self._list_intact_views(views, loaded)
        for lang in dict.fromkeys(lang for _card, lang in intact_views):
            ids = ",".join(card for card, card_lang in intact_views if card_lang == lang)
            select = Selection(langs=(lang,), only=(ids,), engine=self.engine)
            result = render_cards(
                self.project, loaded, select, WorkerPool(0), unset=bool(self._endless)
            )
            findings += result.rendered.findings
            for card in result.list_cards(lang):
                seen = self._take_pictures(result, card, lang)
                if seen is not None:
                    rendered[card.id, lang] = seen
        return self._show(views, rendered, sort_findings(findings))

    def _list_intact_views(self, views: Iterable[View], loaded: LoadedPack) -> list[View]:
        """Return the cards whose own files have no errors."""
        errors = filter(lambda finding: has_errors((finding,)), loaded.findings)
        broken_texts: set[tuple[str, str | None]] = set()
        for finding in errors:
            broken_texts |= self._owners.get(finding.location.file or "", frozenset())
        return [
            (card, lang)
            for card, lang in views
            if card in loaded.whole.cards and broken_texts.isdisjoint(((card, None), (card, lang)))
        ]

    def _take_pictures(self, result: RenderedCards, card: Card, lang: str) -> Seen | None:
        """Return the pictures of a card; None if one of its faces could not be rendered."""
        renderer, keys = result.renderer, result.rendered.keys
        kind = renderer.pack.manifest.kinds[card.kind]
        faces = []
        for side in kind.faces:
            layers = list_layers(renderer, card, side, lang, "full")
            if any(job not in keys for job in layers):
                return None
            faces.append((tuple(keys[job] for job in layers), kind.size))
        pictures = []
        with (
            compose_face_pages(renderer, TRIM, faces, card.id) as path,
            open_document(path) as document,
        ):
            for index, side in enumerate(kind.faces):
                image = document[index].render(scale=DPI / 72).to_pil().convert("RGB")
                buffer = BytesIO()
                # The browser is on this computer: time counts, not size.
                image.save(buffer, "PNG", compress_level=1)
                data = buffer.getvalue()
                digest = hashlib.sha256(data).hexdigest()[:24]
                self.pictures[digest] = data
                pictures.append(Picture(side, digest, image.width, image.height))
        return Seen(card.id, lang, localize_card(renderer.pack, card, lang)[0], tuple(pictures))

    def _show(
        self, views: tuple[View, ...], rendered: Mapping[View, Seen], findings: tuple[Finding, ...]
    ) -> Sight:
        """Show these cards. Those not rendered now have their last picture, marked as stale."""
        kept_digests = _list_digests(self._sight.cards)
        self._seen |= rendered
        cards = []
        for view in views:
            last_seen = self._seen.get(view, Seen(*view, view[0]))
            cards.append(rendered.get(view) or replace(last_seen, stale=True))
        kept_digests |= _list_digests(self._seen.values())
        for digest in self.pictures.keys() - kept_digests:
            del self.pictures[digest]
        return replace(self._sight, cards=tuple(cards), findings=findings, trouble="")


def _list_digests(cards: Iterable[Seen]) -> set[str]:
    digests: set[str] = set()
    for seen in cards:
        digests.update(picture.digest for picture in seen.pictures)
    return digests
