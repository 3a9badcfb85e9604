"""Rendering: overflow is never silent, nothing is done twice, output is reproducible."""

from __future__ import annotations

import re
import shutil
import sqlite3

import pytest

from builder.errors import OutputNotWritten
from builder.findings import Severity
from builder.render.cache import FACES
from builder.render.html.templates import TemplateSet
from tests.messages.speech import speaks_russian

pytestmark = pytest.mark.slow
COLD = True

SPIRIT = "cards/lanterns/spirit"
CSS = "templates/lanterns/spirit/card.css"


def spirits(project):
    return sorted((project.root / SPIRIT).rglob("*.yaml"))


def swell(project, words: int):
    """Make one spirit's first trick longer by so many words, the same in every language."""
    path = next(
        path
        for path in spirits(project)
        if re.search(r"\btext: ", path.read_text(encoding="utf-8"))
    )
    text = path.read_text(encoding="utf-8")
    grown = re.sub(
        r"(\btext: \W*)(.*)",
        lambda match: f"{match[1]}{'marsh ' * words}{match[2]}",
        text,
        count=1,
    )
    assert len(grown) > len(text)
    path.write_text(grown, encoding="utf-8")
    return path


def errors(result, code=None):
    return [
        finding
        for finding in result.findings
        if finding.severity is Severity.ERROR and (code is None or finding.code == code)
    ]


def facts(project):
    database = sqlite3.connect(project.cache.path)
    keys = [
        key.decode()
        for (key,) in database.execute(
            "SELECT key FROM entries WHERE area = ?", (FACES,)
        )
    ]
    database.close()
    return [project.cache.value(FACES, key) for key in keys]


def damage(project, column, change, many=3, area=FACES):
    """Change what is kept of some faces, or of another area, behind the cache's back."""
    database = sqlite3.connect(project.cache.path)
    with database:
        asked = f"SELECT id, {column} FROM entries WHERE area = ? ORDER BY key LIMIT ?"
        for number, data in database.execute(asked, (area, many)).fetchall():
            database.execute(
                f"UPDATE entries SET {column} = ? WHERE id = ?", (change(data), number)
            )
    database.close()


def forget(project, area):
    """Let the cache lose all of an area."""
    database = sqlite3.connect(project.cache.path)
    with database:
        database.execute("DELETE FROM entries WHERE area = ?", (area,))
    database.close()


def test_all_toy_packs_build_in_all_languages(lanterns, brigade_elsewhere, build):
    for project in (lanterns, brigade_elsewhere):
        result = build(project)
        assert errors(result) == []
        assert len(result.files) == 2
        assert all(file.path.read_bytes().startswith(b"%PDF-") for file in result.files)


@pytest.mark.parametrize(
    "change",
    [lambda _: b"junk", lambda _: b"", lambda data: data[:-20] + b"?" + data[-19:]],
    ids=["junk", "empty", "a byte of a drawing"],
)
def test_faces_damaged_in_the_cache_are_reported_once_and_set_anew(
    lanterns, build, change
):
    first = build(lanterns)
    before = [file.path.read_bytes() for file in first.files]
    damage(lanterns, "data", change)
    for file in first.files:
        file.path.unlink()
    forget(lanterns, "sheets")
    with pytest.raises(OutputNotWritten, match="damaged") as caught:
        build(lanterns)
    assert "Run the command again" in caught.value.remedy
    again = build(lanterns)
    assert again.rendered_count >= 3
    assert [file.path.read_bytes() for file in again.files] == before


@pytest.mark.parametrize("rubbish", [b"junk", b"", b"[]"])
def test_a_face_that_reports_nothing_of_itself_is_set_anew(lanterns, build, rubbish):
    first = build(lanterns)
    before = [file.path.read_bytes() for file in first.files]
    damage(lanterns, "value", lambda _: rubbish)
    for file in first.files:
        file.path.unlink()
    again = build(lanterns)
    assert again.rendered_count == 3
    assert [file.path.read_bytes() for file in again.files] == before


def test_damaged_sides_of_sheets_are_composed_anew(lanterns, build):
    before = [file.path.read_bytes() for file in build(lanterns).files]
    damage(lanterns, "data", lambda data: data[:-9] + b"?" + data[-8:], area="sheets")
    for path in lanterns.get_output_dir("lanterns").glob("*.pdf"):
        path.unlink()
    again = build(lanterns)
    assert (again.rendered_count, [file.path.read_bytes() for file in again.files]) == (
        0,
        before,
    )


