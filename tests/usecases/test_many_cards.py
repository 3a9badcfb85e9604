"""Documents and pages of 1, 30, 300 and 3,000 cards.

No limit that is meant for one face stops them.

The cards are cheap, and no face is drawn where a document only shows it: the limits are tested, not
the engines.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from builder.errata.difference import compare_states
from builder.errata.notes import Notes, compose_notes
from builder.errata.snapshot import Snapshot
from builder.model.pack import Pack, Size
from builder.model.profile import Paper
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.flow import fill_document, render_flow
from builder.render.html import sandbox
from builder.render.html.pages import page
from builder.render.jobs import FaceJob
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.release.note_pictures import NoteFaces, ShownFace
from builder.usecases.release.notes import make_template_values
from tests.usecases.toy import toy_project

COUNTS = [1, 30, 300, pytest.param(3_000, marks=pytest.mark.slow)]
A4 = Paper(width=210, height=297)
PICTURE_BYTES = 70_000
"""Characters of a face's picture in a page of notes. Two for each of 57 cards were too many at
e082904.
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def pack_of(project: Project) -> Pack:
    pack = load_pack(project, "lanterns").pack
    assert pack is not None
    return pack


def state(pack: Pack, count: int, cost: int) -> Snapshot:
    """Return a release of so many cards, each of which costs the same."""
    entry = {"released": "2026-11-27", "type": "balance", "note": {"en": "Costs more."}}
    history: Any = [{**entry, "revision": revision} for revision in range(1, cost + 1)]
    cards: Any = {
        f"card-{number}": {
            "id": f"card-{number}",
            "kind": "spirit",
            "name": f"Card {number}",
            "cost": cost,
            "revision": cost,
            "released": "2026-11-27",
            "history": history,
        }
        for number in range(count)
    }
    manifest = pack.manifest.model_dump(mode="json")
    return Snapshot(pack.id, f"{cost}.0.0", manifest=manifest, cards=cards)


def changed(pack: Pack, count: int) -> tuple[Notes, NoteFaces]:
    """Return the notes of a release that changed so many cards, each shown before and after."""
    old, new = state(pack, count, 1), state(pack, count, 2)
    size = Size(width=63, height=88)
    faces = [
        ShownFace(("en", "any", "front"), before, size) for before in (True, False)
    ]
    faces_by_card = {("en", card): faces for card in new.cards}
    return compose_notes(old, new, compare_states(old, new), "en"), SimpleNamespace(
        shown_faces=faces_by_card
    )  # type: ignore[return-value]


@pytest.mark.parametrize("count", COUNTS)
def test_notes_for_a_browser_show_every_changed_card(
    project: Project, count: int
) -> None:
    pack = pack_of(project)
    notes, pictures = changed(pack, count)
    picture = f"background:url(data:image/webp;base64,{'A' * (PICTURE_BYTES if count <= 300 else 9_000)})"
    html, _css = fill_document(
        Renderer(pack, get_render_folders(project, "lanterns")),
        "notes",
        "en",
        make_template_values(notes, pictures, lambda _: picture),
    )
    assert html.count(picture) == 2 * count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "engine"),
    [
        (1, "weasyprint"),
        (30, "weasyprint"),
        (300, "weasyprint"),
        (1, "plutoprint"),
        (300, "plutoprint"),
        (3_000, "plutoprint"),
    ],
)
def test_notes_on_paper_are_set_however_many_cards_changed(
    project: Project, count: int, engine: str
) -> None:
    if engine == "plutoprint":
        pytest.importorskip("plutoprint")
    pack = pack_of(project)
    notes, pictures = changed(pack, count)
    renderer = Renderer(pack, get_render_folders(project, "lanterns"), engine=engine)
    flow = render_flow(
        renderer,
        "notes",
        A4,
        "en",
        make_template_values(notes, pictures, lambda _: "background:#fefefe"),
    )
    assert flow.findings == ()
    assert len(flow.keys) >= count / 4


@pytest.mark.parametrize("count", COUNTS)
def test_a_document_of_a_pack_has_room_for_every_card(
    project: Project, count: int
) -> None:
    """A reference document: the pack's own template runs over all cards, some 50 steps each."""
    parts = "{% for part in card.parts %}{{ part|upper }}{{ loop.index }} {% endfor %}"
    template = "{% for card in cards %}<p>" + parts + "</p>{% endfor %}"
    (project.get_templates_dir("lanterns") / "list.html.j2").write_text(
        template, encoding="utf-8"
    )
    renderer = Renderer(pack_of(project), get_render_folders(project, "lanterns"))
    cards = [
        {"parts": [f"part {number}-{part}" for part in range(20)]}
        for number in range(count)
    ]
    html, _css = fill_document(renderer, "list", "en", {"cards": cards})
    assert html.count("<p>") == count


@pytest.mark.parametrize("count", COUNTS)
def test_a_gallery_shows_every_card(count: int) -> None:
    card = {
        "name": "x",
        "front": "x",
        "back": None,
        "size": 1,
        "kind": "x",
        "faction": "x",
        "facts": ("x",),
    }
    files = {"x": "faces/x"}
    html = page(
        "gallery.html",
        "en",
        title="x",
        cards=[card] * count,
        files=files,
        pixels=lambda _size: (1, 1),
    )
    assert html.count("faces/x") >= count


def test_the_limits_of_one_face_stay_as_they_are(project: Project) -> None:
    """A face that prints as much as notes of 300 cards is refused."""
    template = project.get_templates_dir("lanterns") / "spirit/front.html.j2"
    template.write_text(
        "{% for a in range(600) %}" + "x" * 8_000 + "{% endfor %}", encoding="utf-8"
    )
    renderer = Renderer(pack_of(project), get_render_folders(project, "lanterns"))
    findings: list[Any] = []
    job = FaceJob("spirit", "front", "en", card="dusk-moth")
    renderer.fill(job, renderer.make_key(job), findings)
    assert [finding.code for finding in findings] == ["render/limits"]
    assert f"more than {sandbox.MAX_CHARACTERS} characters" in findings[0].message


def test_a_document_is_limited_too(project: Project) -> None:
    """A document that loops without need is refused however few values it is given."""
    template = (
        "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
    )
    (project.get_templates_dir("lanterns") / "list.html.j2").write_text(
        template, encoding="utf-8"
    )
    renderer = Renderer(pack_of(project), get_render_folders(project, "lanterns"))
    with pytest.raises(sandbox.TemplateLimitExceeded, match="needs more than"):
        fill_document(renderer, "list", "en", {"cards": [1, 2, 3]})
