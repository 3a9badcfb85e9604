"""Build printable files: choose cards, render their faces, compose sheets, write them."""

from collections.abc import Sequence
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
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import (
    SHOP,
    BuildOptions,
    BuildResult,
    BuiltFile,
    get_render_folders,
)
from builder.usecases.build.engine_choice import refuse_other_engine, with_chosen_engine
from builder.usecases.build.home import adapt_profile, check_cut_marks, write_cut_files
from builder.usecases.build.printable import render_printable
from builder.usecases.build.product import apply_product, find_product, select_gauges
from builder.usecases.build.records import add_draft_mark, remove_draft, remove_outdated
from builder.usecases.build.typeset import (
    RenderedCards,
    SheetFile,
    group_cards,
    select_languages,
    write_file,
)
from builder.usecases.pack_states import load_pack_as_of


def build_pack(project: Project, pack_id: str, options: BuildOptions) -> BuildResult:
    """Build one pack (or one squad of it) in each language."""
    is_order = options.publish.profile.startswith(SHOP)
    if not is_order and (options.publish.zipped or options.publish.icc is not None):
        message = _("--zip and --icc need a print shop")
        raise UsageError(message, _("Add, for example, --profile shop:drivethrucards."))
    loaded = load_pack_as_of(PackFiles(project), pack_id, options.select.as_of)
    if loaded.pack is None or has_errors(loaded.findings):
        return BuildResult(findings=loaded.findings)
    loaded, choice = with_chosen_engine(get_render_folders(project, pack_id), loaded)
    refuse_other_engine(loaded, options.select.as_of, options.select.engine)
    loaded, select = apply_product(project, loaded, options.select)
    if select.engine == loaded.whole.manifest.engine:
        select = replace(
            select, engine=None
        )  # no file is named after the pack's own engine
    elif select.engine is not None:
        choice = None  # the option named the engine, so there is no choice to report
    options = replace(options, select=select)
    if is_order:
        # Only orders need the prepress packages, which are slow to import.
        from builder.usecases.build.shop import build_order

        result = build_order(project, loaded, options)
    else:
        result = _build_at_home(project, loaded, options)
    return replace(result, engine_choice=choice)


def _build_at_home(
    project: Project, loaded: LoadedPack, options: BuildOptions
) -> BuildResult:
    """Build a pack or a squad for a printer at home: its cards and its gauges."""
    profile = adapt_profile(
        load_profile(project, options.publish.profile), options.publish.home
    )
    result = BuildResult()
    if options.publish.gauges != "only":
        rendered_cards = render_printable(project, loaded, options)
        if rendered_cards.has_errors and not rendered_cards.is_draft:
            return rendered_cards.make_result()
        result = _build_sheets(project, rendered_cards, options, profile)
        if has_errors(result.findings):  # of a draft, only the sheets are written
            return replace(
                result, unwritten_units=_list_unwritten(loaded, options, profile)
            )
        boxes = _build_tuck_boxes(project, loaded, rendered_cards, options)
        # The files above still read their faces from the cache.
        project.cache.evict()
        outdated = _remove_outdated_files(project, loaded, options)
        files = (*result.files, *boxes)
        result = replace(result, files=files, removed=result.removed + outdated)
    if not _has_gauges(profile, options):
        return result
    gauges = _build_gauges(project, loaded, options, profile)
    return replace(
        result,
        files=result.files + gauges.files,
        findings=result.findings + gauges.findings,
    )


def _list_unwritten(
    loaded: LoadedPack, options: BuildOptions, profile: Profile
) -> tuple[str, ...]:
    """Return the kinds of files that a draft leaves out.

    They are gauges, boxes and cut lines, which are written next to sheets without errors only.
    """
    units: list[str] = []
    if options.publish.home.cut:
        units.append("cuts")
    if options.select.product is not None:
        decks = find_product(loaded, options.select.product).decks.values()
        if any(deck.box is not None for deck in decks):
            units.append("boxes")
    if _has_gauges(profile, options):
        from builder.usecases.build.gauges import find_gauges

        if find_gauges(loaded, select_gauges(loaded, options.select)) is not None:
            units.append("gauges")
    return tuple(units)


def _find_folder(project: Project, pack_id: str, options: BuildOptions) -> Path:
    return options.publish.output or project.get_output_dir(pack_id)


