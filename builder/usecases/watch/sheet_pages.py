"""The sheets of a whole set as pictures, as a build would print them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from builder.findings import has_errors
from builder.model.loaded import LoadedPack
from builder.packs.profiles import load_profile
from builder.packs.project import Project
from builder.render.prepress.raster import open_document
from builder.units import POINTS_PER_INCH
from builder.usecases.build.build_options import Selection, WorkerPool
from builder.usecases.build.product import apply_product
from builder.usecases.build.typeset import compose_sheets, group_cards, render_cards

if TYPE_CHECKING:
    from PIL.Image import Image

    from builder.model.engines import EngineName

SHEET_PROFILE = "home-a4"
SHEET_DPI = 96
MAX_SHEET_PAGES = 60
"""Pages that are drawn. A set of 500 cards has more."""


def draw_sheets(
    project: Project, loaded: LoadedPack, lang: str, engine: EngineName | None
) -> Iterator[Image | None]:
    """Draw the printed sheets of a pack's first product, or of all cards, as pictures.

    Cards that do not fit are drawn as drafts. Pages after the maximum are None.
    """
    product = next(iter(loaded.products.products), None) if loaded.products else None
    select = Selection(product=product, engine=engine)
    loaded, select = apply_product(project, loaded, select)
    # A product may not have the language of the page.
    if select.langs and lang not in select.langs:
        lang = select.langs[0]
    select = replace(select, langs=(lang,))
    result = render_cards(project, loaded, select, WorkerPool(0), drafts=True)
    if has_errors(result.rendered.findings):
        result = result.make_draft(select.variant)
    cards = list(result.list_cards(lang))
    if not cards:
        return
    keys = result.rendered.keys
    groups = group_cards(result.renderer, cards, lang, select.variant, keys)
    profile = load_profile(project, SHEET_PROFILE)
    pages = compose_sheets(result.renderer, profile, groups)
    with open_document(pages) as document:
        for number, page in enumerate(document):
            if number < MAX_SHEET_PAGES:
                yield (
                    page.render(scale=SHEET_DPI / POINTS_PER_INCH)
                    .to_pil()
                    .convert("RGB")
                )
            else:
                yield None
