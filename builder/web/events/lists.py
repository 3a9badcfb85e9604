"""Lists that players hand in for an event.

They are checked once, and hidden until all are revealed.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from unicodedata import normalize
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
    format_rows_csv,
    hash_pack_data,
    simplify_roster,
)
from builder.web.accounts.owned_data import to_export_json
from builder.web.cards.library import get_library, get_names
from builder.web.events.forms import FieldError, blame_field
from builder.web.events.models import (
    Entrant,
    Event,
    EventList,
    EventMessage,
    Match,
    Receipt,
)
from builder.web.events.receipts import end_receipts, make_receipt
from builder.web.squads.models import SavedSquad
from builder.web.squads.sizes import refuse_long_text, refuse_too_large
from builder.web.templating import get_page_language

MAX_LISTS, MAX_EVENTS = 500, 100
"""Lists of an event, and events of an organiser."""
MIN_YEAR, MAX_YEAR = 2000, 2100
"""The years of an event's times."""
SHORT_DIGEST_LENGTH, DIGEST_LENGTH = 16, 64
"""Hexadecimal digits of a digest: in tables of lists, and on the page of one list."""
UTF8_BOM = b"\xef\xbb\xbf"
"""Spreadsheets recognise UTF-8 by it."""


@dataclass(frozen=True, slots=True)
class ListVerdict:
    """The result of a list when it was handed in.

    `data` is the digest of the game that checked it. `adapted` are the parameters that the event
    sets otherwise than the squad.
    """

    squad: str
    legal: bool
    spent: float | None
    allowed: float | None
    broken: tuple[str, ...]
    digest: str
    data: str
    adapted: tuple[str, ...] = ()
    salt: str = ""
    """256 random bits as hexadecimal digits, for the commitment.

    Empty in lists from before 0.2.0.
    """

    @property
    def commitment(self) -> str:
        """The digest that binds the server to the list.

        It reveals nothing before the salt is known.
        """
        values: dict[str, Json] = {
            "scheme": "squadpress-list-1",
            "salt": self.salt,
            "digest": self.digest,
        }
        return sha256(format_canonical(values)).hexdigest()


@dataclass(frozen=True, slots=True)
class ListTableRow:
    """A list in the organiser's CSV table. The content of a sealed list is empty."""

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


def list_zones() -> tuple[str, ...]:
    """Return the names of the time zones of an event."""
    places = [name for name in available_timezones() if "/" in name]
    return ("UTC", *sorted(name for name in places if not name.startswith("Etc/")))


def parse_moment(text: str, zone: str) -> datetime:
    """Return the time of a form's field. Raise UsageError for anything else.

    Only near years are allowed: at the edges of the calendar other zones have no such time.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        hint = _("Write, for example, 2026-05-30 18:00.")
        raise UsageError(_("this is not a date and time"), hint) from None
    if moment.tzinfo is not None:
        message = _("{value} contains a time zone", value=text.strip()[:40])
        raise UsageError(message, _("Write the time in the zone of the event."))
    if not MIN_YEAR <= moment.year <= MAX_YEAR:
        message = _("{value} is not a possible year", value=moment.year)
        hint = _("Use a year from {first} to {last}.", first=MIN_YEAR, last=MAX_YEAR)
        raise UsageError(message, hint)
    return moment.replace(tzinfo=ZoneInfo(zone))


def format_field(moment: datetime | None, zone: str) -> str:
    """Return a time as the value of a form's field."""
    return (
        ""
        if moment is None
        else moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
    )


def clean_name(text: str, max_length: int) -> str:
    """Return a name on one line, without invisible characters and changes of direction."""
    visible = [
        character
        for character in text
        if character.isprintable() or character.isspace()
    ]
    return " ".join("".join(visible).split())[:max_length]


