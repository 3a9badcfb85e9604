"""The press beside its peers: the same cards, once through each, in one run.

And where the press's time goes.

Each peer is a process of its own, start-up included, one core's work; one that is not installed is
named as skipped. WeasyPrint and Chromium set the very HTML and style sheets that the press sets, at
their first sizes: neither shrinks a text that is too long, nor puts cards on sheets. Typst sets the
same texts, one below the other and without any drawing, on pages of the same size: the least it
would need. Chromium leaves processes behind that nobody counts: of it only the time by the clock
tells.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from builder.model.card import Card
from builder.model.pack import Size
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.filling import list_layers
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders
from tests.bench.bench_press import adopt, spent
from tests.bench.cards import KIND, LANG, PACK, ROOT, project_of

COUNT = 200
"""Cards in all: enough that start-up does not hide the rest, few enough to wait for the slowest."""

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome-headless-shell",
)

_NAIVE = """import sys
from weasyprint import HTML
for name in sys.argv[1:]:
    HTML(name).write_pdf(name.removesuffix(".html") + ".pdf")
"""
_TYPST = "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2], font_paths=sys.argv[3:])"
_START = """import sys
from pathlib import Path
from builder.render.workers import EngineSetup, open_engine
from builder.packs.project import Project
from builder.usecases.build.build_options import get_render_folders
open_engine(EngineSetup(get_render_folders(Project(Path(sys.argv[1])), sys.argv[2]), engine=sys.argv[3]))
"""


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock and of processors, and how many PDF bytes came out."""

    wall: float
    cpu: float
    size: int = 0


@dataclass(frozen=True)
class Leaf:
    """One printed face: its layers as HTML, the lowest first, and the style sheets of its kind."""

    html: tuple[str, ...]
    css: tuple[str, ...]
    size: Size


def main(rows: Collection[str] = ()) -> None:
    """Print what was measured.

    All, or the rows that are named (press, weasyprint, chromium, typst, stages).
    """
    wanted = rows or ("press", "weasyprint", "chromium", "typst", "stages")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = Project(project_of(folder / "project", COUNT))
        renderer, cards = ready(project)
        leaves = [
            leaf(renderer, card, side)
            for card in cards
            for side in renderer.pack.manifest.kinds[KIND].faces
        ]
        pack_folder = material(project, folder / "pack")
        os.environ["FONTCONFIG_FILE"] = fonts(renderer)
        print(f"{len(cards)} cards, {len(leaves)} faces: {PACK}, {KIND}, {LANG}")
        adopt()
        own: dict[tuple[str, int], Cost | str] = {}
        for engine, workers in product(ENGINES, (1, 2)) if "press" in wanted else ():
            cost = own[engine, workers] = by_press(project, engine, workers)
            told(
                f"squadpress build, cold, {engine}, workers: {workers}",
                cost,
                len(cards),
            )
        if "weasyprint" in wanted:
            naive = by_weasyprint(pack_folder, leaves, len(cards))
            told("WeasyPrint, a document per card", naive, len(cards))
            for (engine, workers), cost in own.items():
                if isinstance(cost, Cost) and isinstance(naive, Cost):
                    part = (
                        f"{cost.wall / naive.wall:.3f} of its time, "
                        f"{cost.cpu / naive.cpu:.3f} "
                        f"of its processors"
                    )
                    print(f"  {engine}, workers {workers}: {part}", flush=True)
        if "chromium" in wanted:
            told(
                "Chromium, print to PDF, one document",
                by_chromium(pack_folder, leaves),
                len(cards),
            )
        if "typst" in wanted:
            told(
                "Typst, one document, texts alone", by_typst(folder, leaves), len(cards)
            )
        for engine in ENGINES if "stages" in wanted else ():
            shares(project, len(cards), engine)


def told(name: str, cost: Cost | str, cards: int) -> None:
    """One line; a reason instead of figures where a peer is absent."""
    if isinstance(cost, str):
        print(f"{name:<48} skipped: {cost}", flush=True)
        return
    wall, cpu = 1000 * cost.wall / cards, 1000 * cost.cpu / cards
    print(
        f"{name:<48} {wall:7.1f} ms a card, {cpu:7.1f} of processors, {cost.size / 1e6:6.2f} MB",
        flush=True,
    )


def ready(project: Project) -> tuple[Renderer, Sequence[Card]]:
    """Return the press and the cards.

    It keeps nothing, so that the build that is measured begins cold.
    """
    pack = load_pack(project, PACK).pack
    assert pack is not None
    return Renderer(pack, get_render_folders(project, PACK), workers=1), tuple(
        pack.list_cards_of_kind(KIND)
    )


