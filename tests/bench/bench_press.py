"""How fast the press is, as its users meet it: whole commands from the shell, start-up included.

The cards are copies of one pack's two-sided cards under new ids, so that every face is set on its own.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACK, KIND, LANG = "hydrophilia", "character", "ru"


def main() -> None:
    """Print what was measured."""
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        _report("cold, 200 cards", 200, _cold(project, 200), cores)
        warm = _run(project)
        print(f"{'warm, nothing edited, 200 cards':<44} {warm:7.2f} s")
        _copies(project, 1000)
        _run(project)
        _edit(project)
        print(f"{'warm, one of 1,000 edited':<44} {_run(project):7.2f} s")
        print(f"{'warm, nothing edited, 1,000 cards':<44} {_run(project):7.2f} s")
        print(f"{'composing sheets, a side':<44} {_sides(project):7.2f} ms")
        for path in sorted((project / "output").rglob("*.pdf")):
            print(f"{path.name:<44} {path.stat().st_size / 1e6:7.2f} MB")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'largest process':<44} {peak:7.0f} MB")


def _report(name: str, cards: int, seconds: float, cores: int) -> None:
    print(f"{name:<44} {seconds:7.2f} s, {1000 * seconds / cards:.1f} ms a card on {cores} cores")


def _cold(project: Path, count: int) -> float:
    """The time of a build without a cache."""
    for part in ("cards", "schemas", "templates"):
        shutil.copytree(ROOT / part, project / part, dirs_exist_ok=True)
    _copies(project, count)
    return _run(project)


def _copies(project: Path, count: int) -> None:
    """So many cards: the pack's own and copies of them under other names."""
    originals = sorted((ROOT / "cards" / PACK / KIND).rglob("*.yaml"))
    target = project / "cards" / PACK / KIND
    for index in range(len(originals), count):
        text = originals[index % len(originals)].read_text(encoding="utf-8")
        card = f"card-{index:04}"
        text = re.sub(r"^id: .*$", f"id: {card}", text, flags=re.MULTILINE)
        text = re.sub(r"\$schema=[./]*", "$schema=../../../", text)
        (target / f"{card}.yaml").write_text(text, encoding="utf-8")


def _edit(project: Path) -> None:
    path = project / "cards" / PACK / KIND / "card-0500.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("cost: ", "cost: 1"), encoding="utf-8")


def _run(project: Path) -> float:
    """One build from the shell."""
    command = [sys.executable, "-m", "builder", "build", PACK, "--project", str(project), "--lang", LANG]
    command += ["--only", f"kind={KIND}", "--quiet"]
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.monotonic() - start


def _sides(project: Path) -> float:
    """Ms a sheet side to compose cached faces, without start-up."""
    from builder.render.cache import FaceCache
    from builder.render.press import Press
    from builder.render.sheets import Composer
    from builder.store.packs import load_pack
    from builder.store.profiles import load_profile
    from builder.store.project import Project
    from builder.usecases.compose import group_cards, jobs_of
    from builder.usecases.setting import places

    own = Project(project)
    pack = load_pack(own, PACK).pack
    assert pack is not None
    press = Press(pack, places(own, PACK), workers=1)
    cards = pack.of_kind(KIND)
    jobs = [job for card in cards for job in jobs_of(press, card, LANG, "full")]
    keys = {job: facts.key for job, facts in press.press(jobs).faces.items()}
    groups = group_cards(press, cards, LANG, "full", keys)
    profile = load_profile(own, "home-a4")
    start = time.monotonic()
    document = Composer(FaceCache(own.cache_dir), own.cache_dir, press.icons.path, profile, "x").compose(groups)
    return 1000 * (time.monotonic() - start) / document.pages


if __name__ == "__main__":
    main()
