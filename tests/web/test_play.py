"""A squad at the table: marks kept on both devices, odds included, one file for all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from markupsafe import Markup

from builder.web.cards import library
from builder.web.squads.phases import PhaseReminder, group_by_phase
from tests.usecases.toy import toy_project

STATE = {
    "round": 3,
    "mine": 2,
    "theirs": 0,
    "marks": ["1.captain-davis.1.b1", "1.captain-davis.1.a"],
}


@pytest.fixture
def built(client: Client, squad: str) -> str:
    for what in (
        "add captain-davis",
        "add dispatcher",
        "give 2 dispatcher smoke-canister",
    ):
        assert (
            client.post(f"{squad}/edit", {"do": what, "next": squad}).status_code == 302
        )
    return squad


def told(client: Client, squad: str, state: object) -> Any:
    return client.post(
        f"{squad}/play/state",
        json.dumps({"state": state}),
        content_type="application/json",
    )


def data(page: str, name: str) -> dict[str, object]:
    found = re.search(rf'id="{name}">(.*?)</script>', page)
    assert found is not None
    return dict(json.loads(found[1]))


def test_models_have_the_boxes_and_uses_that_the_cards_state(
    client: Client, built: str
) -> None:
    page = client.get(f"{built}/play").content.decode()
    assert page.count('data-mark="1.captain-davis.1.b') == 6  # the card's health
    assert page.count('data-mark="2.dispatcher.0.smoke-canister.1.n1.') == 1
    assert page.count('class="tick out"') == 0


def test_what_one_device_marks_another_is_reported(client: Client, built: str) -> None:
    assert told(client, built, None).json() == {"edition": 0, "state": None}
    assert told(client, built, STATE).json() == {"edition": 1, "state": STATE}
    assert told(client, built, None).json() == {"edition": 1, "state": STATE}
    assert data(client.get(f"{built}/play").content.decode(), "held") == {
        "edition": 1,
        "state": STATE,
    }


def test_a_strangers_game_is_neither_seen_nor_changed(
    client: Client, built: str
) -> None:
    told(client, built, STATE)
    stranger = Client()
    assert stranger.get(f"{built}/play").status_code == 404
    assert stranger.get(f"{built}/play/file").status_code == 404
    assert told(stranger, built, {**STATE, "round": 9}).status_code == 404
    assert told(client, built, None).json()["state"] == STATE


@pytest.mark.parametrize(
    "state",
    [
        {},
        [],
        {**STATE, "round": "3"},
        {**STATE, "round": True},
        {**STATE, "mine": 1000},
        {**STATE, "marks": ["<b>"]},
        {**STATE, "marks": ["x"] * 5001},
        {**STATE, "marks": {}},
    ],
)
def test_what_is_no_state_is_not_kept(
    client: Client, built: str, state: object
) -> None:
    assert told(client, built, state).status_code == 400
    assert told(client, built, None).json()["state"] is None


@pytest.mark.parametrize("body", ["", "[]", "{", "[" * 100_000])
def test_what_is_no_message_is_refused(client: Client, built: str, body: str) -> None:
    assert (
        client.post(
            f"{built}/play/state", body, content_type="application/json"
        ).status_code
        == 400
    )


def test_the_odds_that_come_with_the_page_are_those_of_the_rules(
    client: Client, built: str
) -> None:
    page = client.get(f"{built}/play").content.decode()
    odds = data(page, "odds-data")
    attack = re.search(
        r'<option value="(\d+)">Captain Davis: Arbiter Revolver</option>', page
    )
    assert attack is not None
    hits = odds["attacks"][int(attack[1])]["hits"]  # type: ignore[index]
    evasion = odds["targets"]["captain-davis"]["evasion"]  # type: ignore[index]
    assert [axis["field"] for axis in hits["axes"]] == ["evasion"]
    chance = hits["cells"][hits["axes"][0]["values"].index(evasion)][0]
    assert evasion == 9
    assert chance == pytest.approx(26 / 36, abs=0.0001)  # 2d6 + 3 reach 9


def test_the_file_asks_for_nothing_outside_itself(client: Client, built: str) -> None:
    answer = client.get(f"{built}/play/file")
    page = answer.content.decode()
    assert answer["Content-Disposition"] == 'attachment; filename="The-Long-Night.html"'
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', page) == []
    assert "localStorage" in page
    assert "squadpress.play" in page
    assert ".side-" in page


def test_a_squad_that_cannot_be_read_says_so(client: Client, squad: str) -> None:
    from builder.web.squads.models import SavedSquad

    SavedSquad.objects.filter(id=squad.rpartition("/")[2]).update(
        text="pack: hydrophilia\nentries: 7\n"
    )
    assert client.get(f"{squad}/play").status_code == 400


def test_weapons_are_visible_without_opening_the_card(
    client: Client, built: str
) -> None:
    page = client.get(f"{built}/play").content.decode()
    profiles = re.findall(r'<ul class="profiles">.*?</ul>', page, re.S)
    assert re.search(
        r"<b>[^<]+</b> <span>Shooting</span>.*<span>Damage <b>", profiles[0]
    )


def test_texts_that_name_a_phase_are_reminders(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = toy_project(tmp_path)
    pack = project / "cards/lanterns/pack.yaml"
    phases = "  sheet:\n    phases: [{en: each mothling}, {en: dawn phase}]\n"
    pack.write_text(pack.read_text().replace("  sheet:\n", phases))
    monkeypatch.setenv("SQUADPRESS_PROJECT", str(project))
    monkeypatch.setattr(library, "library_cache", library.LibraryCache())
    squad = client.post("/squads", {"pack": "lanterns"})["Location"].partition("?")[0]
    client.post(f"{squad}/edit", {"do": "add old-wick"})
    page = client.get(f"{squad}/play").content.decode()
    assert "<b>Each mothling</b><small>1 reminder</small>" in page
    assert "<b>Old Wick: Flare</b>" in page
    assert "Dawn phase" not in page


def test_a_phase_has_several_forms_and_its_short_texts_come_with_the_next(
    client: Client,
) -> None:
    answer = client.post("/squads", {"pack": "worldofwar"})
    squad = answer["Location"].partition("?")[0]
    client.post(f"{squad}/edit", {"do": "add ranging-shot"})
    client.post("/language", {"language": "ru", "next": "/"})
    page = client.get(f"{squad}/play").content.decode().replace("\xa0", " ")
    phases = page[page.index('class="phases"') : page.index("</section>")]
    assert "<b>Фаза стрельбы</b>" in phases
    assert "Ваша активация, Фаза стрельбы." in phases
    assert "Перебросьте один любой кубик попадания." in phases
    assert phases.count("<b>Пристрелка</b>") == 1  # its other texts name no phase


@pytest.mark.parametrize(
    "text", ["В Фазу магии всё иначе.", "В конце Фазы магии бросьте кубик."]
)
def test_inflected_names_of_phases_are_recognised(text: str) -> None:
    reminder = PhaseReminder("Card", "", Markup(text), text)
    forms = ("Фаза магии", "Фазу магии", "Фазы магии")
    assert group_by_phase([forms], [reminder]) == {"Фаза магии": (reminder,)}
    assert group_by_phase([("Фаза магии",)], [reminder]) == {}
