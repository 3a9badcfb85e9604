"""Messages of an organiser to the players of an event."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from builder.messages import gettext as _
from builder.web.events.forms import FieldError
from builder.web.events.models import Event, EventList, EventMessage

MAX_MESSAGES = 50
MAX_MESSAGE_LENGTH = 2_000


def messages_of(event: Event) -> QuerySet[EventMessage]:
    """Return the messages of an event, the newest first."""
    return EventMessage.objects.filter(event=event)


def send_message(
    event: Event, text: str, release: str = "", lists: Sequence[UUID] = ()
) -> EventMessage:
    """Store a message to all players, or about a release to those of some lists.

    Raise FieldError for a text that is empty or too long, and for too many messages.
    """
    if not text:
        raise FieldError("text", _("the message is empty"), _("Write a message."))
    if len(text) > MAX_MESSAGE_LENGTH:
        message = _("the message has {count} characters", count=len(text))
        hint = _("Shorten it to {count} characters.", count=MAX_MESSAGE_LENGTH)
        raise FieldError("text", message, hint)
    if messages_of(event).count() >= MAX_MESSAGES:
        message = _("you have reached the maximum number of messages")
        raise FieldError("text", message, _("Delete an old message."))
    return EventMessage.objects.create(
        event=event,
        text=text,
        sent=timezone.now(),
        release=release,
        lists=[str(key) for key in lists],
    )


def list_messages(event: Event, event_list: EventList | None) -> list[EventMessage]:
    """Return the messages that the player of a list sees, or somebody without one."""
    key = str(event_list.pk) if event_list is not None else ""
    return [
        message
        for message in messages_of(event)
        if not message.release or key in message.lists
    ]
