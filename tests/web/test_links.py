"""An address of a link is never used again.

Not after a restore, nor for links from before links had codes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from builder.web.squads.links import find_link, sign_link
from builder.web.squads.models import SavedSquad, SquadLink
from tests.house.source import ROOT
from tests.usecases.toy import toy_project
from tests.web.old_database import TOKEN, make_old_database, run
from tests.web.test_serve import postgres, serving
from tests.web.visitor import Visitor

__all__ = ["postgres"]
pytestmark = pytest.mark.slow
CHECK = f"""
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from builder.errors import InputUnreadable
from builder.web.squads.links import find_link, sign_link
from builder.web.squads.models import SavedSquad, SquadLink
{TOKEN}
old = find_link(old_token(7))
print(old.kind, old.squad.name, sign_link(old) == old_token(7))
other = SavedSquad.objects.create(owner="other", pack="lanterns", text="pack: lanterns", name="Other")
new = SquadLink.objects.create(squad=other, kind="edit")
print(new.pk, len(new.code), find_link(sign_link(new)).squad.name)
try:
    print(find_link(old_token(new.pk)))
except InputUnreadable:
    print("nothing")
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_links_of_an_older_database_keep_their_addresses_and_no_new_link_gets_one_of_that_form(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres") if kind == "postgresql" else ""
    make_old_database(tmp_path, database)
    old, new, guessed = run(CHECK, tmp_path, database).splitlines()
    assert old == "edit Old True"
    assert new == "8 32 Other"
    assert guessed == "nothing"  # at e082904 the address of row 8 would have been this


def test_a_backup_of_an_older_version_is_brought_up_to_date_when_it_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # PostgreSQL has backups of its own, so these servers have a file of SQLite.
    monkeypatch.delenv("DATABASE_URL", raising=False)
    make_old_database(tmp_path / "old")
    for option in (("old", "--backup"), ("new", "--restore")):
        command = [
            sys.executable,
            "-m",
            "builder",
            "serve",
            "--data",
            str(tmp_path / option[0]),
            option[1],
        ]
        subprocess.run(
            [*command, str(tmp_path / "copy.zip")],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    assert run(CHECK, tmp_path / "new").splitlines() == [
        "edit Old True",
        "8 32 Other",
        "nothing",
    ]


def test_a_link_made_after_a_backup_opens_no_other_squad_once_the_backup_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # PostgreSQL has backups of its own, so these servers have a file of SQLite.
    monkeypatch.delenv("DATABASE_URL", raising=False)
    toy_project(tmp_path)
    command = [
        sys.executable,
        "-m",
        "builder",
        "serve",
        "--data",
        str(tmp_path / "data"),
        "--project",
        str(tmp_path),
    ]
    with serving(tmp_path) as (address, _server):
        owner, other = Visitor(address), Visitor(address)
        mine, theirs = (
            owner.begin("lanterns", "Victim"),
            other.begin("lanterns", "Other"),
        )
        subprocess.run(
            [*command, "--backup", str(tmp_path / "b.zip")],
            cwd=ROOT,
            check=True,
            env=dict(os.environ),
        )
        old = other.link(theirs, "view")
        subprocess.run(
            [*command, "--restore", str(tmp_path / "b.zip")],
            cwd=ROOT,
            check=True,
            env=dict(os.environ),
        )
        new = owner.link(mine, "edit")
        assert old != new
        assert Visitor(address).status(old) == 404
        assert "Victim" in Visitor(address).get(new)


def test_the_database_alone_makes_no_address(client: Client) -> None:
    link = SquadLink.objects.create(
        squad=SavedSquad.objects.create(pack="lanterns", owner="me"), kind="view"
    )
    token = sign_link(link)
    assert re.fullmatch(r"[0-9a-f]{32}-[\w-]{24}", token)
    assert find_link(token) == link
    signature = token.partition("-")[2]
    stored = " ".join(str(value) for value in SquadLink.objects.values_list().get())
    assert signature not in stored
    for wrong in (
        link.code,
        f"{link.code}-",
        f"{link.pk}-{signature}",
        f"{link.code}-{'A' * 24}",
        "ж-ж",
        "",
    ):
        assert client.get(f"/shared/{wrong}").status_code == 404
