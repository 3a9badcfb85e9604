"""What base/diagram.html.j2 draws of a table: marks lie wholly on it, labels beside marks."""

from __future__ import annotations

import re
from pathlib import Path

from builder.render.html.templates import TemplateSet
from tests.house.source import ROOT


def drawn(folder: Path, arguments: str) -> str:
    """The table of 36 as the macro draws it."""
    (folder / "map.html.j2").write_text(
        f'{{% import "base/diagram.html.j2" as diagram %}}{{{{ diagram.table(36, {arguments}) }}}}',
        encoding="utf-8",
    )
    return TemplateSet(folder, ROOT / "templates" / "base").render("map.html.j2", {})


def test_a_mark_on_the_edge_touches_it_from_the_inside(tmp_path: Path) -> None:
    text = drawn(
        tmp_path, "points={'edge': {'x': 18, 'y': -18}, 'inside': {'x': 3, 'y': 4}}"
    )
    circles = [
        tuple(map(float, found))
        for found in re.findall(r'cx="([^"]+)" cy="([^"]+)" r="([^"]+)"', text)
    ]
    assert len(circles) == 2
    assert all(abs(x) + r <= 18 and abs(y) + r <= 18 for x, y, r in circles)
    assert (3.0, -4.0) in {(x, y) for x, y, _r in circles}


def test_a_zones_label_gives_way_to_a_mark_in_its_middle(tmp_path: Path) -> None:
    corners = (
        "[{'x': -6, 'y': -6}, {'x': 6, 'y': -6}, {'x': 6, 'y': 6}, {'x': -6, 'y': 6}]"
    )
    zone = f"zones={{'home': {{'polygon': {corners}, 'label': 'Home'}}}}"

    def height(arguments: str) -> float:
        found = re.search(r'<text x="[^"]+" y="([^"]+)"', drawn(tmp_path, arguments))
        assert found
        return float(found[1])

    assert abs(height(zone)) < 1
    assert height(f"{zone}, points={{'mark': {{'x': 0.5, 'y': 0}}}}") < -3
