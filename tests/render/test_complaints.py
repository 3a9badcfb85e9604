"""Whatever the engine complains of, and whatever reaches outside the pack, is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.messages import translate
from builder.render.files import AddressOutsidePack, locate_file
from builder.render.html.templates import TemplateSet
from tests.messages.speech import CYRILLIC

ESCAPES = [
    "file:///etc/passwd",
    "../../../../etc/passwd",
    "file:///pack/../etc/passwd",
    "file:///pack/art/%2e%2e/%2e%2e/secret.svg",
    "http://example.org/x.png",
    "ftp://example.org/x.png",
    "//example.org/x.png",
    "/etc/passwd",
    "art/link.svg",
]


def change(project, name: str, text: str) -> None:
    path = project.root / "templates" / "lanterns" / name
    path.write_text(text + path.read_text(encoding="utf-8"), encoding="utf-8")


def codes(result) -> set[str]:
    return {finding.code for finding in result.findings}


@pytest.fixture
def walls(tmp_path: Path) -> dict[str, Path]:
    for name in ("templates", "base", "data/art"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "secret.svg").write_text("<svg/>")
    (tmp_path / "data" / "secret.svg").write_text("<svg/>")
    (tmp_path / "data" / "art" / "fine.svg").write_text("<svg/>")
    (tmp_path / "data" / "art" / "link.svg").symlink_to(tmp_path / "secret.svg")
    return {name: tmp_path / name for name in ("templates", "base", "data")}


@pytest.mark.parametrize("url", ESCAPES)
def test_addresses_outside_the_pack_are_not_opened(walls, url):
    from urllib.parse import urljoin

    with pytest.raises((AddressOutsidePack, FileNotFoundError)):
        locate_file(urljoin("file:///pack/", url), **walls)


def test_art_beside_the_cards_is_found(walls):
    assert locate_file("file:///pack/art/fine.svg", **walls).name == "fine.svg"


@pytest.mark.parametrize(
    "name", ["../secret.j2", "/etc/passwd", "base/../secret.j2", "link.j2"]
)
def test_templates_outside_the_pack_are_not_read(tmp_path, name):
    for folder in ("own", "base"):
        (tmp_path / folder).mkdir()
    (tmp_path / "secret.j2").write_text("secret")
    (tmp_path / "own" / "link.j2").symlink_to(tmp_path / "secret.j2")
    assert TemplateSet(tmp_path / "own", tmp_path / "base").find(name) is None


@pytest.mark.slow
@pytest.mark.parametrize("url", ESCAPES[:-1])
def test_a_picture_outside_the_pack_is_refused(lanterns, build, url):
    change(lanterns, "spirit/front.html.j2", f'<img class="edge" src="{url}">')
    result = build(lanterns, langs=("en",), only=("kind=spirit",))
    assert codes(result) & {"render/outside", "render/missing-file"}
    assert all(file.draft for file in result.files)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("spirit/card.css", ".title { colour: red }", "render/css"),
        ("spirit/card.css", "@import 'http://example.org/x.css';", "render/outside"),
        (
            "spirit/front.html.j2",
            "<div class='price'>\N{CJK UNIFIED IDEOGRAPH-6C34}</div>",
            "render/missing-glyph",
        ),
        (
            "spirit/front.html.j2",
            "<img class='edge' src='art/nothing.png'>",
            "render/missing-file",
        ),
        ("spirit/front.html.j2", "{{ card.nothing }}", "render/undefined"),
        ("spirit/front.html.j2", "{{ icon('wik') }}", "render/undefined"),
        ("spirit/front.html.j2", "{% if %}", "render/template"),
        ("spirit/front.html.j2", "{{ 1 / 0 }}", "render/template"),
        ("spirit/front.html.j2", "{{ ''.__class__.__mro__ }}", "render/outside"),
        (
            "spirit/front.html.j2",
            "{% include '../../../secret' %}",
            "render/no-template",
        ),
        (
            "spirit/front.html.j2",
            "<div class='fit fit-nonsense title'>x</div>",
            "render/undeclared-fit",
        ),
    ],
)
def test_complaints_become_findings(lanterns, build, name, text, code):
    change(lanterns, name, text)
    result = build(lanterns, langs=("en",), only=("kind=spirit",))
    assert code in codes(result)
    what = [
        getattr(finding.message, "values", {}).get("what", finding.message)
        for finding in result.findings
    ]
    assert [text for text in what if not CYRILLIC.search(translate(text, "ru"))] == []
    assert all(file.draft for file in result.files)
    if code == "render/css":
        (place,) = {finding.location for finding in result.findings}
        line = (
            (lanterns.root / place.file)
            .read_text(encoding="utf-8")
            .splitlines()[place.line - 1]
        )
        assert line[place.column - 1 :].startswith("colour: red")


@pytest.mark.slow
def test_one_broken_card_does_not_hide_another(lanterns, build):
    broken = (
        "{% if 1 / (card.cost - 1) and card.cost == 4 and card.nothing %}{% endif %}"
    )
    change(lanterns, "spirit/front.html.j2", broken)
    result = build(lanterns, langs=("en",), only=("kind=spirit",))
    assert codes(result) == {"render/template", "render/undefined"}
