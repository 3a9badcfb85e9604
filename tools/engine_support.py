"""Measure what each engine draws.

Small cases, set with and without a feature, compared with a browser's pictures.

`python -m tools.engine_support [ENGINE ...]` writes builder/render/engines/<engine>/support.json
for the installed versions. A case counts only if the feature changes the browser's picture. It
needs Chromium (CHROMIUM names another program) and playwright. With `--check` the installed engines
are compared with what is stored; no browser is needed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy
from PIL import Image, ImageFilter

from tools.engine_cases import SIDE_MM, Case, css_cases, drawing_cases

ROOT = Path(__file__).resolve().parents[1]
ENGINES = ("weasyprint", "plutoprint")
DPI = 96
SIDE_PX = round(SIDE_MM / 25.4 * DPI)
CASES_PER_DOCUMENT = 100
"""The browser draws no page that is taller than 16,384 pixels."""
MIN_REFERENCE_CHANGE = 0.25
"""Steps of grey, on average over a picture, by which a feature must change the browser's picture to
count.
"""
MIN_SHARE_OF_CHANGE = 0.15
"""The part of the browser's change below which an engine is said to drop the feature."""
MAX_CHANGE_ERROR = 0.3
"""The part of the browser's change by which an engine's change may differ from it; more is drawn
wrong.
"""
MAX_CHANGE_WHEN_DROPPED = 1.5
"""Steps of grey by which a dropped feature may still change an engine's picture."""
OUTCOMES = ("no effect", "dropped", "wrong", "drawn")
PAGE = f"@page{{size:{SIDE_MM}mm;margin:0}}html,body{{margin:0;padding:0}}"
BASE = (
    f".case{{position:relative;width:{SIDE_MM}mm;height:{SIDE_MM}mm;overflow:hidden;background:#fff;color:#000;"
    "font:8pt/1.2 Roboto;page-break-after:always;break-after:page}"
    ".case p,.case h1{margin:0}.case svg{display:block}"
)


class Pictures(NamedTuple):
    """Pictures of a case with the feature and without it, in steps of grey."""

    with_feature: numpy.ndarray
    without: numpy.ndarray

    @property
    def change(self) -> numpy.ndarray:
        """How the feature changes the picture."""
        return self.with_feature - self.without


def font_face() -> str:
    """Return the style rules that load the program's own fonts."""
    from builder.render.fonts import find_font_file

    rules = (
        f"@font-face{{font-family:Roboto;font-weight:{weight};font-style:{style};src:url('{find_font_file(name).as_uri()}')}}"
        for name, weight, style in (
            ("Roboto-Regular.ttf", 400, "normal"),
            ("Roboto-Bold.ttf", 700, "normal"),
            ("Roboto-Italic.ttf", 400, "italic"),
        )
    )
    return "".join(rules)


def document_of(bodies: Iterable[str], css: str) -> str:
    """Return an HTML document with a case on each page."""
    cases = "".join(f'<div class="case">{body}</div>' for body in bodies)
    return (
        f"<!DOCTYPE html><html "
        f'lang="en"><head><style>{css}</style></head><body>{cases}</body></html>'
    )


def bodies_of(cases: Sequence[Case]) -> list[str]:
    """Return the HTML of all cases: each with its feature, then without.

    Ids are made different for each body.
    """
    bodies = []
    for number, case in enumerate(cases):
        bodies.append(case.body.replace("ID", f"a{number}-"))
        bodies.append(case.plain_body.replace("ID", f"b{number}-"))
    return bodies


def draw_with_weasyprint(bodies: Sequence[str]) -> bytes:
    """Return a PDF with a page for each body."""
    import logging

    from weasyprint import HTML

    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    return bytes(
        HTML(string=document_of(bodies, font_face() + PAGE + BASE)).write_pdf()
    )


def draw_with_plutoprint(bodies: Sequence[str]) -> bytes:
    """Return a PDF with a page for each body."""
    from plutoprint import PAGE_MARGINS_NONE, Book, PageSize

    side = SIDE_MM / 25.4 * 72
    book = Book(PageSize(side, side), PAGE_MARGINS_NONE)
    book.load_html(
        document_of(bodies, font_face() + PAGE + BASE + "@page{-pluto-page-scale:1}")
    )
    with TemporaryDirectory() as folder:
        path = Path(folder, "cases.pdf")
        book.write_to_pdf(str(path))
        return path.read_bytes()


