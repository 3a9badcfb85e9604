"""Build printable files: choose cards, set their faces, compose sheets, write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from builder.errors import UsageError
from builder.findings import Finding, has_errors, in_order
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.profile import Paper, Profile
from builder.model.spelling import suggestion
from builder.render.jobs import Places, Variant
from builder.render.press import Press
from builder.roster.chosen import original, spoken
from builder.store.profiles import load_profile
from builder.store.project import Project
from builder.usecases.compose import Built, group_cards, jobs_of, write_file
from builder.usecases.opening import open_pack
from builder.usecases.select import chosen_cards, roster_cards

A4 = Paper(width=210, height=297)

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
class BuildResult:
    """What a build did. With an error among the findings no file was written.

    `pages` are the keys of pages that follow the cards, by language.
    """

    files: tuple[Built, ...] = ()
    findings: tuple[Finding, ...] = ()
    fresh: int = 0
    known: int = 0
    pages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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
    extra = _squad_sheets(press, project, options, profile, langs)
    if has_errors(extra.findings):
        return extra
    files = []
    for lang in langs:
        groups = group_cards(press, orders[lang], lang, options.variant, keys)
        path = folder / file_name(pack_id, lang, options)
        files.append(write_file(press, project, profile, groups, extra.pages.get(lang, ()), path, lang))
    findings = (*pressed.findings, *extra.findings)
    result = BuildResult(tuple(files), findings, pressed.fresh + extra.fresh, pressed.known)
    return _with_gauges(project, loaded, options, profile, result)


def _squad_sheets(
    press: Press, project: Project, options: BuildOptions, profile: Profile, langs: Sequence[str]
) -> BuildResult:
    """The squad's sheet in each language, as the result's `pages`; nothing without a squad."""
    if options.roster is None:
        return BuildResult()
    from builder.render.flow import set_flow
    from builder.usecases.roster_check import Bench, judge_roster
    from builder.usecases.squadsheet import squad_sheet

    bench = Bench(project, options.as_of)
    pages: dict[str, tuple[str, ...]] = {}
    findings: list[Finding] = []
    fresh = 0
    for lang in langs:
        sheet = squad_sheet(judge_roster(bench, options.roster, lang))
        if sheet is not None:
            values = {"sheet": asdict(sheet), "faction": sheet.faction}
            flow = set_flow(press, "squad", profile.paper or A4, lang, values)
            pages[lang] = flow.keys
            findings += flow.findings
            fresh += flow.fresh
    return BuildResult(findings=in_order(findings), fresh=fresh, pages=pages)


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


def file_name(pack_id: str, lang: str, options: BuildOptions) -> str:
    """The stable name of a file: a part of a set never overwrites the whole."""
    parts = [options.roster.stem if options.roster else pack_id, lang, options.profile.replace(":", "-")]
    parts += [options.as_of] if options.as_of else []
    parts += ["ink"] if options.variant == "ink" else []
    for only in options.only:
        parts.append("".join(sign if sign.isalnum() else "-" for sign in only).strip("-"))
    return "-".join(parts) + ".pdf"


def collect(results: Sequence[BuildResult]) -> tuple[Finding, ...]:
    """The findings of several builds together."""
    return in_order(finding for result in results for finding in result.findings)
