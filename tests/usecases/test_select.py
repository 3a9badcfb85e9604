"""Which cards a squad is printed with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.usecases.build.build_options import Selection
from builder.usecases.build.select import load_squad_cards, select_cards
from tests.usecases.toy import edit, toy_project

ROOT = Path(__file__).parents[2]


def test_a_card_that_an_entry_chooses_is_printed_for_each_copy(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    edit(
        folder / "cards/lanterns/pack.yaml",
        "  choices:\n",
        "  choices:\n    patron:\n      name: {en: Patron, de: Gönner}\n      cards: charm\n",
    )
    project = Project(folder)
    pack = load_pack(project, "lanterns").pack
    assert pack is not None
    spirit, charm = (
        next(pack.list_cards_of_kind("spirit")).id,
        next(pack.list_cards_of_kind("charm")).id,
    )
    roster = folder / "cards/lanterns/rosters/chosen.yaml"
    roster.write_text(
        f"pack: lanterns\nentries:\n  - {{card: {spirit}, count: 2, patron: {charm}}}\n",
        encoding="utf-8",
    )
    _, cards = load_squad_cards(project, pack, roster)
    assert list(cards) == [spirit, spirit, charm, charm]


def test_a_unit_of_several_models_shares_one_card() -> None:
    project = Project(ROOT)
    pack = load_pack(project, "zod").pack
    assert pack is not None
    _, cards = load_squad_cards(
        project, pack, ROOT / "cards/zod/rosters/legal-zastava-recon.yaml"
    )
    printed = Counter(cards)
    assert (printed["pathfinders"], printed["border-guards"]) == (1, 1)
    assert (printed["borzoi"], printed["walker-pilot-zastava"]) == (2, 2)


def test_the_cards_of_a_whole_set_are_chosen() -> None:
    pack = load_pack(Project(ROOT), "zod").pack
    assert pack is not None
    assert sorted(select_cards(pack, (), "en")) == sorted(pack.cards)


def test_many_cards_by_their_ids_make_a_file_whose_name_a_disk_takes() -> None:
    ids = [f"a-card-with-a-long-name-{number}" for number in range(40)]
    names = {
        Selection(only=(",".join(selected_ids),)).make_stem("zod", "en")
        for selected_ids in (ids, ids[1:], ids[:-1], ids[:1])
    }
    assert len(names) == 4
    assert max(map(len, names)) < 120
    assert "zod-en-a-card-with-a-long-name-0" in names