def test_blocks_too_near_each_other_are_reported_each_time_though_no_face_is_set(
    lanterns, build
):
    """How far they keep apart is no part of a face's address.

    That nothing was wrong with it holds for one distance.
    """
    front = lanterns.get_templates_dir("lanterns") / "spirit" / "front.html.j2"
    foot = (
        '<div data-block="foot" '
        'style="position:absolute;left:20mm;top:70mm;width:9mm;height:3mm">1</div>'
    )
    front.write_text(front.read_text(encoding="utf-8") + foot, encoding="utf-8")
    build(lanterns, langs=("en",))
    manifest = lanterns.get_cards_dir("lanterns") / "pack.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(
        text.replace("    fit:\n      title:", "    gap: 90\n    fit:\n      title:"),
        encoding="utf-8",
    )
    told = [build(lanterns, langs=("en",)) for _again in range(2)]
    crowded = [
        [one for one in result.findings if one.code == "render/crowded"]
        for result in told
    ]
    assert crowded[0] == crowded[1] != []
    assert [result.rendered_count for result in told] == [0, 0]


def test_a_picture_drawn_anew_reaches_the_file(lanterns, build, tmp_path):
    """Return a face's address does not tell what its pictures hold.

    File and noted facts must not rest on it alone.
    """
    picture = lanterns.get_cards_dir("lanterns") / "art" / "blot.svg"
    picture.parent.mkdir(exist_ok=True)
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 '
        '9"><rect '
        'width="9" '
        'height="9" fill="%s"/></svg>'
    )
    picture.write_text(drawing % "#ff0000", encoding="utf-8")
    front = lanterns.get_templates_dir("lanterns") / "spirit" / "front.html.j2"
    blot = (
        '<img src="art/blot.svg" alt="" '
        'style="position:absolute;left:20mm;top:60mm;width:9mm;height:9mm">'
    )
    front.write_text(front.read_text(encoding="utf-8") + blot, encoding="utf-8")
    build(lanterns)
    picture.write_text(drawing % "#00ff00", encoding="utf-8")
    edited = build(lanterns)
    assert edited.rendered_count > 0
    assert [file.changed for file in edited.files] == [True] * len(edited.files)
    assert build(lanterns).rendered_count == 0
    lanterns.cache_dir.rename(tmp_path / "cache")
    assert [file.changed for file in build(lanterns).files] == [False] * len(
        edited.files
    )


def test_a_second_build_sets_no_face_and_leaves_the_file(lanterns, build):
    first = build(lanterns)
    second = build(lanterns)
    assert first.rendered_count > 0
    assert (second.rendered_count, second.cached_count) == (0, first.rendered_count)
    assert [file.changed for file in second.files] == [False, False]


def test_two_cold_builds_give_the_same_bytes(lanterns, build):
    first = [file.path.read_bytes() for file in build(lanterns).files]
    shutil.rmtree(lanterns.cache_dir)
    assert [file.path.read_bytes() for file in build(lanterns).files] == first


def test_an_edited_card_alone_is_set_again_and_gives_what_a_cold_build_gives(
    lanterns, build
):
    build(lanterns)
    swell(lanterns, 3)
    warm = build(lanterns)
    assert 0 < warm.rendered_count <= 4
    bytes_warm = [file.path.read_bytes() for file in warm.files]
    shutil.rmtree(lanterns.cache_dir)
    assert [file.path.read_bytes() for file in build(lanterns).files] == bytes_warm


def test_an_edited_style_sheet_sets_only_the_faces_that_use_it(lanterns, build):
    build(lanterns, langs=("en",))
    css = lanterns.root / CSS
    css.write_text(css.read_text(encoding="utf-8") + "\n/* */", encoding="utf-8")
    spirits_alone = build(lanterns, langs=("en",), only=("kind=spirit",))
    assert spirits_alone.rendered_count > 0
    assert spirits_alone.cached_count == 0
    assert build(lanterns, langs=("en",)).rendered_count == 0


