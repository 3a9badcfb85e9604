"""A process that sets ahead gives what setting here gives: the same bytes, the same findings, the same failures."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from builder.errors import SquadpressError, ToolMissing
from builder.render import ahead as module
from builder.render import pool
from builder.render.ahead import ahead
from builder.usecases.build.build import build_pack
from builder.usecases.build.setting import BuildOptions

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def built(project, **options):
    return build_pack(project, project.packs()[0], BuildOptions(**options))


def data(result):
    return [file.path.read_bytes() for file in result.files]


def running(pid):
    """True for a process that is there and not merely waiting to be counted out."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.parametrize(("alone", "workers"), [(2, 1), (10**6, 1), (0, 2)])
def test_the_same_bytes_cold_and_after_an_edit(lanterns, tmp_path, monkeypatch, alone, workers):
    monkeypatch.setattr(pool, "ALONE", alone)
    card = lanterns.cards_dir("lanterns") / "spirit" / "old-wick.yaml"
    text = card.read_text(encoding="utf-8")
    with ahead(lanterns.cache_dir):
        cold = data(built(lanterns, workers=workers))
        card.write_text(text.replace("lumen: ", "lumen: 1"), encoding="utf-8")
        warm = built(lanterns, workers=workers)
        assert 0 < warm.fresh <= 4
        edited = data(warm)
    assert edited != cold
    for number, (words, expected) in enumerate([(card.read_text(encoding="utf-8"), edited), (text, cold)]):
        lanterns.cache_dir.rename(tmp_path / f"cache-{number}")
        card.write_text(words, encoding="utf-8")
        assert data(built(lanterns, workers=1)) == expected


@pytest.mark.parametrize("workers", [1, 2])
def test_an_edited_card_and_very_much_besides(lanterns, monkeypatch, workers):
    """The card is begun with in the process ahead; the rest is too much for it, but must let it answer."""
    monkeypatch.setattr("builder.store.memory.YOUNG", -(10**18))  # what was read a moment ago is known, too
    built(lanterns, workers=1)
    style = lanterns.templates_dir("lanterns") / "pack.css"
    style.write_bytes(style.read_bytes() + b"\n")
    card = lanterns.cards_dir("lanterns") / "spirit" / "old-wick.yaml"
    card.write_text(card.read_text(encoding="utf-8").replace("lumen: ", "lumen: 1"), encoding="utf-8")
    with ahead(lanterns.cache_dir):
        made = built(lanterns, workers=workers, langs=("en",))
    assert not made.findings
    assert made.fresh == 13


def test_findings_come_back(lanterns):
    css = lanterns.templates_dir("lanterns") / "spirit" / "card.css"
    css.write_text(css.read_text(encoding="utf-8") + ".kind-spirit .title {left: 1mm}", encoding="utf-8")
    with ahead(lanterns.cache_dir):
        found = built(lanterns).findings
    assert {finding.code for finding in found} == {"render/cut-off"}


def test_what_is_missing_is_told_by_the_process_that_was_asked(lanterns, monkeypatch):
    monkeypatch.setattr(pool, "ALONE", 10**6)

    def missing(*_):
        raise ToolMissing("a library is missing", "Install it.")

    monkeypatch.setattr("builder.render.fonts.check_libraries", missing)
    with ahead(lanterns.cache_dir), pytest.raises(ToolMissing) as caught:
        built(lanterns)
    assert caught.value.remedy == "Install it."


def test_a_process_that_dies_is_told(lanterns, monkeypatch):
    monkeypatch.setattr(pool, "ALONE", 10**6)
    with ahead(lanterns.cache_dir):
        os.kill(module._AHEAD._process.pid, signal.SIGKILL)
        with pytest.raises(SquadpressError, match="died"):
            built(lanterns)


def test_more_is_sent_than_fits_between_two_processes_that_both_talk(lanterns, monkeypatch):
    """Answers that nobody reads yet must not keep the other process from hearing more work."""
    monkeypatch.setattr(pool, "ALONE", 10**6)
    monkeypatch.setattr(pool, "facts_of", lambda batches, *_: (["x" * 10**6] for _ in batches))
    with ahead(lanterns.cache_dir):
        found = [module.set_all(("y" * 10**6,) * 3, None, None, 1) for _ in range(3)]
        assert [len(list(each)) for each in found] == [3, 3, 3]


def test_an_end_in_the_middle_of_the_work_leaves_no_process_behind(lanterns, monkeypatch):
    monkeypatch.setattr(pool, "ALONE", 10**6)

    def stop(_done, _total):
        raise KeyboardInterrupt

    with ahead(lanterns.cache_dir):
        process = module._AHEAD._process.pid
        with pytest.raises(KeyboardInterrupt):
            build_pack(lanterns, "lanterns", BuildOptions(), stop)
    assert not running(process)


def test_it_ends_with_the_one_that_began_it():
    script = """
        import os, signal, tempfile
        from pathlib import Path
        from builder.render import ahead
        process = ahead.Ahead(Path(tempfile.mkdtemp()))._process
        print(process.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    began = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # Its output is a pipe that the process ahead holds too: the run above ends only with both.
    assert began.returncode == -signal.SIGKILL
    while running(began.stdout.strip()):
        time.sleep(0.01)
