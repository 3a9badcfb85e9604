"""The state of translations, and taking in what a translator filled."""

from __future__ import annotations

from pathlib import Path

from builder.errata.snapshot import Snapshot
from builder.errata.translations import Coverage, coverage, filled
from builder.errors import InputUnreadable, UsageError
from builder.files import write_atomic
from builder.messages import gettext as _
from builder.model.base import Json, lookup
from builder.model.card import source_hash
from builder.model.words import suggestion
from builder.store.project import Project
from builder.store.yaml import parse_document
from builder.store.yaml_edit import YamlText
from builder.usecases.files import PackFiles
from builder.usecases.storage import PackStorage, working


def coverages(packs: PackStorage, pack: str, langs: tuple[str, ...] = ()) -> tuple[Coverage, ...]:
    """The asked languages, or all translations of the pack. UsageError for one it does not have."""
    state = working(packs, pack)[0]
    known = state.languages[1:]
    for lang in langs:
        if lang not in known:
            message = _("{pack} is not translated into {lang}", pack=pack, lang=lang)
            raise UsageError(message, suggestion(lang, known, _("Its translations")))
    releases = packs.releases(pack)
    older = [releases.load(release.version)[0] for release in reversed(releases.all())]
    return tuple(coverage(state, lang, older) for lang in langs or known)


def take(project: Project, pack: str, file: Path) -> tuple[tuple[str, int], ...]:
    """Put filled texts into the translation files: each file that changed and how many strings it got.

    Raises InputUnreadable where the file is no such form, UsageError where it names what the pack does not have.
    """
    try:
        document, found = parse_document(file.read_bytes().decode("utf-8-sig"), file.name)
    except (OSError, UnicodeDecodeError) as error:
        message = _("{file} cannot be read", file=file)
        raise InputUnreadable(message, _("Name the file the translator filled.")) from error
    if document is None:
        raise InputUnreadable(_("{file}: {reason}", file=file, reason=found[0].message), found[0].hint)
    lang = lookup(document.value, ("lang",))
    state = working(PackFiles(project), pack)[0]
    if not isinstance(lang, str) or lang not in state.languages[1:]:
        message = _("{file} is for {lang!r}, which {pack} is not translated into", file=file, lang=lang, pack=pack)
        raise UsageError(message, _("Look at its line `lang:`."))
    by_card: dict[str, dict[str, Json]] = {}
    for card, path, text, same in filled(document.value):
        source = lookup(state.cards.get(card, {}), path.split("."))
        if not isinstance(source, str):
            message = _("{card} has no text {path}", card=card, path=path)
            raise UsageError(message, _("Make the file anew: the card changed since it was made."))
        entry: Json = {"text": text, "source": source_hash(source), **({"same": True} if same else {})}
        by_card.setdefault(card, {})[path] = entry
    return tuple(_write(project, pack, state, lang, card, strings) for card, strings in by_card.items())


def _write(
    project: Project, pack: str, state: Snapshot, lang: str, card: str, strings: dict[str, Json]
) -> tuple[str, int]:
    """One card's file, edited in place or begun."""
    kind = str(state.cards[card].get("kind"))
    folder = project.cards_dir(pack) / "i18n" / lang
    path = next(iter(sorted(folder.rglob(f"{card}.yaml"))), folder / kind / f"{card}.yaml")
    name = project.relative(path)
    schema = "../" * len(path.relative_to(project.root).parents)
    begun = (
        f"# yaml-language-server: $schema={schema[3:]}schemas/core/translation.schema.json\nid: {card}\nstrings: {{}}\n"
    )
    text = path.read_bytes().decode("utf-8") if path.is_file() else begun
    edit = YamlText(text, name)
    for where, entry in strings.items():
        edit.put(("strings",), where, entry)
    write_atomic(path, edit.text.encode("utf-8"))
    return name, len(strings)
