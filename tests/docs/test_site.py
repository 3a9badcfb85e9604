"""`make docs` builds a website with a search box; a link to a missing page or heading stops it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import docs_site


@pytest.mark.slow
def test_the_site_has_every_page_and_can_be_searched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(docs_site, "SITE", tmp_path / "site")
    docs_site.build_site()
    pages = {path.stem for path in (docs_site.ROOT / "docs").glob("*.md")}
    assert pages <= {path.stem for path in (tmp_path / "site" / "docs").glob("*.html")}
    assert "Guide for players" in (tmp_path / "site" / "search.json").read_text("utf-8")
    home_page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "googleapis" not in home_page


def test_every_page_is_in_the_navigation(tmp_path: Path) -> None:
    config = docs_site.write_config(tmp_path).read_text("utf-8")
    pages = {path.name for path in (docs_site.ROOT / "docs").glob("*.md")} - {
        "new-game.md"
    }
    assert [page for page in sorted(pages) if f'"docs/{page}"' not in config] == []


def test_a_link_to_no_page_becomes_text(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "[a](LICENSE) [b](../README.md#install) ![c](picture.png) [d](page.md#x)",
        "utf-8",
    )
    assert (
        docs_site.rewrite_links(page)
        == "a [b](../index.md#install) ![c](picture.png) [d](page.md#x)"
    )