def load_own_event(owner: str, key: UUID, lock: bool = False) -> Event:
    """Return an event of this organiser. Raise InputUnreadable for any other."""
    events = Event.objects.select_for_update() if lock else Event.objects.all()
    event = events.filter(pk=key, owner=owner or None).first()
    if event is None:
        hint = _("It may have been created in another browser, or deleted.")
        raise InputUnreadable(_("this is not one of your events"), hint)
    return event


def load_event(code: UUID) -> Event:
    """Return the event of a players' link. Raise InputUnreadable if there is none."""
    event = Event.objects.filter(code=code).first()
    if event is None:
        raise InputUnreadable(
            _("this link is not valid"), _("Ask the organiser for a new link.")
        )
    return event


def lists_of(event: Event) -> QuerySet[EventList]:
    """Return the lists of an event, by player."""
    return EventList.objects.filter(event=event)


def hand_in(event: Event, owner: str, player: str, squad: Roster) -> Receipt:
    """Store a squad as a player's list. It replaces an earlier list of this player.

    Raise UsageError if the event is closed or full, or the squad is of another game.
    """
    if squad.pack != event.pack:
        hint = _("Choose a squad for the game of the event.")
        raise FieldError("squad", _("this squad is for another game"), hint)
    with blame_field("squad"):
        refuse_too_large(squad)
        refuse_long_text(get_library().format_squad(squad))
        text, verdict = check_list(event, squad)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if event.is_closed:
            hint = _("Ask the organiser whether it can be opened again.")
            raise UsageError(_("the event is closed"), hint)
        lists = lists_of(event)
        if lists.exclude(owner=owner).count() >= MAX_LISTS:
            raise UsageError(_("the event is full"), _("Ask the organiser."))
        _refuse_same_name(event, owner, player)
        values = asdict(replace(verdict, salt=secrets.token_hex(32)))
        event_list, _is_new = lists.update_or_create(
            event=event,
            owner=owner,
            defaults={
                "player": player,
                "text": text,
                "verdict": values,
                "handed": timezone.now(),
            },
        )
        _link_entrant(event_list)
        return make_receipt(event_list)


def make_name_key(name: str) -> str:
    """Return a name for comparisons. It is equal for names that differ only in case."""
    return normalize("NFKC", name).casefold()


def find_names(event: Event, without_owner: str = "") -> dict[str, str]:
    """Return the players' names of an event by `make_name_key`, without those of one player."""
    lists = lists_of(event).exclude(owner=without_owner)
    entrants = Entrant.objects.filter(event=event).exclude(name="")
    if without_owner:
        entrants = entrants.exclude(owner=without_owner)
    names = {*lists.values_list("player", flat=True)}
    names |= {*entrants.values_list("name", flat=True)}
    return {make_name_key(name): name for name in names}


def _refuse_same_name(event: Event, owner: str, player: str) -> None:
    """Raise FieldError if another player of the event has the name.

    A player may keep the name of an earlier list or round, because old events have equal names.
    """
    own_names = [
        *lists_of(event).filter(owner=owner).values_list("player", flat=True),
        *Entrant.objects.filter(event=event, owner=owner).values_list(
            "name", flat=True
        ),
    ]
    key = make_name_key(player)
    other_name = find_names(event, without_owner=owner).get(key)
    if other_name is not None and key not in map(make_name_key, own_names):
        message = _("{name} already plays in this event", name=other_name)
        hint = _(
            "Add your surname or a letter. If this is you in another browser, "
            "hand in your list there."
        )
        raise FieldError("player", message, hint)


def _link_entrant(event_list: EventList) -> None:
    """Let a player whose list was removed play on as the same entrant."""
    entrant = Entrant.objects.filter(
        event=event_list.event, owner=event_list.owner, event_list=None
    ).first()
    if entrant is not None:
        entrant.event_list = event_list
        entrant.is_active = True
        entrant.save(update_fields=["event_list", "is_active"])


