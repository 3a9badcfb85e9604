"""Accounts: squads follow a name and a password, and nothing else opens them."""

from __future__ import annotations

import re
from datetime import timedelta
from time import process_time

import pytest
from django.db.models import F
from django.test import Client

from builder.web.accounts.models import Account, Tally
from builder.web.squads.models import SavedSquad
from tests.web.test_own import begin, code

NAME, PASSWORD = "Vera Holm", "twelve grey drones"


def post(client: Client, what: str, **named: str) -> int:
    return int(client.post(f"/own/{what}", named).status_code)


@pytest.fixture
def account(client: Client, squad: str) -> str:
    assert post(client, "account", name=NAME, password=PASSWORD) == 302
    return squad


def test_squads_follow_to_every_browser_that_signs_in(
    client: Client, account: str
) -> None:
    other = Client()
    mine = begin(other, "Before")
    assert post(other, "enter", name=" VERA  holm", password=PASSWORD) == 302
    assert {
        other.get(account).status_code,
        other.get(mine).status_code,
        client.get(mine).status_code,
    } == {200}
    assert NAME in other.get("/own").content.decode()


@pytest.mark.parametrize(
    ("name", "password"),
    [
        (NAME, "wrong"),
        (NAME, ""),
        ("Nobody", PASSWORD),
        ("", ""),
        (NAME, PASSWORD.upper()),
    ],
)
def test_a_wrong_name_or_password_opens_nothing_and_says_not_which(
    account: str, name: str, password: str
) -> None:
    other = Client()
    answer = other.post("/own/enter", {"name": name, "password": password})
    assert answer.status_code == 400
    assert "is wrong" in answer.content.decode()
    assert "squadpress" not in other.cookies


def test_an_unknown_name_takes_as_long_as_a_wrong_password(account: str) -> None:
    def taken(name: str) -> float:
        start = process_time()
        post(Client(), "enter", name=name, password="wrong")
        return process_time() - start

    taken(NAME)
    known, unknown = (
        min(taken(name) for _turn in range(3)) for name in (NAME, "Nobody at all")
    )
    assert 0.5 < unknown / known < 2


@pytest.mark.parametrize("password", ["short", "password123", "8274619305", "x" * 201])
def test_a_password_that_is_soon_guessed_is_refused(
    client: Client, squad: str, password: str
) -> None:
    assert post(client, "account", name=NAME, password=password) == 400
    assert not Account.objects.exists()


@pytest.mark.parametrize("name", ["V", "", "x" * 41, "ve\x07ra", "\u202evera"])
def test_a_name_is_one_that_can_be_read(client: Client, squad: str, name: str) -> None:
    assert post(client, "account", name=name, password=PASSWORD) == 400


def test_a_name_is_given_once(account: str) -> None:
    other = Client()
    assert post(other, "account", name="vera  HOLM", password=PASSWORD) == 400
    assert Account.objects.count() == 1


def test_the_database_alone_opens_no_account(client: Client, account: str) -> None:
    row, secret = (
        Account.objects.get(),
        client.cookies["squadpress"].value.partition(":")[0],
    )
    assert row.password.startswith("argon2$argon2id$")
    kept = " ".join(str(value) for value in Account.objects.values_list().get())
    assert PASSWORD not in kept
    assert secret not in kept
    assert secret.encode().hex() not in kept


def test_another_password_signs_all_others_out_and_loses_nothing(
    client: Client, account: str
) -> None:
    other, told = Client(), code(client)
    post(other, "enter", name=NAME, password=PASSWORD)
    assert post(client, "password", old="wrong", password="thirteen red drones") == 400
    assert post(client, "password", old=PASSWORD, password="thirteen red drones") == 302
    assert client.get(account).status_code == 200
    assert other.get(account).status_code == 404
    assert post(Client(), "enter", name=NAME, password=PASSWORD) == 400
    assert post(Client(), "recover", code=told) == 400
    assert post(Client(), "enter", name=NAME, password="thirteen red drones") == 302


def test_a_forgotten_password_is_replaced_by_the_recovery_code(
    client: Client, account: str
) -> None:
    told, found = code(client), Client()
    assert post(found, "recover", code=told) == 302
    assert post(found, "password", old=told, password="thirteen red drones") == 302
    assert post(Client(), "enter", name=NAME, password="thirteen red drones") == 302


def test_signing_out_forgets_the_browser_and_keeps_the_squads(
    client: Client, account: str
) -> None:
    assert post(client, "leave") == 302
    assert client.get(account).status_code == 404
    assert post(client, "enter", name=NAME, password=PASSWORD) == 302
    assert client.get(account).status_code == 200


def test_a_browser_without_an_account_cannot_lose_its_squads_by_signing_out(
    client: Client, squad: str
) -> None:
    post(client, "leave")
    assert client.get(squad).status_code == 200


def test_signing_in_elsewhere_takes_nothing_from_another_account(
    client: Client, account: str
) -> None:
    second = Client()
    theirs = begin(second, "Theirs")
    post(second, "account", name="Ada", password="fourteen blue drones")
    assert post(second, "enter", name=NAME, password=PASSWORD) == 302
    assert second.get(theirs).status_code == 404
    back = Client()
    post(back, "enter", name="Ada", password="fourteen blue drones")
    assert back.get(theirs).status_code == 200


def later(time: timedelta) -> None:
    """Let time pass for all that is counted."""
    Tally.objects.update(until=F("until") - time)


def test_who_tries_passwords_waits_longer_each_time_and_keeps_nobody_else_out(
    client: Client, account: str
) -> None:
    thief = "10.0.0.1"

    def tries(password: str = "no", name: str = NAME) -> int:
        return post(Client(REMOTE_ADDR=thief), "enter", name=name, password=password)

    assert [tries() for _turn in range(6)] == [400] * 5 + [429]
    assert tries(PASSWORD) == 429, "even the right one has to wait"
    assert tries(name=f" {NAME.upper()} ") == 429
    assert (
        post(Client(REMOTE_ADDR="10.0.0.2"), "enter", name=NAME, password=PASSWORD)
        == 302
    )
    assert tries(name="Somebody else") == 400
    later(timedelta(seconds=31))
    assert [tries(), tries()] == [400, 429]
    later(timedelta(seconds=31))
    assert tries() == 429, "twice as long as before"
    later(timedelta(seconds=31))
    assert tries(PASSWORD) == 302
    assert [tries() for _turn in range(5)] == [400] * 5, "who knew it begins anew"


def test_who_deletes_everything_deletes_the_account(
    client: Client, account: str
) -> None:
    post(client, "delete", sure="1")
    assert not Account.objects.exists()
    assert not SavedSquad.objects.exists()


def test_forms_say_to_the_browser_what_they_ask_for(client: Client, squad: str) -> None:
    page = client.get("/own").content.decode()
    assert set(
        re.findall(r'autocomplete="((?:new|current)-password|username)"', page)
    ) == {
        "username",
        "new-password",
        "current-password",
    }
