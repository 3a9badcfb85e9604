"""The rounds of an event: who enters, who plays whom, and the results."""

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from builder.errors import UsageError
from builder.messages import gettext as _
from builder.web.events.forms import FieldError
from builder.web.events.lists import (
    MAX_LISTS,
    find_names,
    lists_of,
    make_name_key,
)
from builder.web.events.models import Entrant, Event, EventList, Match
from builder.web.events.pairings import BYE, Pair, pair_round
from builder.web.events.standings import (
    DRAW,
    FIRST,
    OPEN,
    OUTCOMES,
    SECOND,
    MatchResult,
    Scoring,
    Standing,
    rank_players,
)

MAX_ROUNDS = 30
REPORTS = {"win": FIRST, "draw": DRAW, "loss": SECOND, "take-back": OPEN}
"""What a player at the first seat reports, by the word of the form."""
MIRRORED = {FIRST: SECOND, SECOND: FIRST}
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player with the place in the standings."""

    entrant: Entrant
    score: Standing


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """The match of a player in the last round."""

    match: Match
    opponent: Entrant | None
    is_first: bool
    can_report: bool

    @property
    def report(self) -> str:
        """The outcome that this player reported. Empty if there is none."""
        return self.match.first_report if self.is_first else self.match.second_report


def entrants_of(event: Event) -> QuerySet[Entrant]:
    """Return all who entered an event, by number."""
    return Entrant.objects.filter(event=event)


def matches_of(event: Event) -> QuerySet[Match]:
    """Return all matches of an event, by round and table."""
    return Match.objects.filter(event=event).select_related("first", "second")


def count_rounds(event: Event) -> int:
    """Return the number of rounds that were paired."""
    numbers = Match.objects.filter(event=event).aggregate(last=Max("round_number"))
    return int(numbers["last"] or 0)


def list_newcomers(event: Event) -> list[EventList]:
    """Return the lists whose players have not entered yet."""
    entered_owners = entrants_of(event).exclude(owner="").values("owner")
    return list(lists_of(event).exclude(owner__in=entered_owners))


def rank_entrants(event: Event) -> list[StandingRow]:
    """Return the standings of all entrants, best first."""
    entrants = {entrant.number: entrant for entrant in entrants_of(event)}
    scoring = Scoring(event.win_points, event.draw_points, event.loss_points)
    results = [
        MatchResult(
            match.first.number,
            match.second.number if match.second is not None else None,
            match.outcome,
        )
        for match in matches_of(event)
    ]
    standings = rank_players(list(entrants), results, scoring)
    return [StandingRow(entrants[row.player], row) for row in standings]


def start_round(
    event: Event,
    playing: Collection[str],
    new_names: Sequence[str],
    expected_number: str = "",
) -> int:
    """Pair the next round and return its number.

    `playing` holds the ids of entrants, and of lists whose players enter now. All other entrants
    drop out. `new_names` are those of players without a list. Raise UsageError if lists can still
    be handed in, results are missing, or the next round is not the expected one: a form that was
    sent twice would pair two rounds.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        number = count_rounds(event) + 1
        if expected_number not in ("", str(number)):
            hint = _("Check the rounds before you pair another one.")
            message = _("the rounds have changed since this page was loaded")
            raise UsageError(message, hint)
        _check_next_round(event, number)
        # Deleting a round and pairing it again draws another seed.
        seed = secrets.token_hex(16)
        _enter_players(event, playing, new_names, seed)
        pairs = _pair_entrants(event, seed)
        if not pairs:
            message = _("no player is selected")
            raise FieldError("plays", message, _("Select those who play this round."))
        entrants = {entrant.number: entrant for entrant in entrants_of(event)}
        Match.objects.bulk_create(
            Match(
                event=event,
                round_number=number,
                table=table,
                first=entrants[first],
                second=None if second == BYE else entrants[second],
                outcome=FIRST if second == BYE else OPEN,
            )
            for table, (first, second) in enumerate(pairs, 1)
        )
        # Rounds from before seeds were stored leave gaps.
        missing_seeds = [""] * (number - 1 - len(event.seeds))
        event.seeds = [*event.seeds[: number - 1], *missing_seeds, seed]
        event.save(update_fields=["seeds"])
    return number


def draw_order(items: Iterable[Item], seed: str) -> list[Item]:
    """Return items in a random order, which depends on nothing but the seed."""

    def draw_lot(numbered_item: tuple[int, Item]) -> bytes:
        return sha256(f"{seed} {numbered_item[0]}".encode()).digest()

    return [item for _index, item in sorted(enumerate(items), key=draw_lot)]


def _check_next_round(event: Event, number: int) -> None:
    if not event.is_closed:
        raise UsageError(_("the event is still open"), _("Close it first."))
    missing = matches_of(event).filter(outcome=OPEN).first()
    if missing is not None:
        message = _(
            "round {number} has no result at table {table}",
            number=missing.round_number,
            table=missing.table,
        )
        raise UsageError(message, _("Enter all results first."))
    if number > MAX_ROUNDS:
        hint = _("An event has at most {count} rounds.", count=MAX_ROUNDS)
        raise UsageError(_("this was the last round"), hint)


