"""The build targets of issue 31, measured in one run with a design of its own.

Builds are commands from the shell, start-up included. The peers set the same faces from the same
HTML and style sheets in one process: WeasyPrint and PlutoPrint know nothing of fitting, sheets or a
cache. Run it on an idle machine: `python -m tests.bench targets`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.filling import list_layers
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders
from tests.bench.bench_peers import first_sizes
from tests.bench.bench_press import adopt, spent
from tests.bench.foreign import KIND, LANG, PACK, make_project, write_cards
from tests.house.source import ROOT

CARD_COUNT = 200
LARGE_CARD_COUNT = 1_000
WATCH_SAVES = 5

WEASYPRINT_PER_CARD = """import sys
from weasyprint import HTML
for name in sys.argv[1:]:
    HTML(name).write_pdf(name.removesuffix(".html") + ".pdf")
"""
PLUTOPRINT_DOCUMENT = """import sys
from pathlib import Path
from plutoprint import Book, PAGE_MARGINS_NONE, PageSize
path = Path(sys.argv[1])
book = Book(PageSize(195.6, 266.5), PAGE_MARGINS_NONE)
book.load_html(path.read_text(encoding="utf-8"), base_url=path.as_uri())
book.write_to_pdf(str(path.with_suffix(".pdf")))
"""


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock and of processors."""

    wall: float
    cpu: float


def main() -> None:
    """Print each figure beside its target."""
    adopt()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        project = Project(make_project(root / "project", CARD_COUNT, *sys.argv[2:]))
        _measure_cold_builds(project, root)
        _measure_site(project, root)
        _measure_edits(project)


def _measure_cold_builds(project: Project, root: Path) -> None:
    """Compare cold builds with the engines alone."""
    pages = _write_pages(project, root / "pages")
    every_page = _join_pages(pages, root / "pages" / "all.html")
    naive = run_command([sys.executable, "-c", WEASYPRINT_PER_CARD, *pages])
    plain_weasyprint = run_command(
        [sys.executable, "-c", WEASYPRINT_PER_CARD, every_page]
    )
    plain_plutoprint = run_command(
        [sys.executable, "-c", PLUTOPRINT_DOCUMENT, every_page]
    )
    print_cost("WeasyPrint, one document per card", naive)
    print_cost("WeasyPrint, one document", plain_weasyprint)
    print_cost("PlutoPrint, one document", plain_plutoprint)
    cold = build_cold(project)
    print_cost("cold build", cold)
    print_figure(
        "  its time, of one WeasyPrint document per card",
        cold.wall / naive.wall,
        "",
        0.10,
    )
    print_figure(
        "  its processor time, of PlutoPrint alone",
        cold.cpu / plain_plutoprint.cpu,
        "",
        3.5,
    )
    weasyprint = build_cold(project, "--engine", "weasyprint", "--workers", "1")
    print_cost("cold build with WeasyPrint, one worker", weasyprint)
    print_figure(
        "  its processor time, of one document",
        weasyprint.cpu / plain_weasyprint.cpu,
        "",
        1.3,
    )


def _measure_site(project: Project, root: Path) -> None:
    """Measure a site with pictures of all cards."""
    site = [
        sys.executable,
        "-m",
        "builder",
        "site",
        str(root / "site"),
        "--project",
        str(project.root),
    ]
    print_figure(f"site of {CARD_COUNT} cards", run_command(site).wall, "s", 25)


def _measure_edits(project: Project) -> None:
    """Measure builds after an edit, and without one, and a watched save."""
    write_cards(project.root, LARGE_CARD_COUNT)
    print_cost(
        f"cold build of {LARGE_CARD_COUNT:,} cards",
        build_cold(project),
        LARGE_CARD_COUNT,
    )
    path = project.get_cards_dir(PACK) / KIND / "vessel-00500.yaml"
    edit_cost(path, 51)
    print_figure(
        f"one of {LARGE_CARD_COUNT:,} cards edited", build(project).wall, "s", 1.2
    )
    time.sleep(0.1)  # the record relies on no file that changed just now
    build(project)
    print_figure("nothing edited", build(project).wall, "s", 0.5)
    print_figure(
        "watch, from a save to the picture", watch_saves(project, path), "ms", 250
    )


