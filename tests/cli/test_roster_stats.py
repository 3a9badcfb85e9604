"""`roster stats` as a player runs it, on every pack there is."""

from __future__ import annotations

import json
import re
import shutil
from io import StringIO
from itertools import cycle
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from builder.cli.main import squadpress
from builder.cli.roster.stats import print_stats
from builder.errors import InputUnreadable, UsageError
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.roster.attack_report import calculate_statistics, load_stat_forms
from builder.usecases.roster.roster_files import check_roster_files
from builder.usecases.roster.stats_files import list_statistic_labels
from tests.cli.every_pack import FIRST, ROOT

GAMES = sorted(path.name for path in (ROOT / "cards").iterdir())
DAVIS = ROOT / "cards" / "hydrophilia" / "rosters" / "legal-davis-cordon.yaml"


def run(*args: str) -> Result:
    return CliRunner().invoke(
        squadpress,
        ["roster", "stats", *args],
        standalone_mode=False,
        catch_exceptions=False,
    )


@pytest.mark.parametrize(("project", "file"), FIRST, ids=lambda value: value.name)
def test_every_pack_gives_its_divisions_and_what_it_declares(
    project: Path, file: Path
) -> None:
    result = run(str(file), "--project", str(project), "--format", "json")
    assert result.return_value == 0
    told = json.loads(result.output)
    assert bool(told["attacks"]) == (file.parents[1] / "stats.yaml").exists()
    assert told["roles"]
    for _title, parts in told["roles"]:
        assert sum(part["points"] for part in parts) == told["total"]
        assert sum(part["models"] for part in parts) == told["models"]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_a_pack_that_declares_nothing_still_gets_its_page(
    tmp_path: Path, lang: str
) -> None:
    toy = ROOT / "tests" / "toys" / "lanterns"
    squad = toy / "cards" / "lanterns" / "rosters" / "dim-quill.yaml"
    page = tmp_path / "squad.html"
    assert (
        run(
            str(squad), "--project", str(toy), "--lang", lang, "--output", str(page)
        ).return_value
        == 0
    )
    assert {"de": "Moor", "en": "Moorland"}[lang] in page.read_text(encoding="utf-8")


def test_a_table_says_what_the_dice_say() -> None:
    told = json.loads(run(str(DAVIS), "--lang", "en", "--format", "json").output)
    carbine = next(attack for attack in told["attacks"] if attack["name"] == "Carbine")
    assert carbine["count"] == 3
    at = carbine["hits"]["rows"].index(9)
    assert carbine["hits"]["cells"][at] == [
        {"exact": "5/12", "about": 0.416667}
    ]  # 8 or more on two dice: 15 of 36
    mean = carbine["damage"][0]["mean"]
    assert (
        mean["cells"][at][mean["columns"].index(4)]["exact"] == "5/8"
    )  # three dice, each wounding on 4


def test_only_the_men_who_carry_a_weapon_are_counted() -> None:
    patrol = ROOT / "cards" / "zod" / "rosters" / "legal-zastava-patrol.yaml"
    told = json.loads(run(str(patrol), "--lang", "en", "--format", "json").output)
    counts = {(one["owner"], one["name"]): one["count"] for one in told["attacks"]}
    assert [
        count for (model, _), count in counts.items() if model == "Zastava Rocketeers"
    ] == [
        3,
        2,
    ]


def test_models_that_strike_alike_share_one_table() -> None:
    garrison = ROOT / "cards" / "blades" / "rosters" / "legal-erlen-garrison.yaml"
    told = json.loads(run(str(garrison), "--lang", "en", "--format", "json").output)
    joint = [one for one in told["attacks"] if one["form"].startswith("Joint blow")]
    assert sum(one["count"] for one in joint) == told["models"]
    assert len(joint) < told["models"]
    assert all(one["owner"] == one["name"] for one in joint)


def test_a_fight_is_reported_foe_by_foe() -> None:
    team = sorted((ROOT / "cards" / "killteam" / "rosters").glob("legal-*.yaml"))[0]
    told = json.loads(run(str(team), "--lang", "en", "--format", "json").output)
    duels = [line for one in told["attacks"] for line in one["duels"]]
    assert duels
    for line in duels:
        assert line["names"]
        assert 0 <= line["fells"]["about"] + line["falls"]["about"] <= 1.000001
    text = run(str(team), "--lang", "ru").output
    assert "нанесёт" in text
    assert "Схватка" in text


