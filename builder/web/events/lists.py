"""Events: lists handed in by players, judged once as the event states, hidden until all are shown."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from builder.checks.roster.verdict import NOT_DECIDED
from builder.errata.impact import migrate_roster
from builder.errors import InputUnreadable, UsageError
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.formats import FormatDay
from builder.model.pack import Pack
from builder.model.roster import Roster
from builder.usecases.pack_states import load_migrations
from builder.usecases.roster.verdict import (
    format_canonical,
    format_csv,
    hash_pack_data,
    simplify_roster,
)
from builder.web.accounts.owned_data import to_export_json
from builder.web.cards.library import get_library, get_names
from builder.web.events.models import Event, EventList
from builder.web.squads.models import SavedSquad
from builder.web.squads.sizes import refuse_long_text, refuse_too_large
from builder.web.templating import get_page_language

MOST_LISTS, MOST_EVENTS = 500, 100
"""Lists of an event; events of an organiser."""
DIGITS, ALL_DIGITS = 16, 64
"""Of a digest, as lists of lists show it, and the page of one list."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found of a list when it was handed in; `data` is the digest of the game that judged it, `adapted` the
    parameters that the event states otherwise than the squad did."""

    squad: str
    legal: bool
    spent: float | None
    allowed: float | None
    broken: tuple[str, ...]
    digest: str
    data: str
    adapted: tuple[str, ...] = ()
    salt: str = ""
    """256 random bits, as hexadecimal digits, that the commitment is made with; none in lists from before 0.2.0."""

    @property
    def commitment(self) -> str:
        """The digest that binds the server to the list and tells nothing of it before the salt is known."""
        stated: dict[str, Json] = {
            "scheme": "squadpress-list-1",
            "salt": self.salt,
            "digest": self.digest,
        }
        return sha256(format_canonical(stated)).hexdigest()


@dataclass(frozen=True, slots=True)
class HandedRow:
    """A list in an organiser's table, as the CSV has it; empty where it is sealed."""

    player: str
    squad: str
    handed_in: str
    legal: bool
    spent: float | None
    allowed: float | None
    broken: tuple[str, ...]
    pack: str
    release: str
    play_format: str
    day: str
    digest: str
    commitment: str
    salt: str


def zones() -> tuple[str, ...]:
    """The names of the places whose time an event may be told in."""
    return (
        "UTC",
        *sorted(
            name for name in available_timezones() if "/" in name and not name.startswith("Etc/")
        ),
    )


def moment(text: str, zone: str) -> datetime:
    """A moment as a form has it, at a place. UsageError where it is none."""
    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=ZoneInfo(zone))
    except (ValueError, OverflowError):
        raise UsageError(
            _("this is not a date and time"), _("Write, for example, 2026-05-30 18:00.")
        ) from None


def written(when: datetime | None, zone: str) -> str:
    """The same as a form shows it."""
    return "" if when is None else when.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def one_line(text: str, most: int) -> str:
    """A name as a form has it, without signs that cannot be seen or turn the direction of what follows."""
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())[
        :most
    ]


def closed(event: Event) -> bool:
    """True once no list is taken any more."""
    return event.locked is not None or event.deadline <= timezone.now() or shown(event)


def shown(event: Event) -> bool:
    """True once all lists are revealed to whoever has the link."""
    return event.revealed is not None or (
        event.reveals is not None and event.reveals <= timezone.now()
    )


def legible(event: Event) -> bool:
    """True where the organiser may read the lists."""
    return not event.sealed or shown(event)


def own_event(owner: str, key: UUID, lock: bool = False) -> Event:
    """An event of this organiser's. InputUnreadable for any other."""
    rows = Event.objects.filter(pk=key, owner=owner) if owner else Event.objects.none()
    found = (rows.select_for_update() if lock else rows).first()
    if found is None:
        raise InputUnreadable(
            _("this is not one of your events"),
            _("It may have been created in another browser, or deleted."),
        )
    return found


def lists_of(event: Event) -> QuerySet[EventList]:
    """The lists that were handed in for an event, by player."""
    return EventList.objects.filter(event=event)


def event_of(code: UUID) -> Event:
    """The event that a link leads to. InputUnreadable for one that leads nowhere."""
    found = Event.objects.filter(code=code).first()
    if found is None:
        raise InputUnreadable(_("this link is not valid"), _("Ask the organiser for a new link."))
    return found


def hand_in(event: Event, owner: str, player: str, squad: Roster) -> EventList:
    """Take a squad as a player's list, in the stead of any that the player handed in before. UsageError once the event
    takes no more, or where the squad is of another game."""
    if squad.pack != event.pack:
        raise UsageError(
            _("this squad is for another game"), _("Choose a squad for the game of the event.")
        )
    refuse_too_large(squad)
    refuse_long_text(get_library().format_squad(squad))
    text, judgement = judged(event, squad)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if closed(event):
            raise UsageError(
                _("the event is closed"),
                _("Ask the organiser whether it can be opened again."),
            )
        lists = lists_of(event)
        if lists.exclude(owner=owner).count() >= MOST_LISTS:
            raise UsageError(_("the event is full"), _("Ask the organiser."))
        verdict = asdict(replace(judgement, salt=secrets.token_hex(32)))
        values = {"player": player, "text": text, "verdict": verdict, "handed": timezone.now()}
        return lists.update_or_create(event=event, owner=owner, defaults=values)[0]


