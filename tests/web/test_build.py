"""A squad is built through its pages, as a browser without script does it."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.test import Client

from builder.web.squads.models import SavedSquad


def do(client: Client, squad: str, what: str, **form: str) -> HttpResponse:
    return client.post(f"{squad}/edit", {"do": what, "next": squad, **form})


def text(squad: str) -> str:
    return SavedSquad.objects.get(id=squad.rpartition("/")[2]).text


def test_the_first_page_offers_every_game(client: Client) -> None:
    page = client.get("/").content.decode()
    assert set(re.findall(r'href="/games/(\w+)"', page)) == {
        "blades",
        "hydrophilia",
        "killteam",
        "worldofwar",
        "zod",
    }


def test_a_card_is_added_with_one_button_of_the_catalogue(client: Client, squad: str) -> None:
    page = client.get(squad).content.decode()
    button = re.search(r'value="(add [^"]+)"', page)
    assert button is not None
    assert do(client, squad, button[1]).status_code == 302
    assert f"card: {button[1].split()[1]}" in text(squad)


def test_what_is_missing_is_reported_with_a_button_that_fixes_it(
    client: Client, squad: str
) -> None:
    do(client, squad, "add dispatcher")
    page = client.get(squad).content.decode()
    assert "A squad needs a leader" in page
    repair = re.search(r'value="(repair [^"]+)"', page)
    assert repair is not None
    do(client, squad, repair[1])
    assert "A squad needs a leader" not in client.get(squad).content.decode()


def test_changes_are_taken_back_and_made_again(client: Client, squad: str) -> None:
    states = [text(squad)]
    for what in ("add dispatcher", "add gyrfalcon", "duplicate 1 dispatcher"):
        do(client, squad, what)
        states.append(text(squad))
    for state in reversed(states[:-1]):
        do(client, squad, "undo")
        assert text(squad) == state
    for state in states[1:]:
        do(client, squad, "redo")
        assert text(squad) == state


def test_a_button_of_an_old_page_changes_no_other_model(client: Client, squad: str) -> None:
    do(client, squad, "add dispatcher")
    do(client, squad, "add gyrfalcon")
    before = text(squad)
    assert do(client, squad, "remove 1 gyrfalcon").status_code == 400
    assert text(squad) == before


def test_nobody_else_sees_or_changes_a_squad(client: Client, squad: str) -> None:
    other = Client()
    before = text(squad)
    assert other.get(squad).status_code == 404
    assert do(other, squad, "add dispatcher").status_code == 404
    assert text(squad) == before


def test_words_of_a_card_are_found(client: Client, squad: str) -> None:
    found = re.findall(
        r'value="add ([\w-]+)', client.get(f"{squad}?q=drone+controller").content.decode()
    )
    assert "dispatcher" in found
    assert "shieldbearer" not in found
    assert "No card matches" in client.get(f"{squad}?q=zzzz").content.decode()


def test_a_model_has_a_note_that_is_for_its_player_alone(client: Client, squad: str) -> None:
    for card in ("add captain-davis", "add patrolman", "add patrolman"):
        do(client, squad, card)
    do(client, squad, "note 2 patrolman", value="behind the wall")
    do(client, squad, "reorder 2 patrolman 1")
    assert re.search(r"patrolman.*behind the wall", text(squad))
    do(client, squad, "note 1 patrolman", value="on the roof")
    do(client, squad, "undo")
    assert [
        place
        for place in ("", "/play", "/models/1")
        if "behind the wall" in page(client, squad + place)
    ] == [
        "",
        "/play",
        "/models/1",
    ]
    for kind in ("view", "copy"):
        client.post(f"{squad}/links", {"do": f"make {kind}"})
    links = re.findall(r'value="http://testserver(/shared/[^"]+)"', page(client, f"{squad}/share"))
    friend = Client()
    assert len(links) == 2
    assert not any("behind the wall" in page(friend, link) for link in links)
    copy = [
        answer["Location"]
        for link in links
        if (answer := friend.post(f"{link}/take")).status_code == 302
    ]
    assert len(copy) == 1
    assert "behind the wall" not in text(copy[0])
    assert "behind the wall" not in page(client, f"{squad}/as/json") + page(
        client, f"{squad}/as/text"
    )


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_rules_are_reported_by_their_titles(client: Client, squad: str) -> None:
    do(client, squad, "add captain-davis")
    page = client.get(f"{squad}/rules").content.decode()
    assert "<b>Squad size.</b> 23 left (7 of 30)" in page
    assert "one-faction" not in page


def test_the_cheapest_repairs_are_looked_for_when_they_are_asked_for(
    client: Client, squad: str
) -> None:
    do(client, squad, "add patrolman")
    page = client.get(f"{squad}/rules").content.decode()
    assert "A squad needs a leader" in page
    assert "proved by the solver" not in page
    assert "proved by the solver" in client.get(f"{squad}/rules?ask=1").content.decode()
