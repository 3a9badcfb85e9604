"""A squad's numbers as a file: a printable page, a picture, or a web page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import OutputNotWritten, UsageError
from builder.files import atomic_stream, write_atomic
from builder.findings import has_errors
from builder.messages import DECIMAL, gettext as _, pgettext, translate
from builder.model.base import Json
from builder.model.pack import Pack
from builder.model.sheets import StatSheet
from builder.report.statplot import bars, chart, duel_plot, poster
from builder.report.stats import StatBlock, Words, blocks, plain
from builder.store.project import Project

if TYPE_CHECKING:
    from builder.render.renderer import Renderer

FORMS = (".pdf", ".svg", ".html")


def write_stats(project: Project, pack: Pack, sheet: StatSheet, path: Path) -> None:
    """Write the sheet in the form that the file's name asks for. UsageError for a name that asks for none."""
    if path.suffix not in FORMS:
        message = _("{file} says by its ending no known form", file=path)
        raise UsageError(message, _("Known: {listed}", listed=", ".join(FORMS)))
    if path.suffix == ".svg":
        write_atomic(path, poster(sheet, words(sheet.lang)).encode())
        return
    from builder.render.flow import filled
    from builder.render.renderer import Renderer
    from builder.usecases.build.typeset import places

    renderer = Renderer(pack, places(project, pack.id), workers=1)
    if path.suffix == ".pdf":
        _write_pdf(project, renderer, sheet, path)
        return
    body, css = filled(renderer, "stats", sheet.lang, values(sheet))
    head = f'<!doctype html><html lang="{sheet.lang}"><meta charset="utf-8"><title>{sheet.pack}</title>'
    page = f"{head}<style>body{{max-width:190mm;margin:8mm auto}}{css}</style><body>{body}</body></html>\n"
    write_atomic(path, page.encode())


def values(sheet: StatSheet) -> dict[str, object]:
    """What the template gets: the numbers as JSON has them, with plots, and each attack as tables of text."""
    found, told = plain(sheet), words(sheet.lang)
    roles = [
        {**part, "plot": bars(shares)}
        for part, (_unused, shares) in zip(_maps(found["roles"]), sheet.roles, strict=True)
    ]
    attacks = [
        {**attack, "label": source.label, "blocks": [(block, _plot(block, told)) for block in blocks(source, told)]}
        for attack, source in zip(_maps(found["attacks"]), sheet.attacks, strict=True)
    ]
    return {"sheet": {**found, "roles": roles, "attacks": attacks}, "words": told, "faction": sheet.faction}


def _maps(value: Json) -> list[dict[str, Json]]:
    """The maps of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _plot(block: StatBlock, told: Words) -> str:
    """What is drawn beside a table, or in its stead."""
    if block.duels:
        return duel_plot(block.duels, told)
    return chart(block.plot, told) if block.plot is not None else ""


def words(lang: str) -> dict[str, str]:
    """What the numbers are called."""
    said = {
        "models": pgettext("number of", "models"),
        "hit": _("hit"),
        "hits": _("hits"),
        "mean": _("expected"),
        "some": _("chance of any"),
        "foe": _("against"),
        "dealt": _("dealt"),
        "taken": _("taken"),
        "fells": _("fells"),
        "falls": _("falls"),
        "decimal": DECIMAL,
    }
    return {name: translate(text, lang) for name, text in said.items()}


def _write_pdf(project: Project, renderer: Renderer, sheet: StatSheet, path: Path) -> None:
    """Pages of A4."""
    from builder.render.flow import set_flow
    from builder.render.sheets.sheets import Composer
    from builder.usecases.build.faces import BARE
    from builder.usecases.build.typeset import A4

    flow = set_flow(renderer, "stats", A4, sheet.lang, values(sheet))
    if has_errors(flow.findings) or not flow.keys:
        told = flow.findings[0].message if flow.findings else "nothing was set"
        message = _("the page could not be set: {told}", told=told)
        raise OutputNotWritten(message, _("Mend the template or the text it speaks of."))
    composer = Composer(renderer.cache, project.cache_dir, renderer.fonts, BARE, sheet.name or sheet.game)
    with atomic_stream(path) as out:
        composer.compose(out, (), flow.keys)