def test_a_template_is_filled_in_again_only_where_what_it_prints_changed(
    lanterns, build, monkeypatch
):
    """Return a style sheet leaves the HTML as it is.

    Another card, of which a template prints the name, does not.
    """
    named, *_others = spirits(lanterns)
    template = lanterns.root / "templates/lanterns/spirit/front.html.j2"
    shown = f'<p class="title">{{{{ card_name("{named.stem}") }}}}</p>'
    template.write_text(template.read_text(encoding="utf-8") + shown, encoding="utf-8")
    filled, render = [], TemplateSet.render
    monkeypatch.setattr(
        TemplateSet, "render", lambda *args: filled.append(args[1]) or render(*args)
    )
    build(lanterns, langs=("en",))
    css = lanterns.root / CSS
    css.write_text(
        css.read_text(encoding="utf-8") + "\n.face {letter-spacing: 0.001mm}",
        encoding="utf-8",
    )
    filled.clear()
    assert build(lanterns, langs=("en",)).rendered_count > 0
    assert filled == []
    named.write_text(
        re.sub("name: .*", "name: Another", named.read_text(encoding="utf-8"), count=1),
        encoding="utf-8",
    )
    warm = [file.path.read_bytes() for file in build(lanterns, langs=("en",)).files]
    assert filled.count("spirit/front.html.j2") == len(spirits(lanterns))
    shutil.rmtree(lanterns.cache_dir)
    assert [
        file.path.read_bytes() for file in build(lanterns, langs=("en",)).files
    ] == warm


def test_workers_give_the_same_bytes_as_one_process(lanterns, build, monkeypatch):
    monkeypatch.setattr("builder.render.workers.MIN_FACES_PER_BATCH", 1)
    first = [file.path.read_bytes() for file in build(lanterns).files]
    shutil.rmtree(lanterns.cache_dir)
    from builder.usecases.build.build import build_pack
    from tests.usecases.toy import build_options

    result = build_pack(lanterns, "lanterns", build_options(workers=2))
    assert [file.path.read_bytes() for file in result.files] == first


def test_more_text_shrinks(lanterns, build):
    build(lanterns, langs=("en",))
    assert all(
        block["step"] == 0
        for each in facts(lanterns)
        for block in each["blocks"]
        if block["name"] == "tricks"
    )
    swell(lanterns, 150)
    result = build(lanterns, langs=("en",))
    assert errors(result) == []
    steps = [
        block
        for each in facts(lanterns)
        for block in each["blocks"]
        if block["name"] == "tricks"
    ]
    assert max(block["step"] for block in steps) > 0
    assert all(block["fill"] <= 1.01 for block in steps)


def test_two_blocks_of_one_name_share_the_size_of_the_fuller(lanterns, build):
    swell(lanterns, 150)
    build(lanterns, langs=("en",))
    before = [
        block["step"]
        for each in facts(lanterns)
        for block in each["blocks"]
        if block["name"] == "tricks"
    ]
    template = lanterns.root / "templates" / "lanterns" / "spirit" / "back.html.j2"
    twin = '<div class="text fit fit-tricks"><p>Short.</p></div>'
    template.write_text(template.read_text(encoding="utf-8") + twin, encoding="utf-8")
    shutil.rmtree(lanterns.cache_dir)
    assert errors(build(lanterns, langs=("en",))) == []
    after = [
        block["step"]
        for each in facts(lanterns)
        for block in each["blocks"]
        if block["name"] == "tricks"
    ]
    assert max(after) == max(before) > 0
    assert after.count(max(after)) == 2


def test_far_too_much_text_fails_naming_the_block(lanterns, build):
    build(lanterns, langs=("en",))
    before = {
        file: file.read_bytes()
        for file in lanterns.get_output_dir("lanterns").iterdir()
    }
    path = swell(lanterns, 900)
    result = build(lanterns, langs=("en",))
    found = errors(result, "render/overflow")
    assert len(found) == 1
    assert speaks_russian(found[0])
    assert "'tricks'" in found[0].message
    assert re.search(
        r"even at 6\.5 pt: \d+ lines \(\d+\.\d mm\) too many", found[0].message
    )
    assert "[en]" in found[0].message
    assert found[0].location.file == lanterns.shorten_path(path)
    assert all(file.draft for file in result.files)
    assert {file: file.read_bytes() for file in before} == before


def test_a_last_line_of_icons_alone_counts_as_text(lanterns, build):
    """Icons in running text are content.

    A line of nothing else must not hang out of its block unseen.
    """
    swell(lanterns, 150)
    build(lanterns, langs=("en",))
    path = next(
        path
        for path in spirits(lanterns)
        if "marsh" in path.read_text(encoding="utf-8")
    )
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("marsh " * 150, "{icon:reed} " * 2000), encoding="utf-8"
    )
    assert errors(build(lanterns, langs=("en",)), "render/overflow")


def test_text_longer_than_any_page_fails_too(lanterns, build):
    swell(lanterns, 9000)
    result = build(lanterns, langs=("en",), only=("kind=spirit",))
    assert {finding.code for finding in errors(result)} <= {
        "render/overflow",
        "render/pages",
    }
    assert errors(result)


