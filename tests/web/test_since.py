"""Everything since a printed copy: by date or by release, on the server and on a static site."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.test import Client

from builder.errata.release import Release, list_periods
from builder.errata.snapshot import Withdrawal
from builder.packs.project import Project
from builder.web import site
from builder.web.cards import faces, views
from tests.house.source import ROOT

ADDRESS = "/cards/hydrophilia/releases/since/"


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day on which 3.0.0 is in force and 3.1.0 is planned."""
    monkeypatch.setattr(views, "localdate", lambda: date(2026, 12, 1))


def test_a_date_leads_to_the_changes_since_its_release(client: Client) -> None:
    assert ADDRESS in client.get("/cards/hydrophilia/").content.decode()
    page = client.get(ADDRESS).content.decode()
    assert 'type="date"' in page
    for version in ("1.0.0", "2.0.0", "3.0.0", "3.1.0"):
        assert f"{ADDRESS}{version}/" in page
    answer = client.get(ADDRESS, {"day": "2026-11-10"})
    assert (answer.status_code, answer["Location"]) == (302, f"{ADDRESS}1.0.0/")
    early = client.get(ADDRESS, {"day": "1999-1-1"})
    assert "No release was in force on this day." in early.content.decode()
    assert client.get(ADDRESS, {"day": "<b>"}).status_code == 200


def test_all_steps_since_a_copy_are_one_comparison(client: Client) -> None:
    page = client.get(f"{ADDRESS}1.0.0/").content.decode()
    assert "what changed since 1.0.0" in page
    assert "Compared with 1.0.0." in page
    assert 'id="card-' in page
    # The planned release is no part of what is in force.
    assert "3.1.0" not in page.partition("Another copy")[0]
    same = client.get(f"{ADDRESS}3.0.0/").content.decode()
    assert "Nothing changed: your copy is of the release shown here." in same
    planned = client.get(f"{ADDRESS}3.1.0/").content.decode()
    assert "3.1.0 is newer than the release shown here, 3.0.0." in planned
    assert "Nothing changed" not in planned
    assert client.get(f"{ADDRESS}9.0.0/").status_code == 404
    assert (
        client.get("/cards/zod/releases/since/").status_code == 404
    )  # it has no release


def test_the_heading_has_room_and_language_links_break_in_no_word(
    client: Client,
) -> None:
    assert '<p class="note good">' in client.get(f"{ADDRESS}3.0.0/").content.decode()
    assert '<p class="note warning">' in client.get(f"{ADDRESS}3.1.0/").content.decode()
    style = ROOT / "builder/web/static/squadpress/squadpress.css"
    lines = style.read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("h1 + .note { margin-top: ") for line in lines)
    (links,) = (line for line in lines if line.startswith(".languages a {"))
    assert "white-space: nowrap" in links


def test_periods_follow_withdrawals_and_leave_out_corrections_of_older_lines() -> None:
    withdrawal = Withdrawal.model_validate(
        {"version": "2.0.0", "date": "2026-05-01", "reason": {"en": "Wrong."}}
    )

    def make_release(
        version: str, month: int, mark: Withdrawal | None = None
    ) -> Release:
        day = date(2026, month, 1)
        return Release(version, day, day, withdrawal=mark)

    releases = [
        make_release("1.0.0", 1),
        make_release("2.0.0", 3, withdrawal),
        make_release("1.0.1", 4),
        make_release("3.0.0", 7),
    ]
    periods = [(day.month, release.version) for day, release in list_periods(releases)]
    assert periods == [(1, "1.0.0"), (3, "2.0.0"), (5, "1.0.1"), (7, "3.0.0")]
    assert list_periods([]) == []


def test_a_static_site_has_a_page_for_each_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SQUADPRESS_PROJECT", "SQUADPRESS_DATA", "SQUADPRESS_ORIGIN"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(faces, "make_pictures", lambda *_named: ())
    states = {"hydrophilia": "2.0.0"}
    site.write_site(Project(ROOT), states, tmp_path, "", tmp_path / "data")
    folder = tmp_path / "de/cards/hydrophilia/releases/since"
    page = (folder / "index.html").read_text()
    assert "data-copy" in page
    assert 'data-from="' in page
    assert (folder / "1.0.0/index.html").is_file()
    assert "card-" in (folder / "1.0.0/index.html").read_text()
