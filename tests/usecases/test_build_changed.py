"""Only cards whose print differs are printed again; what is equal in pixels is not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pypdfium2
import pytest

from builder.errata.difference import compare_states
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.render.html.view import collect_card_values
from builder.usecases.build.build_options import (
    BuildResult,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.changed import build_changed, find_reprinted_cards
from builder.usecases.pack_states import load_named_state
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.notes import compose_release_notes, print_notes
from builder.usecases.release.printing import check_print
from tests.usecases.toy import build_options, bump, edit, toy_project

pytestmark = pytest.mark.slow
FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The pack released once, its looks remembered."""
    project = Project(toy_project(tmp_path))
    pictures = check_print(project, "lanterns", WorkerPool(1), pixels=True)
    release_result = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", FIRST, FIRST),
        pictures=pictures,
    )
    assert release_result.frozen, release_result.findings
    return project


def changed(project: Project, lang: str) -> tuple[BuildResult, str]:
    """The build and all its text."""
    result = build_changed(
        project, "lanterns", "1.0.0", build_options(langs=(lang,), workers=1)
    )
    text = ""
    for file in result.files:
        for page in pypdfium2.PdfDocument(file.path):
            text += page.get_textpage().get_text_bounded()
    return result, text


def test_cards_are_compared_and_printed_as_in_a_release(project: Project) -> None:
    moth = project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml"
    packs = PackFiles(project)
    for version, old, new in (("1.1.0", 1, 2), ("1.2.0", 2, 3)):
        edit(moth, f"cost: {old}", f"cost: {new}")
        notes = {"en": f"Costs {new}.", "de": f"Kostet {new}."}
        bump(project, "dusk-moth", notes, SECOND)
        request = ReleaseRequest(version, SECOND, SECOND)
        assert make_release(packs, "lanterns", request).frozen
    options = build_options(langs=("en",), as_of="1.1.0", workers=1)
    result = build_changed(project, "lanterns", "1.0.0", options)
    (file,) = result.files
    assert file.path.name == "lanterns-en-home-a4-1.1.0-since-1.0.0.pdf"
    text = ""
    for page in pypdfium2.PdfDocument(file.path):
        text += page.get_textpage().get_text_bounded()
    assert "Δ 2 · 2026-06-01" in text
    assert "Costs 2." in text
    assert "Costs 3." not in text


def test_nothing_changed_prints_nothing(project: Project) -> None:
    result, _ = changed(project, "en")
    assert (result.files, result.findings) == ((), ())


def test_a_changed_card_is_printed_with_its_revision_and_listed(
    project: Project,
) -> None:
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml",
        "cost: 1",
        "cost: 2",
    )
    notes = {"en": "Costs 2.", "de": "Kostet 2."}
    bump(project, "dusk-moth", notes, SECOND)
    result, text = changed(project, "en")
    assert [file.cards for file in result.files] == [1]
    assert "Δ 2 · 2026-06-01" in text
    assert "Old Wick" not in text
    assert {"Swap", "Costs 2."} <= {
        word for word in ("Swap", "Costs 2.") if word in text
    }


def test_a_field_that_is_not_printed_changes_no_print(project: Project) -> None:
    cards = project.get_cards_dir("lanterns") / "spirit"
    before = (cards / "dusk-moth.yaml").read_text(encoding="utf-8")
    template = project.get_templates_dir("lanterns") / "spirit" / "front.html.j2"
    assert "scarcity" not in template.read_text(encoding="utf-8")
    assert "scarcity: 4" in before
    edit(cards / "dusk-moth.yaml", "scarcity: 4", "scarcity: 3")
    assert changed(project, "en")[0].files == ()


def test_another_order_of_a_map_is_printed_and_is_no_change_of_the_card(
    project: Project,
) -> None:
    packs, shapes = (
        PackFiles(project),
        check_print(project, "lanterns", WorkerPool(1), pixels=False),
    )
    card = project.get_cards_dir("lanterns") / "clearing" / "two-stumps.yaml"
    lines = card.read_text(encoding="utf-8").splitlines(keepends=True)
    at, before = lines.index("points:\n") + 1, packs.load_pack("lanterns")
    card.write_text("".join([*lines[:at], *reversed(lines[at:])]), encoding="utf-8")
    after = packs.load_pack("lanterns")
    assert compare_states(
        *(load_named_state(packs, "lanterns", name)[0] for name in ("1.0.0", "work"))
    ).empty
    was, now = (shapes(loaded).digests for loaded in (before, after))
    assert {name for name in now if now[name] != was[name]} == {
        "en/two-stumps/front",
        "de/two-stumps/front",
    }
    packs_read = [pack for pack in (before.pack, after.pack) if pack is not None]
    keys = {
        collect_card_values(pack, pack.cards["two-stumps"], "en").hash_fields()
        for pack in packs_read
    }
    assert len(keys) == 2, "it is set anew"


