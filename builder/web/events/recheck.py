"""Check the lists of an event under another release. The lists stay as they were handed in."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date

from builder.errors import SquadpressError
from builder.usecases.release.impact import Comparison, Impact, compare_roster
from builder.web.cards.history import compare_releases
from builder.web.cards.library import cache_per_library, get_library
from builder.web.events.lists import MAX_LISTS, lists_of
from builder.web.events.messages import list_messages
from builder.web.events.models import Event, EventList, EventMessage
from builder.web.templating import get_page_language


@dataclass(frozen=True, slots=True)
class RecheckedList:
    """A list under its own and under another release.

    `reasons` are the rules that it breaks only there. `lost` are names of cards that are gone.
    """

    event_list: EventList
    impact: Impact
    lost: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """The messages about rules that the list breaks only under the other release."""
        return tuple(problem.message for problem in self.impact.broken)

    @property
    def has_other_points(self) -> bool:
        """True if the list costs more or less under the other release."""
        return self.impact.points_before != self.impact.points_after

    @property
    def is_affected(self) -> bool:
        """True if the player has to know about the other release."""
        impact = self.impact
        is_broken = impact.worse or bool(impact.broken) or bool(self.lost)
        return is_broken or self.has_other_points


def recheck_lists(event: Event, release: str) -> list[RecheckedList]:
    """Return all lists of an event under another release, by player."""
    event_lists = lists_of(event).select_related("event")
    return [recheck_list(event_list, release) for event_list in event_lists]


def recheck_list(event_list: EventList, release: str) -> RecheckedList:
    """Return a list under another release, in the language of the page.

    Raise PackUnreadable if one of the releases cannot be read.
    """
    event = event_list.event
    states = (event.pack, event.release, release, get_page_language())
    comparison = _compare_states(*states, event.day)
    impact = _compare_list(event_list.text, *states, event.day)
    lost = impact.migrated.lost if impact.migrated is not None else ()
    names = dict.fromkeys(comparison.name_card(item.old) for item in lost)
    return RecheckedList(event_list, impact, tuple(names))


def load_player_messages(
    event: Event, owner: str
) -> list[tuple[EventMessage, RecheckedList | None]]:
    """Return the messages that somebody sees, those about a release with the own list under it."""
    event_list = lists_of(event).filter(owner=owner or None).first()
    rows: list[tuple[EventMessage, RecheckedList | None]] = []
    for message in list_messages(event, event_list):
        row = None
        # The message stays readable if its release is not.
        with suppress(SquadpressError):
            if message.release and event_list is not None:
                row = recheck_list(event_list, message.release)
        rows.append((message, row))
    return rows


@cache_per_library(2 * MAX_LISTS)
def _compare_list(
    text: str, pack: str, old: str, new: str, lang: str, day: date | None
) -> Impact:
    comparison = _compare_states(pack, old, new, lang, day)
    return compare_roster(comparison, get_library().parse_squad(text, ""))


@cache_per_library(20)
def _compare_states(
    pack: str, old: str, new: str, lang: str, day: date | None
) -> Comparison:
    """Compare two releases. The comparison is shared by lists, because it finds risks once."""
    return replace(compare_releases(pack, old, new, lang), day=day)
