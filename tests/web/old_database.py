"""A database of version e082904: made by its migrations and filled with plain SQL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.house.source import ROOT

SQUAD, OLD_LINK_ROW = "0" * 31 + "1", 7
MAKE = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.utils.timezone import now
call_command("migrate", "squadpress", "0012", verbosity=0)
squad, row = "00000000-0000-0000-0000-000000000001", 7
if connection.vendor == "sqlite":
    squad = squad.replace("-", "")
with connection.cursor() as cursor:
    cursor.execute(
        "INSERT INTO squadpress_savedsquad"
        " (id, owner, pack, release, based, stays, text, name, notes, place, edition, created, changed, opened)"
        " VALUES (%s, %s, 'lanterns', '', '', '', 'pack: lanterns', 'Old', '', 0, 1, %s, %s, %s)",
        [squad, OWNER, now(), now(), now()],
    )
    cursor.execute(
        "INSERT INTO squadpress_squadlink (id, kind, made, squad_id) VALUES (%s, 'edit', %s, %s)", [row, now(), squad]
    )
    if connection.vendor == "postgresql":
        cursor.execute("SELECT setval(pg_get_serial_sequence('squadpress_squadlink', 'id'), %s)", [row])
"""
TOKEN = """
from base64 import urlsafe_b64encode
from django.utils.crypto import salted_hmac
def old_token(row):
    digest = salted_hmac("squadpress.link", str(row), algorithm="sha256").digest()[:18]
    return f"{row}-{urlsafe_b64encode(digest).decode()}"
"""
"""How e082904 made the address of a link."""


def run(script: str, data: Path, database: str = "") -> str:
    """Run a script with the settings of a server that keeps its data in a folder.

    What it printed.
    """
    known = {
        "DJANGO_SETTINGS_MODULE": "builder.web.settings",
        "SQUADPRESS_DATA": str(data),
    }
    known |= {"DATABASE_URL": database, "SQUADPRESS_PROJECT": str(ROOT)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **known}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def make_old_database(data: Path, database: str = "", owner: str = "me") -> None:
    """Fill a database of e082904 with one squad, which a link lets others edit."""
    data.mkdir(exist_ok=True)
    run(f"OWNER = {owner!r}\n{MAKE}", data, database)
