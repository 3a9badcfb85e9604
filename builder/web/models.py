"""Squads as the database keeps them. Their text, as a roster file has it, is their one truth."""

from __future__ import annotations

import secrets
import uuid
from datetime import date, datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q, QuerySet


class SavedSquad(models.Model):
    """A squad and whom it belongs to. What its text says besides is repeated in columns, so that lists are quick."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    owner: models.CharField[str, str] = models.CharField(max_length=64)
    """A hash of the secret that the owner's browser holds."""
    pack: models.CharField[str, str] = models.CharField(max_length=100)
    release: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    """The release that it is pinned to; empty where it moves with the game."""
    based: models.CharField[str, str] = models.CharField(max_length=40, blank=True, default="")
    """The release that the game was at when the squad was written last; empty where it was at none."""
    stays: models.CharField[str, str] = models.CharField(max_length=40, blank=True, default="")
    """The release that its owner has seen and does not want to move to yet."""
    text: models.TextField[str, str] = models.TextField()
    name: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    notes: models.TextField[str, str] = models.TextField(blank=True)
    place: models.IntegerField[int, int] = models.IntegerField(default=0)
    """Where it stands among its owner's squads; equal ones by when they were changed."""
    edition: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    """Counts the changes, so that a page knows whether it is old."""
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    changed: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now=True)
    opened: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    leaves: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    """When it is removed unless somebody opens it before; only of squads that nobody opened for long."""

    class Meta:
        ordering: ClassVar = ["place", "-changed"]
        indexes: ClassVar = [models.Index(fields=["owner", "place"], name="squad_owner")]


def squads_of(owner: str) -> QuerySet[SavedSquad]:
    """The squads that a browser may change: its own, and those that a link for editing brought to it."""
    brought = SquadGuest.objects.filter(owner=owner).values("link__squad")
    return (
        SavedSquad.objects.filter(Q(owner=owner) | Q(id__in=brought))
        if owner
        else SavedSquad.objects.none()
    )


class SquadStep(models.Model):
    """One change of a squad, so that it can be taken back and made again."""

    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE
    )
    number: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    before: models.TextField[str, str] = models.TextField()
    after: models.TextField[str, str] = models.TextField()
    what = models.JSONField()
    """What it was called, as `builder.messages.to_json` writes it."""
    undone: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    made: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["squad", "number"], name="step_number")
        ]


def new_link_code() -> str:
    """Return a random code of 32 hexadecimal digits, which no other link has had."""
    return secrets.token_hex(16)


class SquadLink(models.Model):
    """A link to a squad: whoever has it may see the squad, copy it, or edit it. Deleted, it opens nothing."""

    VIEW, COPY, EDIT = KINDS = ("view", "copy", "edit")

    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE
    )
    kind: models.CharField[str, str] = models.CharField(max_length=8)
    code: models.CharField[str, str] = models.CharField(
        max_length=32, unique=True, default=new_link_code
    )
    """The random value that the address is derived from; of a link from before 0.2.0 its row number then.

    A row number is used again after a backup is restored. That is why no new link gets one.
    """
    made: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["squad", "kind"], name="squad_link")
        ]


class SquadGuest(models.Model):
    """A browser that a link for editing was opened in: the squad is its own too, as long as the link is there."""

    link: models.ForeignKey[SquadLink, SquadLink] = models.ForeignKey(
        SquadLink, on_delete=models.CASCADE
    )
    owner: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "owner"], name="guest_of_link")
        ]


class SquadSeal(models.Model):
    """A squad as it was sealed: the opponent's copy, the owner's key, and what of it is opened by now."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE
    )
    copy = models.JSONField()
    key = models.JSONField()
    opened = models.JSONField(default=list)
    """Names of secrets, in the order in which they were opened."""
    made: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-made"]


class SquadGame(models.Model):
    """How far a game with a squad is, as the page at the table keeps it; `edition` counts what the server was told."""

    squad: models.OneToOneField[SavedSquad, SavedSquad] = models.OneToOneField(
        SavedSquad, on_delete=models.CASCADE
    )
    state = models.JSONField()
    edition: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    changed: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now=True)


class Event(models.Model):
    """Something that players hand lists in for: what is played, until when, and who sees the lists before it begins."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    owner: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    code: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        unique=True, default=uuid.uuid4, editable=False
    )
    """What the link for players ends in."""
    name: models.CharField[str, str] = models.CharField(max_length=200)
    notes: models.TextField[str, str] = models.TextField(blank=True)
    pack: models.CharField[str, str] = models.CharField(max_length=100)
    release: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    """The release that lists are judged by; empty for a game that has none."""
    params = models.JSONField(default=dict)
    """The parameters that all lists have; each player chooses the others."""
    played: models.CharField[str, str] = models.CharField(max_length=100, blank=True, default="")
    """The play format that lists are judged by, by its id; empty for none."""
    day: models.DateField[date | None, date | None] = models.DateField(null=True)
    """The day of play, on which that format is taken; without one there is no format."""
    zone: models.CharField[str, str] = models.CharField(max_length=64, default="UTC")
    """Where its moments are told, as the time zone database calls it."""
    deadline: models.DateTimeField[datetime, datetime] = models.DateTimeField()
    sealed: models.BooleanField[bool, bool] = models.BooleanField(default=True)
    """True if not even the organiser sees what is in a list before all are revealed."""
    reveals: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(
        null=True
    )
    """When the lists are revealed by themselves; without it their organiser reveals them."""
    locked: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    revealed: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(
        null=True
    )
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-deadline"]


