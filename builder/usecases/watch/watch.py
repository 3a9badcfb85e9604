"""A pack watched while it is edited: what a save touches is set again by an engine that stays warm, and pictured."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice

from builder.errors import SquadpressError, ToolMissing
from builder.findings import Finding, has_errors, in_order
from builder.messages import Message, joined
from builder.messages import gettext as _
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.render.html.view import localised
from builder.render.renderer import Renderer
from builder.report.pages import Picture, Seen, Sight
from builder.roster.chosen import with_choice_keywords
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.build.options import Selection, WorkerPool
from builder.usecases.build.screens import TRIM
from builder.usecases.build.typeset import SetCards, face_pages, jobs_of, languages, layers, places, set_cards
from builder.usecases.watch.touched import Owners, View, owners, touched, views

DPI = 144


@dataclass
class Watch:
    """One pack under watch. `langs` empty: each card in the language that was edited."""

    project: Project
    pack: str
    langs: tuple[str, ...] = ()
    pictures: dict[str, bytes] = field(default_factory=dict)
    """PNG by digest: those in sight, and those of the sight before."""

    _loaded: LoadedPack | None = None
    _owners: Owners = field(default_factory=dict)
    _seen: dict[View, Seen] = field(default_factory=dict)
    _sight: Sight = field(default_factory=Sight)

    def begin(self, latest: Iterable[str]) -> Sight:
        """Show the card that was saved last. UsageError where the pack or a language is unknown."""
        loaded = self._load()
        if loaded.pack is not None and self.langs:
            self.langs = languages(with_choice_keywords(loaded.pack), self.langs)
        return self.saved([path for path in latest if path in self._owners][:1])

    def warm(self) -> None:
        """Set a card of each kind and throw the faces away, so that the first save is as fast as the next."""
        if self._loaded is None or self._loaded.pack is None:
            return
        pack = with_choice_keywords(self._loaded.pack)
        renderer = Renderer(pack, places(self.project, self.pack), workers=1)
        lang = (*self.langs, pack.manifest.languages.source)[0]
        for kind in pack.manifest.kinds:
            for card in islice(pack.of_kind(kind), 1):
                renderer.warm(jobs_of(renderer, card, lang, "full"))
        gc.freeze()  # what is there now stays: every later search for garbage would look through all of it

    def saved(self, paths: Iterable[str]) -> Sight:
        """Set and show what these files touch. Whatever goes wrong is told in the sight; the last pictures stay."""
        start = time.monotonic()
        try:
            sight = self._after(tuple(paths), self._load())
        except ToolMissing:
            raise
        except SquadpressError as error:
            sight = replace(
                self._sight,
                trouble=joined(map(Message, filter(None, (error.message, error.remedy))), _("{first} {rest}")),
            )
        except Exception as error:  # whoever edits must not lose the watch to a flaw of the program
            sight = replace(
                self._sight, trouble=_("unexpected {sort}: {error}", sort=type(error).__name__, error=error)
            )
        self._sight = replace(sight, number=self._sight.number + 1, took=round(1000 * (time.monotonic() - start)))
        return self._sight

    def judged(self) -> Sight:
        """The same sight with all that the checks find in the pack; after the picture, so that nobody waits for it."""
        from builder.checks.registry import judge_pack

        if self._loaded is not None and not self._sight.trouble:
            found = in_order((*self._sight.findings, *judge_pack(self._loaded)))
            self._sight = replace(self._sight, findings=found, number=self._sight.number + 1)
        return self._sight

    def _load(self) -> LoadedPack:
        loaded = load_pack(self.project, self.pack)
        self._loaded, self._owners = loaded, owners(loaded, self._owners)
        return loaded

    def _after(self, paths: tuple[str, ...], loaded: LoadedPack) -> Sight:
        """The sight after a save. One that touches no card may still mend a card that could not be set before."""
        shown = tuple((seen.card, seen.lang) for seen in self._sight.cards)
        if loaded.pack is None:
            return self._show(shown, {}, loaded.findings)
        what = touched(paths, self.pack, loaded.pack.manifest.kinds, self._owners)
        return self._set(views(what, shown, loaded.pack, self.langs) or shown, loaded)

    def _set(self, wanted: tuple[View, ...], loaded: LoadedPack) -> Sight:
        """Set these cards' faces. A card whose own files are broken is left as it was."""
        assert loaded.pack is not None
        findings, fresh = list(loaded.findings), dict[View, Seen]()
        broken = {finding.location.file for finding in loaded.findings if has_errors((finding,))}
        whole = [view for view in wanted if view[0] in loaded.pack.cards and not broken & self._files(view)]
        for lang in dict.fromkeys(lang for _unused, lang in whole):
            ids = ",".join(card for card, own in whole if own == lang)
            made = set_cards(self.project, loaded, Selection(langs=(lang,), only=(ids,)), WorkerPool(1))
            findings += made.rendered.findings
            fresh |= {(card.id, lang): seen for card in made.orders[lang] if (seen := self._picture(made, card, lang))}
        return self._show(wanted, fresh, in_order(findings))

    def _files(self, view: View) -> set[str | None]:
        """The files a card's text lies in."""
        return {file for file, whose in self._owners.items() if (view[0], None) in whose or view in whose}

    def _picture(self, made: SetCards, card: Card, lang: str) -> Seen | None:
        """The pictures of a card; None where one of its faces could not be set."""
        from builder.render.prepress.raster import opened

        renderer, keys = made.renderer, made.keys
        kind = renderer.pack.manifest.kinds[card.kind]
        jobs = [layers(renderer, card, side, lang, "full") for side in kind.faces]
        if any(job not in keys for stack in jobs for job in stack):
            return None
        faces = [(tuple(keys[job] for job in stack), kind.size) for stack in jobs]
        pictures = []
        with face_pages(renderer, TRIM, faces, card.id) as path, opened(path) as document:
            for index, side in enumerate(kind.faces):
                image = document[index].render(scale=DPI / 72).to_pil().convert("RGB")
                out = BytesIO()
                image.save(out, "PNG", compress_level=1)  # the browser is near: time counts, not size
                data = out.getvalue()
                digest = hashlib.sha256(data).hexdigest()[:24]
                self.pictures[digest] = data
                pictures.append(Picture(side, digest, image.width, image.height))
        return Seen(card.id, lang, localised(renderer.pack, card, lang)[0], tuple(pictures))

    def _show(self, wanted: tuple[View, ...], fresh: Mapping[View, Seen], findings: tuple[Finding, ...]) -> Sight:
        """Put these cards into sight; those not set now with their last picture, marked as stale."""
        before = {picture.digest for seen in self._sight.cards for picture in seen.pictures}
        self._seen |= fresh
        cards = tuple(
            fresh.get(view) or replace(self._seen.get(view, Seen(*view, view[0])), stale=True) for view in wanted
        )
        kept = before | {picture.digest for seen in self._seen.values() for picture in seen.pictures}
        for digest in self.pictures.keys() - kept:
            del self.pictures[digest]
        return replace(self._sight, cards=cards, findings=findings, trouble="")
