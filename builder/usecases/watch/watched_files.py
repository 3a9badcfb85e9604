"""The files of a watched pack: which of them change, and which cards a change touches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from watchfiles import Change, watch

from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.packs.project import Project

WATCH_TIMEOUT_MS = 100
"""Waiting for a change ends after this time."""
DEBOUNCE_STEP_MS = 15
"""A save is complete after this time without a change: editors empty a file first."""
MAX_DEBOUNCE_MS = 300
"""Changes are reported after this time, even while files keep changing."""
_IGNORED_FOLDERS = frozenset({"releases", "rosters"})
"""Folders of a pack that shape no card."""


class WatchedFiles:
    """Watches the files of one pack and the shared templates for changes."""

    def __init__(self, project: Project, pack: str) -> None:
        self._project = project
        folders = (
            project.get_cards_dir(pack),
            project.get_templates_dir(pack),
            project.get_schemas_dir(pack),
            project.base_templates,
        )
        self._folders = [folder for folder in folders if folder.is_dir()]
        self._changes = watch(
            *self._folders,
            watch_filter=lambda _change, path: self._is_watched(path),
            debounce=MAX_DEBOUNCE_MS,
            step=DEBOUNCE_STEP_MS,
            rust_timeout=WATCH_TIMEOUT_MS,
            yield_on_timeout=True,
        )
        next(self._changes)  # watching starts with the first call

    def _is_watched(self, path: str) -> bool:
        """Return False for hidden files, editors' backup copies, releases and rosters."""
        for folder in self._folders:
            if Path(path).is_relative_to(folder):
                parts = Path(path).relative_to(folder).parts
                is_hidden = any(
                    part.startswith(".") or part.endswith("~") for part in parts
                )
                return not is_hidden and _IGNORED_FOLDERS.isdisjoint(parts)
        return True

    def list_latest_files(self) -> tuple[str, ...]:
        """Return the paths of all watched files, the last saved first."""
        times: dict[Path, int] = {}
        for folder in self._folders:
            for path in folder.rglob("*"):
                if self._is_watched(str(path)) and path.is_file():
                    times[path] = path.stat().st_mtime_ns
        paths = sorted(times, key=lambda path: -times[path])
        return tuple(self._project.shorten_path(path) for path in paths)

    def wait_for_save(self) -> tuple[str, ...]:
        """Wait a short time for changed files. Return their paths, or an empty tuple.

        It also waits until nothing more is written. Raise KeyboardInterrupt on Ctrl+C.
        """
        changes = next(self._changes)
        paths: set[str] = set()
        for _change, path in changes:
            # An editor's temporary file is added and deleted within one save.
            is_temporary = {(Change.added, path), (Change.deleted, path)} <= changes
            is_gone = is_temporary and not Path(path).exists()
            if not is_gone and not Path(path).is_dir():
                paths.add(self._project.shorten_path(Path(path)))
        return tuple(sorted(paths))


CardLang: TypeAlias = tuple[str, str]
"""A card in a language."""
CardText: TypeAlias = tuple[str, str | None]
"""A card, and the language of a translation; None for the card's own file."""
TextsByFile: TypeAlias = Mapping[str, frozenset[CardText]]
MAX_SHOWN_CARDS = 8
"""More cards would delay the first one too long."""
UNDRAWN_FILES = ("rules.yaml", "gauges.yaml", "migrations.yaml", "products.yaml")
"""Files of a pack that shape no face. They are checked too."""


@dataclass(frozen=True, slots=True)
class SavedParts:
    """The parts of a pack that were saved: texts of cards, whole kinds, or `everything`."""

    texts: tuple[CardText, ...] = ()
    kinds: frozenset[str] = frozenset()
    everything: bool = False


def list_texts_by_file(
    loaded: LoadedPack, earlier: TextsByFile | None = None
) -> TextsByFile:
    """Return the card texts that each file of a pack contains.

    A file that is broken now keeps its earlier texts.
    """
    texts_by_file: dict[str, set[CardText]] = {}
    for card, document in loaded.documents.items():
        texts_by_file.setdefault(document.file, set()).add((card, None))
    for (lang, card), document in loaded.translations.items():
        texts_by_file.setdefault(document.file, set()).add((card, lang))
    frozen_texts = {file: frozenset(texts) for file, texts in texts_by_file.items()}
    return {**(earlier or {}), **frozen_texts}


def find_saved_parts(
    paths: Iterable[str], pack: str, kinds: Iterable[str], texts_by_file: TextsByFile
) -> SavedParts:
    """Find out which parts of a pack the saved files contain.

    Paths start at the project's root.
    """
    texts: set[CardText] = set()
    saved_kinds: set[str] = set()
    everything = False
    all_kinds = frozenset(kinds)
    for path in paths:
        parts = PurePosixPath(path).parts
        if path in texts_by_file:
            texts |= texts_by_file[path]
        elif (
            parts[:2] == ("templates", pack)
            and len(parts) > 3
            and parts[2] in all_kinds
        ):
            saved_kinds.add(parts[2])
        elif parts[:2] == ("schemas", pack):
            saved_kinds |= {
                kind for kind in all_kinds if parts[-1] == f"{kind}.schema.json"
            }
        else:
            everything |= _affects_all_cards(path, pack)
    # A card's own file has no language, and None cannot be compared with a text.
    sorted_texts = sorted(texts, key=lambda text: (text[0], text[1] or ""))
    return SavedParts(tuple(sorted_texts), frozenset(saved_kinds), everything)


def _affects_all_cards(path: str, pack: str) -> bool:
    """Return True if all cards of the pack may depend on a file."""
    parts = PurePosixPath(path).parts
    if parts[:2] == ("cards", pack):
        is_pack_file = len(parts) == 3 and parts[2] not in UNDRAWN_FILES
        return is_pack_file or parts[2] == "art"
    # The program's templates lie in the project (a checkout) or outside of it.
    is_template = parts[:2] in (("templates", pack), ("templates", "base"))
    return is_template or PurePosixPath(path).is_absolute()


def choose_shown_cards(
    saved: SavedParts, shown_cards: Sequence[CardLang], pack: Pack, langs: Sequence[str]
) -> tuple[CardLang, ...]:
    """Choose the cards to render and show after a save. Empty if none looks different.

    An edited card is shown in all of `langs`. Without `langs`, a card's own file is shown in the
    source language, a translation in its language. For files that many cards share, the shown
    cards are rendered again, else the first card of a kind.
    """
    source = pack.manifest.languages.source
    cards = _list_edited_cards(saved, langs, source)
    if cards:
        return tuple(dict.fromkeys(cards))[:MAX_SHOWN_CARDS]
    if saved.everything:
        return tuple(shown_cards)
    for card, lang in shown_cards:
        if card in pack.cards and pack.cards[card].kind in saved.kinds:
            cards.append((card, lang))
    if cards:
        return tuple(cards)
    lang = (*langs, source)[0]
    for kind in pack.manifest.kinds:
        if kind in saved.kinds:
            cards += [
                (card.id, lang) for card in islice(pack.list_cards_of_kind(kind), 1)
            ]
    return tuple(cards)[:MAX_SHOWN_CARDS]


def _list_edited_cards(
    saved: SavedParts, langs: Sequence[str], source: str
) -> list[CardLang]:
    """Return the (card, language) pairs whose own texts were edited."""
    cards: list[CardLang] = []
    for card, text_lang in saved.texts:
        possible_langs = langs or (text_lang or source,)
        cards += [(card, lang) for lang in possible_langs if text_lang in (None, lang)]
    return cards
