"""`watch` sets with the engine that is asked for; with a file that could take all memory it sets nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.usecases.watch import Watch
from tests.usecases.toy import edit, toy_project

CARD, STYLE = "cards/lanterns/spirit/old-wick.yaml", "templates/lanterns/pack.css"


def test_a_style_sheet_without_end_is_told_and_not_set(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    watch = Watch(Project(folder), "lanterns")
    with (folder / STYLE).open("a") as sheet:
        sheet.write(".face { grid-template-columns: repeat(999999, 1px) }\n")
    sight = watch.begin([CARD])
    assert [one.code for one in sight.findings] == ["looks/too-much"]
    assert not any(seen.pictures for seen in sight.cards)
    edit(folder / STYLE, "999999", "9")
    sight = watch.update([STYLE])
    assert [seen.stale for seen in sight.cards] == [False]
    assert "looks/too-much" not in {one.code for one in watch.check().findings}


def test_a_card_whose_file_is_deleted_is_forgotten(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    watch = Watch(Project(folder), "lanterns", ("en",))
    watch.begin([CARD])
    moth = CARD.replace("old-wick", "dusk-moth")
    edit(folder / CARD, "id: old-wick", "id: [old-wick")
    assert [(seen.card, seen.stale) for seen in watch.update([CARD]).cards] == [
        ("old-wick", True)
    ], "it is being edited"
    assert watch.check().findings
    (folder / CARD).unlink()
    sight = watch.update([CARD])
    assert not sight.cards
    assert CARD not in {one.location.file for one in watch.check().findings}
    assert [seen.card for seen in watch.update([moth]).cards] == ["dusk-moth"]
    shown = {picture.digest for seen in watch.update([moth]).cards for picture in seen.pictures}
    assert set(watch.pictures) == shown


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
        sheet.write(".face { box-shadow: 1mm 1mm black }\n")  # only the reference draws it
    watch = Watch(Project(folder), "lanterns", engine=asked)
    watch.warm()
    sight = watch.begin([CARD])
    assert any(one.code == "render/css" for one in sight.findings) == (sets == "plutoprint")
    assert any(seen.pictures for seen in sight.cards) == (sets == "weasyprint")
