"""docs/layouts.md shows every layout; both engines render its blocks as written."""

import re
from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.packs.scaffold import list_layouts, list_pack_files, write_project
from builder.usecases.build.build import build_pack
from builder.usecases.check_pack import check_packs
from tests.usecases.toy import build_options

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "layouts.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"### ([^\n]+)\n\n```html\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE
)


@pytest.mark.parametrize("name", list_layouts())
def test_every_layout_is_shown(name: str) -> None:
    assert f"| `{name}` |" in TEXT
    assert f"(pictures/layouts/{name}.png)" in TEXT
    assert (
        ROOT / "docs" / "pictures" / "layouts" / f"{name}.png"
    ).stat().st_size < 120_000


def test_every_block_has_an_example() -> None:
    shown = "".join(example for _title, example in BLOCKS)
    files = {
        path.name for path in (ROOT / "templates" / "base" / "blocks").glob("*.j2")
    }
    assert {name for name in files if f"base/blocks/{name}" not in shown} == set()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_the_examples_are_set_as_they_are_written(tmp_path: Path, engine: str) -> None:
    pytest.importorskip(engine)
    write_project(
        tmp_path / "ford",
        list_pack_files({"": "tarot", "icons": "reference"}, ("en",), None),
    )
    project = Project(tmp_path / "ford")
    box = '<div style="position: absolute; left: 8mm; width: 58mm; top: 10mm; height: 104mm">{}</div>'
    for _title, example in BLOCKS:
        (project.get_templates_dir("ford") / "hero" / "front.html.j2").write_text(
            box.format(example), "utf-8"
        )
        asked = build_options(
            workers=0, only=("id=the-warden",), profile="screen", engine=engine
        )
        result = build_pack(project, "ford", asked)
        assert (result.findings, len(result.files)) == ((), 1), example


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
@pytest.mark.parametrize("name", list_layouts())
def test_a_layout_is_set_without_a_finding(
    tmp_path: Path, name: str, engine: str
) -> None:
    pytest.importorskip(engine)
    write_project(tmp_path / "ford", list_pack_files({"": name}, ("en", "ru"), None))
    asked = build_options(workers=0, profile="screen", engine=engine)
    result = build_pack(Project(tmp_path / "ford"), "ford", asked)
    assert (result.findings, len(result.files)) == ((), 2)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
@pytest.mark.parametrize("first", list_layouts())
def test_layouts_are_set_together_without_a_finding(
    tmp_path: Path, first: str, engine: str
) -> None:
    """The first layout gives its colours and typefaces to all others.

    Each pair is covered in both orders.
    """
    pytest.importorskip(engine)
    kinds = {name: name for name in (first, *list_layouts())}
    write_project(tmp_path / "ford", list_pack_files(kinds, ("en", "ru"), None))
    result = build_pack(
        Project(tmp_path / "ford"),
        "ford",
        build_options(workers=2, profile="screen", engine=engine),
    )
    assert (result.findings, len(result.files)) == ((), 2)


@pytest.mark.parametrize("first", list_layouts())
def test_each_pair_of_layouts_passes_check(tmp_path: Path, first: str) -> None:
    for second in list_layouts():
        folder = tmp_path / second
        write_project(
            folder, list_pack_files({"one": first, "two": second}, ("en", "ru"), None)
        )
        assert check_packs(Project(folder), None) == ()


@pytest.mark.parametrize("first", [name for name in list_layouts() if name != "sheet"])
def test_the_sheet_stays_dark_on_white_beside_another_layout(first: str) -> None:
    files = dict(list_pack_files({"first": first, "band": "sheet"}, ("en",), None))
    (own,) = (
        data.decode() for path, data in files.items() if path.endswith("band/card.css")
    )
    colours = dict(re.findall(r"--([\w-]+):\s*#([0-9a-f]{6})", own))
    assert colours["paper"] == "ffffff"
    for name in ("ink", "muted"):
        assert contrast(colours[name], colours["paper"]) >= 4.5
    # The accent of the pack is made for another paper: no text on white has it.
    assert not re.search(r"(?<![\w-])color:\s*var\(--accent\)", own)


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours as WCAG 2.2 counts it, 1 to 21."""
    darker, lighter = sorted(_luminance(colour) for colour in (first, second))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour of six hexadecimal digits, 0 to 1."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
