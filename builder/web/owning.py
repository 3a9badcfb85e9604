"""All that belongs to one browser: carried to another device, brought back by a code, taken along, deleted."""

import base64
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.roster import Owned
from builder.web.collecting import collection_of, own
from builder.web.events import legible
from builder.web.models import (
    Account,
    Device,
    Event,
    EventList,
    Handover,
    PrintJob,
    SavedCollection,
    SavedSquad,
    SquadGame,
    SquadGuest,
    SquadLink,
    SquadSeal,
    SquadStep,
    squads_of,
)
from builder.web.owner import key_of, masked
from builder.web.printing import file_of

SHORT = timedelta(minutes=15)
"""How long a link to another device works."""
UNOPENED, NOTICE = timedelta(days=730), timedelta(days=60)
"""Squads that nobody opened for so long are announced, and removed so long after that."""
GROUP = 5


def code_of(secret: str) -> str:
    """A browser's secret as capitals and digits in groups, to be written down."""
    plain = base64.b32encode(secret.encode()).decode().rstrip("=")
    return " ".join(plain[at : at + GROUP] for at in range(0, len(plain), GROUP))


def secret_of(code: str) -> str:
    """The secret that a code stands for. UsageError for what is no code, or whose squads are gone."""
    secret = secret_in_code(code)
    key = key_of(secret)
    if not owns(key):
        raise UsageError(
            _("this code opens nothing"), _("Compare it with what was written down, sign by sign.")
        )
    return secret


def owns(owner: str) -> bool:
    """True if anything is kept of a browser."""
    kinds = (SavedSquad, SquadGuest, SavedCollection, Event, EventList, Account)
    return bool(owner) and any(kind.objects.filter(owner=owner).exists() for kind in kinds)


@dataclass(frozen=True, slots=True)
class OwnedThings:
    """How much is kept of an owner: what a browser gets access to that becomes a device of theirs."""

    squads: int
    collections: int
    events: int
    lists: int

    @property
    def is_empty(self) -> bool:
        """True if nothing is kept."""
        return not (self.squads or self.collections or self.events or self.lists)


def things_of(owner: str) -> OwnedThings:
    """Count what is kept of an owner; nothing for an empty key."""
    if not owner:
        return OwnedThings(0, 0, 0, 0)
    kinds = (SavedCollection, Event, EventList)
    return OwnedThings(
        squads_of(owner).count(), *(kind.objects.filter(owner=owner).count() for kind in kinds)
    )


def secret_in_code(code: str) -> str:
    """What a code as it was typed may stand for; empty for what is no code."""
    plain = (
        "".join(sign for sign in code.upper() if sign.isalnum()).replace("0", "O").replace("1", "I")
    )
    try:
        return base64.b32decode(plain + "=" * (-len(plain) % 8)).decode("ascii")
    except ValueError:
        return ""


def send(secret: str) -> str:
    """What a link ends in that carries a secret to one other device, once and soon."""
    token = secrets.token_urlsafe(24)
    Handover.objects.filter(until__lt=timezone.now()).delete()
    sealed, until = masked(secret.encode(), _mask(token)).hex(), timezone.now() + SHORT
    Handover.objects.create(key=key_of(token), sealed=sealed, owner=key_of(secret), until=until)
    return token


def owner_in_link(token: str) -> str:
    """Return the key of the owner whose squads a link opens; the link still works. InputUnreadable after its time."""
    link = Handover.objects.filter(key=key_of(token), until__gte=timezone.now()).first()
    if link is None:
        raise gone()
    return key_of(masked(bytes.fromhex(link.sealed), _mask(token)).decode())


def receive(token: str) -> str:
    """The secret that a link carries; after that it carries nothing. InputUnreadable where it does not."""
    with transaction.atomic():
        found = (
            Handover.objects.select_for_update()
            .filter(key=key_of(token), until__gte=timezone.now())
            .first()
        )
        if found is None:
            raise gone()
        found.delete()
    return masked(bytes.fromhex(found.sealed), _mask(token)).decode()


def gone() -> InputUnreadable:
    """The refusal of a link that works no more."""
    reason = _("this link opens nothing")
    return InputUnreadable(
        reason, _("It works once, for a quarter of an hour. Make another on the other device.")
    )


def _mask(token: str) -> bytes:
    """What only the token makes."""
    return sha256(b"mask" + token.encode()).digest() + sha256(b"more" + token.encode()).digest()