def withdraw_list(event: Event, owner: str) -> None:
    """Remove the list that a player handed in. Raise UsageError if the event is closed."""
    if event.is_closed:
        hint = _("Ask the organiser to remove your list.")
        raise UsageError(_("the event is closed"), hint)
    for event_list in lists_of(event).filter(owner=owner or None):
        remove_list(event_list, Receipt.WITHDRAWN)


def remove_list(event_list: EventList, outcome: str) -> None:
    """Remove a list. Its receipt stays, with the reason, and its player drops out of rounds."""
    Entrant.objects.filter(event_list=event_list).update(is_active=False)
    end_receipts(event_list.event, event_list.owner, outcome)
    event_list.delete()


def check_list(event: Event, squad: Roster) -> tuple[str, ListVerdict]:
    """Return the text of a squad as the event plays it, and its verdict."""
    library = get_library()
    pack = library.get_checker(event.pack, event.release).pack
    if event.played and event.played not in pack.formats:
        message = _(
            "{pack} no longer has the play format {name}",
            pack=event.pack,
            name=event.played,
        )
        raise InputUnreadable(message, _("Ask the organiser to choose another one."))
    steps = load_migrations(library.packs, event.pack)
    # Notes are the player's own: they are not handed in.
    own_roster = Roster.model_validate(simplify_roster(squad))
    migrated = migrate_roster(own_roster, steps, pack.cards).roster
    roster = migrated.model_copy(
        update={
            "params": {**migrated.params, **event.params},
            "version": event.release or None,
            "play_format": event.played or None,
        }
    )
    adapted = [
        name
        for name, value in event.params.items()
        if squad.params.get(name, value) != value
    ]
    text = library.format_squad(roster)
    row = library.make_row(text, event.pack, event.day)
    return text, ListVerdict(
        squad=row.name,
        legal=row.legal,
        spent=row.spent,
        allowed=row.allowed,
        broken=row.broken,
        digest=row.digest,
        data=hash_pack_data(pack),
        adapted=tuple(adapted),
    )


def get_event_pack(event: Event) -> Pack:
    """Return the event's pack with its play format.

    If the pack no longer has this play format, return the pack without it.
    """
    play_format = FormatDay(event.played, event.day) if event.day else None
    return get_library().get_pack(event.pack, event.release, play_format)


def get_verdict(event_list: EventList | Receipt) -> ListVerdict:
    """Return the verdict of a list or of its receipt."""
    values = dict(event_list.verdict)
    values |= {"broken": tuple(values["broken"]), "adapted": tuple(values["adapted"])}
    return ListVerdict(**values)


def format_digest(
    event_list: EventList | Receipt,
    is_readable: bool,
    length: int = SHORT_DIGEST_LENGTH,
) -> str:
    """Return a digest that identifies a list.

    The beginning of the commitment, the same before and after the reveal.

    A list from before 0.2.0 has no salt: it has its digest, and while it is sealed one that reveals
    nothing.
    """
    verdict = get_verdict(event_list)
    digest = verdict.commitment if verdict.salt else verdict.digest
    if not verdict.salt and not is_readable:
        text = f"{event_list.pk} {digest}"
        digest = salted_hmac("squadpress.list", text, algorithm="sha256").hexdigest()
    return " ".join(digest[start : start + 4] for start in range(0, length, 4))


