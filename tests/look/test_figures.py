"""Drawings of models are put together from a card's data.

Other equipment is another drawing, a leader has his mark.
"""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest
from PIL import Image
from ruamel.yaml import YAML

from builder.model.card import Card
from builder.model.pack import Pack
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.pdfinfo.read import read_pdf
from builder.render.filling import list_card_jobs
from builder.render.renderer import Renderer
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.check_pack import check_packs
from tests.checks.projects import ROOT
from tests.usecases.toy import build_options

CASES = YAML(typ="safe").load(Path(__file__).with_name("figures.yaml"))
PART = re.compile(r"'([a-z0-9-]+)': \['([^']*)'")


@cache
def load_parts(game: str) -> dict[str, str]:
    """Return the silhouettes that a pack's figures are put together from, by name."""
    files = [
        ROOT / "templates" / "base" / "figure-parts.j2",
        *(ROOT / "templates" / game).glob("*.j2"),
    ]
    return {
        name: path for file in files for name, path in PART.findall(file.read_text())
    }


@cache
def load_game(game: str) -> Pack:
    """Return a pack of this project."""
    loaded_pack = load_pack(Project(ROOT), game).pack
    assert loaded_pack is not None
    return loaded_pack


def list_drawn_parts(game: str, card: Card) -> frozenset[str]:
    """Return the parts in the drawings of a card, as it is or changed."""
    loaded_pack = load_game(game)
    renderer = Renderer(
        replace(loaded_pack, cards={**loaded_pack.cards, card.id: card}),
        get_render_folders(Project(ROOT), game),
    )
    pages = [
        renderer.fill(job, "", [])
        for job in list_card_jobs(renderer, card, "en", "full")
    ]
    html = "".join(page.html for page in pages if page)
    return frozenset(
        name for name, path in load_parts(game).items() if f'd="{path}"' in html
    )


@cache
def list_visible_parts(game: str) -> dict[str, frozenset[str]]:
    """Return the parts in the drawings of a game's cases, by card."""
    return {
        card: list_drawn_parts(game, load_game(game).cards[card])
        for card in CASES[game]
    }


def find_pose(names: frozenset[str]) -> tuple[str, ...]:
    """How one stands: both arms and the legs, whatever they wear."""
    return tuple(
        sorted(
            name.rsplit("-", 1)[0]
            for name in names
            if name.startswith(("arm-", "legs-"))
        )
    )


@pytest.mark.parametrize(
    ("game", "card"), [(game, card) for game, cards in CASES.items() for card in cards]
)
def test_a_drawing_shows_what_the_card_says(game, card):
    shows, hides = set(CASES[game][card]["shows"]), set(CASES[game][card]["hides"])
    assert shows - list_visible_parts(game)[card] == set()
    assert hides & list_visible_parts(game)[card] == set()
    assert hides <= set(load_parts(game)), "a name that no part has"


@pytest.mark.parametrize("game", CASES)
def test_no_two_models_of_a_game_look_alike(game):
    assert len(set(list_visible_parts(game).values())) == len(CASES[game])


def test_models_stand_in_eight_poses_or_more():
    assert (
        len({find_pose(names) for names in list_visible_parts("hydrophilia").values()})
        >= 8
    )


def test_other_equipment_is_another_drawing():
    guard, gunner = (
        load_game("hydrophilia").cards[name] for name in ("patrolman", "stoker")
    )
    armed = list_drawn_parts(
        "hydrophilia",
        guard.model_copy(
            update={"data": {**guard.data, "attacks": gunner.data["attacks"]}}
        ),
    )
    assert {"hold-flamer", "hold-carbine"} & armed == {"hold-flamer"}


def test_one_who_is_made_a_leader_gets_the_mark():
    guard, captain = (
        load_game("hydrophilia").cards[name] for name in ("patrolman", "captain-davis")
    )
    promoted = list_drawn_parts(
        "hydrophilia", guard.model_copy(update={"keywords": captain.keywords})
    )
    assert {"star", "behind-cape"} <= promoted
    assert {"star", "behind-cape"} & list_drawn_parts("hydrophilia", guard) == set()


def picture_project(tmp_path: Path, game: str, card: str, text: str) -> Project:
    """Return a pack of this project with one card, which has more to say, and a picture."""
    path = next((ROOT / "cards" / game).rglob(f"{card}.yaml"))
    for name in ("cards", "schemas", "templates"):
        copytree(ROOT / name / game, tmp_path / name / game)
    copytree(ROOT / "schemas" / "core", tmp_path / "schemas" / "core")
    copied_file = tmp_path / path.relative_to(ROOT)
    copied_file.write_text(f"{copied_file.read_text()}\n{text}\n")
    (tmp_path / "cards" / game / "art").mkdir()
    Image.linear_gradient("L").resize((900, 900)).convert("RGB").save(
        tmp_path / "cards" / game / "art" / "hero.png"
    )
    return Project(tmp_path)


def test_a_card_may_bring_a_picture_with_crop_and_credit(tmp_path):
    text = "art: hero.png\nart_crop: {x: 25, y: 10}\nart_credit: A. Painter"
    project = picture_project(tmp_path, "blades", "peasant", text)
    assert [finding.message for finding in load_pack(project, "blades").findings] == []
    options = build_options(
        only=("id=peasant",), langs=("en",), profile="screen", output=tmp_path / "out"
    )
    built = build_pack(project, "blades", options)
    assert [finding.message for finding in built.findings] == []
    front = read_pdf(built.files[0].path).pages[0]
    assert "A. Painter" in " ".join(text.text for text in front.texts)
    assert len(list(front.images)) == 1


def test_a_picture_that_is_not_there_is_reported(tmp_path):
    project = picture_project(tmp_path, "blades", "peasant", "art: nobody.png")
    findings = [
        finding
        for finding in check_packs(project, "blades")
        if finding.code == "cards/unknown-art"
    ]
    assert len(findings) == 1
    assert "nobody.png" in str(findings[0].message)


def test_a_crop_outside_the_picture_is_reported(tmp_path):
    project = picture_project(
        tmp_path, "blades", "peasant", "art: hero.png\nart_crop: {x: 140}"
    )
    assert "schema/range" in {
        finding.code for finding in load_pack(project, "blades").findings
    }