def merge(old: str, new: str) -> None:
    """Give what one browser had to another; links for editing that both opened are had once, and of two lists
    for one event the later."""
    if not old or old == new:
        return
    with transaction.atomic():
        SavedSquad.objects.filter(owner=old).update(owner=new)
        PrintJob.objects.filter(owner=old).update(owner=new)
        for row in SavedCollection.objects.filter(owner=old):
            had = collection_of(old, row.pack).owned
            own(new, row.pack, partial(larger, had))
            row.delete()
        Event.objects.filter(owner=old).update(owner=new)
        for one in EventList.objects.filter(owner=old):
            EventList.objects.filter(owner=new, event=one.event, handed__lt=one.handed).delete()
        handed = EventList.objects.filter(owner=new).values_list("event", flat=True)
        EventList.objects.filter(owner=old, event__in=list(handed)).delete()
        EventList.objects.filter(owner=old).update(owner=new)
        both = SquadGuest.objects.filter(owner=new).values("link")
        SquadGuest.objects.filter(owner=old).exclude(link__in=both).update(owner=new)
        SquadGuest.objects.filter(owner=old).delete()


def larger(one: Mapping[str, Owned], other: Mapping[str, Owned]) -> Mapping[str, Owned]:
    """Two counts of the same shelf as one: of each card the larger."""
    none = Owned(count=0)
    pairs = {card: (one.get(card, none), other.get(card, none)) for card in {**other, **one}}
    return {
        card: Owned(count=max(a.count, b.count), painted=max(a.painted, b.painted))
        for card, (a, b) in pairs.items()
    }


def all_of(owner: str) -> bytes:
    """Everything that is kept of a browser, as a ZIP: each squad as it is written, and what is known of it beside."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for account in Account.objects.filter(owner=owner):
            file.writestr("account.json", _json({"name": account.name, "made": account.made}))
        for row in SavedSquad.objects.filter(owner=owner):
            file.writestr(f"{row.id}.yaml", row.text)
            file.writestr(f"{row.id}.json", _json(_known(row)))
        for kept in SavedCollection.objects.filter(owner=owner):
            stated = {"pack": kept.pack, "owned": kept.owned}
            file.writestr(f"collection-{kept.pack}.json", _json(stated))
        for event in Event.objects.filter(owner=owner):
            file.writestr(f"event-{event.pk}.json", _json(_event(event)))
        for one in EventList.objects.select_related("event").filter(owner=owner):
            stated = {
                "event": one.event.name,
                "player": one.player,
                "handed": one.handed,
                "verdict": one.verdict,
            }
            file.writestr(f"handed-in-{one.pk}.json", _json({**stated, "list": one.text}))
    return out.getvalue()


def _event(event: Event) -> Mapping[str, object]:
    """An event with those who handed in; the lists are the players' own."""
    stated = Event.objects.filter(pk=event.pk).values().get()
    players = EventList.objects.filter(event=event).values("player", "handed", "verdict")
    return {**stated, "lists": list(players) if legible(event) else len(players)}


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=_day)


def _known(row: SavedSquad) -> Mapping[str, object]:
    """What is kept of a squad beside its text."""
    game = SquadGame.objects.filter(squad=row).first()
    return {
        "name": row.name,
        "notes": row.notes,
        "made": row.created,
        "changed": row.changed,
        "opened": row.opened,
        "steps": list(
            SquadStep.objects.filter(squad=row).values(
                "number", "made", "undone", "before", "after"
            )
        ),
        "links": list(SquadLink.objects.filter(squad=row).values("kind", "made")),
        "seals": list(SquadSeal.objects.filter(squad=row).values("made", "copy", "key", "opened")),
        "prints": list(PrintJob.objects.filter(squad=row).values("made", "state", "wish")),
        "game": game.state if game else None,
    }


def _day(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def delete_all(owner: str) -> None:
    """Delete everything that is kept of a browser, what was printed for it too."""
    if not owner:
        return
    jobs = PrintJob.objects.filter(Q(owner=owner) | Q(squad__owner=owner) | Q(event__owner=owner))
    for job in jobs:
        file_of(job).unlink(missing_ok=True)
    jobs.delete()
    SquadGuest.objects.filter(owner=owner).delete()
    SavedCollection.objects.filter(owner=owner).delete()
    EventList.objects.filter(owner=owner).delete()
    Event.objects.filter(owner=owner).delete()
    Account.objects.filter(owner=owner).delete()
    Handover.objects.filter(owner=owner).delete()
    Device.objects.filter(owner=owner, removed=None).delete()
    Device.objects.filter(owner=owner).update(
        name=""
    )  # a removed browser gets no access to what others begin
    SavedSquad.objects.filter(owner=owner).delete()


def outlive(today: datetime) -> tuple[int, int]:
    """Announce the end of squads that nobody opened for long, and remove those whose time is over: how many of each."""
    old = SavedSquad.objects.filter(opened__lt=today - UNOPENED)
    announced = old.filter(leaves=None).update(leaves=today + NOTICE)
    over = old.filter(leaves__lt=today)
    removed = over.count()
    over.delete()
    Event.objects.filter(deadline__lt=today - UNOPENED).delete()
    Device.objects.filter(seen__lt=today - UNOPENED, removed=None).delete()
    return announced, removed