def _enter_players(
    event: Event, playing: Collection[str], new_names: Iterable[str], seed: str
) -> None:
    """Store who plays from now on, and who has dropped out. New players get numbers by lot."""
    entrants = list(entrants_of(event))
    for entrant in entrants:
        entrant.is_active = str(entrant.pk) in playing
    Entrant.objects.bulk_update(entrants, ["is_active"])
    newcomers = [
        (event_list, event_list.player)
        for event_list in list_newcomers(event)
        if str(event_list.pk) in playing
    ]
    new_names = list(new_names)
    _refuse_same_names(event, new_names)
    joined = draw_order([*newcomers, *((None, name) for name in new_names)], seed)
    last = entrants_of(event).aggregate(last=Max("number"))["last"] or 0
    if last + len(joined) > MAX_LISTS:
        hint = _("An event has at most {count} players.", count=MAX_LISTS)
        raise FieldError("names", _("there are too many players"), hint)
    Entrant.objects.bulk_create(
        Entrant(
            event=event,
            event_list=event_list,
            owner="" if event_list is None else event_list.owner,
            number=number,
            name=name,
        )
        for number, (event_list, name) in enumerate(joined, last + 1)
    )


def _refuse_same_names(event: Event, new_names: Iterable[str]) -> None:
    """Raise FieldError if a new player has the name of another one."""
    names = find_names(event)
    for name in new_names:
        key = make_name_key(name)
        if key in names:
            message = _("{name} already plays in this event", name=names[key])
            hint = _("Select this player above, or add a surname or a letter.")
            raise FieldError("names", message, hint)
        names[key] = name


def _pair_entrants(event: Event, seed: str) -> list[Pair]:
    """Pair the active entrants by standings. The lot orders those who share a place."""
    meetings: Counter[frozenset[int]] = Counter()
    byes: Counter[int] = Counter()
    for match in matches_of(event):
        if match.second is None:
            byes[match.first.number] += 1
        else:
            meetings[frozenset((match.first.number, match.second.number))] += 1
    rows = [row for row in rank_entrants(event) if row.entrant.is_active]
    rows = sorted(draw_order(rows, seed), key=lambda row: row.score.rank)
    points = {row.entrant.number: row.score.points for row in rows}
    return pair_round([*points], points, meetings, byes)


def remove_round(event: Event, number: int) -> None:
    """Remove the last round with its results. Raise UsageError for an earlier one.

    Players who entered in this round leave again. Those with a list can enter the next one.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        if number != count_rounds(event):
            message = _("only the last round can be deleted")
            raise UsageError(message, _("Correct the results of this one."))
        Match.objects.filter(event=event, round_number=number).delete()
        entrants = entrants_of(event)
        entrants.filter(first_matches=None, second_matches=None).delete()
        event.seeds = event.seeds[: number - 1]
        event.save(update_fields=["seeds"])


def store_results(event: Event, number: int, form: Mapping[str, str]) -> None:
    """Store the results of a round that a form changes.

    The form holds each outcome twice: `was-TABLE` as it was shown, and `result-TABLE`. So results
    that players reported meanwhile stay.
    """
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        for match in matches_of(event).filter(
            round_number=number, second__isnull=False
        ):
            outcome = form.get(f"result-{match.table}", match.outcome)
            if outcome == form.get(f"was-{match.table}", match.outcome):
                continue
            if outcome not in OUTCOMES:
                message = _("{value} is no result", value=outcome[:40])
                hint = _("Choose one from the list.")
                raise FieldError(f"result-{match.table}", message, hint)
            match.outcome = outcome
            match.is_reported = False
            # The decision of the organiser ends what the players reported.
            match.first_report = match.second_report = OPEN
            match.save(
                update_fields=[
                    "outcome",
                    "is_reported",
                    "first_report",
                    "second_report",
                ]
            )


def find_own_match(event: Event, owner: str, number: int) -> OwnMatch | None:
    """Return the match that a player has in a round. None for somebody else."""
    if not owner:
        return None
    own_seats = Q(first__owner=owner) | Q(second__owner=owner)
    match = matches_of(event).filter(own_seats, round_number=number).first()
    if match is None:
        return None
    is_first = match.first.owner == owner
    opponent = match.second if is_first else match.first
    can_report = event.takes_reports and match.outcome == OPEN
    return OwnMatch(match, opponent, is_first, can_report)


def report_result(event: Event, owner: str, number: int, report: str) -> None:
    """Store the result that a player reports: `win`, `draw` or `loss`, or `take-back`.

    Equal reports of both players are the result. Raise UsageError if the organiser does not allow
    it, or there is a result already.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event.pk)
        own_match = find_own_match(event, owner, number)
        hint = _("Tell the organiser.")
        if own_match is None:
            raise FieldError("report", _("you do not play in this round"), hint)
        if not event.takes_reports:
            message = _("the organiser enters all results")
            raise FieldError("report", message, hint)
        if not own_match.can_report:
            message = _("this match has a result already")
            raise FieldError("report", message, _("The organiser can correct it."))
        outcome = REPORTS.get(report)
        if outcome is None:
            message = _("no result is selected")
            raise FieldError("report", message, _("Select one."))
        match = own_match.match
        if own_match.is_first:
            match.first_report = outcome
        else:
            match.second_report = MIRRORED.get(outcome, outcome)
        if match.first_report == match.second_report:
            match.outcome = match.first_report
            match.is_reported = match.outcome != OPEN
        match.save(
            update_fields=["outcome", "is_reported", "first_report", "second_report"]
        )
