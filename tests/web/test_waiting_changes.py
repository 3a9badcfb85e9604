"""Changes that waited for a network, on squads that were changed elsewhere meanwhile."""

from __future__ import annotations

import json
import re
from html import unescape
from uuid import UUID, uuid4

import pytest
from django.test import Client

from builder.web.squads.models import SavedSquad


def load_known(client: Client, squad: str) -> dict[str, object]:
    """Return the squad as its page gives it to the browser."""
    page = client.get(squad).content.decode()
    match = re.search(r'id="roster"[^>]*>(.*?)</script>', page)
    assert match is not None
    known: dict[str, object] = json.loads(match[1])
    return known


def make_base(known: dict[str, object], *lines: int, **values: object) -> str:
    """Return the field of a change that was made against these models."""
    entries = known["entries"]
    assert isinstance(entries, list)
    items = []
    for line in lines:
        entry = entries[line - 1]
        items.append({"item": entry, "copies": entries.count(entry)})
    return json.dumps({"edition": known["edition"], "items": items, **values})


def send(client: Client, squad: str, do: str, base: str, **form: str) -> str:
    """Send a waiting change. Return the reason if it is refused."""
    form = {"do": do, "base": base, "change": str(uuid4()), **form}
    address = f"{squad}/keep" if do in ("notes", "delete") else f"{squad}/edit"
    answer = client.post(address, form, headers={"referer": "http://testserver/"})
    if answer.status_code == 302:
        return ""
    assert answer.status_code == 400
    page = unescape(answer.content.decode())
    match = re.search(r'id="form-error"[^>]*><b>(.*?)</b>', page)
    assert match is not None
    return match[1]


def edit(client: Client, squad: str, do: str, **form: str) -> None:
    """Change the squad on another device."""
    assert client.post(f"{squad}/edit", {"do": do, **form}).status_code == 302


def list_models(squad: str) -> list[str]:
    """Return the models of a squad as their file has them."""
    text = SavedSquad.objects.get(id=UUID(squad.split("/")[2])).text
    from builder.web.cards.library import get_library

    roster = get_library().parse_squad(text, "").roster
    assert roster is not None
    return [f"{entry.name or entry.card} {entry.count}" for entry in roster.entries]


@pytest.fixture
def patrol(client: Client, squad: str) -> str:
    """Return the address of a squad of Davis and three patrolmen with names."""
    for card in ("captain-davis", "patrolman", "patrolman", "patrolman"):
        edit(client, squad, f"add {card}")
    for number, name in enumerate(("One", "Two", "Three"), 2):
        edit(client, squad, f"rename {number} patrolman", value=name)
    return squad


def test_a_change_follows_its_model_to_another_line(
    client: Client, patrol: str
) -> None:
    known = load_known(client, patrol)
    edit(client, patrol, "remove 2 patrolman")
    edit(client, patrol, "add patrolman")
    edit(client, patrol, "rename 4 patrolman", value="New")
    assert not send(client, patrol, "remove 4 patrolman", make_base(known, 4))
    assert not send(client, patrol, "count 3 patrolman 2", make_base(known, 3))
    assert list_models(patrol) == ["captain-davis 1", "Two 2", "New 1"]


@pytest.mark.parametrize(
    ("do", "value"),
    [
        ("remove 4 patrolman", ""),
        ("count 4 patrolman 2", ""),
        ("rename 4 patrolman", "Mine"),
        ("note 4 patrolman", "Mine"),
        ("reorder 4 patrolman 1", ""),
    ],
)
def test_a_change_of_a_model_that_was_changed_is_refused(
    client: Client, patrol: str, do: str, value: str
) -> None:
    known = load_known(client, patrol)
    edit(client, patrol, "count 4 patrolman 5")
    before = list_models(patrol)
    reason = send(client, patrol, do, make_base(known, 4), value=value)
    assert reason.startswith("Three was changed elsewhere")
    assert list_models(patrol) == before


def test_a_change_of_a_removed_model_hits_no_equal_one(
    client: Client, squad: str
) -> None:
    for _model in range(2):
        edit(client, squad, "add patrolman")
    known = load_known(client, squad)
    edit(client, squad, "remove 1 patrolman")
    assert send(client, squad, "remove 2 patrolman", make_base(known, 2))
    assert list_models(squad) == ["patrolman 1"]


