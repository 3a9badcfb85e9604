"""An owner sees which browsers have access, and removes one or all others.

Whoever brings squads is asked.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.signing import get_cookie_signer
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from builder.web.accounts.models import Device, Handover
from builder.web.accounts.owner import COOKIE, hash_secret
from builder.web.squads.models import SavedSquad
from tests.web.test_own import SURE, begin, code, link

PHONE = (
    (
        "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/130.0 Mobile Safari/537.36"
    ),
    "Chrome, Android",
)
DESK = (
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox, Linux",
)


def visitor(agent: str) -> Client:
    return Client(headers={"accept-language": "en", "user-agent": agent})


@pytest.fixture
def desk() -> Client:
    """Return a browser with one squad."""
    browser = visitor(DESK[0])
    begin(browser, "On the desk")
    return browser


@pytest.fixture
def phone(desk: Client) -> Client:
    """Return a second device of the same owner."""
    browser = visitor(PHONE[0])
    assert browser.post(link(desk), SURE).status_code == 302
    return browser


def squads(browser: Client) -> list[str]:
    return re.findall(r"<b>(On the \w+|Mine)</b>", browser.get("/").content.decode())


def own(browser: Client) -> str:
    return browser.get("/own").content.decode()


def remove(browser: Client, device: Device, **form: str) -> HttpResponse:
    return browser.post("/own/devices", {"do": f"remove {device.pk}", **form})


def legacy_cookie(browser: Client, secret: str) -> None:
    """Give a browser the cookie of versions before 0.2.0: its owner's signed secret."""
    browser.cookies[COOKIE] = get_cookie_signer(salt=COOKIE + COOKIE).sign(secret)


def test_the_page_of_a_link_says_who_gets_access_to_what(desk: Client) -> None:
    desk.post("/collection/hydrophilia", {"do": "more patrolman"})
    browser, address = visitor(PHONE[0]), link(desk)
    page = browser.get(address).content.decode()
    assert (
        "This browser (Chrome, Android) will be able to see, change and delete everything"
        in page
    )
    assert "of the person who created this link:" in page
    assert re.findall(r"<li>(\d \w+)</li>", page) == ["1 squad", "1 collection"]
    assert "Firefox, Linux" in page
    assert "Others get access" not in page  # there is nothing yet in this browser
    begin(browser, "Mine")
    page = browser.get(address).content.decode()
    assert "Others get access to your data in this browser" in page
    assert page.count("<li>1 squad</li>") == 2
    assert "lose access to it" not in page


def test_devices_that_would_lose_squads_are_named(desk: Client) -> None:
    other, third = visitor(PHONE[0]), visitor(PHONE[0].replace("Android", "iPhone"))
    begin(other, "Mine")
    third.post(link(other), SURE)
    page = other.get(link(desk)).content.decode()
    assert "These browsers lose access to it:" in page.replace("<b>", "")
    assert "Chrome, iPhone" in page.partition("lose access to it")[2]
    other.post(link(desk), SURE)
    assert squads(other) == ["Mine", "On the desk"] or squads(other) == [
        "On the desk",
        "Mine",
    ]
    assert squads(third) == []


def test_an_account_is_named_and_keeps_what_it_has(desk: Client) -> None:
    desk.post("/own/account", {"name": "Vera Holm", "password": "twelve grey drones"})
    page = visitor(PHONE[0]).get(link(desk)).content.decode()
    assert "everything in the account Vera Holm" in page
    other = visitor(PHONE[0])
    begin(other, "Mine")
    address = link(other)
    assert "signed out of the account Vera Holm" in desk.get(address).content.decode()
    desk.post(address, SURE)
    assert squads(desk) == ["Mine"]


def test_devices_are_listed_and_one_is_removed(desk: Client, phone: Client) -> None:
    page = own(desk)
    assert re.findall(r"<b>([^<]*, [^<]*)</b>", page) == [
        f"{DESK[1]} · this browser",
        PHONE[1],
    ]
    assert "signed in with a link from another device" in page
    device = Device.objects.get(name=PHONE[1])
    waiting = link(phone)  # what the removed one made goes, too
    remove(desk, device)
    assert squads(phone) == ["On the desk"]  # nobody was sure
    assert remove(desk, device, sure="1").status_code == 302
    assert (squads(phone), squads(desk)) == ([], ["On the desk"])
    assert phone.post(waiting, SURE).status_code == 404
    assert PHONE[1] not in own(desk)
    begin(phone, "Mine")  # it goes on as a stranger
    assert (squads(phone), squads(desk)) == (["Mine"], ["On the desk"])