def _build_sheets(
    project: Project,
    rendered_cards: RenderedCards,
    options: BuildOptions,
    profile: Profile,
) -> BuildResult:
    """Write sheets or single pages, and cut files, in each language."""
    renderer = rendered_cards.renderer
    rendered = rendered_cards.rendered
    select = options.select
    pack = renderer.pack
    folder = _find_folder(project, pack.id, options)
    langs = select_languages(pack, select.langs)
    squad_sheets = _render_squad_sheets(renderer, project, options, profile, langs)
    if has_errors(squad_sheets.findings):
        return squad_sheets
    files: list[BuiltFile] = []
    removed: list[Path] = []
    findings = [*rendered.findings, *squad_sheets.findings]
    # Windows allows no colon in a file name.
    profile_name = options.publish.profile.replace(":", "-")
    for lang in langs:
        cards = rendered_cards.list_cards(lang)
        groups = group_cards(renderer, cards, lang, select.variant, rendered.keys)
        stem = select.make_stem(pack.id, lang, profile_name)
        path = folder / f"{stem}.pdf"
        target = add_draft_mark(path) if rendered_cards.is_draft else path
        sheets = SheetFile(
            target,
            lang,
            groups,
            squad_sheets.pages.get(lang, ()),
            rendered_cards.notices,
            is_current=not select.as_of,
        )
        file = write_file(renderer, project, profile, sheets)
        files.append(replace(file, draft=rendered_cards.is_draft))
        if rendered_cards.is_draft:
            continue
        removed += remove_draft(project, path)
        if options.publish.home.cut:
            files += write_cut_files(profile, groups, path, options.publish.home)
        findings += check_cut_marks(profile, groups, path)
    rendered_count = rendered.rendered_count + squad_sheets.rendered_count
    return BuildResult(
        tuple(files),
        tuple(findings),
        rendered_count,
        rendered.cached_count,
        removed=tuple(removed),
    )


def _render_squad_sheets(
    renderer: Renderer,
    project: Project,
    options: BuildOptions,
    profile: Profile,
    langs: Sequence[str],
) -> BuildResult:
    """Return the pages of a squad's sheet. A pack has none."""
    if options.select.roster is None or not options.publish.sheet:
        return BuildResult()
    from builder.usecases.build.squad import render_squad_sheets

    return render_squad_sheets(renderer, project, options.select, profile, langs)


def _build_tuck_boxes(
    project: Project,
    loaded: LoadedPack,
    rendered_cards: RenderedCards,
    options: BuildOptions,
) -> list[BuiltFile]:
    """Write the tuck boxes of a product's decks. Return an empty result without a product."""
    if options.select.product is None:
        return []
    from builder.usecases.build.tuckbox import write_boxes

    folder = _find_folder(project, loaded.whole.id, options)
    return write_boxes(project, loaded, rendered_cards, options, folder)


def _remove_outdated_files(
    project: Project, loaded: LoadedPack, options: BuildOptions
) -> tuple[Path, ...]:
    """Remove the pack's files in languages that it no longer has. Return their paths."""
    if options.select.as_of:  # the languages of a release are not those of today
        return ()
    pack = loaded.whole
    folder = _find_folder(project, pack.id, options)
    return remove_outdated(project, folder, pack.id, pack.manifest.languages.all)


def _has_gauges(profile: Profile, options: BuildOptions) -> bool:
    """Return True if gauges are printed: alone, or with all cards on sheets."""
    if options.publish.gauges == "only":
        return True
    select = options.select
    has_all_cards = select.roster is None and not select.only
    return has_all_cards and profile.layout == "sheets"


def _build_gauges(
    project: Project, loaded: LoadedPack, options: BuildOptions, profile: Profile
) -> BuildResult:
    from builder.usecases.build.gauges import (
        GaugeOptions,
        build_gauges,
        find_paper_name,
    )

    select = options.select
    stem = ""
    if select.product is not None:
        # The file's name gets its own word for the ink-saving variant.
        stem = replace(select, variant="full").make_stem(loaded.whole.id)
    gauge_options = GaugeOptions(
        find_paper_name(profile),
        options.publish.output,
        save_ink=select.variant == "ink",
        only=select_gauges(loaded, select),
        stem=stem,
    )
    langs = select_languages(loaded.whole, select.langs)
    return build_gauges(project, loaded, langs, gauge_options)
