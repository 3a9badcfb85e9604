"""Squads as the database keeps them. Their text, as a roster file has it, is their one truth."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import ClassVar

from django.db import models


class SavedSquad(models.Model):
    """A squad and whom it belongs to. What its text says besides is repeated in columns, so that lists are quick."""

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner: models.CharField[str, str] = models.CharField(max_length=64)
    """A hash of the secret that the owner's browser holds."""
    pack: models.CharField[str, str] = models.CharField(max_length=100)
    release: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    """The release that it is pinned to; empty where it moves with the game."""
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
    steps: models.Manager[SquadStep]

    class Meta:
        ordering: ClassVar = ["place", "-changed"]
        indexes: ClassVar = [models.Index(fields=["owner", "place"], name="squad_owner")]


class SquadStep(models.Model):
    """One change of a squad, so that it can be taken back and made again."""

    squad: models.ForeignKey[SavedSquad, SavedSquad] = models.ForeignKey(SavedSquad, on_delete=models.CASCADE)
    number: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    before: models.TextField[str, str] = models.TextField()
    after: models.TextField[str, str] = models.TextField()
    what = models.JSONField()
    """What it was called, as `builder.messages.to_json` writes it."""
    undone: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    made: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["squad", "number"], name="step_number")]
