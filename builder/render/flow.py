"""Setting a document that runs over as many pages as it needs (a squad's sheet), kept in the cache like a face."""

from collections.abc import Mapping
from dataclasses import dataclass

from builder.findings import Box, Finding, has_errors
from builder.geometry.boxes import FaceBoxes
from builder.model.profile import Paper
from builder.render.files import find_inside, read_text
from builder.render.html.problems import report_template_error
from builder.render.html.view import freeze_value
from builder.render.jobs import FaceFacts, FaceHtml, Style
from builder.render.keys import digest
from builder.render.renderer import Renderer
from builder.render.workers import render_document

MARGIN = 9.0
"""Mm of paper left free around the text."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The outcome: a key per page, empty with an error among the findings; whether it was set now."""

    keys: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_rendered: bool


def render_flow(
    renderer: Renderer, name: str, paper: Paper, lang: str, values: Mapping[str, object]
) -> Flow:
    """Set `<name>.html.j2` (the pack's own, else the engine's) with some values, on pages of this size."""
    template = _template(renderer, name)
    style = _style(renderer, name, paper, lang)
    key = digest(flow_hash(renderer, name, paper, lang), repr(sorted(values.items())))
    known = renderer.cache.facts(key)
    if known is not None and renderer.are_current(known.deps, lang):
        return Flow(_keys(key, known.pages), known.findings, False)
    shown = renderer.places.shown(
        renderer.templates.find(template) or renderer.places.templates / template
    )
    words = renderer.get_words(lang)
    words.used.clear()
    try:
        html = _rendered(renderer, template, lang, values)
    except Exception as error:
        return Flow(
            (), (report_template_error(error, f"{name} [{lang}]", shown, renderer.places),), True
        )
    deps = {f"card:{card}": renderer.hash_card(card, lang) for card in sorted(words.used)}
    page = FaceHtml(key, html, f"{name} [{lang}]", None, shown, shown, deps)
    done = render_document(renderer.setup, style, page, limited=renderer.workers > 0)
    if has_errors(done.findings):
        return Flow((), done.findings, True)
    keys = _keys(key, len(done.records))
    for each, record in reversed(list(zip(keys, done.records, strict=True))):
        renderer.cache.put(
            FaceFacts(each, page.label, (), done.findings, deps, len(done.records)), record
        )
    return Flow(keys, done.findings, True)


def flow_hash(renderer: Renderer, name: str, paper: Paper, lang: str) -> str:
    """The hash of all that shapes such a document besides its values."""
    template = _template(renderer, name)
    return digest(
        renderer.shared_hash,
        _style(renderer, name, paper, lang).key,
        renderer.templates.hash(template),
    )


def _template(renderer: Renderer, name: str) -> str:
    """The pack's own template of a document, else the engine's."""
    return (
        f"{name}.html.j2"
        if renderer.templates.exists(f"{name}.html.j2")
        else f"base/{name}.html.j2"
    )


def filled(
    renderer: Renderer, name: str, lang: str, values: Mapping[str, object]
) -> tuple[str, str]:
    """The same document for a browser: its HTML and its style sheets. Raises jinja2.TemplateError."""
    html = _rendered(renderer, _template(renderer, name), lang, values)
    sheets = (
        find_inside(root, f"{name}.css")
        for root in (renderer.places.base, renderer.places.templates)
    )
    return html, "\n".join(read_text(path) for path in sheets if path is not None)


def _rendered(renderer: Renderer, template: str, lang: str, values: Mapping[str, object]) -> str:
    """The template filled in; `faction` is given by its id."""
    words, faction = renderer.get_words(lang), values.get("faction")
    renderer.templates.use(words)
    told = {"lang": lang, "faction": words.faction(faction if isinstance(faction, str) else None)}
    context = {**{key: freeze_value(value) for key, value in values.items()}, **told}
    return renderer.templates.render(template, context, is_document=True)


def _keys(key: str, pages: int) -> tuple[str, ...]:
    return (key, *(digest(key, str(page)) for page in range(2, pages + 1)))


def _style(renderer: Renderer, name: str, paper: Paper, lang: str) -> Style:
    """The page, then the engine's sheet, the pack's, and the pack's own for this document."""
    page = f"@page{{size:{paper.width:g}mm {paper.height:g}mm;margin:{MARGIN:g}mm}}html,body{{margin:0;padding:0}}"
    sheets = [("page", page)]
    places = renderer.places
    for root, file in (
        (places.base, "face.css"),
        (places.base, f"{name}.css"),
        (places.templates, f"{name}.css"),
    ):
        path = find_inside(root, file)
        if path is not None:
            sheets.append((places.shown(path), read_text(path)))
    whole = Box(0, 0, paper.width, paper.height)
    return Style(
        digest(repr((sheets, lang))), tuple(sheets), FaceBoxes(whole, whole, whole), {}, lang
    )
