"""Squads follow a person: to another device, back by a code, out as a file, away for good."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from builder.errors import UsageError
from builder.files import make_private_folder
from builder.web.accounts.models import Handover
from builder.web.squads.models import PrintJob, SavedSquad
from builder.web.squads.print_queue import claim_job, get_prints_folder, run_job

SURE = {"sure": "1"}


def begin(client: Client, name: str) -> str:
    return str(
        client.post("/squads", {"pack": "hydrophilia", "name": name})["Location"].split(
            "?"
        )[0]
    )


def link(client: Client) -> str:
    found = re.search(
        r'value="http://testserver(/own/come/[^"]+)"',
        client.post("/own/device").content.decode(),
    )
    assert found is not None
    return found[1]


def code(client: Client) -> str:
    found = re.search(
        r'class="code">([^<]+)<',
        client.post("/own/device", {"do": "code"}).content.decode(),
    )
    assert found is not None
    return found[1]


def test_a_link_brings_all_squads_to_another_device_which_keeps_its_own(
    client: Client, squad: str
) -> None:
    phone = Client()
    mine, address = begin(phone, "On the phone"), link(client)
    assert phone.get(squad).status_code == 404
    assert phone.get(address).status_code == 200  # a preview uses nothing up
    assert phone.post(address).status_code == 200  # nobody was sure
    assert phone.get(squad).status_code == 404
    assert phone.post(address, SURE).status_code == 302
    assert {
        phone.get(squad).status_code,
        phone.get(mine).status_code,
        client.get(mine).status_code,
    } == {200}


def test_a_link_works_once_and_soon(client: Client, squad: str) -> None:
    address = link(client)
    assert Client().post(address, SURE).status_code == 302
    assert Client().post(address, SURE).status_code == 404
    late = link(client)
    Handover.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert Client().get(late).status_code == 404
    assert Client().post(late, SURE).status_code == 404
    assert Client().post("/own/come/guessed", SURE).status_code == 404


def test_the_database_alone_opens_nothing(client: Client, squad: str) -> None:
    link(client)
    kept, secret = (
        Handover.objects.get(),
        client.cookies["squadpress"].value.partition(":")[0],
    )
    assert secret.encode().hex() not in kept.sealed
    assert secret not in kept.key


def test_a_code_brings_squads_back_however_it_is_typed(
    client: Client, squad: str
) -> None:
    told = code(client)
    again = Client()
    assert (
        again.post("/own/recover", {"code": told.lower().replace(" ", "-")}).status_code
        == 302
    )
    assert again.get(squad).status_code == 200


@pytest.mark.parametrize("wrong", ["", "AAAAA AAAAA", "Ж", "A" * 500])
def test_a_wrong_code_opens_nothing(client: Client, squad: str, wrong: str) -> None:
    other = Client()
    assert other.post("/own/recover", {"code": wrong}).status_code == 400
    assert "squadpress" not in other.cookies


def test_codes_cannot_be_tried_for_long(client: Client) -> None:
    tried = [
        client.post("/own/recover", {"code": "X"}).status_code for _turn in range(120)
    ]
    assert tried[0] == 400
    assert tried[-1] == 429


def test_everything_can_be_taken_along_by_its_owner_alone(
    client: Client, squad: str
) -> None:
    with ZipFile(BytesIO(client.get("/own/squads.zip").content)) as file:
        name = squad.rpartition("/")[2]
        assert sorted(file.namelist()) == [
            f"{name}.json",
            f"{name}.yaml",
            "settings.json",
        ]
        assert b"The Long Night" in file.read(f"{name}.yaml")
    with ZipFile(BytesIO(Client().get("/own/squads.zip").content)) as file:
        assert file.namelist() == ["settings.json"]


def test_everything_can_be_deleted_and_nothing_of_others(
    client: Client, squad: str
) -> None:
    other = Client()
    theirs = begin(other, "Not mine")
    client.post("/own/delete")
    assert client.get(squad).status_code == 200  # nobody was sure
    client.post("/own/delete", {"sure": "1"})
    assert client.get(squad).status_code == 404
    assert other.get(theirs).status_code == 200


def test_squads_that_nobody_opens_are_announced_then_removed(
    client: Client, squad: str
) -> None:
    kept = begin(client, "Still loved")
    year = timedelta(days=365)
    SavedSquad.objects.update(opened=timezone.now() - 2 * year - timedelta(days=1))
    call_command("forget_squads", verbosity=0)
    assert client.get("/").content.decode().count('class="leaves"') == 2
    assert client.get(kept).status_code == 200  # opened: it stays
    SavedSquad.objects.filter(leaves__isnull=False).update(
        leaves=timezone.now() - timedelta(days=1)
    )
    call_command("forget_squads", verbosity=0)
    assert client.get(squad).status_code == 404
    assert client.get(kept).status_code == 200


def begin_squads(client: Client, *names: str) -> list[str]:
    """Return the ids of new squads with these names."""
    ids = []
    for name in names:
        path = client.post("/squads", {"pack": "hydrophilia", "name": name})["Location"]
        ids.append(path.partition("?")[0].rpartition("/")[2])
    return ids


def test_many_squads_are_found_sorted_and_deleted_together(client: Client) -> None:
    ids = begin_squads(client, "Delta", "Alpha", "Charlie", "Bravo", "Alpine")
    page = client.get("/?q=alp").content.decode()
    assert "Alpha" in page
    assert "Charlie" not in page
    shown = re.findall(
        r"<b>(Alpha|Bravo|Charlie|Delta|Alpine)</b>", read_home(client, "name")
    )
    assert shown == ["Alpha", "Alpine", "Bravo", "Charlie", "Delta"]
    change_selected(client, "delete", ids[:2])  # not confirmed
    assert SavedSquad.objects.count() == 5
    begin(other := Client(), "Theirs")
    assert change_selected(other, "delete", ids, sure="1") == 400  # somebody else
    assert change_selected(client, "delete", [*ids[:2], "no-id"], sure="1") == 400
    change_selected(client, "delete", ids[:2], sure="1")
    rows = SavedSquad.objects.exclude(name="Theirs")
    assert {str(row.id) for row in rows} == set(ids[2:])


def change_selected(client: Client, action: str, ids: list[str], **form: str) -> int:
    """Run an action on several squads. Return the status."""
    return client.post(
        "/squads/selected", {"do": action, "squad": ids, **form}
    ).status_code


def find_names(client: Client, query: str = "") -> list[str]:
    """Return the names of the squads on the home page."""
    return re.findall(
        r'<span class="what"><b>([^<]+)</b>', client.get(f"/{query}").content.decode()
    )


def test_squads_are_found_by_their_tags(client: Client) -> None:
    ids = begin_squads(client, "Alpha", "Bravo", "Charlie")
    assert change_selected(client, "tag", ids[:2], tag="  winter,  club ") == 302
    assert change_selected(client, "tag", ids[:1], tag="50 %") == 302
    assert find_names(client, "?tag=winter+club") == ["Bravo", "Alpha"]
    assert find_names(client, "?tag=winter") == []
    assert find_names(client, "?tag=50+%25") == ["Alpha"]
    client.post(f"/squads/{ids[0]}/keep", {"do": "untag winter club"})
    change_selected(client, "untag", ids, tag="50 %")
    assert [row.tag_names for row in SavedSquad.objects.order_by("name")][:2] == [
        [],
        ["winter club"],
    ]
    assert change_selected(client, "tag", ids, tag=" , ") == 400


def test_archived_squads_are_listed_in_the_archive_alone(client: Client) -> None:
    ids = begin_squads(client, "Alpha", "Bravo")
    change_selected(client, "archive", ids[:1])
    assert find_names(client) == ["Bravo"]
    assert find_names(client, "?archived=1") == ["Alpha"]
    client.post(f"/squads/{ids[0]}/keep", {"do": "restore"})
    assert len(find_names(client)) == 2


def test_a_duplicate_is_listed_next_to_its_source(client: Client) -> None:
    ids = begin_squads(client, "Alpha", "Bravo", "Charlie")
    client.post(f"/squads/{ids[1]}/keep", {"do": "copy"})
    assert find_names(client) == ["Charlie", "Bravo", "Bravo (copy)", "Alpha"]


def test_selected_squads_are_exported_with_tags_and_bench_and_imported(
    client: Client,
) -> None:
    ids = begin_squads(client, "Alpha", "Bravo")
    for action in ("add gyrfalcon", "add dispatcher", "bench 1 gyrfalcon"):
        client.post(f"/squads/{ids[0]}/edit", {"do": action})
    change_selected(client, "tag", ids[:1], tag="winter")
    change_selected(client, "archive", ids[:1])
    answer = client.post("/squads/selected", {"do": "export", "squad": ids[:1]})
    other = Client()
    other.post("/import", {"file": BytesIO(answer.content)})
    copied = SavedSquad.objects.filter(name="Alpha").exclude(id=ids[0]).get()
    assert (copied.tag_names, copied.archived) == (["winter"], True)
    assert copied.bench == [{"card": "gyrfalcon"}]
    assert (
        other.get(f"/squads/{copied.id}").content.decode().count("unbench 0 gyrfalcon")
        == 1
    )


def test_several_squads_are_printed_into_one_file(client: Client) -> None:
    ids = begin_squads(client, "Alpha", "Bravo")
    for key in ids:
        client.post(f"/squads/{key}/edit", {"do": "add dispatcher"})
    answer = client.post("/squads/selected", {"do": "print-sheets", "squad": ids})
    job = claim_job()
    assert job is not None
    assert answer["Location"] == f"/prints/{job.id}"
    assert client.get(f"/prints/{job.id}").status_code == 200
    make_private_folder(get_prints_folder())
    run_job(job)
    job.refresh_from_db()
    assert (job.state, job.told) == (PrintJob.DONE, [])
    assert job.pages == 2
    answer = client.get(f"/prints/{job.id}.pdf")
    assert b"".join(answer).startswith(b"%PDF")
    assert answer["Content-Disposition"].endswith('"hydrophilia-lists.pdf"')


def read_home(client: Client, order: str) -> str:
    """Return the home page with its squads in an order."""
    return client.get(f"/?sort={order}").content.decode()


def test_the_language_is_part_of_everything(client: Client, squad: str) -> None:
    client.post("/language", {"language": "de"})
    data = client.get("/own/squads.zip").content
    other = Client(headers={"accept-language": "en"})
    other.post("/import", {"file": BytesIO(data)})
    assert '<html lang="de"' in other.get("/").content.decode()


@pytest.mark.parametrize("character", ["\0", "\ud800"])
def test_no_database_stores_half_characters(client: Client, character: str) -> None:
    name = f"A{character}"
    line = {"card": "dispatcher", "name": name}
    rosters = ({"name": name}, {"entries": [line]})
    for roster in rosters:
        text = json.dumps({"pack": "hydrophilia", **roster})
        answer = client.post("/import", {"text": text})
        assert answer.status_code == 400, text
    with pytest.raises(UsageError), transaction.atomic():
        SavedSquad.objects.create(pack="p", text=f"A{character}")
    with pytest.raises(UsageError), transaction.atomic():
        SavedSquad.objects.create(pack="p", text="A", bench=[{"name": character}])
    assert not SavedSquad.objects.exists()


def test_a_form_with_nul_is_refused(client: Client, squad: str) -> None:
    answer = client.post(f"{squad}/edit", {"do": "rename", "value": "A\0B"})
    assert answer.status_code == 400
    assert client.get("/?q=%00").status_code == 400
    assert client.get(squad).status_code == 200