DRAW = {"weasyprint": draw_with_weasyprint, "plutoprint": draw_with_plutoprint}


def pages_of(pdf: bytes) -> list[Image.Image]:
    """Return the pages of a PDF as pictures."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(pdf)
    return [page.render(scale=DPI / 72).to_pil().convert("RGB") for page in document]


def draw_with_engine(engine: str, bodies: Sequence[str]) -> list[Image.Image | None]:
    """Return a picture of each body; None where the engine fails or makes several pages."""
    try:
        pages = pages_of(DRAW[engine](bodies))
    except Exception:
        pages = []
    if len(pages) == len(bodies):
        return [*pages]
    if len(bodies) == 1:
        return [pages[0] if pages else None]
    middle = len(bodies) // 2
    return draw_with_engine(engine, bodies[:middle]) + draw_with_engine(
        engine, bodies[middle:]
    )


def draw_with_browser(bodies: Sequence[str]) -> tuple[list[Image.Image], str]:
    """Return a picture of each body as Chromium draws it, and the browser's name and version."""
    from playwright.sync_api import sync_playwright

    pictures: list[Image.Image] = []
    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--font-render-hinting=none"]
        )
        page = browser.new_page(viewport={"width": SIDE_PX, "height": SIDE_PX * 10})
        for start in range(0, len(bodies), CASES_PER_DOCUMENT):
            part = bodies[start : start + CASES_PER_DOCUMENT]
            path = Path(folder, "cases.html")
            css = (
                font_face()
                + BASE
                + f"html,body{{margin:0}}.case{{width:{SIDE_PX}px;height:{SIDE_PX}px}}"
            )
            path.write_text(document_of(part, css), encoding="utf-8")
            page.goto(path.as_uri())
            page.evaluate("document.fonts.ready")
            shot = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")
            boxes = (
                (0, row * SIDE_PX, SIDE_PX, (row + 1) * SIDE_PX)
                for row in range(len(part))
            )
            pictures += [shot.crop(box) for box in boxes]
        name = f"Chromium {browser.version}"
        browser.close()
    return pictures, name


def write_property_names() -> None:
    """Write the names of all properties that the browser knows: none of them is a misspelling."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    script = (
        "[...new Set([...Object.keys(document.body.style), "
        "...getComputedStyle(document.body)])]"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        page = browser.new_page()
        # A style object names properties as variables of a program: a capital letter stands for a
        # hyphen and a letter.
        written = (
            re.sub("[A-Z]", lambda capital: "-" + capital[0].lower(), name)
            for name in page.evaluate(script)
        )
        names = {f"-{name}" if name.startswith("webkit-") else name for name in written}
        browser.close()
    path = ROOT / "builder" / "render" / "engines" / "css_properties.txt"
    path.write_text("\n".join(sorted(names)) + "\n", encoding="utf-8")


def compared(with_feature: Image.Image, without: Image.Image) -> Pictures:
    """Return two pictures as numbers.

    They are blurred a little, since no two programs smooth edges alike.
    """
    arrays = []
    for picture in (with_feature, without):
        soft = picture.resize((SIDE_PX, SIDE_PX)).filter(ImageFilter.GaussianBlur(1.5))
        arrays.append(numpy.asarray(soft, dtype=float))
    return Pictures(*arrays)


def outcome_of(reference: Pictures, engine: Pictures | None, *, is_text: bool) -> str:
    """Return "drawn", "dropped" or "wrong".

    "no effect" where the feature changes nothing in the browser.
    """
    expected = numpy.abs(reference.change).mean()
    if expected < MIN_REFERENCE_CHANGE:
        return "no effect"
    if engine is None:
        return "wrong"
    if numpy.abs(engine.change).mean() < MIN_SHARE_OF_CHANGE * expected:
        return "dropped"
    # Letters lie elsewhere in each program, so that only the size of a change can be compared.
    error = numpy.abs(engine.change - reference.change).mean()
    return "wrong" if not is_text and error > MAX_CHANGE_ERROR * expected else "drawn"


def measure(engines: Sequence[str]) -> tuple[dict[str, dict[str, dict[str, str]]], str]:
    """Return the outcome of each case by engine and key, and the browser's name."""
    cases = [*drawing_cases(), *css_cases()]
    bodies = bodies_of(cases)
    # Where the browser cannot do it by itself, it draws what the feature should look like.
    references = [
        case.reference if case.reference and number % 2 == 0 else body
        for number, (body, case) in enumerate(
            zip(bodies, (case for case in cases for _body in range(2)), strict=True)
        )
    ]
    reference, browser = draw_with_browser(references)
    outcomes: dict[str, dict[str, dict[str, str]]] = {}
    for engine in engines:
        pictures: list[Image.Image | None] = []
        for start in range(0, len(bodies), CASES_PER_DOCUMENT):
            pictures += draw_with_engine(
                engine, bodies[start : start + CASES_PER_DOCUMENT]
            )
        found: dict[str, dict[str, str]] = {}
        for number, case in enumerate(cases):
            expected = compared(reference[2 * number], reference[2 * number + 1])
            ours, plain = pictures[2 * number : 2 * number + 2]
            drawn = (
                compared(ours, plain)
                if ours is not None and plain is not None
                else None
            )
            outcome = outcome_of(expected, drawn, is_text=case.is_text)
            # Properties that change no picture are kept: a pack may use them freely.
            # Of several cases of one value that one decides in which most is drawn.
            before = found.get(case.key, {}).get(case.value, "no effect")
            if OUTCOMES.index(outcome) >= OUTCOMES.index(before) and (
                outcome != "no effect" or case.key[:4] == "css "
            ):
                found.setdefault(case.key, {})[case.value] = outcome
        outcomes[engine] = found
    return outcomes, browser