class EventList(models.Model):
    """A list as it was handed in, and the verdict of then; both stay, whatever becomes of the squad or the game."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    event: models.ForeignKey[Event, Event] = models.ForeignKey(Event, on_delete=models.CASCADE)
    owner: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    player: models.CharField[str, str] = models.CharField(max_length=80)
    text: models.TextField[str, str] = models.TextField()
    verdict = models.JSONField()
    """As `builder.web.events.Judgement` has it."""
    handed: models.DateTimeField[datetime, datetime] = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["player", "handed"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "owner"], name="list_of_event")
        ]


class PrintJob(models.Model):
    """Something to be printed, as it was when it was asked for, and how far it is; its file lies in the data folder."""

    QUEUED, RUNNING, DONE, FAILED = "queued", "running", "done", "failed"

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    owner: models.CharField[str, str] = models.CharField(max_length=64)
    squad: models.ForeignKey[SavedSquad | None, SavedSquad | None] = models.ForeignKey(
        SavedSquad, on_delete=models.CASCADE, null=True
    )
    event: models.ForeignKey[Event | None, Event | None] = models.ForeignKey(
        Event, on_delete=models.CASCADE, null=True
    )
    """The one of both that it is for."""
    text: models.TextField[str, str] = models.TextField()
    """The squad; of an event, all lists as JSON, each by its player."""
    wish = models.JSONField()
    """What is wanted, as `builder.web.printing.PrintWish` has it."""
    state: models.CharField[str, str] = models.CharField(
        max_length=8, default=QUEUED, db_index=True
    )
    done: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    total: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    """Faces that are set, of how many."""
    pages: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    told = models.JSONField(default=list)
    """Why it failed, or what is to be known of it: messages as `builder.messages.to_json` writes them."""
    tries: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    made: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    started: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(
        null=True
    )
    beat: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    """When whoever works at it was last known to be alive."""

    class Meta:
        ordering: ClassVar = ["-made"]


class SavedCollection(models.Model):
    """What somebody owns of a game: for each card the copies, and how many of them are painted."""

    owner: models.CharField[str, str] = models.CharField(max_length=64)
    pack: models.CharField[str, str] = models.CharField(max_length=100)
    owned = models.JSONField(default=dict)
    """As a collection's file has it, `builder.model.roster.Collection`."""
    changed: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "pack"], name="collection_of_owner")
        ]


class Account(models.Model):
    """A name and a password under which a browser finds the secret that its squads are kept under."""

    owner: models.CharField[str, str] = models.CharField(max_length=64, unique=True)
    name: models.CharField[str, str] = models.CharField(max_length=40)
    key: models.CharField[str, str] = models.CharField(max_length=80, unique=True)
    """The name as it is compared."""
    password: models.CharField[str, str] = models.CharField(max_length=200)
    salt: models.CharField[str, str] = models.CharField(max_length=32)
    sealed: models.CharField[str, str] = models.CharField(max_length=128)
    """The secret under a mask that only the password makes."""
    made: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)


class Device(models.Model):
    """A browser that has access to an owner's squads, with an account or without one.

    The row of a removed browser stays: without a row a browser is one that a restored backup does not know yet.
    """

    BEGAN, LINK, CODE, PASSWORD, EARLIER = "began", "link", "code", "password", "earlier"

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    key: models.CharField[str, str] = models.CharField(max_length=64, unique=True)
    """A hash of the browser's own secret."""
    owner: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    """Whose squads it opens, as `SavedSquad.owner` and `Account.owner` have it."""
    name: models.CharField[str, str] = models.CharField(max_length=80, blank=True)
    """What the browser calls itself and its system; empty where it does not say."""
    way: models.CharField[str, str] = models.CharField(max_length=12)
    """How it got access: one of the constants above."""
    added: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    seen: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    """Its last visit, to within half a day."""
    removed: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(
        null=True
    )
    """When its access was taken away."""


class Handover(models.Model):
    """A browser's secret on its way to another device: what the link does not say, the database cannot read."""

    key: models.CharField[str, str] = models.CharField(max_length=64, primary_key=True)
    """A hash of what stands in the link."""
    sealed: models.CharField[str, str] = models.CharField(max_length=128)
    owner: models.CharField[str, str] = models.CharField(max_length=64, db_index=True, default="")
    """Whose squads it opens; empty in links from before 0.2.0, which are over by now."""
    until: models.DateTimeField[datetime, datetime] = models.DateTimeField(db_index=True)


class Tally(models.Model):
    """How often somebody did something within a time: `key` is a hash of who, what and which time."""

    key: models.CharField[str, str] = models.CharField(max_length=64, primary_key=True)
    count: models.PositiveIntegerField[int, int] = models.PositiveIntegerField(default=0)
    until: models.DateTimeField[datetime, datetime] = models.DateTimeField(db_index=True)