def leaf(renderer: Renderer, card: Card, side: str) -> Leaf:
    """Return a face as the press would set it."""
    html: list[str] = []
    style = None
    for job in list_layers(renderer, card, side, LANG, "full"):
        filled = renderer.fill(job, "", [])
        assert filled is not None, job
        html.append(first_sizes(filled.html))
        style = renderer.get_style(job)
    assert style is not None
    return Leaf(
        tuple(html),
        tuple(text for _, text in style.sheets),
        renderer.pack.manifest.kinds[KIND].size,
    )


def first_sizes(html: str) -> str:
    """Return the HTML with every block that may shrink at its first size."""
    return re.sub(r"""(class=["'][^"']*\bfit-[a-z0-9-]+)""", r"\1 step-0", html)


def material(project: Project, target: Path) -> Path:
    """Return a folder in which the pack's addresses hold.

    Its templates and art, and the program's own templates.
    """
    shutil.copytree(project.get_templates_dir(PACK), target)
    shutil.copytree(project.base_templates, target / "base")
    if (art := project.get_cards_dir(PACK) / "art").is_dir():
        shutil.copytree(art, target / "art", dirs_exist_ok=True)
    return target


def fonts(renderer: Renderer) -> str:
    """Return the configuration by which every peer finds the press's own fonts and no others."""
    from builder.render.fonts import configure_fontconfig

    configure_fontconfig(renderer.places.cache, renderer.fonts)
    return os.environ["FONTCONFIG_FILE"]


def page(leaves: Sequence[Leaf]) -> str:
    """Return a plain document: a face a page, its layers on top of each other."""
    size = leaves[0].size
    width, height = size.width + 2 * size.bleed, size.height + 2 * size.bleed
    own = (
        f"@page{{size:{width:g}mm {height:g}mm;margin:0}}"
        ".leaf{position:relative;break-after:page}.leaf:last-child{break-after:auto}"
        f".leaf{{width:{width:g}mm;height:{height:g}mm;overflow:hidden}}.over{{position:absolute;top:0;left:0}}"
    )
    styles = "".join(f"<style>{text}</style>" for text in (*leaves[0].css, own))
    faces = (
        "".join(f'<div class="over">{html}</div>' for html in each.html)
        for each in leaves
    )
    body = "".join(f'<div class="leaf">{face}</div>' for face in faces)
    return (
        f'<!DOCTYPE html><html lang="{LANG}"><head><meta '
        f'charset="utf-8">{styles}</head><body>{body}</body></html>'
    )


def run(command: Sequence[str | Path], made: Callable[[], list[Path]]) -> Cost | str:
    """Return what a command costs with all its children; its complaint where it failed."""
    before, start = spent(), time.monotonic()
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.monotonic() - start
    files = [path for path in made() if path.is_file()]
    if done.returncode or not files:
        return f"it failed with {done.returncode}: {(done.stderr or done.stdout).strip()[-200:]}"
    return Cost(wall, spent() - before, sum(path.stat().st_size for path in files))


def by_press(
    project: Project, engine: str = "weasyprint", workers: int = 1
) -> Cost | str:
    """Return the whole command, sheets included, from an empty cache."""
    shutil.rmtree(project.cache_dir, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "builder",
        "build",
        PACK,
        "--project",
        project.root,
        "--lang",
        LANG,
    ]
    command += [
        "--only",
        f"kind={KIND}",
        "--workers",
        str(workers),
        "--engine",
        engine,
        "--quiet",
    ]
    return run(
        command, lambda: sorted(project.get_output_dir(PACK).rglob(f"*{engine}*.pdf"))
    )


def by_weasyprint(folder: Path, leaves: Sequence[Leaf], cards: int) -> Cost | str:
    """One process, a document per card, nothing shared: the simplest implementation."""
    each = len(leaves) // cards
    names = [folder / f"card-{index}.html" for index in range(cards)]
    for index, path in enumerate(names):
        path.write_text(
            page(leaves[index * each : (index + 1) * each]), encoding="utf-8"
        )
    return run(
        [sys.executable, "-c", _NAIVE, *names],
        lambda: [path.with_suffix(".pdf") for path in names],
    )