def write(engine: str, outcomes: Mapping[str, Mapping[str, str]], browser: str) -> Path:
    """Write the outcomes of an engine beside its adapter, by its version."""
    path = path_of(engine)
    stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    stored[version(engine)] = {
        "reference": browser,
        "cases": {key: dict(outcomes[key]) for key in sorted(outcomes)},
    }
    path.write_text(
        json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return path


def find_differences(engine: str) -> list[str]:
    """Return the cases in which the installed engine does otherwise than is stored.

    It needs no browser.
    """
    stored = json.loads(path_of(engine).read_text(encoding="utf-8"))[version(engine)][
        "cases"
    ]
    cases = [*drawing_cases(), *css_cases()]
    bodies = bodies_of(cases)
    pictures: list[Image.Image | None] = []
    for start in range(0, len(bodies), CASES_PER_DOCUMENT):
        pictures += draw_with_engine(engine, bodies[start : start + CASES_PER_DOCUMENT])
    changes: dict[tuple[str, str], float] = {}
    for number, case in enumerate(cases):
        ours, plain = pictures[2 * number : 2 * number + 2]
        change = (
            float(numpy.abs(compared(ours, plain).change).mean())
            if ours and plain
            else 0.0
        )
        changes[case.key, case.value] = max(
            change, changes.get((case.key, case.value), 0.0)
        )
    differences = []
    for (key, value), change in changes.items():
        outcome = stored.get(key, {}).get(value, "no effect")
        is_now_drawn = outcome == "dropped" and change > MAX_CHANGE_WHEN_DROPPED
        is_now_dropped = outcome == "drawn" and change == 0
        if is_now_drawn or is_now_dropped:
            differences.append(
                f"{key}: {value}: stored as {outcome}, the picture changes by {change:.2f}"
            )
    return differences


def path_of(engine: str) -> Path:
    """Return the file in which an engine's outcomes lie."""
    return ROOT / "builder" / "render" / "engines" / engine / "support.json"


def main(engines: Sequence[str]) -> None:
    """Measure engines and store what they draw."""
    write_property_names()
    outcomes, browser = measure(engines)
    for engine, found in outcomes.items():
        print(write(engine, found, browser))
        for key, values in sorted(found.items()):
            lost = {
                value: outcome
                for value, outcome in values.items()
                if outcome in ("dropped", "wrong")
            }
            if lost:
                print(f"  {key}: {lost}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        found = [
            difference
            for engine in sys.argv[2:] or ENGINES
            for difference in find_differences(engine)
        ]
        print("\n".join(found))
        sys.exit(1 if found else 0)
    main(sys.argv[1:] or ENGINES)