@pytest.mark.parametrize(("project", "file"), FIRST, ids=lambda value: value.name)
@pytest.mark.parametrize("lang", ["ru", "en"])
def test_no_table_is_cut_off_on_a_terminal_of_eighty_columns(
    project: Path, file: Path, lang: str
) -> None:
    if f"{lang}:" not in (file.parents[1] / "pack.yaml").read_text("utf-8"):
        lang = "en"
    place = Project(project)
    checked_squad = next(iter(check_roster_files(place, (file,), lang)))
    assert checked_squad.checker is not None
    sheet = calculate_statistics(
        checked_squad, load_stat_forms(PackFiles(place), checked_squad.checker.pack.id)
    )
    assert sheet is not None
    screen = StringIO()
    print_stats(Console(file=screen, width=80), sheet, list_statistic_labels(lang))
    assert "\n\n\n" not in screen.getvalue()
    told = screen.getvalue().splitlines()
    assert max(len(line) for line in told) <= 80
    assert not any(line.rstrip().endswith("…") or "… " in line for line in told)


def test_text_names_roles_and_attacks_in_the_interface_language() -> None:
    english, russian = run(str(DAVIS), "--lang", "en").output, run(str(DAVIS)).output
    assert "Sorts of models" in english
    assert "physical damage, expected" in english
    assert "Что за модели" in russian
    assert "физический урон, в среднем" in russian


def test_a_file_that_is_wrong_is_named_with_its_fix(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests" / "toys" / "lanterns", tmp_path / "toy")
    squad = next((tmp_path / "toy/cards/lanterns/rosters").glob("*.yaml"))
    (tmp_path / "toy/cards/lanterns/stats.yaml").write_text(
        "attacks: [{ways: []}]\n", encoding="utf-8"
    )
    with pytest.raises(
        InputUnreadable, match=r"stats\.yaml of the pack lanterns has an error"
    ) as error:
        run(str(squad), "--project", str(tmp_path / "toy"))
    assert "squadpress check lanterns" in error.value.remedy


def test_a_web_page_holds_every_plot(tmp_path: Path) -> None:
    told = json.loads(run(str(DAVIS), "--format", "json").output)
    plots = sum(len(attack["damage"]) for attack in told["attacks"])
    assert run(str(DAVIS), "--output", str(tmp_path / "squad.html")).return_value == 0
    assert (tmp_path / "squad.html").read_text(encoding="utf-8").count(
        "<polyline"
    ) >= plots


def test_a_web_page_draws_two_bars_for_each_foe_in_its_language(tmp_path: Path) -> None:
    team, page = (
        sorted((ROOT / "cards" / "killteam" / "rosters").glob("legal-*.yaml"))[0],
        tmp_path / "team.html",
    )
    told = json.loads(
        run(str(team), "--lang", "ru", "--format", "json", "--output", str(page)).stdout
    )
    drawn = page.read_text(encoding="utf-8").partition("Схватка")[2]
    foes = sum(len(one["duels"]) for one in told["attacks"])
    assert foes == drawn.count('fill="#c98a63"')
    assert re.search(r"text-anchor=\"end\"[^>]*>\d,\d\d<", drawn)


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown extension"):
        run(str(DAVIS), "--output", str(tmp_path / "squad.doc"))


@pytest.mark.slow
def test_the_printable_page_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        assert run(str(DAVIS), "--output", str(tmp_path / name)).return_value == 0
    assert (tmp_path / "one.pdf").read_bytes()[:5] == b"%PDF-"
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "lang"), [*zip(GAMES, cycle(["ru", "en"]), strict=False)]
)
def test_every_pack_has_its_page(pack: str, lang: str, tmp_path: Path) -> None:
    squad = sorted((ROOT / "cards" / pack / "rosters").glob("legal-*.yaml"))[-1]
    page = tmp_path / "page.pdf"
    assert (
        run(
            str(squad), "--lang", lang, "--format", "json", "--output", str(page)
        ).return_value
        == 0
    )
    with pikepdf.open(page) as pdf:
        parts = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary)]
        fonts = {str(part.BaseFont) for part in parts if part.get("/Type") == "/Font"}
    assert fonts
    assert all("Roboto" in font or "Manrope" in font for font in fonts)


def test_what_is_not_counted_stands_beside_the_attack(tmp_path: Path) -> None:
    text = run(str(DAVIS), "--lang", "en").output
    assert "Marksman: Aegis Rifle\n  not counted: Penetrating, Steady Hand\n" in text
    told = json.loads(run(str(DAVIS), "--lang", "ru", "--format", "json").output)
    left_out = {attack["name"]: attack["left_out"] for attack in told["attacks"]}
    assert left_out["Винтовка «Эгида»"] == ["Проникающее", "Твёрдая рука"]
    page = tmp_path / "squad.html"
    run(str(DAVIS), "--lang", "en", "--output", str(page))
    assert "Shoulder to Shoulder, Veteran’s Badge" in page.read_text(encoding="utf-8")
