"""The squad sheet of an imported list."""

from __future__ import annotations

from types import SimpleNamespace

from jinja2 import DictLoader, Environment

from builder.usecases.imports.pack_files import PACK_TEMPLATE


def test_a_custom_name_follows_the_name_of_its_unit() -> None:
    blocks = {"base/blocks/tracks.j2": "{% macro model_boxes(a, b, c) %}{% endmacro %}"}
    environment = Environment(loader=DictLoader(blocks), autoescape=True)
    environment.filters["value"] = str
    template = environment.from_string(
        (PACK_TEMPLATE / "squad.html.j2").read_text("utf-8")
    )
    unit = SimpleNamespace(
        card="captain", name="Old Wick", count=1, total=35, choices={}
    )
    sheet = {
        "name": "Patrol",
        "game": "Lamps",
        "total": 35,
        "currency": "pts",
        "models": [unit],
    }
    page = template.render(
        sheet=sheet, size=8, card_of=lambda _id: {"name": "Lamp captain"}
    )
    assert "Lamp captain <small>Old Wick</small>" in page
