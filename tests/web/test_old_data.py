"""What a server of e082904 stored still works.

Database, backup, cookie, password, recovery code, links, event.

tests/web/e082904/squads.sql is the database that the program of that version wrote: two owners, one
with an account, a link for editing, a collection, and an event with a list.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from builder.web.backup import restore_backup
from tests.web.old_database import run

pytestmark = pytest.mark.slow
SQL = Path(__file__).parent / "e082904" / "squads.sql"
SECRET_KEY = "a secret of a server that was stopped at e082904"
VISIT = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from builder.web.cards import faces
faces.schedule_pictures = lambda *_task: None
SQUAD = "/squads/a62168c9-6f44-46ee-a942-abeef2bc8461"
LINK = "/shared/1-9FqrgXpJLkYeyYhFAnQQEDUv"
EVENT = "/at/01955807-6615-44b3-aa02-ea3ba3c225b4"
COOKIE = "N5KwUXvLvpVjB2wOuP4bj_3hLuVnAaT7:1xX7k7:3Mz3Es5Htv3tYNKBLRWULvMKM9vDt5a0HzFbg8YTf9U"
CODE = "JY2UW 52VLB 3EY5T QKZVE EMTXJ 52VAN DCNJP TG2CM OVLG4 QLBKQ 3Q"
def visitor():
    return Client(SERVER_NAME="localhost", headers={"accept-language": "en"})
def shows(client, address, text):
    return text in client.get(address).content.decode()
owner = visitor()
owner.cookies["squadpress"] = COOKIE
print("cookie", shows(owner, SQUAD, "Night Watch"))
print("undo", owner.post(SQUAD + "/edit", {"do": "undo"}).status_code)
print("collection", shows(owner, "/collection", "1 copy"))
print("list", shows(owner, EVENT, "Ann"))
print("stranger", visitor().get(SQUAD).status_code)
guest = visitor()
print("link", shows(guest, LINK, "Night Watch"), guest.post(LINK + "/take").status_code)
print("guest", shows(guest, SQUAD, "Night Watch"))
account = visitor()
wrong = account.post("/own/enter", {"name": "ada", "password": "wrong horse battery"})
right = account.post("/own/enter", {"name": "ada", "password": "correct horse battery"})
print("password", wrong.status_code, right.status_code, shows(account, "/", "Day Watch"))
print("event", shows(account, "/events", "Open"))
other = visitor()
print("code", other.post("/own/recover", {"code": CODE}).status_code, shows(other, "/", "Night Watch"))
"""
ANSWERS = [
    "cookie True",
    "undo 302",
    "collection True",
    "list True",
    "stranger 404",
    "link True 302",
    "guest True",
    "password 400 302 True",
    "event True",
    "code 302 True",
]


@pytest.fixture
def old_data(tmp_path: Path) -> Path:
    """Return the data folder of a server of e082904."""
    folder = tmp_path / "data"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "squads.sqlite3")) as database:
        database.executescript(SQL.read_text(encoding="utf-8"))
    (folder / "secret").write_text(SECRET_KEY, encoding="ascii")
    return folder


def test_a_database_of_e082904_works(old_data: Path) -> None:
    assert run(VISIT, old_data).splitlines() == ANSWERS


def test_a_backup_of_e082904_works(old_data: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "copy.zip", "w") as file:
        for name in ("squads.sqlite3", "secret"):
            file.write(old_data / name, name)
    restored = tmp_path / "restored"
    assert restore_backup(tmp_path / "copy.zip", {"SQUADPRESS_DATA": str(restored)})
    assert run(VISIT, restored).splitlines() == ANSWERS


def test_the_old_database_alone_opens_no_squad() -> None:
    sql = SQL.read_text(encoding="utf-8")
    for secret in (
        "N5KwUXvLvpVjB2wOuP4bj_3hLuVnAaT7",
        "9FqrgXpJLkYeyYhFAnQQEDUv",
        "horse",
    ):
        assert secret not in sql
