"""A style sheet that several kinds share is known whole, wherever it is imported."""

from pathlib import Path

import pytest

from builder.model.pack import Kind, Size
from builder.render.html.templates import load_style
from builder.render.jobs import Places

KIND = Kind(name={"en": "x"}, size=Size(width=63, height=88), faces=("front",))


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "t" / "spirit").mkdir(parents=True)
    (tmp_path / "secret.css").write_text(".s { color: red }")
    (tmp_path / "t" / "shared.css").write_text(".a + .b { top: 1mm }")
    return Places(
        tmp_path / "t", tmp_path / "base", tmp_path / "d", tmp_path / "c", tmp_path
    )


def sheets(places: Places, css: str) -> dict[str, str]:
    (places.templates / "spirit" / "card.css").write_text(css)
    return dict(load_style(places, "spirit", KIND, "en", "full").sheets[1:])


@pytest.mark.parametrize(
    "how",
    [
        '@import url("shared.css");',
        "@import 'shared.css';",
        "@import url(shared.css) ;",
    ],
)
def test_an_imported_sheet_stands_before_the_one_that_imports_it(
    places: Places, how: str
) -> None:
    found = sheets(places, f"{how}\n.c {{ top: 2mm }}")
    assert list(found) == ["t/shared.css", "t/spirit/card.css"]
    assert found["t/spirit/card.css"] == "\n.c { top: 2mm }"


@pytest.mark.parametrize(
    "how",
    ['@import "../secret.css";', '@import "none.css";', '@import "shared.css" print;'],
)
def test_any_other_import_is_left_to_the_engine(places: Places, how: str) -> None:
    assert sheets(places, how) == {"t/spirit/card.css": how}


def test_the_style_changes_with_the_shared_sheet(places: Places) -> None:
    (places.templates / "spirit" / "card.css").write_text('@import "shared.css";')
    before = load_style(places, "spirit", KIND, "en", "full").key
    (places.templates / "shared.css").write_text(".a { top: 1mm }")
    assert load_style(places, "spirit", KIND, "en", "full").key != before
