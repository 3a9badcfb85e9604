"""How fast the press is, as its users meet it: whole commands from the shell, start-up included.

The cards are one pack's two-sided cards and made-up ones like them (`tests/bench/cards.py`):
numbers recur from card to card as they do in a game, words do not, so that nothing is set once that
a real game's cards would set many times. Where the time goes, stage by stage, is printed by
`bench_peers`.
"""

from __future__ import annotations

import compileall
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from builder.packs.project import Project
from tests.bench.cards import KIND, LANG, PACK, ROOT, grow, project_of

SUBREAPER = 36
"""The system's number for what `_adopt` asks."""


def main() -> None:
    """Print what was measured."""
    adopt()
    for engine in (
        "plutoprint",
        "weasyprint",
    ):  # the smaller first: of processes only the largest so far is known
        print(f"-- {engine}", flush=True)
        measured(engine)


def measured(engine: str) -> None:
    """Print what one engine takes."""
    with tempfile.TemporaryDirectory() as folder:
        project = project_of(Path(folder), 200)
        with (project / "cards" / PACK / "pack.yaml").open(
            "a", encoding="utf-8"
        ) as manifest:
            manifest.write(f"engine: {engine}\n")
        _cold(project, 200)
        _again(project, "warm, nothing edited, 200 cards")
        grow(project, 1000)
        _run(project)
        _edit(project)
        _again(project, "warm, one of 1,000 edited")
        _again(project, "warm, nothing edited, 1,000 cards")
        _edit_style(project)
        _again(project, "style sheet edited under 1,000 cards")
        print(f"{'watch, from save to picture':<44} {_watched(project):7} ms")
        print(f"{'composing sheets, a side':<44} {_sides(project):7.2f} ms")
        for path in sorted((project / "output").rglob("*.pdf")):
            print(f"{path.name:<44} {path.stat().st_size / 1e6:7.2f} MB")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'largest process':<44} {peak:7.0f} MB")


def _cold(project: Path, cards: int) -> None:
    """A build without a cache: by the clock, and what it costs all processors together."""
    before = spent()
    seconds = _run(project)
    used = spent() - before
    faces = Project(project).cache.count("faces")
    wall = f"{seconds:7.2f} s, {1000 * seconds / cards:.1f} ms a card on {os.cpu_count() or 1} cores"
    print(f"{'cold, ' + str(cards) + ' cards':<44} {wall}")
    print(
        f"{'  of processors, start-up included':<44} "
        f"{used:7.2f} s, "
        f"{1000 * used / cards:.1f} ms a card"
    )
    print(
        f"{'  faces set, frames among them':<44} {faces:7}    {1000 * used / faces:.1f} ms a face "
        f"of processors"
    )


def _again(project: Path, what: str) -> None:
    """A build with a cache: by the clock, and of all processors together."""
    before = spent()
    seconds = _run(project)
    print(
        f"{what:<44} {seconds:7.2f} s, {spent() - before:.2f} s of processors",
        flush=True,
    )


def adopt() -> None:
    """Become the parent of processes whose own has ended, so that what they used is counted too.

    And compile the program, as it is where it was installed: some machines are told not to keep
    what they compile.
    """
    compileall.compile_dir(ROOT / "builder", quiet=1)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1)


def spent() -> float:
    """Seconds of processors that ended commands and all their processes have used."""
    with suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _edit(project: Path) -> None:
    path = project / "cards" / PACK / KIND / "card-0500.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("cost: ", "cost: 1"), encoding="utf-8"
    )


def _edit_style(project: Path) -> None:
    path = project / "templates" / PACK / KIND / "card.css"
    path.write_text(
        path.read_text(encoding="utf-8") + ".face{letter-spacing:0.001mm}",
        encoding="utf-8",
    )


def _watched(project: Path) -> int:
    """Ms from a save to the picture of the card, by an engine that is warm: the best of five."""
    from builder.usecases.watch.pack_watch import PackWatch

    path = project / "cards" / PACK / KIND / "card-0500.yaml"
    name = path.relative_to(project).as_posix()
    watch, took = PackWatch(Project(project), PACK, (LANG,)), []
    watch.start_watch([name])
    watch.warm_up()
    text = path.read_text(encoding="utf-8")
    for digit in (1, 2, 3, 4, ""):
        path.write_text(text.replace("cost: ", f"cost: {digit}", 1), encoding="utf-8")
        took.append(watch.show_saved_files([name]).milliseconds)
    return min(took)


def command(project: Path) -> list[str]:
    """How to build the cards from the shell."""
    build = [
        sys.executable,
        "-m",
        "builder",
        "build",
        PACK,
        "--project",
        str(project),
        "--lang",
        LANG,
    ]
    return [*build, "--only", f"kind={KIND}", "--quiet"]


def _run(project: Path) -> float:
    """One build from the shell."""
    start = time.monotonic()
    done = subprocess.run(
        command(project), cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.monotonic() - start


def _sides(project: Path) -> float:
    """Ms a sheet side to compose cached faces, without start-up."""
    from builder.packs.loading import load_pack
    from builder.packs.profiles import load_profile
    from builder.render.cache import FaceCache
    from builder.render.filling import list_card_jobs
    from builder.render.renderer import Renderer
    from builder.render.sheets.sheets import Composer
    from builder.usecases.build.build_options import get_render_folders
    from builder.usecases.build.typeset import group_cards

    own = Project(project)
    pack = load_pack(own, PACK).pack
    assert pack is not None
    renderer = Renderer(pack, get_render_folders(own, PACK), workers=1)
    cards = tuple(pack.list_cards_of_kind(KIND))
    jobs = [
        job for card in cards for job in list_card_jobs(renderer, card, LANG, "full")
    ]
    keys = {job: facts.key for job, facts in renderer.render(jobs).faces.items()}
    groups = group_cards(renderer, cards, LANG, "full", keys)
    profile = load_profile(own, "home-a4")
    start = time.monotonic()
    composer = Composer(
        FaceCache(own.cache_dir), own.cache_dir, renderer.fonts, profile, "x"
    )
    document = composer.compose(BytesIO(), groups)
    return 1000 * (time.monotonic() - start) / document.pages


if __name__ == "__main__":
    main()