def judged(event: Event, squad: Roster) -> tuple[str, Judgement]:
    """A squad as the event plays it, and the verdict on that."""
    pack, release = get_library().get_judge(event.pack, event.release).pack, event.release or None
    if event.played and event.played not in pack.formats:
        message = _(
            "{pack} no longer has the play format {name}", pack=event.pack, name=event.played
        )
        raise InputUnreadable(message, _("Ask the organiser to choose another one."))
    steps = load_migrations(get_library().packs, event.pack)
    moved = migrate_roster(
        Roster.model_validate(simplify_roster(squad)), steps, pack.cards
    ).roster  # remarks are the player's
    params = {**moved.params, **event.params}
    roster = moved.model_copy(
        update={"params": params, "version": release, "play_format": event.played or None}
    )
    adapted = tuple(
        name for name, value in event.params.items() if squad.params.get(name, value) != value
    )
    text = get_library().format_squad(roster)
    row = get_library().make_row(text, event.pack, event.day)
    data = hash_pack_data(pack)
    return text, Judgement(
        row.name, row.legal, row.spent, row.allowed, row.broken, row.digest, data, adapted
    )


def pack_of(event: Event) -> Pack:
    """The game as an event plays it; without the play format where that is gone."""
    return get_library().get_pack(
        event.pack, event.release, FormatDay(event.played, event.day) if event.day else None
    )


def judgement(one: EventList) -> Judgement:
    """What was found of a list."""
    stated = dict(one.verdict)
    return Judgement(
        **{**stated, "broken": tuple(stated["broken"]), "adapted": tuple(stated["adapted"])}
    )


def mark(one: EventList, plain: bool, digits: int = DIGITS) -> str:
    """Return what tells two lists apart: the beginning of the commitment, the same before and after the reveal.

    A list from before 0.2.0 has no salt: it has its digest, and under a seal one that nothing can be guessed from.
    """
    found = judgement(one)
    digest = found.commitment if found.salt else found.digest
    if not found.salt and not plain:
        digest = salted_hmac(
            "squadpress.list", f"{one.pk} {digest}", algorithm="sha256"
        ).hexdigest()
    return " ".join(digest[at : at + 4] for at in range(0, digits, 4))


def rules_told(pack: Pack, names: tuple[str, ...]) -> tuple[str, ...]:
    """Broken rules by their titles, in the language of the page."""
    told = get_names(pack, get_page_language())
    titles = {rule.id: told.of(rule.title, rule.id) for rule in pack.rules.rules}
    titles[NOT_DECIDED.code] = told.say(_("Not decided"))
    return tuple(titles.get(name, name) for name in names)


def table(event: Event) -> bytes:
    """All lists as CSV for a spreadsheet; what is in them only once that may be read."""
    rows, plain = [], legible(event)
    for one in lists_of(event):
        found = judgement(one)
        squad, broken = (found.squad, found.broken) if plain else ("", ())
        spent, allowed = (found.spent, found.allowed) if plain else (None, None)
        when = one.handed.isoformat(timespec="seconds")
        rows.append(
            HandedRow(one.player, squad, when, found.legal, spent, allowed, broken, event.pack,
                      event.release, event.played, str(event.day or ""),
                      found.digest if plain else mark(one, plain),
                      found.commitment if found.salt else "", found.salt if plain else "")
        )  # fmt: skip
    return b"\xef\xbb\xbf" + format_csv(rows, HandedRow).encode()


def shown_row(event: Event, one: EventList) -> SavedSquad:
    """A list as a squad that is only looked at."""
    name = judgement(one).squad
    return SavedSquad(
        id=one.pk, owner="", pack=event.pack, release=event.release, name=name, text=one.text
    )


class EventData:
    """The events of organisers, and the lists that players handed in."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the numbers of events and of lists."""
        events, lists = Event.objects.filter(owner=owner), EventList.objects.filter(owner=owner)
        return {"events": events.count(), "lists": lists.count()}

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Give events and lists to another owner. Of two lists for one event the later one stays."""
        Event.objects.filter(owner=old_owner).update(owner=new_owner)
        old_lists, new_lists = (
            EventList.objects.filter(owner=key) for key in (old_owner, new_owner)
        )
        for old_list in old_lists:
            new_lists.filter(event=old_list.event, handed__lt=old_list.handed).delete()
        later_events = list(new_lists.values_list("event", flat=True))
        old_lists.filter(event__in=later_events).delete()
        old_lists.update(owner=new_owner)

    def export(self, owner: str) -> Iterator[tuple[str, str]]:
        """Yield the events and lists of an owner, one file each."""
        for event in Event.objects.filter(owner=owner):
            yield f"event-{event.pk}.json", to_export_json(_describe_event(event))
        for event_list in EventList.objects.select_related("event").filter(owner=owner):
            values = {
                "event": event_list.event.name,
                "player": event_list.player,
                "handed": event_list.handed,
                "verdict": event_list.verdict,
                "list": event_list.text,
            }
            yield f"handed-in-{event_list.pk}.json", to_export_json(values)

    def delete(self, owner: str) -> None:
        """Delete the events and lists of an owner."""
        EventList.objects.filter(owner=owner).delete()
        Event.objects.filter(owner=owner).delete()


def _describe_event(event: Event) -> Mapping[str, object]:
    """Return an event with its players. The lists themselves are the players' own."""
    values = Event.objects.filter(pk=event.pk).values().get()
    players = EventList.objects.filter(event=event).values("player", "handed", "verdict")
    return {**values, "lists": list(players) if legible(event) else len(players)}


def remove_old_events(deadline_before: datetime) -> None:
    """Remove events whose deadline was before a time, with their lists."""
    Event.objects.filter(deadline__lt=deadline_before).delete()
