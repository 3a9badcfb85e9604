"""Every address, walked by the owner of a squad, by somebody else and by nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import unescape
from pathlib import Path
from uuid import UUID

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from builder.web.accounts.owner import COOKIE
from builder.web.cards.faces import get_picture_file
from builder.web.collection.models import SavedCollection
from builder.web.events.models import (
    Entrant,
    Event,
    EventList,
    EventMessage,
    Match,
    Receipt,
)
from builder.web.squads.imported_lists import (
    get_faces_folder,
    get_list_file,
    store_list,
)
from builder.web.squads.links import sign_link
from builder.web.squads.list_facts import ListFacts
from builder.web.squads.models import (
    ImportedFile,
    PrintJob,
    SavedSquad,
    SquadGame,
    SquadLink,
    SquadSeal,
)
from builder.web.squads.print_queue import get_job_file, get_prints_folder
from builder.web.urls import urlpatterns
from tests.house.source import ROOT

PUBLIC, OWN, LINK = "public", "own", "link"
"""For everybody, and nobody's squad is in it; for the owner alone; for whoever has the link."""
WHO = {
    "home": PUBLIC,
    "language": PUBLIC,
    "game": PUBLIC,
    "costs": PUBLIC,
    "compare": OWN,
    "colours": PUBLIC,
    "begin": PUBLIC,
    "import": PUBLIC,
    "prove": PUBLIC,
    "face": PUBLIC,
    "worker": PUBLIC,
    "manifest": PUBLIC,
    "offline": PUBLIC,
    "offline-game": PUBLIC,
    "offline-squad": PUBLIC,
    "offline-play": PUBLIC,
    "selected": PUBLIC,
    "cards_rulings": PUBLIC,
    "cards": PUBLIC,
    "cards_game": PUBLIC,
    "cards_index": PUBLIC,
    "cards_feed": PUBLIC,
    "cards_json_feed": PUBLIC,
    "cards_release": PUBLIC,
    "cards_since": PUBLIC,
    "cards_since_copy": PUBLIC,
    "cards_kind": PUBLIC,
    "cards_page": PUBLIC,
    "card": PUBLIC,
    "card_data": PUBLIC,
    "squad": OWN,
    "edit": OWN,
    "model": OWN,
    "look": OWN,
    "rules": OWN,
    "complete": OWN,
    "about": OWN,
    "keep": OWN,
    "share": OWN,
    "links": OWN,
    "taken": OWN,
    "prints": OWN,
    "print": OWN,
    "printed": OWN,
    "seals": OWN,
    "seal": OWN,
    "key": OWN,
    "play": OWN,
    "play-file": OWN,
    "play-state": OWN,
    "errata": OWN,
    "own": PUBLIC,
    "own-device": PUBLIC,
    "own-come": PUBLIC,
    "own-recover": PUBLIC,
    "own-devices": PUBLIC,
    "events": PUBLIC,
    "event-new": PUBLIC,
    "event": OWN,
    "event-csv": OWN,
    "event-print": OWN,
    "event-receipts": OWN,
    "event-messages": OWN,
    "event-recheck": OWN,
    "event-rounds": OWN,
    "event-round": OWN,
    "pairings": LINK,
    "standings": LINK,
    "hand-in": LINK,
    "handed": OWN,
    "handed-file": OWN,
    "receipt": LINK,
    "receipt-file": OWN,
    "own-account": PUBLIC,
    "own-enter": PUBLIC,
    "own-password": PUBLIC,
    "own-leave": PUBLIC,
    "collections": PUBLIC,
    "collection": PUBLIC,
    "together": PUBLIC,
    "collection-file": PUBLIC,
    "collection-take": PUBLIC,
    "own-export": PUBLIC,
    "own-delete": PUBLIC,
    "sealed": LINK,
    "copy": LINK,
    "disclosure": LINK,
    "shared": LINK,
    "shared-picture": LINK,
    "take": LINK,
    "list": OWN,
    "list-pdf": OWN,
    "list-face": OWN,
    "list-play": OWN,
    "list-play-file": OWN,
}
SECRET = "Quiet Secrets"


