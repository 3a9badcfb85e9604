"""Receipts: what was handed in, when, and under which release and rules.

Each list that is handed in has one. It stays when the list is replaced or withdrawn.
"""

import secrets
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from builder.messages import gettext as _
from builder.web.events.forms import FieldError
from builder.web.events.models import Event, EventList, Receipt

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Base 32 of Crockford: no letter looks like a digit."""
LOOKALIKES = str.maketrans("OIL", "011")
NUMBER_LENGTH = 8
MAX_RECEIPTS = 20
"""Receipts of a player for an event. Each has a copy of the list."""


def make_receipt(event_list: EventList) -> Receipt:
    """Store the receipt of a list that is handed in now. It replaces the player's last one.

    Delete the oldest receipts of a player who has too many.
    """
    end_receipts(event_list.event, event_list.owner, Receipt.REPLACED)
    receipts = Receipt.objects.filter(event=event_list.event, owner=event_list.owner)
    kept_ids = list(receipts.values_list("pk", flat=True)[: MAX_RECEIPTS - 1])
    receipts.exclude(pk__in=kept_ids).delete()
    return Receipt.objects.create(
        event=event_list.event,
        owner=event_list.owner,
        number=make_number(),
        player=event_list.player,
        text=event_list.text,
        verdict=event_list.verdict,
        handed=event_list.handed,
    )


def end_receipts(event: Event, owner: str, outcome: str) -> None:
    """Record that a player's list no longer counts, and why."""
    receipts = Receipt.objects.filter(event=event, owner=owner, ended=None)
    receipts.update(ended=timezone.now(), outcome=outcome)


def make_number() -> str:
    """Return a random number of a receipt."""
    return "".join(secrets.choice(ALPHABET) for _digit in range(NUMBER_LENGTH))


def format_receipt_number(number: str) -> str:
    """Return a number in two groups, as it is shown and printed."""
    return f"{number[:4]}-{number[4:]}"


def find_receipt(event: Event, text: str) -> Receipt:
    """Return the receipt with the number that somebody typed. Raise FieldError if there is none."""
    characters = [character for character in text.upper() if character.isalnum()]
    number = "".join(characters).translate(LOOKALIKES)
    receipt = Receipt.objects.filter(event=event, number=number).first()
    if receipt is None:
        hint = _("Check its 8 digits and letters. It may belong to another event.")
        message = _("this event has no receipt {number}", number=text.strip()[:40])
        raise FieldError("number", message, hint)
    return receipt


def load_receipt(event: Event, key: UUID) -> Receipt:
    """Return a receipt of an event. Raise Http404 for any other."""
    receipt = Receipt.objects.filter(event=event, pk=key).first()
    if receipt is None:
        raise Http404
    return receipt
