"""Write the rulings of a pack as a list of questions and answers: Markdown, HTML and PDF."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from builder.errata.reader import NoteReader
from builder.errata.rulings import RulingReader, describe_review
from builder.errors import UsageError
from builder.findings import Finding, has_errors
from builder.messages import gettext as _, translate
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.flow import fill_document, render_flow
from builder.render.html.pages import page
from builder.render.renderer import Renderer
from builder.report.faq import (
    format_faq,
    format_faq_heading,
    format_ruling_source,
    list_faq_sections,
)
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import fix_engine
from builder.usecases.build.faces import TRIMMED_FACES
from builder.usecases.build.typeset import A4, compose_pages
from builder.usecases.pack_states import check_languages
from builder.usecases.release.rulings import open_rulings


def write_faq(
    project: Project, pack: str, langs: Collection[str], forms: Collection[str]
) -> tuple[dict[str, bytes], tuple[Finding, ...]]:
    """Return the files with a pack's rulings by name, in these languages or in all.

    The forms are `md`, `html` and `pdf`. Raise UsageError if the pack has no rulings.
    """
    packs = PackFiles(project)
    reader, findings = open_rulings(packs, pack)
    loaded = packs.load_pack(pack)
    all_langs = reader.reader.state.languages
    check_languages(pack, all_langs, langs)
    if not reader.rulings.rulings and not has_errors(findings):
        hint = _("Write them in cards/{pack}/rulings/NAME.yaml.", pack=pack)
        raise UsageError(_("{pack} has no rulings", pack=pack), hint)
    if has_errors(findings) or loaded.pack is None:
        return {}, (*findings, *loaded.findings)
    renderer: Renderer | None = None
    # Markdown needs no engine.
    if {"html", "pdf"} & {*forms}:
        places = get_render_folders(project, pack)
        renderer = Renderer(fix_engine(places, loaded.pack), places, workers=1)
    files: dict[str, bytes] = {}
    for lang in langs or all_langs:
        translated = replace(reader, reader=NoteReader(reader.reader.state, lang))
        name = f"{pack}-faq-{lang}"
        if "md" in forms:
            files[f"{name}.md"] = format_faq(translated).encode()
        if renderer is not None:
            printed_files, print_findings = _print_faq(renderer, translated, forms)
            files |= {f"{name}.{form}": data for form, data in printed_files.items()}
            findings = (*findings, *print_findings)
    return files, findings


def _print_faq(
    renderer: Renderer, reader: RulingReader, forms: Collection[str]
) -> tuple[dict[str, bytes], tuple[Finding, ...]]:
    """Return the rulings in one language as files, by format."""
    lang = reader.reader.lang
    values = make_faq_values(reader)
    heading = format_faq_heading(reader)
    files: dict[str, bytes] = {}
    if "html" in forms:
        body, css = fill_document(renderer, "faq", lang, values)
        files["html"] = page(
            "page.html", lang, title=heading, css=css, body=body
        ).encode()
    if "pdf" not in forms:
        return files, ()
    flow = render_flow(renderer, "faq", A4, lang, values)
    if flow.keys:
        files["pdf"] = compose_pages(renderer, TRIMMED_FACES, heading, flow.keys)
    return files, flow.findings


def make_faq_values(reader: RulingReader) -> dict[str, object]:
    """Return the values that the template of the rulings uses."""
    lang = reader.reader.lang
    parts: list[dict[str, object]] = []
    # A ruling about several cards is printed in full once, and referred to afterwards.
    printed_ids: set[str] = set()
    for title, groups in list_faq_sections(reader):
        group_values: list[dict[str, object]] = []
        for group in groups:
            entries: list[dict[str, object]] = []
            for entry in group.entries:
                entries.append(
                    {
                        "id": entry.id,
                        "question": entry.question,
                        "answer": entry.answer,
                        "source": format_ruling_source(entry, lang),
                        "review": translate(describe_review(entry), lang),
                        "repeated": entry.id in printed_ids,
                    }
                )
                printed_ids.add(entry.id)
            group_values.append(
                {"id": group.id, "name": group.name, "entries": entries}
            )
        parts.append({"title": title, "groups": group_values})
    return {"heading": format_faq_heading(reader), "parts": parts}
