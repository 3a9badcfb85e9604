"""All squads are copied into one file and put back, while the pages are served."""

from __future__ import annotations

import re
import shutil
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
from builder.web.backup import restore_backup, write_backup
from tests.house.source import ROOT
from tests.usecases.toy import toy_project
from tests.web.old_database import make_old_database

POSTGRES = "postgres://squads@localhost/squads"


def known(folder: Path) -> dict[str, str]:
    return {"SQUADPRESS_DATA": str(folder)}


@pytest.fixture(scope="module")
def first_squads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one squad, as the version e082904 left it."""
    folder = tmp_path_factory.mktemp("squads") / "data"
    make_old_database(folder)
    put(folder, "old")
    return folder


@pytest.fixture
def squads(first_squads: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(first_squads, tmp_path / "data"))


def put(folder: Path, text: str) -> None:
    with closing(sqlite3.connect(folder / "squads.sqlite3")) as opened, opened:
        opened.execute("UPDATE squadpress_savedsquad SET text = ?", [text])


def held(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "squads.sqlite3")) as opened:
        return str(
            opened.execute("SELECT text FROM squadpress_savedsquad").fetchone()[0]
        )


def test_restoring_an_old_backup_migrates_it(squads: Path, tmp_path: Path) -> None:
    copy, other = tmp_path / "copy.zip", tmp_path / "other"
    write_backup(copy, known(squads))
    restore_backup(copy, known(other))
    with closing(sqlite3.connect(other / "squads.sqlite3")) as opened:
        assert opened.execute("SELECT code FROM squadpress_squadlink").fetchone() == (
            "7",
        )
        assert opened.execute("SELECT count(*) FROM squadpress_device").fetchone() == (
            0,
        )
        moved = opened.execute(
            "SELECT 1 FROM django_migrations WHERE app = 'squads'"
        ).fetchone()
        assert moved == (1,)


def test_a_backup_that_cannot_be_migrated_changes_nothing(
    squads: Path, tmp_path: Path
) -> None:
    copy, other = tmp_path / "copy.zip", tmp_path / "other"
    shutil.copytree(squads, other)
    with closing(sqlite3.connect(other / "squads.sqlite3")) as opened, opened:
        opened.execute("DROP TABLE squadpress_squadlink")
    write_backup(copy, known(other))
    with pytest.raises(InputUnreadable):
        restore_backup(copy, known(squads))
    assert held(squads) == "old"


def test_a_copy_brings_back_what_was_there_for_whoever_has_the_file_open(
    squads: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.zip"
    write_backup(copy, known(squads))
    assert copy.stat().st_mode & 0o077 == 0
    put(squads, "new")
    with closing(sqlite3.connect(squads / "squads.sqlite3")) as running:
        assert running.execute("SELECT text FROM squadpress_savedsquad").fetchone() == (
            "new",
        )
        assert restore_backup(copy, known(squads)) is False
        assert running.execute("SELECT text FROM squadpress_savedsquad").fetchone() == (
            "old",
        )


def test_on_another_machine_the_secret_comes_along(
    squads: Path, tmp_path: Path
) -> None:
    copy, other = tmp_path / "copy.zip", tmp_path / "other"
    write_backup(copy, known(squads))
    assert restore_backup(copy, known(other)) is True
    assert held(other) == "old"
    assert (other / "secret").read_text() == (squads / "secret").read_text()
    assert (other / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("broken", ["text", "empty", "cut", "absent"])
def test_what_is_no_copy_changes_nothing(
    squads: Path, tmp_path: Path, broken: str
) -> None:
    copy = tmp_path / "copy.zip"
    if broken == "text":
        copy.write_text("squads")
    elif broken in ("empty", "cut"):
        with ZipFile(copy, "w") as file:
            file.writestr("secret", "x")
            if broken == "cut":
                file.writestr(
                    "squads.sqlite3", (squads / "squads.sqlite3").read_bytes()[:4000]
                )
    with pytest.raises(InputUnreadable):
        restore_backup(copy, known(squads))
    assert held(squads) == "old"


def test_what_cannot_be_copied_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no squads"):
        write_backup(tmp_path / "copy.zip", known(tmp_path))
    with pytest.raises(UsageError) as refused:
        write_backup(
            tmp_path / "copy.zip", {**known(tmp_path), "DATABASE_URL": POSTGRES}
        )
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
