"""Rows of every table of e082904 reach the models of the apps, on both databases."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import pytest

from tests.web.old_database import run
from tests.web.test_serve import postgres

__all__ = ["postgres"]
pytestmark = pytest.mark.slow
MIGRATE = """
import django
django.setup()
from datetime import UTC, datetime
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
then = datetime(2026, 11, 24, tzinfo=UTC)
target = ("squadpress", "0012_no_column_for_play_formats")
executor = MigrationExecutor(connection)
executor.migrate([target])
old = executor.loader.project_state([target]).apps
def add(name, /, **values):
    return old.get_model("squadpress", name).objects.create(**values)
squad = add("SavedSquad", owner="me", pack="lanterns", text="pack: lanterns", name="Old")
add("SquadStep", squad=squad, number=1, before="a", after="b", what="named")
link = add("SquadLink", squad=squad, kind="edit")
add("SquadGuest", link=link, owner="guest")
add("SquadSeal", squad=squad, copy={"a": 1}, key={"b": 2})
add("SquadGame", squad=squad, state={"round": 3})
event = add("Event", owner="me", name="Open", pack="lanterns", deadline=then)
add("EventList", event=event, owner="me", player="Ann", text="x", verdict={}, handed=then)
add("EventList", event=event, owner="b", player="Bob", text="y", verdict={"salt": "s"}, handed=then)
add("PrintJob", owner="me", squad=squad, text="x", wish={"pack": "lanterns"})
add("PrintJob", owner="me", event=event, text="[]", wish={"pack": "lanterns"})
add("SavedCollection", owner="me", pack="lanterns", owned={"a": {"count": 2}})
add("Account", owner="me", name="Ada", key="ada", password="p", salt="s", sealed="m")
add("Handover", key="h", sealed="m", until=then)
add("Tally", key="t", until=then)
executor = MigrationExecutor(connection)
executor.migrate(executor.loader.graph.leaf_nodes())
counts = {}
for label in ("accounts", "collection", "events", "squads"):
    for model in apps.get_app_config(label).get_models():
        counts[model.__name__] = model.objects.count()
print(counts)
from builder.web.events.models import EventList
from builder.web.squads.models import PrintJob, SquadGuest, SquadSeal
guest, seal = SquadGuest.objects.get(), SquadSeal.objects.get()
print((guest.link.squad.name, guest.link.code == str(guest.link.pk), seal.copy, seal.key))
event = EventList.objects.get(player="Ann").event
assert (event.win_points, event.draw_points, event.loss_points, event.takes_reports) == (3, 1, 0, False)
print((event.name, sorted(str(job.event) for job in PrintJob.objects.all())))
from builder.web.events.models import Receipt
receipt = Receipt.objects.get()
print((receipt.player, receipt.text, receipt.handed == then, receipt.ended, len(receipt.number)))
executor = MigrationExecutor(connection)
print(executor.migration_plan(executor.loader.graph.leaf_nodes()))
from builder.web.squads.imported_lists import find_owned_lists, remove_expired_lists, store_list
from builder.web.squads.models import ImportedFile
kept, expired = store_list("me", bytes(range(256)), "a.ros"), store_list("me", b"x", "b.ros")
ImportedFile.objects.filter(pk=kept.pk).update(expires=None, facts={"cards": []})
ImportedFile.objects.filter(pk=expired.pk).update(expires=then)
PrintJob.objects.create(owner="me", imported=expired, text="", wish={})
import zlib
removed, (left,) = remove_expired_lists(), find_owned_lists("me")
print((removed, zlib.decompress(bytes(left.data)) == bytes(range(256)), left.facts, PrintJob.objects.count()))
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_all_rows_reach_the_models_of_the_apps(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres") if kind == "postgresql" else ""
    counts, guest, events, receipt, plan, lists = map(
        literal_eval, run(MIGRATE, tmp_path, database).splitlines()
    )
    assert counts == {
        "Account": 1,
        "Device": 0,
        "Handover": 1,
        "Tally": 1,
        "SavedCollection": 1,
        "Event": 1,
        "EventList": 2,
        "Receipt": 1,
        "Entrant": 0,
        "Match": 0,
        "EventMessage": 0,
        "SavedSquad": 1,
        "SquadStep": 1,
        "SquadLink": 1,
        "SquadGuest": 1,
        "SquadSeal": 1,
        "SquadGame": 1,
        "ImportedFile": 0,
        "PrintJob": 2,
    }
    assert guest == ("Old", True, {"a": 1}, {"b": 2})
    assert events == ("Open", ["None", "Open"])
    assert receipt == ("Bob", "y", True, None, 8)
    assert plan == []
    assert lists == (1, True, {"cards": []}, 2)


ENTRANTS = """
import django
django.setup()
from datetime import UTC, datetime
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
then = datetime(2026, 11, 24, tzinfo=UTC)
target = ("events", "0004_messages")
executor = MigrationExecutor(connection)
executor.migrate([target])
old = executor.loader.project_state([target]).apps
def add(name, /, **values):
    return old.get_model("events", name).objects.create(**values)
event = add("Event", owner="me", name="Open", pack="lanterns", deadline=then)
other = add("Event", owner="me", name="Other", pack="lanterns", deadline=then)
def hand_in(owner, player, in_event, outcome, number):
    ended = then if outcome else None
    add("Receipt", event=in_event, owner=owner, number=number, player=player, text="x", verdict={}, handed=then,
        ended=ended, outcome=outcome)
def make_list(owner, player):
    return add("EventList", event=event, owner=owner, player=player, text="x", verdict={}, handed=then)
hand_in("a", "Ann", event, "", "1")
hand_in("b", "Bob", event, "withdrawn", "2")
hand_in("c", "Cid", event, "removed", "3")
hand_in("d", "Cid", event, "withdrawn", "4")
hand_in("e", "Eve", other, "removed", "5")
hand_in("f", "Fay", event, "withdrawn", "6")
lists = {"Ann": make_list("a", "Ann"), "Fay 2": make_list("f", "Fay")}
for number, name in enumerate(["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Fay 2", ""], 1):
    add("Entrant", event=event, event_list=lists.get(name), number=number, name=name)
match = add("Match", event=event, round_number=1, table=1, outcome="first", is_reported=True,
    first=old.get_model("events", "Entrant").objects.get(number=1),
    second=old.get_model("events", "Entrant").objects.get(number=2))
executor = MigrationExecutor(connection)
executor.migrate(executor.loader.graph.leaf_nodes())
from builder.web.events.models import Entrant, Event, Match
print(dict(Entrant.objects.values_list("number", "owner")))
print([event.seeds for event in Event.objects.all()])
print(list(Match.objects.values_list("outcome", "is_reported", "first_report", "second_report")))
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_entrants_get_the_keys_of_their_players(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Cid was the name of two players, Dan had no list, Fay entered again."""
    database = request.getfixturevalue("postgres") if kind == "postgresql" else ""
    owners, seeds, matches = map(
        literal_eval, run(ENTRANTS, tmp_path, database).splitlines()
    )
    assert owners == {1: "a", 2: "b", 3: "", 4: "", 5: "", 6: "", 7: "f", 8: ""}
    assert seeds == [[], []]
    assert matches == [("first", True, "", "")]