def list_patterns(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from list_patterns(pattern.url_patterns)
        else:
            yield pattern


PATTERNS = list(list_patterns(urlpatterns))
every_address = pytest.mark.parametrize(
    "pattern", PATTERNS, ids=lambda pattern: str(pattern.name)
)


@dataclass
class World:
    """A squad with all that hangs on it, its owner, and somebody with a squad of their own."""

    owner: Client
    other: Client
    values: Mapping[str, object]

    def address(self, pattern: URLPattern) -> str:
        wanted = {name: self.values[name] for name in pattern.pattern.converters}
        if str(pattern.pattern).startswith("at/"):
            wanted["code"] = self.values["at"]
        return reverse(str(pattern.name), kwargs=wanted)

    def state(self) -> list[object]:
        """Return all that belongs to the owner, as the database has it."""
        squad = self.values["key"]
        rows = [
            SavedSquad.objects.filter(pk=squad),
            SquadLink.objects.filter(squad=squad),
        ]
        rows += [
            PrintJob.objects.filter(squad=squad),
            SquadSeal.objects.filter(squad=squad),
        ]
        events = Event.objects.filter(pk=self.values["event"])
        rows += [events, EventList.objects.filter(event__in=events)]
        for model in (Receipt, Entrant, Match, EventMessage):
            rows.append(model.objects.filter(event__in=events))
        rows += [
            SquadGame.objects.filter(squad=squad),
            SavedCollection.objects.filter(owner=self.values["owner"]),
            ImportedFile.objects.filter(pk=self.values["imported"]),
        ]
        return [list(found.values()) for found in rows]


@pytest.fixture(scope="module")
def begun(server: Path) -> Iterator[World]:
    """Yield a world that no test changes: what each writes is gone after it."""
    with transaction.atomic():
        yield new_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(begun: World) -> World:
    """Return the same world, visited by browsers that remember nothing of other tests."""
    return replace(begun, owner=copy(begun.owner), other=copy(begun.other))


def copy(browser: Client) -> Client:
    made = Client(headers={"accept-language": "en"})
    made.cookies.load(browser.cookies)
    return made


def new_world() -> World:
    owner, other = (Client(headers={"accept-language": "en"}) for _n in range(2))
    legal = (ROOT / "cards/hydrophilia/rosters/legal-varga-drones.yaml").read_text(
        encoding="utf-8"
    )
    address = owner.post(
        "/import", {"text": re.sub("name: .*", f"name: {SECRET}", legal, count=1)}
    )["Location"]
    row = SavedSquad.objects.get(pk=address.rpartition("/")[2])
    assert row.name == SECRET
    seal = owner.post(f"{address}/seals")["Location"].rpartition("/")[2]
    owner.post(f"/seals/{seal}", {"do": "open whole"})
    owner.post(f"{address}/print", {"what": "sheet"})
    job = PrintJob.objects.get()
    PrintJob.objects.update(state=PrintJob.DONE, pages=1)
    get_prints_folder().mkdir(exist_ok=True)
    get_job_file(job).write_bytes(SECRET.encode())
    link = SquadLink.objects.create(squad=row, kind=SquadLink.COPY)
    for client in (owner, other):
        client.post("/collection/hydrophilia", {"do": "more patrolman"})
    other.post("/squads", {"pack": "hydrophilia", "name": "Mine"})
    form = {
        "name": SECRET,
        "deadline": "2099-01-01 10:00",
        "sealed": "1",
        "release": "2.0.0",
    }
    event = Event.objects.get(
        pk=owner.post("/events/new/hydrophilia", form)["Location"].rpartition("/")[2]
    )
    owner.post(f"/at/{event.code}", {"player": "Ann", "squad": str(row.pk)})
    owner.post(f"/events/{event.pk}", {"do": "lock"})
    owner.post(f"/events/{event.pk}/rounds", {"do": "pair", "names": "Bob\nCid"})
    assert Match.objects.count() == 1
    values = {
        "imported": import_list(row.owner),
        "event": event.pk,
        "list_id": EventList.objects.get().pk,
        "receipt": Receipt.objects.get().pk,
        "key": row.pk,
        "seal": seal,
        "job": job.pk,
        "code": sign_link(link),
        "pack": "hydrophilia",
        "number": 1,
        "card": "captain-davis",
        "form": "text",
        "shape": "square",
        "address": "0" * 24,
        "width": 240,
        "at": event.code,
        "token": "guessed",
        "owner": row.owner,
        "kind": "character",
        "version": "2.0.0",
    }
    return World(owner, other, values)


def import_list(owner: str) -> UUID:
    """Return the id of an imported list whose cards were rendered."""
    row = store_list(owner, SECRET.encode(), f"{SECRET}.ros")
    row.facts = asdict(ListFacts(0, "", 0, 0, 0, True, {}, (), "a6", 1, ()))
    row.save()
    PrintJob.objects.create(
        owner=owner, imported=row, text="", wish={}, state=PrintJob.DONE
    )
    picture = get_picture_file("0" * 24, 240, get_faces_folder(row.id))
    picture.parent.mkdir(parents=True)
    for file in (get_list_file(row.id), picture):
        file.write_bytes(SECRET.encode())
    return row.id


def body(answer: HttpResponse) -> str:
    whole = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return whole.decode("utf-8", "replace")


@every_address
def test_nobody_reads_or_changes_what_is_not_theirs(
    pattern: URLPattern, world: World
) -> None:
    assert pattern.name in WHO, "say in WHO for whom the new address is"
    who, address, before = WHO[pattern.name], world.address(pattern), world.state()
    for stranger in (world.other, Client()):
        answers = [
            stranger.get(address),
            stranger.post(address, {"do": "remove 1 engineer-varga", "keep": "1"}),
        ]
        if who != LINK:
            assert not any(SECRET in body(answer) for answer in answers)
        if who == OWN:
            assert {answer.status_code for answer in answers} <= {404, 405}
            assert 404 in {answer.status_code for answer in answers}
        assert all(answer.status_code < 500 for answer in answers)
        assert world.state() == before
    if who == OWN:
        assert {
            world.owner.get(address).status_code,
            world.owner.post(address).status_code,
        } & {
            200,
            302,
            400,
        }


@every_address
def test_no_form_is_taken_from_another_site(pattern: URLPattern, world: World) -> None:
    foreign = Client(enforce_csrf_checks=True)
    foreign.cookies[COOKIE] = world.owner.cookies[COOKIE].value
    before = world.state()
    assert foreign.post(world.address(pattern), {"do": "make edit"}).status_code == 403
    assert world.state() == before


@every_address
def test_no_page_runs_what_stands_in_it(pattern: URLPattern, world: World) -> None:
    answer = world.owner.get(world.address(pattern))
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    if (
        answer["Content-Type"].startswith("text/html")
        and "Content-Disposition" not in answer
    ):
        assert not re.search(
            (
                r"<script(?![^>]* "
                r"(?:src=|type=.application/json))|<style|\sstyle=|\son[a-z]+=|javascript:"
            ),
            body(answer),
        )


def test_what_costs_much_is_limited(world: World) -> None:
    told = [
        world.other.post("/import", {"text": "nothing"}).status_code for _n in range(61)
    ]
    assert set(told[:59]) == {400}
    assert told[-1] == 429
    assert (
        world.owner.post("/import", {"text": "nothing"}).status_code == 400
    )  # others go on


@every_address
def test_every_page_is_read_in_another_language_at_the_same_place(
    pattern: URLPattern, world: World
) -> None:
    address = world.address(pattern) + (
        "?view=cards" if pattern.name == "squad" else ""
    )
    answer = world.owner.get(address)
    if (
        not answer["Content-Type"].startswith("text/html")
        or "Content-Disposition" in answer
        or not answer.content
    ):
        return
    (stays,) = re.findall(
        r'name="next" value="([^"]*)">\n<button name="language"', body(answer)
    )
    changed = world.owner.post(
        "/language", {"language": "de", "next": unescape(stays)}, follow=True
    )
    assert changed.redirect_chain == [(address, 302)]
    assert '<html lang="de"' in body(changed)