def test_a_box_of_fixed_height_that_overflows_fails(lanterns, build):
    css = lanterns.root / CSS
    css.write_text(
        css.read_text(encoding="utf-8") + ".kind-spirit .price {width: 3mm}",
        encoding="utf-8",
    )
    found = errors(build(lanterns, langs=("en",)), "render/overflow")
    assert found
    assert all("'price'" in finding.message for finding in found)


def test_text_with_icons_in_it_is_still_text(lanterns, build):
    """Return the icon font behind another makes no drawing of the letters."""
    css = lanterns.root / CSS
    own = ".kind-spirit .title {left: 1mm; font-family: Roboto, icons}"
    css.write_text(css.read_text(encoding="utf-8") + own, encoding="utf-8")
    assert errors(build(lanterns, langs=("en",)), "render/cut-off")


def test_text_past_the_trim_fails_and_near_it_warns(lanterns, build):
    css = lanterns.root / CSS
    text = css.read_text(encoding="utf-8")
    css.write_text(text + ".kind-spirit .title {left: 4mm}", encoding="utf-8")
    result = build(lanterns, langs=("en",))
    assert errors(result) == []
    assert {finding.code for finding in result.findings} == {"render/unsafe"}
    css.write_text(text + ".kind-spirit .title {left: 1mm}", encoding="utf-8")
    assert {finding.code for finding in errors(build(lanterns, langs=("en",)))} == {
        "render/cut-off"
    }


@pytest.fixture
def brigade_elsewhere(tmp_path, engine):
    from tests.render.conftest import copy_project

    return copy_project("brigade", tmp_path / "other", engine)


def contrasts(result) -> list[str]:
    return [
        finding.message
        for finding in result.findings
        if finding.code == "render/contrast"
    ]


def add_to(project, template, html) -> None:
    path = project.get_templates_dir("lanterns") / "spirit" / template
    path.write_text(path.read_text(encoding="utf-8") + html, encoding="utf-8")


FAINT = '<p style="position:absolute;left:10mm;top:60mm;color:{}">faint</p>'


def test_a_low_contrast_is_reported_once_a_face_and_each_time(lanterns, build):
    assert contrasts(build(lanterns, langs=("en",))) == []
    add_to(
        lanterns,
        "back.html.j2",
        FAINT.format("#787878") + FAINT.format("#ccc").replace("60mm", "20mm"),
    )
    results = [
        build(lanterns, langs=("en",), only=("id=dusk-moth",)) for _again in range(2)
    ]
    (first,), (second,) = map(contrasts, results)
    assert first == second
    assert (
        "the text 'faint' (#cccccc on #ffffff) has a contrast of 1.6:1; the limit is 4.5:1"
        in first
    )
    assert first.endswith("Texts of this face with low contrast: 2")
    assert results[1].rendered_count == 0
    (finding,) = (
        each for each in results[0].findings if each.code == "render/contrast"
    )
    assert (finding.severity, finding.location.file) == (
        Severity.WARNING,
        "templates/lanterns/spirit/back.html.j2",
    )
    assert finding.location.box is not None
    assert finding.hint.startswith("Use a darker or lighter colour")


def test_a_contrast_above_the_limit_is_not_reported(lanterns, build):
    add_to(lanterns, "back.html.j2", FAINT.format("#757575"))
    assert contrasts(build(lanterns, langs=("en",))) == []


def test_a_text_is_compared_with_the_frame_below_it(lanterns, build):
    band = '<div style="position:absolute;left:8mm;top:58mm;width:30mm;height:9mm;background:{}"></div>'
    add_to(lanterns, "front.html.j2", FAINT.format("#888"))
    add_to(lanterns, "front.frame.html.j2", band.format("#000"))
    assert contrasts(build(lanterns, langs=("en",))) == []
    frame = lanterns.get_templates_dir("lanterns") / "spirit" / "front.frame.html.j2"
    frame.write_text(
        frame.read_text(encoding="utf-8").replace("background:#000", "background:#333"),
        encoding="utf-8",
    )
    for _again in range(2):
        (message,) = contrasts(build(lanterns, langs=("en",)))
        assert "'faint' (#888888 on #333333)" in message


@pytest.mark.parametrize("variant", ["ink", "foil", "white"])
def test_variants_that_save_ink_or_show_plates_are_not_checked_by_contrast(
    lanterns, build, variant
):
    add_to(lanterns, "back.html.j2", FAINT.format("#ccc !important"))
    assert contrasts(build(lanterns, langs=("en",), variant=variant)) == []
