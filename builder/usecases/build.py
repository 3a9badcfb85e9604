"""Build printable files: choose cards, set their faces, compose sheets, write them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from builder.errors import UsageError
from builder.findings import Finding, has_errors, in_order
from builder.model.card import Card
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack, Size
from builder.model.profile import Profile
from builder.model.spelling import suggestion
from builder.render.jobs import FaceJob, Places, Variant
from builder.render.press import Press, frame_of
from builder.roster.chosen import original, spoken
from builder.store.atomic import write_atomic
from builder.store.profiles import load_profile
from builder.store.project import Project
from builder.usecases.opening import open_pack
from builder.usecases.select import chosen_cards, roster_cards

if TYPE_CHECKING:
    from builder.render.sheets import Group

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What is asked for. `langs` empty: all languages of the pack."""

    langs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    roster: Path | None = None
    profile: str = "home-a4"
    variant: Variant = "full"
    output: Path | None = None
    as_of: str | None = None
    workers: int = 2
    gauges: Literal["with", "only"] = "with"


@dataclass(frozen=True, slots=True)
class Built:
    """One finished file. `changed` is False where it was there already, byte for byte."""

    path: Path
    pages: int
    cards: int
    changed: bool
    unit: str = "cards"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did. With an error among the findings no file was written."""

    files: tuple[Built, ...] = ()
    findings: tuple[Finding, ...] = ()
    fresh: int = 0
    known: int = 0


def build_pack(project: Project, pack_id: str, options: BuildOptions, progress: Progress | None = None) -> BuildResult:
    """Build one pack (or one squad of it) in each language."""
    loaded = open_pack(project, pack_id, options.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return BuildResult(findings=loaded.findings)
    pack, profile = spoken(loaded.pack), load_profile(project, options.profile)
    langs = languages(pack, options.langs)
    if options.gauges == "only":
        return _with_gauges(project, loaded, options, profile, BuildResult())
    if options.roster is not None:
        pack, squad = roster_cards(project, pack, options.roster)
        orders = dict.fromkeys(langs, squad)
    else:
        orders = {lang: chosen_cards(pack, options.only, lang) for lang in langs}
    press = Press(pack, places(project, pack_id), _files(loaded, pack), workers=options.workers)
    wanted = [job for lang in langs for card in orders[lang] for job in jobs_of(press, card, lang, options.variant)]
    pressed = press.press(wanted, progress)
    if has_errors(pressed.findings):
        return BuildResult(findings=pressed.findings, fresh=pressed.fresh, known=pressed.known)
    folder = options.output or project.output_dir(pack_id)
    keys = {job: facts.key for job, facts in pressed.faces.items()}
    files = []
    for lang in langs:
        groups = group_cards(press, orders[lang], lang, options.variant, keys)
        path = folder / file_name(pack_id, lang, options)
        files.append(_write(press, project, profile, groups, path, lang))
    return _with_gauges(
        project, loaded, options, profile, BuildResult(tuple(files), pressed.findings, pressed.fresh, pressed.known)
    )


def _with_gauges(
    project: Project, loaded: LoadedPack, options: BuildOptions, profile: Profile, result: BuildResult
) -> BuildResult:
    """The result with the pack's gauges: with a whole set printed at home, or where only they are asked for."""
    from builder.usecases.gauges import build_gauges, paper_name

    assert loaded.pack is not None
    part = options.roster is not None or bool(options.only) or profile.layout != "sheets"
    if part and options.gauges != "only":
        return result
    langs = languages(loaded.pack, options.langs)
    made = build_gauges(project, loaded, langs, paper_name(profile), options.output, save_ink=options.variant == "ink")
    files = tuple(Built(file.path, file.pages, file.pieces, file.changed, "gauges and tokens") for file in made.files)
    return replace(result, files=result.files + files, findings=result.findings + made.findings)


def languages(pack: Pack, asked: Sequence[str]) -> tuple[str, ...]:
    """The asked languages; all where none or `all` is asked. UsageError for one the pack does not have."""
    known = pack.manifest.languages.all
    if "all" in asked:
        return known
    for lang in asked:
        if lang not in known:
            raise UsageError(f"the pack {pack.id} has no language {lang!r}", suggestion(lang, known, "Its languages"))
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


