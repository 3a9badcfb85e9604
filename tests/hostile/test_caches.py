"""Nothing that is read from a cache is believed.

What was damaged there is made anew, and prints the same.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.render.fonts import configure_fontconfig, save_fontconfig_state
from builder.render.html import sandbox
from builder.render.html.templates import TemplateSet
from tests.hostile.attacks import everything
from tests.program import run
from tests.usecases.toy import edit, toy_project

WORDS = (
    "build",
    "--pack",
    "lanterns",
    "--lang",
    "en",
    "--only",
    "dusk-moth",
    "--workers",
    "1",
)


def test_what_fontconfig_keeps_is_read_only_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FONTCONFIG_FILE", "")
    folder = tmp_path / "fontconfig"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.cache-8").write_bytes(name.encode() * 100)
    save_fontconfig_state(tmp_path)
    (folder / "b.cache-8").write_bytes(b"b" * 99)
    (folder / "d.cache-8").write_bytes(b"nobody knows")
    (folder / "c.cache-8").unlink()
    (folder / "c.cache-8").symlink_to("/dev/zero")
    configure_fontconfig(tmp_path, ())
    assert {path.name for path in folder.glob("*.cache-*")} == {"a.cache-8"}
    configure_fontconfig(tmp_path, ())
    assert (folder / "a.cache-8").read_bytes() == b"a" * 100


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder for temporary files."""
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    yield own
    sandbox._open_template_cache.cache_clear()


def filled(folder: Path) -> str:
    """Return what a template prints in a new run of the program."""
    (folder / "card.j2").write_text(
        "{% for one in (1, 2, 3) %}{{ one + 1 }} {{ 'wing' if one > 1 else 'fang' }},{% endfor %}"
    )
    sandbox._open_template_cache.cache_clear()
    return TemplateSet(folder, folder).render("card.j2", {})


def test_a_compiled_template_is_run_only_as_it_was_written(
    tmp_path: Path, own: Path
) -> None:
    printed = filled(tmp_path)
    (kept,) = own.glob("*/squadpress-*")
    whole = kept.read_bytes()
    flipped = [
        whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :]
        for at in range(0, len(whole), 29)
    ]
    for data in (
        *flipped,
        *(whole[:size] for size in range(0, len(whole), 199)),
        whole + b"more",
    ):
        kept.write_bytes(data)
        assert filled(tmp_path) == printed
        assert kept.read_bytes() == whole


def test_a_compiled_template_is_kept_for_a_week(tmp_path: Path, own: Path) -> None:
    filled(tmp_path)
    (kept,) = own.glob("*/squadpress-*")
    foreign = kept.with_name("squadpress-cards-made-by-me.pdf")
    others = [
        kept.with_name(kept.name.replace("squadpress-", f"squadpress-{age}"))
        for age in (6, 8)
    ]
    others += [kept.with_name(f".{kept.name}.abc.part"), foreign]
    for path, days in zip(others, (6, 8, 8, 8), strict=True):
        path.write_bytes(b"")
        os.utime(path, (time.time() - days * 86400,) * 2)
    kept.unlink()  # whoever keeps one looks for what is old
    sandbox._remove_old_templates.cache_clear()
    filled(tmp_path)
    assert set(kept.parent.iterdir()) == {kept, others[0], foreign}


@pytest.mark.slow
def test_damaged_fonts_faces_and_templates_in_a_cache_change_no_print(
    tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(own))
    project = toy_project(tmp_path / "project", known=False)
    assert run(project, *WORDS).returncode == 0
    made = {
        name: data
        for name, data in everything(project / "output").items()
        if name.endswith(".pdf")
    }
    cache = project / ".cache" / "squadpress"
    for harm in (bytes, lambda size: b"", lambda size: b"\xff" * size):
        edit(project / "cards/lanterns/spirit/dusk-moth.yaml", "name: ", "name:  ")
        shutil.rmtree(project / "output")
        templates = list(own.glob("*/squadpress-*"))
        assert templates
        for path in [
            *cache.glob("icons/*/*.ttf"),
            *cache.glob("fontconfig/*"),
            *templates,
        ]:
            size = path.stat().st_size
            path.write_bytes(path.read_bytes()[: size // 3] + harm(size - size // 3))
        with sqlite3.connect(cache / "cache.db") as database:
            database.execute(
                "UPDATE entries SET data = ? WHERE area IN ('faces', 'icons')",
                (b"not what was kept",),
            )
        done = run(project, *WORDS)
        if (
            done.returncode == 5
        ):  # faces are gone: told, and made anew at the next attempt
            assert "damaged" in done.stderr
            done = run(project, *WORDS)
        assert done.returncode == 0, done.stdout + done.stderr
        assert {
            name: data
            for name, data in everything(project / "output").items()
            if name.endswith(".pdf")
        } == made