def by_chromium(folder: Path, leaves: Sequence[Leaf]) -> Cost | str:
    """One document of all faces."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return "not installed"
    source, target = folder / "all.html", folder / "all.pdf"
    source.write_text(page(leaves), encoding="utf-8")
    # A container has no room for the browser's own sandbox; the page is ours.
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        f"--print-to-pdf={target}",
    ]
    return run([program, *options, source.as_uri()], lambda: [target])


def by_typst(folder: Path, leaves: Sequence[Leaf]) -> Cost | str:
    """One document of all texts, by the program or by its Python module."""
    from builder.render.fonts import find_font_folders

    source, target = folder / "all.typ", folder / "all-typst.pdf"
    source.write_text("".join(map(typst_page, leaves)), encoding="utf-8")
    program = shutil.which("typst")
    if program is not None:
        paths = [part for path in find_font_folders() for part in ("--font-path", path)]
        return run([program, "compile", *paths, source, target], lambda: [target])
    if importlib.util.find_spec("typst") is None:
        return "not installed"
    return run(
        [sys.executable, "-c", _TYPST, source, target, *find_font_folders()],
        lambda: [target],
    )


def typst_page(each: Leaf) -> str:
    """Return a face's texts, each in a box of its own."""
    size = each.size
    width, height = size.width + 2 * size.bleed, size.height + 2 * size.bleed
    pieces = [
        unescape(text).strip()
        for html in each.html
        for text in re.findall(r">([^<>]+)<", html)
    ]
    boxes = "\n".join(
        f"#block(spacing: 1pt, text({quoted(text)}))" for text in pieces if text
    )
    head = (
        f'#set text(font: "Roboto", size: 3pt)\n#set '
        f"page(width: {width:g}mm, height: "
        f"{height:g}mm, margin: 3mm)"
    )
    return (
        f"{head}\n#box(height: 100%, clip: true)[\n{boxes}\n]\n#pagebreak(weak: true)\n"
    )


def quoted(text: str) -> str:
    """Return a text as Typst writes it."""
    plain = re.sub(r"\s+", " ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def shares(project: Project, cards: int, engine: str) -> None:
    """Where the press's own time goes, in one process, cold.

    Processor time by stage, without stages within it.
    """
    from builder.usecases.build.build import build_pack
    from tests.usecases.toy import build_options

    shutil.rmtree(project.cache_dir, ignore_errors=True)
    shutil.rmtree(project.get_output_dir(PACK), ignore_errors=True)
    started = run(
        [sys.executable, "-c", _START, project.root, PACK, engine],
        lambda: [Path(__file__)],
    )
    print(
        f"where the press's time goes, {engine}, one process, cold, ms a card of processors:"
    )
    if isinstance(started, Cost):
        print(
            f"  (start-up of a process that sets: {started.cpu:.2f} s of processors, {started.wall:.2f} s wall)"
        )
    stages: dict[str, float] = {}
    with ExitStack() as stack:
        for name, target in (STAGES | DRAWING[engine]).items():
            stack.enter_context(timed(name, target, stages))
        begin = time.process_time()
        options = build_options(
            langs=(LANG,), only=(f"kind={KIND}",), workers=0, engine=engine
        )
        build_pack(project, PACK, options)
        total = time.process_time() - begin
    stages["the rest"] = total - sum(stages.values())
    for name, seconds in stages.items():
        print(
            f"  {name:<38} {1000 * seconds / cards:7.2f} ({100 * seconds / total:.0f} %)"
        )


ENGINES = ("weasyprint", "plutoprint")
LAID = {"layout": "lay_out_faces", "drawing": "draw_pages"}
STAGES = {
    "reading the pack": "builder.packs.pack_files.load_pack",
    "filling templates": "builder.render.filling.TemplateFiller.fill",
    "start-up of the engine": "builder.render.workers.open_engine",
    "keeping faces": "builder.render.cache.FaceCache.store_faces",
    "composing": "builder.render.sheets.sheets.Composer.compose",
}
"""Stages, and the function that each is."""

DRAWING = {
    engine: {
        stage: f"builder.render.engines.{engine}.engine.{name}.{does}"
        for stage, does in LAID.items()
    }
    for engine, name in zip(ENGINES, ("WeasyPrint", "PlutoPrint"), strict=True)
}
_QUICK = "builder.render.engines.plutoprint.engine"
DRAWING["plutoprint"] |= {
    "marking copies": f"{_QUICK}.mark_face",
    "reading copies": f"{_QUICK}.measure_drawing",
}
DRAWING["plutoprint"] |= {"reading drawn faces": f"{_QUICK}.extract_records"}
_within: list[float] = []
"""What stages took within each of those that are under way, the innermost last."""


def timed(name: str, target: str, spent: dict[str, float]) -> Any:
    """Return a patch that adds up a function's processor time, without other patched calls in it."""
    owner, _, attribute = target.rpartition(".")
    try:
        whose = importlib.import_module(owner)
    except ModuleNotFoundError:
        module, _, inner = owner.rpartition(".")
        whose = getattr(importlib.import_module(module), inner)
    original = getattr(whose, attribute)
    spent[name] = 0.0

    def call(*args: Any, **options: Any) -> Any:
        start = time.process_time()
        _within.append(0.0)
        try:
            return original(*args, **options)
        finally:
            took = time.process_time() - start
            spent[name] += took - _within.pop()
            if _within:
                _within[-1] += took

    return patch.object(whose, attribute, call)


if __name__ == "__main__":
    main(sys.argv[1:])