def _files(loaded: LoadedPack, pack: Pack) -> Mapping[tuple[str, str], str]:
    """Where each card's text lies in each language; a chosen card's lies where its original's does."""
    source = pack.manifest.languages.source
    files = {(card, source): document.file for card, document in loaded.documents.items()}
    files |= {(card, lang): document.file for (lang, card), document in loaded.translations.items()}
    langs = pack.manifest.languages.all
    return {(card, lang): files[place] for card in pack.cards for lang in langs
            if (place := (original(card), lang)) in files}  # fmt: skip


def jobs_of(press: Press, card: Card, lang: str, variant: Variant) -> list[FaceJob]:
    """All faces one card needs: its own, the frames under them, a shared back."""
    return [
        job for side in press.pack.manifest.kinds[card.kind].faces for job in layers(press, card, side, lang, variant)
    ]


def layers(press: Press, card: Card, side: str, lang: str, variant: Variant) -> list[FaceJob]:
    """The layers of one printed face, the lowest first."""
    kind = press.pack.manifest.kinds[card.kind]
    name = "back" if side == "back" else "front"
    common = name == "back" and kind.back == "common"
    found = []
    if press.templates.exists(f"{card.kind}/{name}.frame.html.j2"):
        frame = () if common else frame_of(press.pack, card.kind, card.id)
        found.append(FaceJob(card.kind, name, lang, variant, frame=frame))  # type: ignore[arg-type]
    found.append(FaceJob(card.kind, name, lang, variant, card=None if common else card.id))  # type: ignore[arg-type]
    return found


def group_cards(
    press: Press, cards: Sequence[Card], lang: str, variant: Variant, keys: Mapping[FaceJob, str]
) -> tuple[Group, ...]:
    """Cards of one size together, sheets for the table apart, in order of first appearance."""
    from builder.layout.imposition import Pair
    from builder.render.sheets import Group

    found: dict[tuple[Size, bool], list[Pair[tuple[str, ...]]]] = {}
    for card in cards:
        kind = press.pack.manifest.kinds[card.kind]
        stacks = {side: tuple(keys[job] for job in layers(press, card, side, lang, variant)) for side in kind.faces}
        front = stacks.get("front") or stacks["back"]
        back = stacks.get("back") if "front" in stacks else None
        found.setdefault((kind.size, kind.table), []).append(Pair(front, back))
    return tuple(Group(size, tuple(pairs)) for (size, _), pairs in found.items())


def file_name(pack_id: str, lang: str, options: BuildOptions) -> str:
    """The stable name of a file: a part of a set never overwrites the whole."""
    parts = [options.roster.stem if options.roster else pack_id, lang, options.profile.replace(":", "-")]
    parts += [options.as_of] if options.as_of else []
    parts += ["ink"] if options.variant == "ink" else []
    for only in options.only:
        parts.append("".join(sign if sign.isalnum() else "-" for sign in only).strip("-"))
    return "-".join(parts) + ".pdf"


def _write(press: Press, project: Project, profile: Profile, groups: Sequence[Group], path: Path, lang: str) -> Built:
    """Compose and write one file, unless the very same one is there already."""
    title = f"{press.words(lang).pack_name} ({lang})"
    wanted = hashlib.sha256(repr((profile.model_dump_json(), groups, title, _composer_hash())).encode()).hexdigest()
    stamp = project.cache_dir / "outputs" / (hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32] + ".json")
    cards = sum(len(group.pairs) for group in groups)
    try:
        known = json.loads(stamp.read_bytes())
        if known["wanted"] == wanted and known["sha"] == hashlib.sha256(path.read_bytes()).hexdigest():
            return Built(path, known["pages"], cards, False)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    from builder.render.sheets import Composer

    document = Composer(press.cache, project.cache_dir, press.icons.path, profile, title, title).compose(groups)
    same = path.is_file() and path.read_bytes() == document.data
    if not same:
        write_atomic(path, document.data)
    sha = hashlib.sha256(document.data).hexdigest()
    write_atomic(stamp, json.dumps({"wanted": wanted, "sha": sha, "pages": document.pages}).encode())
    return Built(path, document.pages, cards, not same)


def _composer_hash() -> str:
    """Changes with the program's way of composing, so that an older program's file is not taken for its own."""
    from builder.render.keys import engine_hash

    return engine_hash()


def collect(results: Sequence[BuildResult]) -> tuple[Finding, ...]:
    """The findings of several builds together."""
    return in_order(finding for result in results for finding in result.findings)
