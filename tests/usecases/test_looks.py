"""Pictures and drawings that stand in style sheets and templates are judged as files are."""

from __future__ import annotations

import warnings
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from builder.checks.appearance import pictures
from builder.findings import Finding
from builder.model.loaded import MAX_FINDINGS_PER_FILE, PictureFile
from builder.packs.project import Project
from builder.usecases.appearance import check_appearance_files
from builder.usecases.build.build import build_pack
from tests.usecases.toy import build_options, edit, toy_project

TEMPLATES = "templates/lanterns"
SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>%s</svg>"


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (40, 40), "red").save(out, "PNG")
    return out.getvalue()


def found(folder: Path) -> list[tuple[str, str, int | None]]:
    places = (
        (finding.code, finding.location)
        for finding in check_appearance_files(Project(folder), "lanterns")
    )
    return [
        (code, (place.file or "").rpartition("/")[2], place.line)
        for code, place in places
    ]


def test_what_a_style_sheet_holds_is_checked(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    complete_data, half = (b64encode(data).decode() for data in (png(), png()[:60]))
    sheet = folder / TEMPLATES / "more.css"
    sheet.write_text(
        f".a {{ background: url(data:image/png;base64,{complete_data}) }}\n"
    )
    assert found(folder) == []
    sheet.write_text(
        f".a {{ color: red }}\n.b {{ background: url('data:image/png;base64,{half}') }}\n"
    )
    assert found(folder) == [("looks/damaged-picture", "more.css", 2)]


def test_what_the_library_for_pictures_says_of_its_own_future_is_no_fault_of_a_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reading(warning_type: type[Warning]) -> list[str]:
        def judged(_picture: PictureFile) -> list[Finding]:
            warnings.warn("odd", warning_type, stacklevel=2)
            return []

        monkeypatch.setattr(pictures, "_check_picture", judged)
        return [finding.code for finding in pictures.check(PictureFile("a.png", png()))]

    assert reading(UserWarning) == ["looks/picture-metadata"]
    assert reading(DeprecationWarning) == []


@pytest.mark.parametrize(
    ("inside", "codes"),
    [
        ("<path d='M0 0H9V9Z' fill='{{ card.name }}'/>", []),
        ("<filter id='f'/><path filter='url(#f)' d='M0 0H9V9Z'/>", ["looks/undrawn"]),
        ("<g id='a'><use href='#a'/></g>", ["looks/too-much"]),
        ("<text font-family='Papyrus'>a</text>", ["looks/drawing-font"]),
        ("<text font-family='{{ card.name }}'>a</text>", []),
        ("{% if card.name %}<g>{% else %}<g class='b'>{% endif %}</g>", []),
    ],
)
def test_drawings_within_templates_are_checked_as_far_as_they_can_be_read(
    tmp_path: Path, inside: str, codes: list[str]
) -> None:
    folder = toy_project(tmp_path)
    (folder / TEMPLATES / "part.j2").write_text(
        f"<p>\n<svg viewBox='0 0 9 9'>{inside}</svg></p>"
    )
    assert found(folder) == [(code, "part.j2", 2) for code in codes]


def test_a_span_that_is_worked_out_is_reported_of_its_face(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    template = next((folder / TEMPLATES / "spirit").glob("front.html.j2"))
    template.write_text(
        template.read_text()
        + '<table><tr><td colspan="{{ card.lumen * 100000 }}"></td></tr></table>'
    )
    result = build_pack(
        Project(folder),
        "lanterns",
        build_options(workers=0, only=("old-wick",), langs=("en",)),
    )
    assert [finding.code for finding in result.findings] == ["render/limits"]
    assert "spirit/old-wick front" in result.findings[0].message
    edit(template, "100000", "1")
    result = build_pack(
        Project(folder),
        "lanterns",
        build_options(workers=0, only=("old-wick",), langs=("en",)),
    )
    assert result.findings == ()


def test_pictures_that_stand_in_a_text_do_not_count_as_its_length(
    tmp_path: Path,
) -> None:
    folder = toy_project(tmp_path)
    data = b64encode(png()).decode()
    many_pictures = f'<img src="data:image/png;base64,{data}">' * (900_000 // len(data))
    (folder / TEMPLATES / "part.j2").write_text(many_pictures)
    assert found(folder) == []
    (folder / TEMPLATES / "part.j2").write_text("word " * 110_000)
    assert found(folder) == [("yaml/unreadable", "part.j2", 1)]


LONG = 200_000
HOSTILE = {
    ".css": [
        "-" * LONG,
        "margin" * LONG,
        "1." * LONG,
        "a{width:" + "1." * LONG,
        ".a{b:repeat(9999999,1px)}" * 20_000,
        "--a" * LONG,
        "url(" * LONG,
        "repeating-a-gradient(" * 50_000,
        '"\\' * LONG,
        "/*" * LONG,
        "var(--a)" * LONG,
        "background:" * 50_000,
        "a{background:/" * 50_000,
        "a{b:c;" * 50_000,
        "p{}" * LONG,
        ":root{" + "".join(f"--a{n}:var(--a{n + 1});" for n in range(20_000)) + "}",
    ],
    ".j2": [
        "span=" + " " * LONG,
        "<svg " * LONG,
        "{{" * LONG,
        "<svg>" + "{{" * LONG + "</svg>",
        'colspan="9999"' * 20_000,
        "<td span =" * LONG,
        "<svg></svg>" * 20_000,
    ],
    ".svg": [
        "<svg" * LONG,
        SVG % ("<g>" * 50_000),
        SVG % ("<pattern width='0.00001'/>" * 30_000),
        SVG % ("<text font-family='a'/>" * 30_000),
        SVG % "".join(f"<text font-family='a{n}'/>" for n in range(30_000)),
        SVG
        % "".join(f"<g id='a{n}'><use href='#a{n + 1}'/></g>" for n in range(20_000)),
        SVG % ("<path d='" + "M1" * LONG + "' marker-mid='url(#a)'/>"),
        SVG % ("<rect style='" + ";" * LONG + "'/>"),
    ],
}
"""Texts over which a careless check takes hours: this test then ends with the patience of who runs
it.
"""


@pytest.mark.parametrize("ending", HOSTILE)
def test_long_nonsense_is_checked_in_little_time(tmp_path: Path, ending: str) -> None:
    folder = toy_project(tmp_path)
    for number, text in enumerate(HOSTILE[ending]):
        (folder / TEMPLATES / f"odd{number}{ending}").write_text(text)
    assert len(found(folder)) <= 2 * MAX_FINDINGS_PER_FILE * len(HOSTILE[ending])
