"""A server without network: Django's client, an empty database, this project's games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import django
import pytest
from django.db import transaction
from django.test import Client
from django.test.utils import (
    setup_databases,
    setup_test_environment,
    teardown_databases,
    teardown_test_environment,
)

from tests.house.source import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = TemporaryDirectory(prefix="squadpress-web-")
os.environ |= {
    "SQUADPRESS_DATA": FOLDER.name,
    "SQUADPRESS_PROJECT": str(ROOT),
    "DJANGO_SETTINGS_MODULE": "builder.web.settings",
}
django.setup()  # before any test imports a model


@pytest.fixture(scope="session", autouse=True)
def server() -> Iterator[Path]:
    """Yield the folder of a server that was set up once; its database lives in memory."""
    from builder.web.cards import faces
    from builder.web.squads import print_queue as printing

    setup_test_environment()
    made = setup_databases(verbosity=0, interactive=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            faces, "schedule_pictures", lambda *_named: None
        )  # no test here needs pictures
        patch.setattr(
            printing, "_has_free_slot", lambda: False
        )  # nor a worker that prints
        yield Path(FOLDER.name)
    teardown_databases(made, verbosity=0)
    teardown_test_environment()
    FOLDER.cleanup()


@pytest.fixture(autouse=True)
def database(server: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test writes is gone after it.

    A browser speaks to a server with a database of its own.
    """
    if "chromium" in request.fixturenames:
        yield
        return
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def new_squads_move_with_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests build with the current cards, whatever the day is.

    Tests/web/test_in_force.py is about the releases.
    """
    monkeypatch.setattr(
        "builder.web.squads.views.games.choose_new_squad_version",
        lambda _pack, _day: None,
    )


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield a server as anyone starts it, with two games that share no word."""
    from tests.web.browser import served, two_games

    with served(two_games(tmp_path_factory.mktemp("site"))) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Yield a real browser, gone before other tests ask the database in this process."""
    from playwright.sync_api import sync_playwright

    from tests.web.browser import CHROMIUM

    if CHROMIUM is None:
        pytest.skip("chromium is not installed: tools/setup.sh does that")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def client() -> Client:
    """Return a browser that has not been here."""
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def squad(client: Client) -> str:
    """Return the address of a new squad of a game that counts points."""
    answer = client.post(
        "/squads", {"pack": "hydrophilia", "param-size": "30", "name": "The Long Night"}
    )
    assert answer.status_code == 302
    return str(answer["Location"].split("?")[0])
