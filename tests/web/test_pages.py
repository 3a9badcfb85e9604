"""Pages: pictures of a game, refused cards and what makes room, completion, texts."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import translation

from builder.web.middleware import remove_head_bodies
from builder.web.squads.models import SavedSquad
from builder.web.templating import format_day, format_moment
from tests.web.test_build import do, text


def test_what_does_not_fit_says_why_and_what_could_leave_for_it(
    client: Client, squad: str
) -> None:
    for card in ("themis", "themis", "captain-davis"):
        do(client, squad, f"add {card}")
    page = client.get(f"{squad}?refused=1").content.decode()
    asked = re.findall(
        r'<details hx-get="([^"]+)"[^>]* hx-select=".why > \*"',
        page.partition('id="refused"')[2],
    )
    page = "".join(client.get(address).content.decode() for address in asked)
    assert page.count('class="why"') == len(asked) > 0, (
        "what is opened finds its reason on the card's page"
    )
    swap = re.search(r'value="(swap [\w-]+ \d+ \d+)">([^<]+)<', page)
    assert swap is not None
    assert swap[2].startswith("Remove ")
    for told in re.findall(
        r'value="swap [^"]+">Remove ([^<]+?)(?: \(#\d+\))? and add ([^<]+)<', page
    ):
        assert told[0] != told[1], "nothing leaves for its like"
    card = swap[1].split()[1]
    assert card not in text(squad)
    do(client, squad, swap[1])
    assert card in text(squad)


def test_a_card_may_be_added_although_it_does_not_fit(
    client: Client, squad: str
) -> None:
    do(client, squad, "add captain-davis")
    assert do(client, squad, "add commissioner-okoye").status_code == 302
    page = client.get(squad).content.decode()
    assert 'class="verdict bad"' in page


def test_a_half_built_squad_is_completed_with_what_is_wanted(
    client: Client, squad: str
) -> None:
    do(client, squad, "add dispatcher")
    page = client.get(
        f"{squad}/complete?ask=1&want=themis&avoid=captain-davis"
    ).content.decode()
    assert "proved: no legal squad" in page
    edition = re.search(r'name="edition" value="(\d+)"', page)
    assert edition is not None
    form = {
        "want": "themis",
        "avoid": "captain-davis",
        "edition": edition[1],
        "take": "0",
    }
    assert client.post(f"{squad}/complete", form).status_code == 302
    assert "themis" in text(squad)
    assert "captain-davis" not in text(squad)
    assert 'class="verdict good"' in client.get(squad).content.decode()
    do(client, squad, "undo")
    assert "themis" not in text(squad)


def test_nothing_is_taken_from_an_offer_for_another_state(
    client: Client, squad: str
) -> None:
    do(client, squad, "add dispatcher")
    before = text(squad)
    assert (
        client.post(f"{squad}/complete", {"take": "0", "edition": "1"}).status_code
        == 400
    )
    assert text(squad) == before


def test_a_card_is_read_as_text_in_the_language_of_the_reader(
    client: Client, squad: str
) -> None:
    page = client.get(f"{squad}/cards/dispatcher").content.decode()
    assert "Designate Target" in page
    assert (
        "Контроль"
        in client.get(
            f"{squad}/cards/dispatcher", headers={"accept-language": "ru"}
        ).content.decode()
    )
    assert client.get(f"{squad}/cards/nobody").status_code == 404


def test_rules_and_numbers_are_reported(client: Client, squad: str) -> None:
    do(client, squad, "add captain-davis")
    page = client.get(f"{squad}/rules").content.decode()
    assert "left (" in page
    assert "<table>" in page


def test_attacks_are_named_in_english_where_the_game_does_not_have_the_readers_language(
    client: Client, squad: str
) -> None:
    do(client, squad, "add captain-davis")
    assert (
        "Arbiter Revolver"
        in client.get(
            f"{squad}/rules", headers={"accept-language": "de"}
        ).content.decode()
    )


def test_a_parameter_is_changed_within_its_bounds(client: Client, squad: str) -> None:
    assert do(client, squad, "param size", value="40").status_code == 302
    assert "size: 40" in text(squad)
    assert do(client, squad, "param size", value="4000").status_code == 400
    assert "size: 40" in text(squad)


def test_a_copy_lives_by_itself_and_a_deleted_squad_is_gone(
    client: Client, squad: str
) -> None:
    do(client, squad, "add dispatcher")
    twin = client.post(f"{squad}/keep", {"do": "copy"})["Location"]
    assert client.post(f"{squad}/keep", {"do": "delete"}).status_code == 302
    assert client.get(squad).status_code == 200, "not without a yes"
    client.post(f"{squad}/keep", {"do": "delete", "sure": "1"})
    assert client.get(squad).status_code == 404
    assert "dispatcher" in text(twin)
    assert SavedSquad.objects.count() == 1


def test_remarks_in_a_squad_survive_its_edits(client: Client, squad: str) -> None:
    row = SavedSquad.objects.get(id=squad.rpartition("/")[2])
    row.text += "# not on Sundays\n"
    row.save()
    for what in (
        "add dispatcher",
        "add gyrfalcon",
        "reorder 1 dispatcher 2",
        "count 1 gyrfalcon 2",
        "tie 1 gyrfalcon controller",
    ):
        do(client, squad, what, value="1")
    assert "# not on Sundays" in text(squad)
    assert re.search(r"gyrfalcon.*count: 2.*\n.*dispatcher", text(squad))
    assert "controller: dispatcher" in text(squad)


def test_the_side_of_a_game_is_not_asked_for_twice(client: Client) -> None:
    page = client.get("/games/killteam").content.decode()
    assert "param-team" not in page
    assert "param-stage" in page
    begun = client.post("/squads", {"pack": "killteam", "faction": "old-guard"})[
        "Location"
    ].partition("?")[0]
    assert "team: old-guard" in text(begun)


def test_pages_speak_german(client: Client, squad: str) -> None:
    page = client.get(squad, headers={"accept-language": "de"}).content.decode()
    assert "In den Karten suchen" in page
    assert "Dispatcher" in page, (
        "names that the game lacks in German are told in English"
    )


def test_a_page_stays_small_whatever_does_not_fit(
    client: Client, squad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.web.squads.catalogue.MAX_REFUSED_TILES", 2)
    first, second = (
        client.get(f"{squad}?refused=1&page={page}").content.decode() for page in (1, 2)
    )
    assert (first.count('class="why"'), second.count('class="why"')) == (2, 2)
    assert first.partition('id="refused"')[2] != second.partition('id="refused"')[2]
    assert "page=2" in first


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "Dec. 1, 2026"), ("de", "1. Dezember 2026"), ("ru", "1 декабря 2026")],
)
def test_a_day_can_end_a_sentence(lang: str, told: str) -> None:
    with translation.override(lang):
        assert format_day(date(2026, 12, 1)) == told
        assert " г." not in format_moment(datetime(2026, 12, 1, 9, 30, tzinfo=UTC))


def test_an_error_stands_in_its_form_and_elsewhere_leads_back_to_it(
    client: Client, squad: str
) -> None:
    form = {"do": "add no-such-card", "next": squad}
    address = f"http://testserver{squad}"
    sent = {"headers": {"hx-request": "true", "referer": address}}
    answer = client.post(f"{squad}/edit", form, **sent)
    assert answer.status_code == 400
    assert answer["HX-Retarget"] == "closest form"
    assert answer["HX-Reselect"] == "#form-error"
    assert 'id="form-error" class="form-error" role="alert"' in answer.content.decode()
    plain = client.post(f"{squad}/edit", form, headers={"referer": address})
    assert "HX-Retarget" not in plain
    assert f'href="{address}" data-back' in plain.content.decode()
    stranger = client.post(
        f"{squad}/edit", form, headers={"referer": "https://example.org/x"}
    )
    assert "data-back" not in stranger.content.decode()


def test_all_costs_of_a_game_are_one_list(client: Client) -> None:
    page = client.get("/games/hydrophilia/costs").content.decode()
    assert re.search(r"Captain Davis</th><td>7</td>", page)
    assert client.get("/games/nothing/costs").status_code == 400


def test_two_squads_are_compared_card_by_card(client: Client, squad: str) -> None:
    other = str(
        client.post("/squads", {"pack": "hydrophilia"})["Location"].partition("?")[0]
    )
    for address, cards in (
        (squad, "dispatcher captain-davis"),
        (other, "dispatcher gyrfalcon"),
    ):
        for card in cards.split():
            client.post(f"{address}/edit", {"do": f"add {card}"})
    page = client.get(
        f"{squad}/compare?with={other.rpartition('/')[2]}"
    ).content.decode()
    rows = re.findall(r'scope="row">([^<]+)</th><td>([^<]+)</td><td>([^<]+)</td>', page)
    assert rows == [
        ("Gyrfalcon", "–", "1"),
        ("Captain Davis", "1", "–"),
        ("Dispatcher", "1", "1"),
    ]
    stranger = Client()
    theirs = str(
        stranger.post("/squads", {"pack": "hydrophilia"})["Location"].partition("?")[0]
    )
    answer = client.get(f"{squad}/compare?with={theirs.rpartition('/')[2]}")
    assert answer.status_code == 404


def test_an_answer_to_head_has_no_body() -> None:
    respond = remove_head_bodies(lambda _request: HttpResponse(b"page"))
    assert b"".join(respond(RequestFactory().head("/"))) == b""
    assert b"".join(respond(RequestFactory().get("/"))) == b"page"
