"""Links from rules, bans, points limits and releases to their announcements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.release.publish import publish_releases
from tests.program import run
from tests.report.feed_rules import ATOM, require_atom, require_json_feed
from tests.usecases.errata_history import DAYS, NEWS, make_history
from tests.usecases.toy import edit


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return make_history(tmp_path_factory.mktemp("history"))


def test_notes_link_the_announcements_of_what_changed(project: Project) -> None:
    text = run(
        project.root, "release", "notes", "1.2.0", "1.3.0", "--lang", "en"
    ).stdout
    assert f"[Announcement](<{NEWS}august>)" in text
    assert f"Too bright. [Announcement](<{NEWS}ban>)" in text
    assert f"[Announcement](<{NEWS}points>)" in text
    assert f"The rule changed. [Announcement](<{NEWS}frost>)" in text
    # An announcement alone is no change of a rule.
    assert "kindler" not in text
    chat = run(
        project.root, "release", "notes", "1.2.0", "1.3.0", "--lang", "en", "--chat"
    ).stdout
    for page in ("august", "ban", "points", "frost"):
        assert NEWS + page in chat


def test_published_data_has_the_announcements(project: Project, tmp_path: Path) -> None:
    words = ("--pack", "lanterns", "--no-pdf", "--output", str(tmp_path / "out"))
    process = run(project.root, "release", "publish", *words)
    assert process.returncode == 0, process.stderr
    index = json.loads((tmp_path / "out/v1/index.json").read_text())
    assert [item.get("announcement") for item in index["releases"]] == [None] * 3 + [
        f"{NEWS}august"
    ]
    legality = json.loads(
        (tmp_path / "out/v1/1.3.0/legality/open/2026-08-01.json").read_text()
    )
    assert legality["cards"]["old-wick"]["announcement"] == f"{NEWS}ban"


def test_an_announcement_is_an_address(project: Project) -> None:
    words = ("--effective", "2026-09-01", "--announcement", "soon")
    assert run(project.root, "release", "new", "1.4.0", *words).returncode == 2
    file = project.get_cards_dir("lanterns") / "formats.yaml"
    edit(file, f"{NEWS}ban", "javascript:alert(1)")
    checked = run(project.root, "check", "lanterns")
    edit(file, "javascript:alert(1)", f"{NEWS}ban")
    assert checked.returncode == 1
    assert "announcement" in checked.stdout


def test_notes_and_diff_name_gains_losses_and_reverts(project: Project) -> None:
    notes = run(
        project.root, "release", "notes", "1.2.0", "1.3.0", "--lang", "en"
    ).stdout
    assert "Cost: ~~2~~ → **1** (gain, reverts 1.1.0)" in notes
    assert "Weaker: Reed Mother" in notes
    diff = run(project.root, "release", "diff", "1.2.0", "1.3.0").stdout
    assert "cost: 2 -> 1 (gain, reverts 1.1.0)" in diff
    assert "(loss)" in diff
    since = run(project.root, "release", "diff", "1.1.0", "1.2.0").stdout
    assert "reverts" not in since
    data = run(
        project.root, "release", "diff", "1.2.0", "1.3.0", "--format", "json"
    ).stdout
    cards = {card["id"]: card for card in json.loads(data)["cards"]}
    assert cards["dusk-moth"]["effect"] == "gain"
    assert cards["dusk-moth"]["fields"][0]["reverts"] == "1.1.0"
    assert cards["reed-mother"]["effect"] == "loss"


def test_a_publication_has_valid_feeds_that_its_pages_link(
    project: Project, tmp_path: Path
) -> None:
    words = (
        "--no-pdf",
        "--output",
        str(tmp_path),
        "--base-url",
        "https://cards.example.org/l/",
    )
    process = run(project.root, "release", "publish", "--pack", "lanterns", *words)
    assert process.returncode == 0, process.stderr
    root = require_atom((tmp_path / "feed.en.atom").read_bytes())
    titles = [entry.findtext(f"{ATOM}title") for entry in root.findall(f"{ATOM}entry")]
    assert titles == [
        f"Lanterns of Lowmarsh: what changed in {version}"
        for version in ("1.3.0", "1.2.0", "1.1.0")
    ]
    feed = require_json_feed((tmp_path / "feed.en.json").read_bytes())
    first = feed["items"][0]
    assert first["url"] == "https://cards.example.org/l/index.en.html#1.3.0"
    assert first["external_url"] == f"{NEWS}august"
    assert (
        f'<a href="{NEWS}ban">Banned in Open season: Old Wick</a>'
        in first["content_html"]
    )
    assert feed["feed_url"] == "https://cards.example.org/l/feed.en.json"
    assert (
        require_json_feed((tmp_path / "feed.de.json").read_bytes())["language"] == "de"
    )
    for lang in ("en", "de"):
        page = (tmp_path / f"index.{lang}.html").read_text()
        assert (
            page.count(f'href="feed.{lang}.atom"') == 2
        )  # for programs and for people
        assert page.count(f'href="feed.{lang}.json"') == 2
    assert f'href="{NEWS}august"' in (tmp_path / "index.en.html").read_text()
    assert "feed.en.atom" in (tmp_path / "SHA256SUMS").read_text()


def test_feeds_keep_their_ids_wherever_the_publication_is(project: Project) -> None:
    releases = PackFiles(project).open_releases("lanterns")
    first_files = publish_releases(releases, "lanterns", None, DAYS["1.3.0"])[0]
    second_files = publish_releases(
        releases, "lanterns", None, DAYS["1.3.0"], base_url="https://a.example"
    )[0]
    feeds = [
        require_atom(files["feed.en.atom"]) for files in (first_files, second_files)
    ]
    ids = [[element.text for element in feed.iter(f"{ATOM}id")] for feed in feeds]
    assert ids[0] == ids[1]
    assert not feeds[0].findall(f"{ATOM}link")
