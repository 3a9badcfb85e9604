"""Accounts, the browsers that have access to an owner's data, and counters for rate limits."""

from __future__ import annotations

import uuid

from django.db import models

from builder.web.fields import (
    CharField,
    DateTimeField,
    OptionalDateTimeField,
    PositiveIntegerField,
    UUIDField,
)


class Account(models.Model):
    """An owner's name and password, with which other browsers can sign in."""

    owner = CharField(max_length=64, unique=True)
    name = CharField(max_length=40)
    key = CharField(max_length=80, unique=True)
    """The name in the form in which names are compared."""
    password = CharField(max_length=200)
    salt = CharField(max_length=32)
    sealed = CharField(max_length=128)
    """The owner's secret, masked with bytes that only the password can make."""
    made = DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "squadpress_account"


class Device(models.Model):
    """A browser that has access to an owner's squads, signed in or not.

    The row of a removed browser stays. A browser without a row is one that a restored backup does
    not know yet.
    """

    BEGAN = "began"
    LINK = "link"
    CODE = "code"
    PASSWORD = "password"
    EARLIER = "earlier"

    id = UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = CharField(max_length=64, unique=True)
    """A hash of the browser's own secret."""
    owner = CharField(max_length=64, db_index=True)
    """Whose squads it opens, as `SavedSquad.owner` and `Account.owner` have it."""
    name = CharField(max_length=80, blank=True)
    """The browser and its system, as they call themselves. Empty if unknown."""
    way = CharField(max_length=12)
    """The way in which it got access: one of the constants above."""
    added = DateTimeField(auto_now_add=True)
    seen = DateTimeField(auto_now_add=True)
    """Its last visit, to within half a day."""
    removed = OptionalDateTimeField(null=True)
    """When its access was taken away."""

    class Meta:
        db_table = "squadpress_device"


class Handover(models.Model):
    """A device link that waits to be used, with the masked secret of its owner.

    Only the link can unmask it, not the database.
    """

    key = CharField(max_length=64, primary_key=True)
    """A hash of the token in the link."""
    sealed = CharField(max_length=128)
    owner = CharField(max_length=64, db_index=True, default="")
    """Whose squads it opens. Empty in links from before 0.2.0, which have all expired."""
    until = DateTimeField(db_index=True)

    class Meta:
        db_table = "squadpress_handover"


class Tally(models.Model):
    """A counter of one person's actions within a period, for rate limits.

    `key` is a hash of person, action and period, so that the table names nobody.
    """

    key = CharField(max_length=64, primary_key=True)
    count = PositiveIntegerField(default=0)
    until = DateTimeField(db_index=True)

    class Meta:
        db_table = "squadpress_tally"
