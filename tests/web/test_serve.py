"""The server as it is started: many at once, two databases, settings for the world."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from time import sleep
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from tests.house.source import ROOT
from tests.usecases.toy import toy_project
from tests.web.postgres import INITDB, run_postgres

pytestmark = pytest.mark.slow


@contextmanager
def serving(
    project: Path, database: str = ""
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Provide a server of the toy games on any free port, its data beside them.

    Its address, and the process.
    """
    data = ["--data", str(project / "data")]
    command = [
        sys.executable,
        "-m",
        "builder",
        "serve",
        "--port",
        "0",
        *data,
        "--project",
        str(project),
    ]
    known = {**os.environ, **({"DATABASE_URL": database} if database else {})}
    server = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=known
    )
    assert server.stdout is not None
    try:
        found = re.search(r"http://\S+:\d+", server.stdout.readline())
        assert found is not None
        yield found[0], server
    finally:
        server.terminate()
        server.wait()


@dataclass
class Player:
    """A browser with a squad, and the edit that adds one model to it."""

    browser: OpenerDirector
    squad: str
    form: bytes

    @classmethod
    def at(cls, address: str) -> Player:
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        page = browser.open(f"{address}/games/lanterns").read().decode()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
        assert token is not None
        form = {"csrfmiddlewaretoken": token[1], "pack": "lanterns"}
        squad = (
            browser.open(f"{address}/squads", urlencode(form).encode())
            .geturl()
            .partition("?")[0]
        )
        squad = squad.removeprefix(address)
        card = re.search(
            r'value="(add [\w-]+)', browser.open(f"{address}{squad}").read().decode()
        )
        assert card is not None
        return cls(
            browser, squad, urlencode({**form, "do": card[1], "next": squad}).encode()
        )

    def add(self, address: str) -> bool:
        """Return True where the server said that it is done."""
        try:
            return bool(
                self.browser.open(f"{address}{self.squad}/edit", self.form).status
                == 200
            )
        except (OSError, HTTPException):
            return False

    def models(self, address: str) -> int:
        page = self.browser.open(f"{address}{self.squad}").read().decode()
        return page.count(f'href="{self.squad}/models/')


def test_edits_of_one_squad_at_the_same_moment_are_all_kept(tmp_path: Path) -> None:
    toy_project(tmp_path)
    with serving(tmp_path) as (address, _server):
        player = Player.at(address)
        with ThreadPoolExecutor(8) as many:
            assert all(many.map(lambda _number: player.add(address), range(24)))
        assert player.models(address) == 24
    assert (tmp_path / "data" / "secret").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_killed_server_has_lost_nothing_that_it_had_acknowledged(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    toy_project(tmp_path)
    database = request.getfixturevalue("postgres") if kind == "postgres" else ""
    with serving(tmp_path, database) as (address, server):
        player = Player.at(address)
        with ThreadPoolExecutor(4) as many:
            asked = [many.submit(player.add, address) for _number in range(60)]
            while sum(one.done() for one in asked) < 12:
                sleep(0.01)
            server.kill()
        done = sum(one.result() for one in asked)
    assert 12 <= done < 60
    with serving(tmp_path, database) as (address, _server):
        assert (
            done <= player.models(address) <= done + 4
        )  # what was under way may be there or not
        assert player.add(address)


def test_the_settings_for_the_world_satisfy_djangos_own_check(tmp_path: Path) -> None:
    known = {
        "SQUADPRESS_ORIGIN": "https://squads.example.org",
        "SQUADPRESS_DATA": str(tmp_path),
    }
    command = [
        sys.executable,
        "-m",
        "django",
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
    ]
    settings = {
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
        "SQUADPRESS_PROJECT": str(ROOT),
    }
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **settings, **known},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_models_and_migrations_agree(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "django", "makemigrations", "--check", "--dry-run"]
    settings = {
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
        "SQUADPRESS_DATA": str(tmp_path),
    }
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.fixture
def postgres() -> Iterator[str]:
    """Yield the address of a database of its own."""
    if INITDB is None:
        pytest.skip("PostgreSQL is not installed: tools/setup.sh does that")
    with run_postgres() as address:
        yield address


def test_all_holds_on_postgresql_too(postgres: str) -> None:
    names = [str(path) for path in Path(__file__).parent.glob("test_*.py")]
    here = [
        name
        for name in names
        if "pytest.mark.slow" not in Path(name).read_text(encoding="utf-8")
    ]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *here,
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": postgres},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]


FORWARDS = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
call_command("migrate", "squadpress", "0001", verbosity=0)
with connection.cursor() as cursor:
    cursor.execute(
        "INSERT INTO squadpress_savedsquad"
        " (id, owner, pack, release, text, name, notes, place, edition, created, changed, opened)"
        " VALUES (%s, 'me', 'lanterns', '', 'pack: lanterns', 'Old', '', 0, 1, %s, %s, %s)",
        ["0" * 31 + "1", *["2026-01-01 00:00:00+00:00"] * 3],
    )
call_command("migrate", "squadpress", "0004", verbosity=0)
with connection.cursor() as cursor:
    cursor.execute(
        "INSERT INTO squadpress_printjob"
        " (id, owner, text, wish, state, done, total, pages, told, tries, made, squad_id)"
        " VALUES (%s, 'me', 'pack: lanterns', '{}', 'queued', 0, 0, 0, '[]', 0, %s, %s)",
        ["0" * 31 + "2", "2026-01-01 00:00:00+00:00", "0" * 31 + "1"],
    )
call_command("migrate", "squadpress", "0010", verbosity=0)
with connection.cursor() as cursor:
    cursor.execute("UPDATE squadpress_savedsquad SET played = 'standard'")
    cursor.executemany(
        "INSERT INTO squadpress_squadstep (squad_id, number, before, after, what, undone, played, made)"
        " VALUES (%s, %s, 'pack: lanterns', '{pack: lanterns}', '[]', %s, %s, %s)",
        [["0" * 31 + "1", *step, "2026-01-01 00:00:00+00:00"] for step in ((1, False, ""), (2, True, "open"))],
    )
call_command("migrate", verbosity=0)
from builder.web.squads.models import PrintJob, SavedSquad, SquadStep
print(list(SquadStep.objects.values_list("before", "after")))
print([(row.name, row.text, row.leaves, row.based) for row in SavedSquad.objects.all()])
print([(job.squad.name, job.event) for job in PrintJob.objects.all()])
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_squads_of_the_first_schema_reach_the_last(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    known = {
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
        "SQUADPRESS_DATA": str(tmp_path),
    }
    if kind == "postgresql":
        known["DATABASE_URL"] = request.getfixturevalue("postgres")
    done = subprocess.run(
        [sys.executable, "-c", FORWARDS],
        cwd=ROOT,
        env={**os.environ, **known},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    steps, squads, jobs = map(literal_eval, done.stdout.splitlines())
    text = "pack: lanterns\nplay_format: standard\n"
    assert steps == [
        ("pack: lanterns", "{play_format: standard, pack: lanterns}"),
        (text, "{play_format: open, pack: lanterns}"),
    ]
    assert (squads, jobs) == ([("Old", text, None, "")], [("Old", None)])
