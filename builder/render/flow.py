"""Render documents of many pages, such as a squad's sheet. They are cached like faces."""

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

MARGIN_MM = 9.0
"""Margin around the text on each side."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A rendered document: the cache keys of its pages, and its errors and warnings.

    With an error it has no pages. `is_rendered` is False if all pages were in the cache.
    """

    keys: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_rendered: bool


def render_flow(
    renderer: Renderer, name: str, paper: Paper, lang: str, values: Mapping[str, object]
) -> Flow:
    """Render the template `NAME.html.j2` as a document on pages of this size.

    It is the pack's own template, else the program's.
    """
    template = _name_template(renderer, name)
    style = _make_style(renderer, name, paper, lang)
    values_text = repr(sorted(values.items()))
    key = digest(hash_flow(renderer, name, paper, lang), values_text)
    cached_facts = renderer.cache.facts(key)
    if cached_facts is not None and renderer.are_current(cached_facts.deps, lang):
        page_keys = _make_page_keys(key, cached_facts.pages)
        return Flow(page_keys, cached_facts.findings, is_rendered=False)
    places = renderer.places
    template_path = renderer.templates.find(template) or places.templates / template
    file = places.format_path(template_path)
    label = f"{name} [{lang}]"
    words = renderer.get_words(lang)
    # From here on, the words collect the cards that this document prints.
    words.used.clear()
    try:
        html = _render_html(renderer, template, lang, values)
    except Exception as error:  # a template can raise anything
        finding = report_template_error(error, label, file, places)
        return Flow((), (finding,), is_rendered=True)
    deps = {
        f"card:{card}": renderer.hash_card(card, lang) for card in sorted(words.used)
    }
    page = FaceHtml(key, html, label, None, file, file, deps)
    document = render_document(
        renderer.setup, style, page, limited=renderer.workers > 0
    )
    if has_errors(document.findings):
        return Flow((), document.findings, is_rendered=True)
    count = len(document.records)
    keys = _make_page_keys(key, count)
    # The first page is stored last: where its facts are in the cache, all other pages are there,
    # too.
    pages = list(zip(keys, document.records, strict=True))
    for page_key, record in reversed(pages):
        facts = FaceFacts(page_key, label, (), document.findings, deps, count)
        renderer.cache.store_face(facts, record)
    return Flow(keys, document.findings, is_rendered=True)


def hash_flow(renderer: Renderer, name: str, paper: Paper, lang: str) -> str:
    """Return a hash of everything that a document depends on, except its values."""
    template_hash = renderer.templates.hash(_name_template(renderer, name))
    style = _make_style(renderer, name, paper, lang)
    return digest(renderer.shared_hash, style.key, template_hash)


def _name_template(renderer: Renderer, name: str) -> str:
    """Return the pack's own template of a document, else the program's."""
    template = f"{name}.html.j2"
    return template if renderer.templates.exists(template) else f"base/{template}"


def fill_document(
    renderer: Renderer, name: str, lang: str, values: Mapping[str, object]
) -> tuple[str, str]:
    """Return the HTML and the style sheets of a document for a browser.

    Raise jinja2.TemplateError.
    """
    html = _render_html(renderer, _name_template(renderer, name), lang, values)
    sheets: list[str] = []
    for root in (renderer.places.base, renderer.places.templates):
        path = find_inside(root, f"{name}.css")
        if path is not None:
            sheets.append(read_text(path))
    return html, "\n".join(sheets)


def _render_html(
    renderer: Renderer, template: str, lang: str, values: Mapping[str, object]
) -> str:
    """Return the HTML of a template. The value `faction` is an id."""
    words = renderer.get_words(lang)
    renderer.templates.use(words)
    context = {key: freeze_value(value) for key, value in values.items()}
    faction = values.get("faction")
    context["lang"] = lang
    context["faction"] = words.faction(faction if isinstance(faction, str) else None)
    return renderer.templates.render(template, context, is_document=True)


def _make_page_keys(key: str, page_count: int) -> tuple[str, ...]:
    other_keys = [digest(key, str(page)) for page in range(2, page_count + 1)]
    return (key, *other_keys)


def _make_style(renderer: Renderer, name: str, paper: Paper, lang: str) -> Style:
    """Return the style sheets for a document, with the rules of its page."""
    size = f"{paper.width:g}mm {paper.height:g}mm"
    page_css = (
        f"@page{{size:{size};margin:{MARGIN_MM:g}mm}}html,body{{margin:0;padding:0}}"
    )
    sheets = [("page", page_css)]
    places = renderer.places
    # The pack's sheet comes last, so that it may change the program's rules.
    for root, file in (
        (places.base, "face.css"),
        (places.base, f"{name}.css"),
        (places.templates, f"{name}.css"),
    ):
        path = find_inside(root, file)
        if path is not None:
            sheets.append((places.format_path(path), read_text(path)))
    box = Box(0, 0, paper.width, paper.height)
    key = digest(repr((sheets, lang)))
    return Style(key, tuple(sheets), FaceBoxes(box, box, box), {}, lang)