def _write_pages(project: Project, folder: Path) -> list[Path]:
    """Write each card's faces as plain HTML beside the files that it names."""
    pack = load_pack(project, PACK).pack
    assert pack is not None
    shutil.copytree(project.get_templates_dir(PACK), folder)
    shutil.copytree(project.get_cards_dir(PACK) / "art", folder / "art")
    renderer = Renderer(pack, get_render_folders(project, PACK), workers=0)
    from builder.render.fonts import configure_fontconfig

    configure_fontconfig(project.cache_dir, renderer.fonts)
    pages = []
    for card in pack.list_cards_of_kind(KIND):
        faces = []
        for side in pack.manifest.kinds[KIND].faces:
            for job in list_layers(renderer, card, side, LANG, "full"):
                filled = renderer.fill(job, "", [])
                assert filled is not None
                faces.append(first_sizes(filled.html))
                sheets = renderer.get_style(job).sheets
        css = "".join(f"<style>{text}</style>" for _name, text in sheets)
        pages.append(folder / f"{card.id}.html")
        pages[-1].write_text(
            f"<!DOCTYPE html><html lang='{LANG}'><head>{css}</head><body>\n{''.join(faces)}\n"
        )
    shutil.rmtree(project.cache_dir)
    configure_fontconfig(project.cache_dir, renderer.fonts)
    return pages


def _join_pages(pages: Sequence[Path], target: Path) -> Path:
    """Write one document of all pages."""
    texts = [page.read_text(encoding="utf-8") for page in pages]
    head = texts[0].partition("<body>")[0]
    target.write_text(
        head + "<body>" + "".join(text.partition("<body>")[2] for text in texts),
        encoding="utf-8",
    )
    return target


def build_cold(project: Project, *options: str) -> Cost:
    """Build without a cache."""
    for file in project.cache_dir.glob(
        "cache.*"
    ):  # not what fontconfig found, which the peers use too
        file.unlink()
    return build(project, *options)


def build(project: Project, *options: str) -> Cost:
    """Build all cards from the shell."""
    return run_command(
        [
            sys.executable,
            "-m",
            "builder",
            "build",
            PACK,
            "--project",
            project.root,
            "--quiet",
            *options,
        ]
    )


def run_command(command: Sequence[str | Path]) -> Cost:
    """Return what a command costs with all its children. Exit if it fails."""
    before, start = spent(), time.monotonic()
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{command[:5]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return Cost(time.monotonic() - start, spent() - before)


def edit_cost(path: Path, cost: int) -> None:
    """Change the cost of a card."""
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^cost: \d+", f"cost: {cost}", text), encoding="utf-8")


def watch_saves(project: Project, path: Path) -> float:
    """Return the median ms from a save to the card's picture."""
    from builder.usecases.watch.pack_watch import PackWatch

    name = path.relative_to(project.root).as_posix()
    watch, milliseconds = PackWatch(project, PACK, (LANG,)), []
    watch.start_watch([name])
    watch.warm_up()
    for save in range(WATCH_SAVES):
        edit_cost(path, 60 + save)
        milliseconds.append(watch.show_saved_files([name]).milliseconds)
    return sorted(milliseconds)[WATCH_SAVES // 2]


def print_cost(name: str, cost: Cost, cards: int = CARD_COUNT) -> None:
    """Print what a command costs a card."""
    wall, cpu = 1000 * cost.wall / cards, 1000 * cost.cpu / cards
    print(
        f"{name:<52}{wall:8.1f} ms a card, {cpu:.1f} ms of processors ({os.cpu_count()} cores)",
        flush=True,
    )


def print_figure(name: str, value: float, unit: str, target: float) -> None:
    """Print a figure and its target."""
    print(
        (
            f"{name:<52}{value:8.2f} "
            f"{unit:<3} target "
            f"{target:g}{'' if value <= target else '  MISSED'}"
        ),
        flush=True,
    )


if __name__ == "__main__":
    main()
