"""Build printable files: choose cards, set their faces, compose sheets, write them."""

from dataclasses import replace
from pathlib import Path

from builder.errors import UsageError
from builder.findings import has_errors
from builder.messages import gettext as _
from builder.model.loaded import LoadedPack
from builder.model.profile import Profile
from builder.packs.pack_files import PackFiles
from builder.packs.profiles import load_profile
from builder.packs.project import Project
from builder.usecases.build.build_options import SHOP, BuildOptions, BuildResult, BuiltFile, places
from builder.usecases.build.engine_choice import refuse_other_engine, with_chosen_engine
from builder.usecases.build.home import check_cut_marks, tailor_profile, write_cut_files
from builder.usecases.build.printable import render_printable
from builder.usecases.build.product import apply_product, select_gauges
from builder.usecases.build.records import remove_outdated
from builder.usecases.build.typeset import RenderedCards, group_cards, select_languages, write_file
from builder.usecases.pack_states import load_as_of


def build_pack(project: Project, pack_id: str, options: BuildOptions) -> BuildResult:
    """Build one pack (or one squad of it) in each language."""
    order = options.publish.profile.startswith(SHOP)
    if not order and (options.publish.zipped or options.publish.icc is not None):
        message = _("--zip and --icc need a print shop")
        raise UsageError(message, _("Add, for example, --profile shop:drivethrucards."))
    loaded = load_as_of(PackFiles(project), pack_id, options.select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return BuildResult(findings=loaded.findings)
    loaded, choice = with_chosen_engine(places(project, pack_id), loaded)
    refuse_other_engine(loaded, options.select.as_of, options.select.engine)
    loaded, select = apply_product(project, loaded, options.select)
    if select.engine == loaded.whole.manifest.engine:
        select = replace(select, engine=None)  # no file is named after the pack's own engine
    elif select.engine is not None:
        choice = None
    options = replace(options, select=select)
    if order:
        from builder.usecases.build.shop import build_order

        result = build_order(project, loaded, options)
    else:
        result = _build_sheets(project, loaded, options)
    return replace(result, engine_choice=choice)


def _build_sheets(project: Project, loaded: LoadedPack, options: BuildOptions) -> BuildResult:
    """Build a pack or a squad on sheets or single pages, in each language."""
    pack_id, select = loaded.whole.id, options.select
    profile = tailor_profile(load_profile(project, options.publish.profile), options.publish.home)
    langs = select_languages(loaded.whole, options.select.langs)
    if options.publish.gauges == "only":
        return _with_gauges(project, loaded, options, profile, BuildResult())
    made = render_printable(project, loaded, options)
    renderer, rendered = made.renderer, made.rendered
    if made.failed:
        return BuildResult(
            findings=rendered.findings,
            rendered_count=rendered.rendered_count,
            cached_count=rendered.cached_count,
        )
    folder = options.publish.output or project.output_dir(pack_id)
    extra = BuildResult()
    if options.select.roster is not None and options.publish.sheet:
        from builder.usecases.build.squad import render_squad_sheets

        extra = render_squad_sheets(renderer, project, options.select, profile, langs)
    if has_errors(extra.findings):
        return extra
    files, marked = [], []
    for lang in langs:
        groups = group_cards(
            renderer, made.cards(lang), lang, options.select.variant, rendered.keys
        )
        path = (
            folder
            / f"{options.select.stem(pack_id, lang, options.publish.profile.replace(':', '-'))}.pdf"
        )
        pages, today = extra.pages.get(lang, ()), not select.as_of
        files.append(
            write_file(
                renderer, project, profile, groups, pages, path, lang, made.notices, today=today
            )
        )
        if options.publish.home.cut:
            files += write_cut_files(profile, groups, path, options.publish.home)
        marked += check_cut_marks(profile, groups, path)
    findings = (*rendered.findings, *extra.findings, *marked)
    files += _build_tuck_boxes(project, loaded, made, options, folder)
    project.cache.evict()
    removed = (
        ()
        if select.as_of
        else remove_outdated(project, folder, pack_id, renderer.pack.manifest.languages.all)
    )
    result = BuildResult(
        tuple(files),
        findings,
        rendered.rendered_count + extra.rendered_count,
        rendered.cached_count,
        removed=removed,
    )
    return _with_gauges(project, loaded, options, profile, result)


def _build_tuck_boxes(
    project: Project, loaded: LoadedPack, made: RenderedCards, options: BuildOptions, folder: Path
) -> list[BuiltFile]:
    """The boxes of what is sold, where that is what is built."""
    if options.select.product is None:
        return []
    from builder.usecases.build.tuckbox import write_boxes

    return write_boxes(project, loaded, made, options, folder)


def _with_gauges(
    project: Project,
    loaded: LoadedPack,
    options: BuildOptions,
    profile: Profile,
    result: BuildResult,
) -> BuildResult:
    """The result with the pack's gauges: with a whole set printed at home, or where only they are asked for."""
    part = (
        options.select.roster is not None or bool(options.select.only) or profile.layout != "sheets"
    )
    if part and options.publish.gauges != "only":
        return result
    from builder.usecases.build.gauges import build_gauges, find_paper_name

    select, folder = options.select, options.publish.output
    langs, only = select_languages(loaded.whole, select.langs), select_gauges(loaded, select)
    stem = (
        replace(select, variant="full").stem(loaded.whole.id) if select.product is not None else ""
    )
    ink = select.variant == "ink"
    made = build_gauges(
        project, loaded, langs, find_paper_name(profile), folder, save_ink=ink, only=only, stem=stem
    )
    return replace(
        result, files=result.files + made.files, findings=result.findings + made.findings
    )