def list_rule_titles(pack: Pack, rule_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the titles of rules, in the language of the page."""
    names = get_names(pack, get_page_language())
    titles = {
        rule.id: names.choose_name(rule.title, rule.id) for rule in pack.rules.rules
    }
    titles[NOT_DECIDED.code] = names.translate(_("Not decided"))
    return tuple(titles.get(rule_id, rule_id) for rule_id in rule_ids)


def make_table(event: Event) -> bytes:
    """Return all lists as CSV for a spreadsheet. The content of sealed lists is left out."""
    is_readable = event.is_readable
    rows = [
        _make_table_row(event, event_list, is_readable)
        for event_list in lists_of(event)
    ]
    return UTF8_BOM + format_rows_csv(rows, ListTableRow).encode()


def _make_table_row(
    event: Event, event_list: EventList, is_readable: bool
) -> ListTableRow:
    verdict = get_verdict(event_list)
    return ListTableRow(
        player=event_list.player,
        squad=verdict.squad if is_readable else "",
        handed_in=event_list.handed.isoformat(timespec="seconds"),
        legal=verdict.legal,
        spent=verdict.spent if is_readable else None,
        allowed=verdict.allowed if is_readable else None,
        broken=verdict.broken if is_readable else (),
        pack=event.pack,
        release=event.release,
        play_format=event.played,
        day=str(event.day or ""),
        digest=verdict.digest
        if is_readable
        else format_digest(event_list, is_readable),
        commitment=verdict.commitment if verdict.salt else "",
        salt=verdict.salt if is_readable else "",
    )


def make_unsaved_squad(event_list: EventList | Receipt) -> SavedSquad:
    """Return a list, or that of a receipt, as a squad that is not stored, to show it."""
    event = event_list.event
    return SavedSquad(
        id=event_list.pk,
        owner="",
        pack=event.pack,
        release=event.release,
        name=get_verdict(event_list).squad,
        text=event_list.text,
    )


class EventData:
    """The events of organisers, and the lists that players handed in."""

    def count(self, owner: str) -> Mapping[str, int]:
        """Return the numbers of events and of lists."""
        events = Event.objects.filter(owner=owner)
        lists = EventList.objects.filter(owner=owner)
        return {"events": events.count(), "lists": lists.count()}

    def merge(self, old_owner: str, new_owner: str) -> None:
        """Give events and lists to another owner.

        Of two lists for one event the later one stays.
        """
        Event.objects.filter(owner=old_owner).update(owner=new_owner)
        old_lists, new_lists = (
            EventList.objects.filter(owner=key) for key in (old_owner, new_owner)
        )
        for old_list in old_lists.select_related("event"):
            for new_list in new_lists.filter(event=old_list.event):
                earlier, later = sorted((old_list, new_list), key=_get_time)
                entrants = Entrant.objects.filter(event_list=earlier)
                entrants.update(event_list=later)
                remove_list(earlier, Receipt.REPLACED)
        old_lists.update(owner=new_owner)
        for model in (Receipt, Entrant):
            model.objects.filter(owner=old_owner).update(owner=new_owner)

    def export(self, owner: str) -> Iterator[tuple[str, str | bytes]]:
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
        for receipt in Receipt.objects.filter(owner=owner).values():
            yield f"receipt-{receipt['number']}.json", to_export_json(receipt)

    def delete(self, owner: str) -> None:
        """Delete the events and lists of an owner. Matches stay, without the name."""
        entrants = Entrant.objects.filter(owner=owner)
        entrants.update(name="", owner="", is_active=False)
        Receipt.objects.filter(owner=owner).delete()
        EventList.objects.filter(owner=owner).delete()
        Event.objects.filter(owner=owner).delete()


def _get_time(event_list: EventList) -> datetime:
    return event_list.handed


def _describe_event(event: Event) -> Mapping[str, object]:
    """Return an event with its players. The lists themselves are the players' own."""
    values = Event.objects.filter(pk=event.pk).values().get()
    players = EventList.objects.filter(event=event).values(
        "player", "handed", "verdict"
    )
    return {
        **values,
        "lists": list(players) if event.is_readable else len(players),
        "entrants": list(Entrant.objects.filter(event=event).values()),
        "matches": list(Match.objects.filter(event=event).values()),
        "messages": list(EventMessage.objects.filter(event=event).values()),
    }


def remove_old_events(deadline_before: datetime) -> None:
    """Remove events whose deadline was before a time, with their lists."""
    Event.objects.filter(deadline__lt=deadline_before).delete()
