"""Nothing that is read from a cache is believed: what was damaged there is made anew, and prints the same."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from builder.render.fonts import configure, remember
from tests.hostile.attacks import everything
from tests.program import run
from tests.usecases.toy import edit, toy_project

WORDS = ("build", "--pack", "lanterns", "--lang", "en", "--only", "dusk-moth", "--workers", "1")


def test_what_fontconfig_keeps_is_read_only_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FONTCONFIG_FILE", "")
    folder = tmp_path / "fontconfig"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.cache-8").write_bytes(name.encode() * 100)
    remember(tmp_path)
    (folder / "b.cache-8").write_bytes(b"b" * 99)
    (folder / "d.cache-8").write_bytes(b"nobody knows")
    (folder / "c.cache-8").unlink()
    (folder / "c.cache-8").symlink_to("/dev/zero")
    configure(tmp_path, ())
    assert {path.name for path in folder.glob("*.cache-*")} == {"a.cache-8"}
    configure(tmp_path, ())
    assert (folder / "a.cache-8").read_bytes() == b"a" * 100


@pytest.mark.slow
def test_damaged_fonts_and_faces_in_the_cache_change_no_print(tmp_path: Path) -> None:
    project = toy_project(tmp_path / "project")
    assert run(project, *WORDS).returncode == 0
    made = {name: data for name, data in everything(project / "output").items() if name.endswith(".pdf")}
    cache = project / ".cache" / "squadpress"
    for harm in (bytes, lambda size: b"", lambda size: b"\xff" * size):
        edit(project / "cards/lanterns/spirit/dusk-moth.yaml", "name: ", "name:  ")
        shutil.rmtree(project / "output")
        for path in [*cache.glob("icons/*/*.ttf"), *cache.glob("fontconfig/*")]:
            size = path.stat().st_size
            path.write_bytes(path.read_bytes()[: size // 3] + harm(size - size // 3))
        with sqlite3.connect(cache / "cache.db") as database:
            database.execute("UPDATE entries SET data = ? WHERE area IN ('faces', 'icons')", (b"not what was kept",))
        done = run(project, *WORDS)
        if done.returncode == 5:  # faces are gone: told, and made anew at the next attempt
            assert "damaged" in done.stderr
            done = run(project, *WORDS)
        assert done.returncode == 0, done.stdout + done.stderr
        assert {name: data for name, data in everything(project / "output").items() if name.endswith(".pdf")} == made