def test_a_newer_name_and_parameter_of_the_squad_stay(
    client: Client, squad: str
) -> None:
    known = load_known(client, squad)
    edit(client, squad, "rename", value="Online")
    edit(client, squad, "param size", value="50")
    rename = make_base(known, value=known["name"])
    assert "Online" in send(client, squad, "rename", rename, value="Offline")
    assert send(client, squad, "param size", make_base(known, value=30), value="20")
    known = load_known(client, squad)
    assert known["name"] == "Online"
    assert isinstance(known["params"], dict)
    assert known["params"]["size"] == 50


@pytest.mark.parametrize("do", ["undo", "delete"])
def test_a_change_of_the_whole_squad_is_refused(
    client: Client, patrol: str, do: str
) -> None:
    known = load_known(client, patrol)
    edit(client, patrol, "rename", value="Online")
    assert send(client, patrol, do, make_base(known), sure="1")
    assert load_known(client, patrol)["name"] == "Online"


def test_newer_notes_stay(client: Client, squad: str) -> None:
    base = make_base(load_known(client, squad), value=["", "mine"])
    assert not send(client, squad, "notes", base, notes="mine")
    assert not send(client, squad, "notes", base, notes="mine\r\ntoo")
    client.post(f"{squad}/keep", {"do": "notes", "notes": "theirs"})
    assert "notes" in send(client, squad, "notes", base, notes="mine again")
    assert SavedSquad.objects.get().notes == "theirs"


def test_a_deck_and_a_bench_are_compared_too(client: Client, patrol: str) -> None:
    edit(client, patrol, "bench 2 patrolman")
    edit(client, patrol, "bench 2 patrolman")
    known = load_known(client, patrol)
    assert isinstance(known["bench"], list)
    edit(client, patrol, "forget 0 patrolman")
    base = json.dumps({"edition": 0, "items": [{"item": known["bench"][1]}]})
    assert not send(client, patrol, "unbench 1 patrolman", base)
    assert list_models(patrol) == ["captain-davis 1", "Three 1", "Two 1"]
    assert send(client, patrol, "forget 0 patrolman", base)


def test_own_changes_are_no_reason_to_compare(client: Client, patrol: str) -> None:
    known = load_known(client, patrol)
    change = str(uuid4())
    base = make_base(known, 4)
    edit(client, patrol, "rename 4 patrolman", value="X", base=base, change=change)
    # The browser does not know what its change did, for example the size of a new line.
    known_base = json.loads(base) | {"after": [change]}
    assert not send(client, patrol, "count 4 patrolman 2", json.dumps(known_base))
    assert list_models(patrol)[3] == "X 2"


def test_an_unreadable_base_is_refused(client: Client, squad: str) -> None:
    assert send(client, squad, "undo", "{").startswith("The change has no readable")
    assert send(client, squad, "tie 1 x y", "{}")
    assert send(client, squad, "move 1 patrolman", "{}")


def test_the_page_of_a_guest_has_no_notes(client: Client, patrol: str) -> None:
    edit(client, patrol, "note 2 patrolman", value="secret")
    client.post(f"{patrol}/links", {"do": "make edit"})
    share = unescape(client.get(f"{patrol}/share").content.decode())
    link = re.search(r"/shared/[^\"<\s&]+", share)
    assert link is not None
    guest = Client(headers={"accept-language": "en"})
    guest.post(f"{link[0]}/take")
    assert "secret" in client.get(patrol).content.decode()
    assert "secret" not in guest.get(patrol).content.decode()
    assert "entries" in load_known(guest, patrol)


def test_a_link_that_is_imported_later_is_refused_with_a_reason(
    client: Client, squad: str
) -> None:
    client.post(f"{squad}/links", {"do": "make view"})
    share = unescape(client.get(f"{squad}/share").content.decode())
    link = re.search(r"http://testserver/shared/[^\"<\s&]+", share)
    assert link is not None
    assert client.post("/import", {"text": link[0]}).status_code == 302
    answer = client.post("/import", {"text": link[0], "key": str(uuid4())})
    assert answer.status_code == 400
    assert "The text is a link to a shared squad" in answer.content.decode()
