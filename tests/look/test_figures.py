"""Drawings of models are put together from a card's data: other equipment is another drawing, a leader has his mark."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from builder.model.card import Card
from builder.model.pack import Pack
from builder.render.renderer import Renderer
from builder.store.packs import load_pack
from builder.store.project import Project
from builder.usecases.build.typeset import jobs_of, places
from tests.checks.projects import ROOT

CASES = YAML(typ="safe").load(Path(__file__).with_name("figures.yaml"))
PART = re.compile(r"'([a-z0-9-]+)': \['([^']*)'")


@cache
def parts(game: str) -> dict[str, str]:
    """The silhouettes that a pack's figures are put together from, by name."""
    files = [ROOT / "templates" / "base" / "figure-parts.j2", *(ROOT / "templates" / game).glob("*.j2")]
    return {name: path for file in files for name, path in PART.findall(file.read_text())}


@cache
def pack(game: str) -> Pack:
    """A pack of this project."""
    found = load_pack(Project(ROOT), game).pack
    assert found is not None
    return found


def drawn(game: str, card: Card) -> frozenset[str]:
    """The parts in the drawings of a card, as it is or changed."""
    whole = pack(game)
    renderer = Renderer(replace(whole, cards={**whole.cards, card.id: card}), places(Project(ROOT), game))
    pages = [renderer.fill(job, "", []) for job in jobs_of(renderer, card, "en", "full")]
    html = "".join(page.html for page in pages if page)
    return frozenset(name for name, path in parts(game).items() if f'd="{path}"' in html)


@cache
def seen(game: str) -> dict[str, frozenset[str]]:
    """The parts in the drawings of a game's cases, by card."""
    return {card: drawn(game, pack(game).cards[card]) for card in CASES[game]}


def pose(names: frozenset[str]) -> tuple[str, ...]:
    """How one stands: both arms and the legs, whatever they wear."""
    return tuple(sorted(name.rsplit("-", 1)[0] for name in names if name.startswith(("arm-", "legs-"))))


@pytest.mark.parametrize(("game", "card"), [(game, card) for game, cards in CASES.items() for card in cards])
def test_a_drawing_shows_what_the_card_says(game, card):
    shows, hides = set(CASES[game][card]["shows"]), set(CASES[game][card]["hides"])
    assert shows - seen(game)[card] == set()
    assert hides & seen(game)[card] == set()
    assert hides <= set(parts(game)), "a name that no part has"


@pytest.mark.parametrize("game", CASES)
def test_no_two_models_of_a_game_look_alike(game):
    assert len(set(seen(game).values())) == len(CASES[game])


def test_models_stand_in_eight_poses_or_more():
    assert len({pose(names) for names in seen("hydrophilia").values()}) >= 8


def test_other_equipment_is_another_drawing():
    guard, gunner = (pack("hydrophilia").cards[name] for name in ("patrolman", "stoker"))
    armed = drawn("hydrophilia", guard.model_copy(update={"data": {**guard.data, "attacks": gunner.data["attacks"]}}))
    assert {"hold-flamer", "hold-carbine"} & armed == {"hold-flamer"}


def test_one_who_is_made_a_leader_gets_the_mark():
    guard, captain = (pack("hydrophilia").cards[name] for name in ("patrolman", "captain-davis"))
    promoted = drawn("hydrophilia", guard.model_copy(update={"keywords": captain.keywords}))
    assert {"star", "behind-cape"} <= promoted
    assert {"star", "behind-cape"} & drawn("hydrophilia", guard) == set()
