"""All squads are copied into one file and put back, while the pages are served."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener
from zipfile import ZipFile

import pytest

from builder.errors import InputUnreadable, UsageError
from builder.web.backup import backup, restore
from tests.house.source import ROOT
from tests.usecases.toy import toy_project

POSTGRES = "postgres://squads@localhost/squads"


def known(folder: Path) -> dict[str, str]:
    return {"SQUADPRESS_DATA": str(folder)}


@pytest.fixture
def squads(tmp_path: Path) -> Path:
    """A data folder with one squad in a table as small as can be."""
    folder = tmp_path / "data"
    folder.mkdir()
    put(folder, "old")
    return folder


def put(folder: Path, text: str) -> None:
    with closing(sqlite3.connect(folder / "squads.sqlite3")) as opened, opened:
        opened.execute("CREATE TABLE IF NOT EXISTS squadpress_savedsquad (id, owner, text)")
        opened.execute("DELETE FROM squadpress_savedsquad")
        opened.execute("INSERT INTO squadpress_savedsquad VALUES (1, 'me', ?)", [text])


def held(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "squads.sqlite3")) as opened:
        return str(opened.execute("SELECT text FROM squadpress_savedsquad").fetchone()[0])


def test_a_copy_brings_back_what_was_there_for_whoever_has_the_file_open(
    squads: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.zip"
    backup(copy, known(squads))
    assert copy.stat().st_mode & 0o077 == 0
    put(squads, "new")
    with closing(sqlite3.connect(squads / "squads.sqlite3")) as running:
        assert running.execute("SELECT text FROM squadpress_savedsquad").fetchone() == ("new",)
        assert restore(copy, known(squads)) is False
        assert running.execute("SELECT text FROM squadpress_savedsquad").fetchone() == ("old",)


def test_on_another_machine_the_secret_comes_along(squads: Path, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy.zip", tmp_path / "other"
    backup(copy, known(squads))
    assert restore(copy, known(other)) is True
    assert held(other) == "old"
    assert (other / "secret").read_text() == (squads / "secret").read_text()
    assert (other / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("broken", ["text", "empty", "cut", "absent"])
def test_what_is_no_copy_changes_nothing(squads: Path, tmp_path: Path, broken: str) -> None:
    copy = tmp_path / "copy.zip"
    if broken == "text":
        copy.write_text("squads")
    elif broken in ("empty", "cut"):
        with ZipFile(copy, "w") as file:
            file.writestr("secret", "x")
            if broken == "cut":
                file.writestr("squads.sqlite3", (squads / "squads.sqlite3").read_bytes()[:4000])
    with pytest.raises(InputUnreadable):
        restore(copy, known(squads))
    assert held(squads) == "old"


def test_what_cannot_be_copied_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no squads"):
        backup(tmp_path / "copy.zip", known(tmp_path))
    with pytest.raises(UsageError) as refused:
        backup(tmp_path / "copy.zip", {**known(tmp_path), "DATABASE_URL": POSTGRES})
    assert "pg_dump" in str(refused.value.remedy)


@pytest.mark.slow
def test_a_server_goes_on_with_what_was_restored(tmp_path: Path) -> None:
    toy_project(tmp_path)
    data, copy = tmp_path / "data", tmp_path / "copy.zip"
    command = [
        sys.executable,
        "-m",
        "builder",
        "serve",
        "--data",
        str(data),
        "--project",
        str(tmp_path),
    ]
    server = subprocess.Popen(
        [*command, "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        told = re.search(r"http://\S+:\d+", server.stdout.readline())
        assert told is not None
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        first = begin(browser, told[0])
        subprocess.run([*command, "--backup", str(copy)], cwd=ROOT, check=True)
        second = begin(browser, told[0])
        assert browser.open(second).status == 200
        subprocess.run([*command, "--restore", str(copy)], cwd=ROOT, check=True)
        assert browser.open(first).status == 200
        with pytest.raises(HTTPError, match="404"):
            browser.open(second)
    finally:
        server.terminate()
        server.wait()


def begin(browser: OpenerDirector, address: str) -> str:
    """A new squad; its address."""
    token = re.search(
        r'csrfmiddlewaretoken" value="(\w+)"',
        browser.open(f"{address}/games/lanterns").read().decode(),
    )
    assert token is not None
    form = urlencode({"csrfmiddlewaretoken": token[1], "pack": "lanterns"}).encode()
    return str(browser.open(f"{address}/squads", form).geturl().partition("?")[0])
