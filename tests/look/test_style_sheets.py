"""Checks without eyes: the smallest type, text contrast, drawings for a font."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from builder.packs.loading import load_pack
from builder.packs.profiles import list_presets, load_preset
from builder.packs.project import Project

ROOT = Path(__file__).resolve().parents[2]
PACKS = sorted(
    path for path in (ROOT / "templates").iterdir() if (path / "pack.css").exists()
)
SHEETS = [sheet for pack in PACKS for sheet in sorted(pack.rglob("*.css"))]
ICONS = [icon for pack in PACKS for icon in sorted((pack / "icons").glob("*.svg"))]
SMALLEST = 6.5
READABLE = 4.5


@pytest.mark.parametrize(
    "sheet", SHEETS, ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_type_is_smaller_than_legible(sheet):
    sizes = re.findall(r"font-size:\s*([\d.]+)pt", sheet.read_text(encoding="utf-8"))
    assert [size for size in sizes if float(size) < SMALLEST] == []


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_text_keeps_as_far_from_the_cut_as_the_strictest_shop_asks(pack):
    project = Project(ROOT)
    strictest_mm = max(
        load_preset(project, name).safe or 0 for name in list_presets(project)
    )
    kinds = load_pack(project, pack.name).pack.manifest.kinds
    assert {
        name: kind.size.safe
        for name, kind in kinds.items()
        if kind.size.safe < strictest_mm
    } == {}


@pytest.mark.parametrize(
    "sheet", SHEETS, ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_gradient_that_a_press_cannot_print(sheet):
    assert "gradient" not in sheet.read_text(encoding="utf-8")


@pytest.mark.parametrize("icon", ICONS, ids=lambda path: path.stem)
def test_an_icon_is_filled_paths_on_a_square(icon):
    root = ElementTree.fromstring(icon.read_bytes())
    x, top, width, height = (float(part) for part in root.get("viewBox", "").split())
    assert (x, top, width) == (0, 0, height)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg",
        "path",
    }
    assert not any(
        element.get("stroke") or element.get("style") for element in root.iter()
    )


def measure_luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, as the accessibility guidelines define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def measure_contrast(first_colour: str, second_colour: str) -> float:
    """Contrast of two colours, 1 to 21."""
    light, dark = sorted(
        (measure_luminance(first_colour), measure_luminance(second_colour)),
        reverse=True,
    )
    return (light + 0.05) / (dark + 0.05)


def read_palette(pack: str) -> dict[str, dict[str, str]]:
    """Custom properties by selector, of rules whose selector is one class."""
    text = (ROOT / "templates" / pack / "pack.css").read_text(encoding="utf-8")
    rules = re.findall(r"^(\.[\w-]+) \{(.*?)\}", text, re.MULTILINE | re.DOTALL)
    return {
        name: dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,6})\b", body))
        for name, body in rules
    }


@pytest.mark.parametrize(
    "selector",
    [".face", ".faction-directorate", ".faction-leviathan", ".faction-bottomside"],
)
def test_text_of_hydrophilia_stands_out_from_its_ground(selector):
    colours = {
        **read_palette("hydrophilia")[".face"],
        **read_palette("hydrophilia")[selector],
    }
    colours = {
        name: value if len(value) == 7 else "#" + "".join(c * 2 for c in value[1:])
        for name, value in colours.items()
    }
    pairs = [
        ("on", "f"),
        ("soft", "f"),
        ("soft", "panel"),
        ("haz", "panel"),
        ("k", "t"),
        ("k", "p2"),
        ("f", "paper"),
    ]
    pairs += [("grey", "paper"), ("grey", "p2")]
    low = {
        pair: round(measure_contrast(*(colours[name] for name in pair)), 2)
        for pair in pairs
    }
    assert {pair: value for pair, value in low.items() if value < READABLE} == {}


def test_the_palette_agrees_with_the_vocabulary():
    text = (ROOT / "cards/hydrophilia/vocabulary.yaml").read_text(encoding="utf-8")
    for selector, colours in read_palette("hydrophilia").items():
        if selector.startswith(".faction-"):
            assert f'colour: "{colours["f"]}"' in text
            assert f'tint: "{colours["t"]}"' in text