def test_nobody_removes_a_device_of_somebody_else(desk: Client) -> None:
    stranger = visitor(PHONE[0])
    begin(stranger, "Mine")
    assert (
        remove(stranger, Device.objects.get(name=DESK[1]), sure="1").status_code == 404
    )
    assert (
        stranger.post("/own/devices", {"do": "remove x", "sure": "1"}).status_code
        == 404
    )
    assert squads(desk) == ["On the desk"]


def test_all_others_are_removed_with_the_recovery_code(
    desk: Client, phone: Client
) -> None:
    old_code = code(desk)
    desk.post("/own/devices", {"do": "others", "sure": "1"})
    assert (squads(desk), squads(phone)) == (["On the desk"], [])
    assert visitor(PHONE[0]).post("/own/recover", {"code": old_code}).status_code == 400
    assert (
        visitor(PHONE[0]).post("/own/recover", {"code": code(desk)}).status_code == 302
    )
    assert not Handover.objects.exists()


def test_a_browser_of_an_earlier_version_keeps_access_and_is_listed(
    desk: Client,
) -> None:
    browser = visitor(PHONE[0])
    legacy_cookie(browser, secret := "x" * 32)
    SavedSquad.objects.update(owner=hash_secret(secret))
    assert squads(browser) == ["On the desk"]
    assert "." in browser.cookies[COOKIE].value  # it has a secret of its own now
    assert squads(browser) == ["On the desk"]
    device = Device.objects.get(owner=hash_secret(secret))
    assert (device.name, device.way, device.key != hash_secret(secret)) == (
        PHONE[1],
        Device.EARLIER,
        True,
    )
    legacy_cookie(second := visitor(DESK[0]), secret)
    assert "signed in before version 0.2.0" in own(second)
    remove(second, device, sure="1")
    assert (squads(browser), squads(second)) == ([], ["On the desk"])


def test_a_browser_that_a_restored_backup_does_not_know_keeps_access(
    desk: Client,
) -> None:
    # as in a backup from before the browser came, or from before 0.2.0
    Device.objects.all().delete()
    assert squads(desk) == ["On the desk"]
    assert Device.objects.get().name == DESK[1]


def test_a_copy_of_a_cookie_that_was_replaced_opens_nothing(desk: Client) -> None:
    copy = visitor(PHONE[0])
    copy.cookies.load(desk.cookies)
    desk.post("/own/account", {"name": "Vera Holm", "password": "twelve grey drones"})
    assert (squads(copy), squads(desk)) == ([], ["On the desk"])
    copy.cookies.load(desk.cookies)
    desk.post("/own/leave")
    assert squads(copy) == []


def test_the_cookie_and_the_database_do_not_tell_the_secret_of_the_owner(
    desk: Client,
) -> None:
    stored = " ".join(
        str(value) for row in Device.objects.values_list() for value in row
    )
    own_secret, _dot, sealed = (
        desk.cookies[COOKIE].value.partition(":")[0].partition(".")
    )
    assert own_secret not in stored
    assert sealed not in stored
    assert (
        hash_secret(bytes.fromhex(sealed).decode("latin-1"))
        != SavedSquad.objects.get().owner
    )
    assert (
        visitor(PHONE[0]).post("/own/recover", {"code": own_secret}).status_code == 400
    )


def test_a_visit_is_recorded_twice_a_day_at_most(desk: Client) -> None:
    day = timezone.now() - timedelta(days=1)
    Device.objects.update(seen=day)
    desk.get("/")
    seen = Device.objects.get().seen
    assert seen > day
    desk.get("/")
    assert Device.objects.get().seen == seen


def test_a_removed_browser_stays_outside_after_everything_was_deleted(
    desk: Client, phone: Client
) -> None:
    remove(desk, Device.objects.get(name=PHONE[1]), sure="1")
    desk.post("/own/delete", SURE)
    assert not Device.objects.exclude(name="").exists()
    assert squads(phone) == []
    begin(desk, "Mine")
    assert squads(phone) == []
