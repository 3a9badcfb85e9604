"""Build printable files: choose cards, set their faces, compose sheets, write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

from builder.errors import UsageError
from builder.findings import Finding, has_errors, in_order
from builder.messages import gettext as _
from builder.model.loaded import LoadedPack
from builder.model.profile import Paper, Profile
from builder.render.renderer import Renderer
from builder.store.profiles import load_profile
from builder.store.project import Project
from builder.usecases.build.home import cut_files, cut_findings, tailored
from builder.usecases.build.options import SHOP, BuildOptions, BuildResult, Built, Progress
from builder.usecases.build.typeset import group_cards, languages, set_cards, write_file
from builder.usecases.files import PackFiles
from builder.usecases.release.states import load_as_of

A4 = Paper(width=210, height=297)


def build_pack(project: Project, pack_id: str, options: BuildOptions, progress: Progress | None = None) -> BuildResult:
    """Build one pack (or one squad of it) in each language."""
    if options.publish.profile.startswith(SHOP):
        from builder.usecases.build.shop import build_order

        return build_order(project, pack_id, options, progress)
    if options.publish.zipped or options.publish.icc is not None:
        raise UsageError(
            _("--zip and --icc are for a print shop's package"), _("Choose one: --profile shop:drivethrucards.")
        )
    loaded = load_as_of(PackFiles(project), pack_id, options.select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return BuildResult(findings=loaded.findings)
    profile = tailored(load_profile(project, options.publish.profile), options.publish.home)
    langs = languages(loaded.pack, options.select.langs)
    if options.publish.gauges == "only":
        return _with_gauges(project, loaded, options, profile, BuildResult())
    made = set_cards(project, loaded, options.select, options.workers, progress)
    renderer, orders, rendered = made.renderer, made.orders, made.rendered
    if has_errors(rendered.findings):
        return BuildResult(findings=rendered.findings, fresh=rendered.fresh, known=rendered.known)
    folder = options.publish.output or project.output_dir(pack_id)
    extra = _squad_sheets(renderer, project, options, profile, langs)
    if has_errors(extra.findings):
        return extra
    files, marked = [], []
    for lang in langs:
        groups = group_cards(renderer, orders[lang], lang, options.select.variant, made.keys)
        path = folder / file_name(pack_id, lang, options)
        files.append(write_file(renderer, project, profile, groups, extra.pages.get(lang, ()), path, lang))
        files += cut_files(profile, groups, path, options.publish.home)
        marked += cut_findings(profile, groups, path, options.publish.home)
    findings = (*rendered.findings, *extra.findings, *marked)
    project.cache.evict()
    result = BuildResult(tuple(files), findings, rendered.fresh + extra.fresh, rendered.known)
    return _with_gauges(project, loaded, options, profile, result)


def _squad_sheets(
    renderer: Renderer, project: Project, options: BuildOptions, profile: Profile, langs: Sequence[str]
) -> BuildResult:
    """The squad's sheet in each language, as the result's `pages`; nothing without a squad."""
    if options.select.roster is None:
        return BuildResult()
    from builder.render.flow import set_flow
    from builder.usecases.build.squadsheet import squad_sheet
    from builder.usecases.files import RosterFiles
    from builder.usecases.roster.check import Judges, judge_roster

    judges, loaded = (
        Judges(PackFiles(project), options.select.as_of),
        RosterFiles(project).load(str(options.select.roster)),
    )
    pages: dict[str, tuple[str, ...]] = {}
    findings: list[Finding] = []
    fresh = 0
    for lang in langs:
        sheet = squad_sheet(judge_roster(judges, loaded, project.relative(options.select.roster), lang))
        if sheet is not None:
            values = {"sheet": asdict(sheet), "faction": sheet.faction}
            flow = set_flow(renderer, "squad", profile.paper or A4, lang, values)
            pages[lang] = flow.keys
            findings += flow.findings
            fresh += flow.fresh
    return BuildResult(findings=in_order(findings), fresh=fresh, pages=pages)


def _with_gauges(
    project: Project, loaded: LoadedPack, options: BuildOptions, profile: Profile, result: BuildResult
) -> BuildResult:
    """The result with the pack's gauges: with a whole set printed at home, or where only they are asked for."""
    from builder.usecases.build.gauges import build_gauges, paper_name

    assert loaded.pack is not None
    part = options.select.roster is not None or bool(options.select.only) or profile.layout != "sheets"
    if part and options.publish.gauges != "only":
        return result
    langs = languages(loaded.pack, options.select.langs)
    made = build_gauges(
        project, loaded, langs, paper_name(profile), options.publish.output, save_ink=options.select.variant == "ink"
    )
    files = tuple(Built(file.path, file.pages, file.pieces, file.changed, "gauges") for file in made.files)
    return replace(result, files=result.files + files, findings=result.findings + made.findings)


def file_name(pack_id: str, lang: str, options: BuildOptions) -> str:
    """The stable name of a file: a part of a set never overwrites the whole."""
    parts = [
        options.select.roster.stem if options.select.roster else pack_id,
        lang,
        options.publish.profile.replace(":", "-"),
    ]
    parts += [options.select.as_of] if options.select.as_of else []
    parts += ["ink"] if options.select.variant == "ink" else []
    for only in options.select.only:
        parts.append("".join(sign if sign.isalnum() else "-" for sign in only).strip("-"))
    return "-".join(parts) + ".pdf"
