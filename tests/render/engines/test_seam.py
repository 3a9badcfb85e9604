"""Another engine sets a kind of a toy pack, from its templates to a finished sheet."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pikepdf
import pytest

from builder.packs.loading import load_pack
from builder.packs.profiles import load_profile
from builder.render.engines import ENGINES
from builder.render.filling import list_card_jobs
from builder.render.renderer import Renderer
from builder.render.sheets.sheets import Composer
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.typeset import group_cards
from tests.checks.projects import ROOT
from tests.render.engines.toy_engine import BAR, LETTER

COLD = True


@pytest.fixture
def toy(lanterns, monkeypatch):
    """Return a renderer that sets with the other engine."""
    monkeypatch.setitem(ENGINES, "toy", "tests.render.engines.toy_engine:TOY")
    return Renderer(
        load_pack(lanterns, "lanterns").pack,
        get_render_folders(lanterns, "lanterns"),
        workers=1,
        engine="toy",
    )


def test_it_sets_a_kind_of_a_pack(lanterns, toy):
    cards = tuple(toy.pack.list_cards_of_kind("spirit"))
    rendered = toy.render(
        [job for card in cards for job in list_card_jobs(toy, card, "en", "full")]
    )
    assert (rendered.findings, len(rendered.faces)) == ((), rendered.rendered_count)
    groups = group_cards(
        toy,
        cards,
        "en",
        "full",
        {job: facts.key for job, facts in rendered.faces.items()},
    )
    composer = Composer(
        toy.cache, lanterns.cache_dir, toy.fonts, load_profile(lanterns, "home-a4"), "x"
    )
    out = BytesIO()
    composer.compose(out, groups)
    with pikepdf.open(BytesIO(out.getvalue())) as pdf:
        forms = b"".join(each.read_bytes() for each in pdf.objects if _is_form(each))
    name = (
        cards[0].name["en"] if isinstance(cards[0].name, dict) else str(cards[0].name)
    )
    assert f"{LETTER * len(name.split()[0])} {BAR} re f".encode() in forms


def _is_form(each: object) -> bool:
    return isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"


def test_its_faces_have_addresses_of_their_own(lanterns, toy):
    other = Renderer(toy.pack, toy.places, workers=1)
    job = list_card_jobs(
        toy, next(iter(toy.pack.list_cards_of_kind("spirit"))), "en", "full"
    )[0]
    assert toy.make_key(job) != other.make_key(job)


def test_it_is_set_without_the_reference(lanterns):
    """Nothing else of the program loads the engine it does without."""
    code = (
        "import sys; from builder.render.engines import ENGINES, find_adapter\n"
        "ENGINES['toy'] = "
        "'tests.render.engines.toy_engine:TOY'; "
        "find_adapter('toy').open(None, ())\n"
        "import builder.render.renderer, builder.render.workers, builder.render.flow\n"
        "assert not {'weasyprint', 'pydyf', 'tinyhtml5'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
