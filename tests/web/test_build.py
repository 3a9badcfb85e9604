"""A squad is built through its pages, as a browser without script does it."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.test import Client

from builder.web.cards.library import get_library
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


def test_a_card_is_added_with_one_button_of_the_catalogue(
    client: Client, squad: str
) -> None:
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


def test_a_button_of_an_old_page_changes_no_other_model(
    client: Client, squad: str
) -> None:
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
        r'value="add ([\w-]+)',
        client.get(f"{squad}?q=drone+controller").content.decode(),
    )
    assert "dispatcher" in found
    assert "shieldbearer" not in found
    assert "No card matches" in client.get(f"{squad}?q=zzzz").content.decode()


def test_a_model_has_a_note_that_is_for_its_player_alone(
    client: Client, squad: str
) -> None:
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
    links = re.findall(
        r'value="http://testserver(/shared/[^"]+)"', page(client, f"{squad}/share")
    )
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


def list_cards(squad: str) -> list[tuple[str, int]]:
    loaded = get_library().parse_squad(text(squad), "")
    assert loaded.roster is not None
    return [(entry.card, entry.count) for entry in loaded.roster.entries]


def edit(client: Client, squad: str, *actions: str, **form: str) -> None:
    for action in actions:
        assert (
            client.post(f"{squad}/edit", {"do": action, **form}).status_code == 302
        ), action


def test_a_duplicate_is_next_to_its_source(client: Client, squad: str) -> None:
    edit(client, squad, "add dispatcher", "add gyrfalcon", "duplicate 1 dispatcher")
    assert [card for card, _count in list_cards(squad)] == ["dispatcher"] * 2 + [
        "gyrfalcon"
    ]


def test_one_model_is_split_off_a_stack(client: Client, squad: str) -> None:
    edit(client, squad, "add patrolman", "add gyrfalcon", "count 1 patrolman 3")
    edit(client, squad, "split 1 patrolman")
    assert list_cards(squad) == [("patrolman", 2), ("patrolman", 1), ("gyrfalcon", 1)]
    answer = client.post(f"{squad}/edit", {"do": "split 2 patrolman"})
    assert answer.status_code == 400  # one model is no stack


def test_a_benched_model_is_kept_but_not_counted(client: Client, squad: str) -> None:
    edit(client, squad, "add dispatcher", "add gyrfalcon")
    edit(client, squad, "rename 2 gyrfalcon", value="Falko")
    edit(client, squad, "bench 2 gyrfalcon")
    assert list_cards(squad) == [("dispatcher", 1)]
    page = client.get(squad).content.decode()
    assert "Falko" in page
    assert "unbench 0 gyrfalcon" in page
    assert "Falko" not in client.get(f"{squad}/as/yaml").content.decode()
    edit(client, squad, "undo")
    assert len(list_cards(squad)) == 2
    assert SavedSquad.objects.get().bench == []
    edit(client, squad, "redo", "unbench 0 gyrfalcon")
    assert "name: Falko" in text(squad)
    assert SavedSquad.objects.get().bench == []
    edit(client, squad, "bench 1 dispatcher", "forget 0 dispatcher")
    assert list_cards(squad) == [("gyrfalcon", 1)]
    assert SavedSquad.objects.get().bench == []
    assert (
        client.post(f"{squad}/edit", {"do": "unbench 0 dispatcher"}).status_code == 400
    )


def test_a_model_is_copied_to_another_squad_of_its_owner(
    client: Client, squad: str
) -> None:
    other = str(
        client.post("/squads", {"pack": "hydrophilia"})["Location"].partition("?")[0]
    )
    edit(client, squad, "add gyrfalcon")
    edit(client, squad, "rename 1 gyrfalcon", value="Falko")
    key = other.rpartition("/")[2]
    assert key in client.get(f"{squad}/models/1").content.decode()
    answer = client.post(f"{squad}/edit", {"do": "copy 1 gyrfalcon", "value": key})
    assert answer["Location"] == other
    assert "name: Falko" in text(other)
    stranger = Client()
    theirs = str(
        stranger.post("/squads", {"pack": "hydrophilia"})["Location"].partition("?")[0]
    )
    for wrong in (theirs.rpartition("/")[2], "no-id"):
        answer = client.post(
            f"{squad}/edit", {"do": "copy 1 gyrfalcon", "value": wrong}
        )
        assert answer.status_code == 404
    assert list_cards(theirs) == []


def test_equipment_moves_to_another_model(client: Client, squad: str) -> None:
    edit(
        client,
        squad,
        "add dispatcher",
        "add captain-davis",
        "give 1 dispatcher cordon-shield",
    )
    page = client.get(f"{squad}/models/1").content.decode()
    assert 'value="move 1 dispatcher 0 cordon-shield 2 captain-davis"' in page
    edit(client, squad, "move 1 dispatcher 0 cordon-shield 2 captain-davis")
    assert "attachments" not in text(squad).partition("captain-davis")[0]
    assert "cordon-shield" in text(squad).partition("captain-davis")[2]
    edit(client, squad, "undo")
    assert "cordon-shield" in text(squad).partition("captain-davis")[0]


def test_the_undo_button_speaks_the_language_of_the_page(
    client: Client, squad: str
) -> None:
    client.post(f"{squad}/edit", {"do": "add captain-davis"})
    client.post("/language", {"language": "de", "next": "/"})
    page = client.get(squad).content.decode()
    assert "Captain Davis hinzugefügt" in page  # the game itself has no German
    assert "added Captain Davis" not in page
