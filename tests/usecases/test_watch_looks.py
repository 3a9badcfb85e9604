"""`watch` sets nothing with a file that could take all memory, and goes on once it is mended."""

from __future__ import annotations

from pathlib import Path

from builder.store.project import Project
from builder.usecases.watch.watch import Watch
from tests.usecases.toy import edit, toy_project

CARD, STYLE = "cards/lanterns/spirit/old-wick.yaml", "templates/lanterns/pack.css"


def test_a_style_sheet_without_end_is_told_and_not_set(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    watch = Watch(Project(folder), "lanterns")
    with (folder / STYLE).open("a") as sheet:
        sheet.write(".face { grid-template-columns: repeat(999999, 1px) }\n")
    sight = watch.begin([CARD])
    assert [one.code for one in sight.findings] == ["looks/too-much-style"]
    assert not any(seen.pictures for seen in sight.cards)
    edit(folder / STYLE, "999999", "9")
    sight = watch.saved([STYLE])
    assert [seen.stale for seen in sight.cards] == [False]
    assert "looks/too-much-style" not in {one.code for one in watch.judged().findings}