def test_a_translation_changes_the_print_of_its_language_only(project: Project) -> None:
    path = (
        project.get_cards_dir("lanterns") / "i18n" / "de" / "spirit" / "old-wick.yaml"
    )
    text = path.read_text(encoding="utf-8")
    name = text.split("name: {text: ")[1].split(",")[0]
    edit(path, f"name: {{text: {name},", "name: {text: Altdocht,")
    assert changed(project, "en")[0].files == ()
    assert [file.cards for file in changed(project, "de")[0].files] == [1]


def test_a_style_changes_the_kinds_that_use_it_and_a_comment_changes_none(
    project: Project,
) -> None:
    css = project.get_templates_dir("lanterns") / "charm" / "card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + "/* no change */\n", encoding="utf-8"
    )
    assert changed(project, "en")[0].files == ()
    css.write_text(
        css.read_text(encoding="utf-8") + ".face { background: #123456; }\n",
        encoding="utf-8",
    )
    result, text = changed(project, "en")
    assert [file.cards for file in result.files] == [3]
    assert "Old Wick" not in text


def test_a_card_whose_old_face_lacks_a_word_that_templates_ask_for_now_is_printed_otherwise_not_new(
    project: Project,
) -> None:
    edit(
        project.get_cards_dir("lanterns") / "vocabulary.yaml",
        "labels:\n",
        "labels:\n  glow: {en: Glow, de: Schein}\n",
    )
    edit(
        project.get_templates_dir("lanterns") / "spirit" / "front.html.j2",
        'label("embers")',
        'label("glow")',
    )
    assert "dusk-moth" in find_reprinted_cards(
        project, "lanterns", "1.0.0", WorkerPool(1)
    )


def test_a_release_without_pictures_knows_the_faces_that_a_template_changed(
    tmp_path: Path,
) -> None:
    project = Project(toy_project(tmp_path))
    shapes = check_print(project, "lanterns", WorkerPool(1), pixels=False)
    release_result = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", FIRST, FIRST),
        pictures=shapes,
    )
    assert release_result.frozen, release_result.findings
    template = project.get_templates_dir("lanterns") / "spirit" / "front.html.j2"
    edit(
        template,
        "{{ card.name }}",
        "{{ card.name }}{% if card.id == 'dusk-moth' %}!{% endif %}",
    )
    assert find_reprinted_cards(project, "lanterns", "1.0.0", WorkerPool(1)) == {
        "dusk-moth"
    }
    edit(template, "{{ card.name }}", "{{ card.nothing }}")
    broken = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.1", SECOND, SECOND),
        pictures=shapes,
    )
    assert not broken.frozen, "a template that cannot be filled in is told"


def test_notes_show_the_card_before_and_after(project: Project) -> None:
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "dusk-moth.yaml",
        "cost: 1",
        "cost: 2",
    )
    old, new = (
        load_named_state(PackFiles(project), "lanterns", "1.0.0")[0],
        load_named_state(PackFiles(project), "lanterns", "work")[0],
    )
    notes = compose_release_notes(old, new, ("en",))
    forms = ("pdf", "html")
    files, findings = print_notes(
        get_render_folders(project, "lanterns"), old, new, notes, WorkerPool(1), forms
    )
    assert findings == ()
    document = pypdfium2.PdfDocument(files["lanterns-work-notes-en.pdf"])
    (text,) = (page.get_textpage().get_text_bounded() for page in document)
    assert [text.count(word) for word in ("Before", "After")] == [1, 1]
    assert (
        text.count("Dusk Moth") >= 4
    )  # summary, points, the note, and the card itself before and after
    page = files["lanterns-work-notes-en.html"].decode()
    assert page.count("data:image/webp") == 2
    assert "http" not in page
