"""Rounds of an event: pairing, results, reports, drop-outs and standings."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.http import HttpResponse
from django.test import Client

from builder.web.events.models import Entrant, Event, EventList, Match
from builder.web.events.rounds import draw_order
from tests.web.test_events import handed, made, new


@pytest.fixture
def players() -> dict[str, Client]:
    return {name: new() for name in ("Ann", "Bob", "Cid", "Dan", "Eve")}


@pytest.fixture
def event(client: Client, players: dict[str, Client]) -> Event:
    """Return a closed event with five lists."""
    found = made(client)
    for name, player in players.items():
        assert handed(found, player, name).status_code == 302
    client.post(f"/events/{found.pk}", {"do": "lock"})
    return found


def pair(
    client: Client, event: Event, without: Sequence[str] = (), names: str = ""
) -> HttpResponse:
    """Pair the next round as the form does, but without some players."""
    place = f"/events/{event.pk}/rounds"
    page = client.get(place).content.decode()
    rows = re.findall(r'name="plays" value="([^"]+)"( checked)?><span>(\w+)', page)
    plays = [key for key, checked, name in rows if checked and name not in without]
    return client.post(place, {"do": "pair", "plays": plays, "names": names})


def seats(number: int) -> list[tuple[str, ...]]:
    matches = Match.objects.filter(round_number=number)
    return [
        (match.first.name, match.second.name) if match.second else (match.first.name,)
        for match in matches
    ]


def finish(client: Client, event: Event, number: int, outcome: str = "first") -> None:
    matches = Match.objects.filter(round_number=number, second__isnull=False)
    form = {f"result-{match.table}": outcome for match in matches}
    form |= {f"was-{match.table}": match.outcome for match in matches}
    place = f"/events/{event.pk}/rounds/{number}"
    assert client.post(place, {"do": "save", **form}).status_code == 302


def table(who: Client, event: Event) -> list[tuple[str, str, str]]:
    page = who.get(f"/at/{event.code}/standings").content.decode()
    row = r'class="rank">(\d+)</span> (\w*).*?</th><td><b>(\d+)</b>'
    return re.findall(row, page, re.S)


def test_five_rounds_of_five_players_repeat_no_pair_and_no_bye(
    client: Client, event: Event
) -> None:
    for number in range(1, 6):
        assert pair(client, event)["Location"].endswith(f"/rounds/{number}")
        assert sorted(sum(seats(number), ())) == ["Ann", "Bob", "Cid", "Dan", "Eve"]
        finish(client, event, number)
    pairs = [frozenset(one) for number in range(1, 6) for one in seats(number)]
    assert len(set(pairs)) == 15  # 10 pairs, 5 byes
    standings = table(new(), event)
    assert len(standings) == 5
    points = [int(row[2]) for row in standings]
    assert points == sorted(points, reverse=True)


def test_a_round_waits_for_all_results_and_says_which_is_missing(
    client: Client, event: Event
) -> None:
    pair(client, event)
    answer = pair(client, event)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "Round 1 has no result at table 1." in page
    assert Match.objects.count() == 3


def test_an_open_event_is_not_paired(client: Client) -> None:
    found = made(client)
    handed(found, new(), "Ann")
    assert "Close it first." in pair(client, found).content.decode()
    assert not Entrant.objects.exists()


def test_nobody_selected_is_an_error_at_the_players(
    client: Client, event: Event
) -> None:
    place = f"/events/{event.pk}/rounds"
    answer = client.post(place, {"do": "pair", "plays": [], "names": " "})
    assert answer.status_code == 400
    assert 'id="error-plays"' in answer.content.decode()
    assert " checked" not in answer.content.decode().partition("</fieldset>")[0]
    assert not Entrant.objects.exists()


def test_players_drop_out_come_late_and_come_back(client: Client, event: Event) -> None:
    pair(client, event)
    finish(client, event, 1)
    pair(client, event, without=["Ann"], names="Fay\n\n  Gus ")
    assert sorted(sum(seats(2), ())) == ["Bob", "Cid", "Dan", "Eve", "Fay", "Gus"]
    page = new().get(f"/at/{event.code}/standings").content.decode()
    assert page.count("dropped out") == 1
    assert len(table(new(), event)) == 7
    finish(client, event, 2)
    ann = Entrant.objects.get(name="Ann")
    keys = [str(one.pk) for one in Entrant.objects.filter(is_active=True)]
    client.post(
        f"/events/{event.pk}/rounds", {"do": "pair", "plays": [*keys, str(ann.pk)]}
    )
    assert "Ann" in sum(seats(3), ())


def test_a_list_that_is_removed_drops_out_and_its_matches_stay(
    client: Client, event: Event
) -> None:
    pair(client, event)
    finish(client, event, 1)
    key = EventList.objects.get(player="Ann").pk
    client.post(f"/events/{event.pk}", {"do": f"remove {key}", "sure": "1"})
    pair(client, event)
    assert "Ann" in sum(seats(1), ())
    assert "Ann" not in sum(seats(2), ())


def test_a_player_who_deletes_everything_leaves_no_name(
    client: Client, event: Event, players: dict[str, Client]
) -> None:
    pair(client, event)
    players["Ann"].post("/own/delete", {"sure": "1"})
    page = client.get(f"/events/{event.pk}/rounds/1").content.decode()
    # The token of the page may contain these letters.
    assert not re.search(r"\bAnn\b", page)
    assert "Deleted player" in page
    assert Match.objects.count() == 3


def test_a_result_is_corrected_later_and_pairings_stay(
    client: Client, event: Event
) -> None:
    pair(client, event)
    finish(client, event, 1, "first")
    pair(client, event)
    before, ranks = seats(2), table(new(), event)
    finish(client, event, 1, "second")
    assert seats(2) == before
    assert table(new(), event) != ranks
    finish(client, event, 1, "neither")
    assert [row[2] for row in table(new(), event)] == ["3", "3", "0", "0", "0"]


def test_the_points_are_those_of_the_organiser(client: Client, event: Event) -> None:
    place = f"/events/{event.pk}/rounds"
    form = {"do": "points", "win": "20", "draw": "10", "loss": "1"}
    assert client.post(place, form).status_code == 302
    pair(client, event)
    finish(client, event, 1, "draw")
    assert [row[2] for row in table(new(), event)] == ["20", "10", "10", "10", "10"]
    for field, wrong in (
        ("win", {"win": "x"}),
        ("draw", {"draw": "21"}),
        ("loss", {"loss": "11"}),
        ("win", {"win": "101"}),
        ("win", {"win": "²"}),
    ):
        answer = client.post(place, {**form, **wrong})
        page = answer.content.decode()
        assert answer.status_code == 400
        assert f'id="error-{field}"' in page
        assert f'name="{field}" value="{wrong[field]}"' in page
    assert Event.objects.get().draw_points == 10


def test_a_player_sees_the_table_and_reports_if_the_organiser_allows_it(
    client: Client, event: Event, players: dict[str, Client]
) -> None:
    pair(client, event)
    match = Match.objects.get(round_number=1, table=1)
    assert match.second is not None
    loser, winner = players[match.first.name], players[match.second.name]
    address = f"/at/{event.code}/rounds/1"
    page = winner.get(f"/at/{event.code}").content.decode()
    assert "Table 1" in page
    assert f"against {match.first.name}" in page
    assert 'name="report"' not in page
    assert winner.post(address, {"report": "win"}).status_code == 400
    form = {"do": "points", "win": "3", "draw": "1", "loss": "0", "reports": "on"}
    client.post(f"/events/{event.pk}/rounds", form)
    assert 'name="report"' in winner.get(f"/at/{event.code}").content.decode()
    assert new().post(address, {"report": "win"}).status_code == 400
    assert winner.post(address, {"report": "best"}).status_code == 400
    assert winner.post(address, {"report": "win"}).status_code == 302
    match.refresh_from_db()
    assert (match.outcome, match.second_report) == ("", "second")
    assert "Take the report back" in winner.get(address).content.decode()
    assert loser.post(address, {"report": "loss"}).status_code == 302
    match.refresh_from_db()
    assert (match.outcome, match.is_reported) == ("second", True)
    assert loser.post(address, {"report": "win"}).status_code == 400
    assert winner.post(address, {"report": "take-back"}).status_code == 400
    assert "reported by both players" in loser.get(address).content.decode()
    assert Match.objects.exclude(outcome="").count() == 2  # and the bye


def test_saving_an_old_page_keeps_results_that_came_meanwhile(
    client: Client, event: Event
) -> None:
    pair(client, event)
    Match.objects.filter(table=1).update(outcome="draw", is_reported=True)
    form = {"was-1": "", "result-1": "", "was-2": "", "result-2": "first"}
    client.post(f"/events/{event.pk}/rounds/1", {"do": "save", **form})
    outcomes = Match.objects.filter(table__lt=3).values_list("outcome", flat=True)
    assert list(outcomes) == ["draw", "first"]
    wrong = client.post(
        f"/events/{event.pk}/rounds/1", {"do": "save", "result-2": "x", "was-2": ""}
    )
    assert wrong.status_code == 400
    assert 'id="error-result-2"' in wrong.content.decode()


def test_only_the_last_round_is_deleted(client: Client, event: Event) -> None:
    pair(client, event)
    finish(client, event, 1)
    pair(client, event)
    place = f"/events/{event.pk}/rounds"
    first = client.post(f"{place}/1", {"do": "delete", "sure": "1"})
    assert first.status_code == 400
    assert client.post(f"{place}/2", {"do": "delete", "sure": "1"}).status_code == 302
    assert {match.round_number for match in Match.objects.all()} == {1}
    assert client.get(f"{place}/2").status_code == 404
    assert client.get(f"/at/{event.code}/rounds/2").status_code == 404


def test_there_are_no_standings_before_a_round(client: Client, event: Event) -> None:
    assert client.get(f"/at/{event.code}/standings").status_code == 404
    assert "/standings" not in client.get(f"/at/{event.code}").content.decode()


def test_the_lot_decides_the_first_round_not_the_alphabet(client: Client) -> None:
    orders = set()
    for _turn in range(4):
        found = made(client)
        for name in "ABCDEFGH":
            handed(found, new(), name)
        client.post(f"/events/{found.pk}", {"do": "lock"})
        pair(client, found)
        entrants = Entrant.objects.filter(event=found)
        orders.add("".join(one.name for one in entrants))
    assert len(orders) > 1


@pytest.mark.parametrize("removed_by", ["player", "organiser"])
def test_a_player_who_hands_in_again_stays_the_same_entrant(
    client: Client, event: Event, players: dict[str, Client], removed_by: str
) -> None:
    pair(client, event)
    finish(client, event, 1)
    entrant = Entrant.objects.get(name="Ann")
    client.post(f"/events/{event.pk}", {"do": "open"})
    if removed_by == "player":
        players["Ann"].post(f"/at/{event.code}", {"do": "withdraw"})
    else:
        key = EventList.objects.get(player="Ann").pk
        client.post(f"/events/{event.pk}", {"do": f"remove {key}", "sure": "1"})
    entrant.refresh_from_db()
    assert not entrant.is_active
    assert (
        "own-row" in players["Ann"].get(f"/at/{event.code}/rounds/1").content.decode()
    )
    assert handed(event, players["Ann"], "Ann").status_code == 302
    client.post(f"/events/{event.pk}", {"do": "lock"})
    entrant.refresh_from_db()
    assert entrant.is_active
    assert entrant.event_list == EventList.objects.get(player="Ann")
    page = client.get(f"/events/{event.pk}/rounds").content.decode()
    assert page.partition("</fieldset>")[0].count("<span>Ann") == 1
    pair(client, event)
    assert Entrant.objects.count() == 5
    assert sum(seats(2), ()).count("Ann") == 1


def test_names_go_with_the_data_of_a_player_whose_list_was_removed(
    client: Client, event: Event, players: dict[str, Client]
) -> None:
    pair(client, event)
    key = EventList.objects.get(player="Ann").pk
    client.post(f"/events/{event.pk}", {"do": f"remove {key}", "sure": "1"})
    players["Ann"].post("/own/delete", {"sure": "1"})
    assert not Entrant.objects.filter(name="Ann").exists()


def test_names_without_a_list_are_drawn_by_lot_too(client: Client) -> None:
    orders, byes = set(), set()
    for _turn in range(8):
        found = made(client)
        client.post(f"/events/{found.pk}", {"do": "lock"})
        pair(client, found, names="A\nB\nC\nD\nE")
        rows = Match.objects.filter(event=found)
        orders.add(tuple(row.first.name for row in rows))
        byes.add(rows.get(second=None).first.name)
    assert len(orders) > 1
    assert len(byes) > 1


def test_a_round_that_is_paired_again_is_drawn_again_and_stores_its_seed(
    client: Client, event: Event
) -> None:
    place = f"/events/{event.pk}/rounds"
    pairings, seeds = set(), set()
    for _turn in range(8):
        pair(client, event)
        pairings.add(tuple(seats(1)))
        seeds.update(Event.objects.get().seeds)
        client.post(f"{place}/1", {"do": "delete", "sure": "1"})
        assert Event.objects.get().seeds == []
        assert not Entrant.objects.exists()
    assert len(pairings) > 1
    assert len(seeds) == 8


def test_the_seed_alone_decides_the_order() -> None:
    assert draw_order("abcdef", "seed") == draw_order("abcdef", "seed")
    assert draw_order("abcdef", "seed") != draw_order("abcdef", "another")
    assert sorted(draw_order("abcdef", "seed")) == list("abcdef")


def test_the_seed_of_a_round_repeats_its_pairs(
    client: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _size: "0f")
    pair(client, event)
    pairs = seats(1)
    client.post(f"/events/{event.pk}/rounds/1", {"do": "delete", "sure": "1"})
    pair(client, event)
    assert seats(1) == pairs
    assert Event.objects.get().seeds == ["0f"]
    finish(client, event, 1)
    Event.objects.update(seeds=[])
    pair(client, event)
    assert Event.objects.get().seeds == ["", "0f"]


def test_a_player_typed_by_mistake_goes_with_the_round(
    client: Client, event: Event
) -> None:
    pair(client, event)
    finish(client, event, 1)
    pair(client, event, names="Mistake")
    client.post(f"/events/{event.pk}/rounds/2", {"do": "delete", "sure": "1"})
    assert not Entrant.objects.filter(name="Mistake").exists()
    assert Entrant.objects.count() == 5


def test_more_names_than_a_round_takes_are_refused(
    client: Client, event: Event
) -> None:
    names = "\n".join(f"Player {number}" for number in range(101))
    answer = pair(client, event, names=names)
    assert answer.status_code == 400
    assert "101 names are too many" in answer.content.decode()
    assert not Entrant.objects.exists()
    assert pair(client, event, names=names.partition("\n")[2]).status_code == 302
    assert Entrant.objects.count() == 105


def test_a_name_in_a_sentence_is_escaped_once(client: Client, event: Event) -> None:
    assert pair(client, event, names="O'Brien & <b>").status_code == 302
    page = client.get(f"/events/{event.pk}/rounds/1").content.decode()
    assert "O&#39;Brien &amp; &lt;b&gt; wins" in page
    assert "&amp;#39;" not in page


@pytest.fixture
def reporters(
    client: Client, event: Event, players: dict[str, Client]
) -> tuple[Client, Client]:
    """Return the players at table 1. Players of the event may report results."""
    form = {"do": "points", "win": "3", "draw": "1", "loss": "0", "reports": "on"}
    client.post(f"/events/{event.pk}/rounds", form)
    pair(client, event)
    match = Match.objects.get(table=1)
    assert match.second is not None
    return players[match.first.name], players[match.second.name]


def test_different_reports_are_shown_as_disputed_and_the_organiser_decides(
    client: Client, event: Event, reporters: tuple[Client, Client]
) -> None:
    address = f"/at/{event.code}/rounds/1"
    for player in reporters:
        assert player.post(address, {"report": "win"}).status_code == 302
    match = Match.objects.get(table=1)
    assert match.is_disputed
    assert not match.is_reported
    name = match.first.name
    page = client.get(f"/events/{event.pk}/rounds/1").content.decode()
    assert "disputed: the players reported different results" in page
    assert re.search(rf"Report of {name}:\s+{name} wins", page)
    page = client.get(f"/events/{event.pk}/rounds").content.decode()
    assert "1 disputed" in page
    page = reporters[0].get(f"/at/{event.code}").content.decode()
    assert "Your opponent reported another result." in page
    finish(client, event, 1, "draw")
    match.refresh_from_db()
    assert match.outcome == "draw"
    assert not match.is_disputed
    assert not match.is_reported
    assert "disputed" not in client.get(f"/events/{event.pk}/rounds").content.decode()


def test_a_player_takes_a_report_back_until_the_match_is_settled(
    event: Event, reporters: tuple[Client, Client]
) -> None:
    address = f"/at/{event.code}/rounds/1"
    reporters[0].post(address, {"report": "win"})
    assert reporters[0].post(address, {"report": "take-back"}).status_code == 302
    match = Match.objects.get(table=1)
    assert (match.outcome, match.first_report, match.is_reported) == ("", "", False)
    reporters[1].post(address, {"report": "draw"})
    reporters[0].post(address, {"report": "draw"})
    match.refresh_from_db()
    assert (match.outcome, match.is_reported) == ("draw", True)


def test_a_result_that_is_opened_again_forgets_the_reports(
    client: Client, event: Event, reporters: tuple[Client, Client]
) -> None:
    address = f"/at/{event.code}/rounds/1"
    reporters[0].post(address, {"report": "win"})
    reporters[1].post(address, {"report": "loss"})
    finish(client, event, 1, "")
    match = Match.objects.get(table=1)
    assert (match.outcome, match.first_report, match.second_report) == ("", "", "")
    assert 'value="win"' in reporters[0].get(address).content.decode()
