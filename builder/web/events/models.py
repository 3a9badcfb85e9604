"""Events and the lists that players hand in."""

from __future__ import annotations

import uuid
from datetime import date
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.db import models
from django.utils import timezone

from builder.web.fields import (
    BooleanField,
    CharField,
    DateTimeField,
    JSONField,
    OptionalDateField,
    OptionalDateTimeField,
    PositiveIntegerField,
    TextField,
    UUIDField,
)


class Event(models.Model):
    """An event: its game, its deadline, and who can see the lists before they are revealed."""

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = CharField(max_length=64, db_index=True)
    code = UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """The last part of the players' link."""
    name = CharField(max_length=200)
    notes = TextField(blank=True)
    pack = CharField(max_length=100)
    release = CharField(max_length=40, blank=True)
    """The release that lists are checked by. Empty for a game without releases."""
    params = JSONField(default=dict)
    """The parameters that all lists have. Each player chooses the others."""
    played = CharField(max_length=100, blank=True, default="")
    """The id of the play format that lists are checked by. Empty for none."""
    day = OptionalDateField(null=True)
    """The day of play, for which the play format counts. None without a play format."""
    zone = CharField(max_length=64, default="UTC")
    """The time zone in which its times are shown, by its name in the time zone database."""
    deadline = DateTimeField()
    sealed = BooleanField(default=True)
    """True if not even the organiser sees a list before all are revealed."""
    reveals = OptionalDateTimeField(null=True)
    """When the lists are revealed automatically. None: when the organiser does it."""
    locked = OptionalDateTimeField(null=True)
    revealed = OptionalDateTimeField(null=True)
    win_points = PositiveIntegerField(default=3)
    draw_points = PositiveIntegerField(default=1)
    loss_points = PositiveIntegerField(default=0)
    takes_reports = BooleanField(default=False)
    """True if players may report the results of their matches."""
    seeds = JSONField(default=list)
    """The random seeds by which the rounds were drawn, the first round first.

    Rounds that were paired before seeds were stored have none.
    """
    created = DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "squadpress_event"
        ordering: ClassVar = ["-deadline"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_revealed(self) -> bool:
        """True once all lists are shown to whoever has the link."""
        is_due = self.reveals is not None and self.reveals <= timezone.now()
        return self.revealed is not None or is_due

    @property
    def is_closed(self) -> bool:
        """True once no more lists can be handed in."""
        return (
            self.locked is not None
            or self.deadline <= timezone.now()
            or self.is_revealed
        )

    @property
    def is_readable(self) -> bool:
        """True if the organiser may read the lists."""
        return not self.sealed or self.is_revealed

    @property
    def is_sealed_until(self) -> bool:
        """True while sealed lists wait for a time that was announced to the players."""
        return self.sealed and self.reveals is not None and not self.is_revealed

    @property
    def last_day(self) -> date:
        """The day of the deadline, in the event's time zone."""
        return self.deadline.astimezone(ZoneInfo(self.zone)).date()


class EventList(models.Model):
    """A list as it was handed in, with its verdict.

    Later changes of the squad or the game do not change them.
    """

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.CASCADE
    )
    owner = CharField(max_length=64, db_index=True)
    player = CharField(max_length=80)
    text = TextField()
    verdict = JSONField()
    """The fields of a `builder.web.events.lists.ListVerdict`."""
    handed = DateTimeField()

    class Meta:
        db_table = "squadpress_eventlist"
        ordering: ClassVar = ["player", "handed"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "owner"], name="list_of_event")
        ]


class Receipt(models.Model):
    """The proof that a list was handed in. It stays when the list is replaced or withdrawn."""

    REPLACED, WITHDRAWN, REMOVED = "replaced", "withdrawn", "removed"

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    """The last part of its address."""
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.CASCADE
    )
    owner = CharField(max_length=64, db_index=True)
    number = CharField(max_length=8)
    """The number by which the organiser looks it up."""
    player = CharField(max_length=80)
    text = TextField()
    verdict = JSONField()
    """The fields of a `builder.web.events.lists.ListVerdict`."""
    handed = DateTimeField()
    ended = OptionalDateTimeField(null=True)
    """When the list was replaced, withdrawn or removed. None while it counts."""
    outcome = CharField(max_length=16, blank=True, default="")

    class Meta:
        db_table = "squadpress_receipt"
        ordering: ClassVar = ["-handed"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "number"], name="number_of_receipt"
            )
        ]


class Entrant(models.Model):
    """A player in the rounds of an event. The entrant stays when the list is removed."""

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.CASCADE
    )
    event_list: models.ForeignKey[EventList | None, EventList | None] = (
        models.ForeignKey(EventList, null=True, on_delete=models.SET_NULL)
    )
    """The list that was handed in. None if it was removed, or there never was one."""
    owner = CharField(max_length=64, blank=True, default="", db_index=True)
    """The player's key, which stays when the list is removed. Empty without a list."""
    number = PositiveIntegerField()
    """The number by which equal players are ordered, drawn by lot."""
    name = CharField(max_length=80, blank=True)
    """Empty if the player deleted all data."""
    is_active = BooleanField(default=True)
    """False after the player has dropped out."""

    class Meta:
        db_table = "squadpress_entrant"
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "number"], name="number_of_entrant"
            )
        ]


class Match(models.Model):
    """A match of a round at a table, or a bye."""

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.CASCADE
    )
    round_number = PositiveIntegerField()
    table = PositiveIntegerField()
    first: models.ForeignKey[Entrant, Entrant] = models.ForeignKey(
        Entrant, on_delete=models.CASCADE, related_name="first_matches"
    )
    second: models.ForeignKey[Entrant | None, Entrant | None] = models.ForeignKey(
        Entrant, null=True, on_delete=models.CASCADE, related_name="second_matches"
    )
    """None for a bye."""
    outcome = CharField(max_length=8, blank=True, default="")
    """One of `builder.web.events.standings.OUTCOMES`."""
    is_reported = BooleanField(default=False)
    """True if the players reported the outcome, and not the organiser."""
    first_report = CharField(max_length=8, blank=True, default="")
    second_report = CharField(max_length=8, blank=True, default="")
    """The outcomes that the players reported. They settle the match if they are equal."""

    class Meta:
        db_table = "squadpress_match"
        ordering: ClassVar = ["round_number", "table"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "round_number", "table"], name="table_of_round"
            )
        ]

    @property
    def is_disputed(self) -> bool:
        """True if the players reported different outcomes, and the organiser has not decided."""
        reports = {self.first_report, self.second_report}
        return not self.outcome and "" not in reports and len(reports) > 1


class EventMessage(models.Model):
    """A message of the organiser. Players see it on their pages of the event."""

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.CASCADE
    )
    text = TextField()
    sent = DateTimeField()
    release = CharField(max_length=40, blank=True, default="")
    """The release under which lists were checked again. Empty for a message to all players."""
    lists = JSONField(default=list)
    """The ids of the lists whose players see a message about a release."""

    class Meta:
        db_table = "squadpress_eventmessage"
        ordering: ClassVar = ["-sent"]
