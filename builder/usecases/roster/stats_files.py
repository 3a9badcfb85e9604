"""Write a squad's statistics as a printable page or a web page."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from builder.errors import OutputNotWritten, UsageError
from builder.findings import has_errors
from builder.messages import DECIMAL_POINT, gettext as _, pgettext, translate
from builder.model.pack import Pack
from builder.model.sheets import StatSheet
from builder.report.stats_report import (
    format_decimal,
    make_chart,
    make_comparison,
    make_stat_blocks,
)

if TYPE_CHECKING:
    from builder.render.jobs import Places
    from builder.render.renderer import Renderer

FORMS = (".pdf", ".html")


def draw_statistics(
    sheet: StatSheet, file: PurePath, pack: Pack, places: Places
) -> bytes:
    """Draw the statistics of a squad as a PDF or HTML file, by the extension of `file`.

    Raise UsageError for an unknown extension, and OutputNotWritten if the pack's template
    cannot be rendered.
    """
    if file.suffix not in FORMS:
        message = _("{file} has an unknown extension", file=file)
        raise UsageError(
            message, _("Known extensions: {listed}", listed=", ".join(FORMS))
        )
    # Only these files need the renderer; the statistics in a terminal start faster without it.
    from builder.render.flow import fill_document
    from builder.render.html.pages import page
    from builder.render.renderer import Renderer
    from builder.usecases.build.engine_choice import fix_engine

    renderer = Renderer(fix_engine(places, pack), places, workers=1)
    if file.suffix == ".pdf":
        return _render_pages(renderer, sheet)
    body, css = fill_document(
        renderer, "stats", sheet.lang, make_template_values(sheet)
    )
    css = f"body{{max-width:190mm;margin:8mm auto}}{css}"
    return page("page.html", sheet.lang, title=sheet.pack, css=css, body=body).encode()


def make_template_values(sheet: StatSheet) -> dict[str, object]:
    """Return the values that the template of the statistics uses.

    They are the squad, its divisions by role, and the tables and charts of each attack.
    """
    words = list_statistic_labels(sheet.lang)
    attacks = []
    for attack in sheet.attacks:
        blocks = []
        for block in make_stat_blocks(attack, words):
            chart = make_chart(block.plot, words) if block.plot else None
            blocks.append((block, chart))
        attacks.append(
            {
                "form": attack.form,
                "note": attack.note,
                "label": attack.label,
                "left_out": attack.left_out,
                "blocks": blocks,
            }
        )
    comparison = [
        (line, format_decimal(line.mean, words))
        for line in make_comparison(sheet.attacks)
    ]
    sheet_values = {
        "roster": sheet.name,
        "game": sheet.game,
        "currency": sheet.currency,
        "total": sheet.total,
        "models": sheet.models,
        "roles": [{"title": title, "parts": shares} for title, shares in sheet.roles],
        "attacks": attacks,
        "comparison": comparison,
    }
    return {"sheet": sheet_values, "words": words, "faction": sheet.faction}


def list_statistic_labels(lang: str) -> dict[str, str]:
    """Return the labels of squad statistics in a language, by key."""
    words = {
        "models": pgettext("number of", "models"),
        "hit": _("hit"),
        "hits": _("hits"),
        "mean": _("expected"),
        "some": _("chance of at least one"),
        "foe": _("against"),
        "dealt": _("damage dealt"),
        "taken": _("damage taken"),
        "fells": _("defeats"),
        "falls": _("is defeated"),
        "left_out": _("not counted"),
        "decimal": DECIMAL_POINT,
    }
    return {name: translate(text, lang) for name, text in words.items()}


def _render_pages(renderer: Renderer, sheet: StatSheet) -> bytes:
    from builder.render.flow import render_flow
    from builder.usecases.build.faces import TRIMMED_FACES
    from builder.usecases.build.typeset import A4, compose_pages

    flow = render_flow(renderer, "stats", A4, sheet.lang, make_template_values(sheet))
    if has_errors(flow.findings):
        message = _(
            "the page could not be rendered: {told}", told=flow.findings[0].message
        )
        raise OutputNotWritten(message, _("Fix the template or text."))
    return compose_pages(renderer, TRIMMED_FACES, sheet.name or sheet.game, flow.keys)
