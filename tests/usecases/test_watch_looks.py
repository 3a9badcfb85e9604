"""`watch` sets with the engine that is asked for.

With a file that could take all memory it sets nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.usecases.watch.pack_watch import PackWatch
from tests.usecases.toy import edit, toy_project

CARD, STYLE = "cards/lanterns/spirit/old-wick.yaml", "templates/lanterns/pack.css"


def test_a_style_sheet_without_end_is_reported_and_not_set(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    watch = PackWatch(Project(folder), "lanterns")
    with (folder / STYLE).open("a") as sheet:
        sheet.write(".face { grid-template-columns: repeat(999999, 1px) }\n")
    view = watch.start_watch([CARD])
    assert [finding.code for finding in view.findings] == ["looks/too-much"]
    assert not any(watched_card.pictures for watched_card in view.cards)
    edit(folder / STYLE, "999999", "9")
    view = watch.show_saved_files([STYLE])
    assert [watched_card.stale for watched_card in view.cards] == [False]
    assert "looks/too-much" not in {
        finding.code for finding in watch.check_pack().findings
    }


def test_a_card_whose_file_is_deleted_is_forgotten(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    watch = PackWatch(Project(folder), "lanterns", ("en",))
    watch.start_watch([CARD])
    moth = CARD.replace("old-wick", "dusk-moth")
    edit(folder / CARD, "id: old-wick", "id: [old-wick")
    assert [
        (watched_card.card, watched_card.stale)
        for watched_card in watch.show_saved_files([CARD]).cards
    ] == [("old-wick", True)], "it is being edited"
    assert watch.check_pack().findings
    (folder / CARD).unlink()
    view = watch.show_saved_files([CARD])
    assert not view.cards
    assert CARD not in {
        finding.location.file for finding in watch.check_pack().findings
    }
    assert [
        watched_card.card for watched_card in watch.show_saved_files([moth]).cards
    ] == ["dusk-moth"]
    picture_names = {
        picture.digest
        for watched_card in watch.show_saved_files([moth]).cards
        for picture in watched_card.pictures
    }
    assert set(watch.pictures) == picture_names


@pytest.mark.parametrize(
    ("asked", "named", "sets"),
    [
        (None, "weasyprint", "weasyprint"),
        (None, "plutoprint", "plutoprint"),
        ("plutoprint", "weasyprint", "plutoprint"),
    ],
)
def test_the_engine_that_is_asked_for_sets(
    tmp_path: Path, asked: str | None, named: str, sets: str
) -> None:
    pytest.importorskip("plutoprint")
    folder = toy_project(tmp_path)
    with (folder / "cards/lanterns/pack.yaml").open("a") as manifest:
        manifest.write(f"\nengine: {named}\n")
    with (folder / STYLE).open("a") as sheet:
        sheet.write(
            ".face { box-shadow: 1mm 1mm black }\n"
        )  # only the reference draws it
    watch = PackWatch(Project(folder), "lanterns", engine=asked)
    watch.warm_up()
    view = watch.start_watch([CARD])
    assert any(finding.code == "render/css" for finding in view.findings) == (
        sets == "plutoprint"
    )
    assert any(watched_card.pictures for watched_card in view.cards) == (
        sets == "weasyprint"
    )
