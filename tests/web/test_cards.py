"""Cards for everybody: on the server's pages and on a static site."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.test import Client

from builder.errata.snapshot import Withdrawal
from builder.errors import OutputNotWritten
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.web import site
from builder.web.cards import faces, history, views as cards
from builder.web.cards.library import get_library
from tests.house.source import ROOT
from tests.program import run
from tests.report.feed_rules import require_atom, require_json_feed
from tests.usecases.toy import edit, toy_project

CARD = "/cards/hydrophilia/character/patrolman/"
LINKS = re.compile(r'\b(?:href|src|data-index)="([^"]+)"')


def test_a_card_shows_its_text_in_every_language_and_what_releases_changed(
    client: Client,
) -> None:
    page = client.get(CARD).content.decode()
    assert '<h1 dir="auto">Patrolman</h1>' in page
    assert "Патрульный" in page
    assert "<del>" in page
    assert 'href="/cards/hydrophilia/releases/2.0.0/#card-patrolman"' in page


def test_a_card_is_data_too_with_whole_addresses(client: Client) -> None:
    data = client.get(f"{CARD.rstrip('/')}.json").json()
    assert data["names"] == {"en": "Patrolman", "ru": "Патрульный"}
    assert data["page"] == f"http://testserver{CARD}"
    assert data["revision"] == len(data["history"])


def test_the_address_of_an_old_id_leads_to_the_card_that_has_it_now(
    client: Client,
) -> None:
    answer = client.get("/cards/hydrophilia/character/falcon/")
    assert (answer.status_code, answer["Location"]) == (
        301,
        "/cards/hydrophilia/character/gyrfalcon/",
    )
    assert client.get("/cards/hydrophilia/character/nobody/").status_code == 404
    assert client.get("/cards/nothing/").status_code == 404


def test_a_card_that_is_carried_names_who_may(client: Client) -> None:
    page = client.get("/cards/hydrophilia/equipment/cordon-shield/").content.decode()
    assert "Who can carry it" in page
    assert "/cards/hydrophilia/character/shieldbearer/" in page
    assert "/cards/hydrophilia/character/hunter/" not in page


def test_search_finds_words_of_the_cards_without_script(client: Client) -> None:
    page = client.get("/cards/hydrophilia/", {"q": "police drone"}).content.decode()
    found = page.partition("data-found")[2].partition("</ul>")[0]
    assert re.findall(r"character/([a-z-]+)/", found) == ["dispatcher", "gyrfalcon"]


def test_a_release_and_the_feed_say_what_changed(client: Client) -> None:
    assert "<ins>" in client.get("/cards/hydrophilia/releases/2.0.0/").content.decode()
    assert client.get("/cards/hydrophilia/releases/9.0.0/").status_code == 404
    feed = client.get("/cards/hydrophilia/feed.atom").content.decode()
    assert feed.count("<entry>") == 3
    told = json.loads(client.get("/cards/hydrophilia/feed.json").content)
    addresses = [
        f"http://testserver/cards/hydrophilia/releases/{version}/"
        for version in ("3.1.0", "3.0.0", "2.0.0")
    ]
    assert [item["id"] for item in told["items"]] == addresses
    assert "Gyrfalcon" in told["items"][2]["content_text"]
    assert (
        "1.0.0" in client.get("/cards/hydrophilia/releases/1.0.0/").content.decode()
    )  # the first has a page, too
    assert "http://testserver/cards/hydrophilia/releases/2.0.0/" in feed
    require_atom(feed.encode())
    require_json_feed(client.get("/cards/hydrophilia/feed.json").content)


def test_the_command_writes_a_site_with_its_pictures(tmp_path: Path) -> None:
    toy_project(tmp_path)
    asked = (
        "site",
        "public",
        "--pack",
        "lanterns",
        "--base-url",
        "https://cards.example.org",
    )
    refused = run(tmp_path, *asked, "--as-of", "1.0.0")
    assert (refused.returncode, (tmp_path / "public").exists()) == (2, False)
    assert run(tmp_path, *asked).returncode == 2  # nothing was released
    told = run(tmp_path, *asked, "--work")
    assert told.returncode == 0, told.stderr
    page = (tmp_path / "public/en/cards/lanterns/spirit/old-wick/index.html").read_text(
        encoding="utf-8"
    )
    assert "Not published: these cards can still change." in page
    shown = [link for link in LINKS.findall(page) if "/faces/" in link]
    assert shown
    assert all(
        (tmp_path / "public/en/cards/lanterns/spirit/old-wick" / link).stat().st_size
        > 1000
        for link in shown
    )


@pytest.mark.parametrize("name", ["index.html", "faces", "en"])
def test_a_site_replaces_no_file_of_another_program(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "CNAME").write_text("cards.example.org")
    (folder / name).write_text("keep")
    with pytest.raises(OutputNotWritten, match="has no site of this program") as error:
        site.write_site(Project(ROOT), {}, folder, "", tmp_path / "data")
    assert "another folder" in error.value.remedy
    assert (folder / name).read_text() == "keep"


def test_a_site_is_written_again_into_its_folder(made: Path) -> None:
    site._refuse_foreign_files(made)  # no error
    (made / "index.html").rename(made / "aside.html")
    try:
        with pytest.raises(OutputNotWritten):
            site._refuse_foreign_files(made)
    finally:
        (made / "aside.html").rename(made / "index.html")


def test_a_damaged_list_of_withdrawn_releases_stops_a_site(tmp_path: Path) -> None:
    packs = PackFiles(Project(toy_project(tmp_path)))
    day = date(2026, 4, 1)
    release = ReleaseRequest("1.0.0", day, day)
    assert make_release(packs, "lanterns", release).frozen
    releases = packs.open_releases("lanterns")
    withdrawal = Withdrawal(version="1.0.0", date=day, reason={"en": "Torn."})
    releases.write_withdrawal(withdrawal)
    listed = run(tmp_path, "release", "list")
    assert "withdrawn" in listed.stdout
    (releases.folder / "withdrawn.yaml").write_text("withdrawn: [")
    result = run(tmp_path, "site", "public")
    assert "releases/withdrawn.yaml:" in result.stderr
    assert (result.returncode, (tmp_path / "public").exists()) == (3, False)
    listed = run(tmp_path, "release", "list")
    assert listed.stdout.startswith("1.0.0  2026-04-01  2026-04-01  unknown")
    assert listed.returncode == 1


def test_a_site_reports_cards_without_a_picture(tmp_path: Path) -> None:
    path = toy_project(tmp_path) / "cards/lanterns/charm/heron-quill.yaml"
    edit(path, "Subtract 1 from", "A text that is far too long for its box. " * 40)
    for _run in range(2):  # the second time, the pictures are there already
        result = run(tmp_path, "site", "public", "--pack", "lanterns", "--work")
        assert result.returncode == 1, result.stderr
        assert "render/overflow" in result.stderr
        assert "charm/heron-quill front" in result.stderr
    assert (
        tmp_path / "public/en/cards/lanterns/charm/heron-quill/index.html"
    ).is_file()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of one game; of its pictures only the addresses."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SQUADPRESS_PROJECT", "SQUADPRESS_DATA", "SQUADPRESS_ORIGIN"):
            patch.setenv(name, "")  # and put back afterwards
        patch.setattr(faces, "make_pictures", lambda *_named: ())
        site.write_site(
            Project(ROOT),
            {"hydrophilia": "2.0.0"},
            folder,
            "https://cards.example.org/x/",
            folder / "data",
        )
    return folder


def test_every_link_of_a_site_is_relative_and_leads_to_a_file(made: Path) -> None:
    pages = [*made.rglob("*.html")]
    assert len(pages) > 3 * len(get_library().get_pack("hydrophilia").cards)
    for page in pages:
        for link in LINKS.findall(page.read_text(encoding="utf-8")):
            if link.startswith("#"):
                continue
            assert not link.startswith("/"), f"{page}: {link}"
            path = link.partition("#")[0].partition("?")[0]
            file = page.parent / path
            assert (file / "index.html" if path.endswith("/") else file).is_file(), (
                f"{page}: {link}"
            )


def test_a_site_speaks_three_languages_and_takes_no_forms(made: Path) -> None:
    for lang, word in (("en", "History"), ("de", "Geschichte"), ("ru", "История")):
        page = (made / lang / CARD.lstrip("/") / "index.html").read_text(
            encoding="utf-8"
        )
        assert word in page
        assert "<form" not in page
        assert "csrf" not in page


def test_what_others_read_has_the_address_of_the_site(made: Path) -> None:
    base = "https://cards.example.org/x"
    assert f"<loc>{base}/en{CARD}</loc>" in (made / "sitemap.xml").read_text(
        encoding="utf-8"
    )
    assert f"{base}/de/cards/hydrophilia/releases/" in (
        made / "de/cards/hydrophilia/feed.atom"
    ).read_text(encoding="utf-8")
    data = json.loads((made / f"en{CARD.rstrip('/')}.json").read_text(encoding="utf-8"))
    assert data["page"] == f"{base}/en{CARD}"


def test_a_site_shows_the_cards_of_its_release(made: Path) -> None:
    pack = made / "en/cards/hydrophilia"
    card = json.loads((pack / "character/patrolman.json").read_text(encoding="utf-8"))
    frozen = json.loads(
        (ROOT / "cards/hydrophilia/releases/2.0.0/cards.json").read_text(
            encoding="utf-8"
        )
    )
    assert card["revision"] == frozen["patrolman"]["revision"] == 2
    page = (pack / "index.html").read_text(encoding="utf-8")
    assert "Cards of release 2.0.0" in page
    assert "not published" not in page
    assert not (pack / "releases/work").exists()


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> date:
    """A day on which 2.0.0 is in force, 3.0.0 and 3.1.0 are planned and 1.0.0 was followed by another."""
    monkeypatch.setattr(history, "localdate", lambda: date(2026, 11, 27))
    monkeypatch.setattr(cards, "localdate", lambda: date(2026, 11, 27))
    return date(2026, 11, 27)


def test_pages_and_feeds_show_the_state_of_releases(
    client: Client, today: date
) -> None:
    page = client.get("/cards/hydrophilia/").content.decode()
    states = dict(
        re.findall(r"<b>([0-9.]+)</b> <span>[^<]*</span> <em>([^<]*)</em>", page)
    )
    assert states == {
        "3.1.0": "planned for 2027-01-15",
        "3.0.0": "planned for 2026-12-01",
        "2.0.0": "in force",
        "1.0.0": "superseded",
    }
    assert (
        "State: planned for 2026-12-01."
        in client.get("/cards/hydrophilia/releases/3.0.0/").content.decode()
    )
    titles = [
        item["title"]
        for item in client.get("/cards/hydrophilia/feed.json").json()["items"]
    ]
    assert [title.endswith("(planned for 2026-12-01)") for title in titles] == [
        False,
        True,
        False,
    ]
    assert (
        "(planned for 2026-12-01)</title>"
        in client.get("/cards/hydrophilia/feed.atom").content.decode()
    )


def test_a_withdrawn_release_is_marked_on_pages_and_in_feeds(
    client: Client, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = Withdrawal(
        version="2.0.0",
        date=date(2026, 11, 25),
        reason={"en": "Too strong."},
        successor="3.0.0",
    )
    known = history.get_history("hydrophilia", "en")
    releases = tuple(
        replace(one, withdrawal=mark) if one.version == "2.0.0" else one
        for one in known.releases
    )
    steps = tuple(
        replace(step, withdrawn="Too strong.") if step.new == "2.0.0" else step
        for step in known.steps
    )
    monkeypatch.setattr(
        cards,
        "get_history",
        lambda _pack, _lang: replace(known, releases=releases, steps=steps),
    )
    page = client.get("/cards/hydrophilia/releases/2.0.0/").content.decode()
    assert "State: withdrawn; use 3.0.0." in page
    assert '<p class="note">Too strong.</p>' in page
    item = client.get("/cards/hydrophilia/feed.json").json()["items"][2]
    assert item["title"].endswith("(withdrawn; use 3.0.0)")
    assert "Too strong." in item["content_text"]
    assert "2026-11-25" in client.get("/cards/hydrophilia/feed.atom").content.decode()


@pytest.mark.parametrize(
    ("version", "day", "steps"),
    [
        (
            "2.0.0",
            "2026-11-27",
            ["2.0.0", "3.0.0", "3.1.0"],
        ),  # in force: the planned ones are shown, as planned
        ("3.0.0", "2026-12-01", ["2.0.0", "3.0.0", "3.1.0"]),
        ("2.0.0", "2026-12-01", ["2.0.0"]),
        ("1.0.0", "2026-11-27", []),
    ],
)
def test_pages_of_a_release_show_no_unreleased_changes(
    version: str, day: str, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "localdate", lambda: date.fromisoformat(day))
    known = history.get_history("hydrophilia", "en")
    unreleased = replace(
        known, steps=(*known.steps, replace(known.steps[-1], new="work"))
    )
    assert [step.new for step in unreleased.limit_to(version).steps] == steps
    if version == "2.0.0" and day < "2026-12-01":
        mark = Withdrawal(
            version="3.0.0", date=date(2026, 11, 20), reason={"en": "Wrong."}
        )
        releases = tuple(
            replace(one, withdrawal=mark) if one.version == "3.0.0" else one
            for one in known.releases
        )
        withdrawn = replace(known, releases=releases).limit_to(version)
        assert (
            [step.new for step in withdrawn.steps],
            withdrawn.describe_release("3.0.0", "en"),
        ) == (
            steps,
            "withdrawn",
        )
