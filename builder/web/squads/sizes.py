"""How large a squad may be.

The limits apply when it is written. Larger ones from before can still be opened.
"""

from dataclasses import dataclass

from builder.errors import UsageError
from builder.messages import Message, gettext as _
from builder.model.roster import Roster
from builder.usecases.roster.check_roster import MAX_SEARCHED_LINES
from builder.usecases.roster.reading import MAX_TEXT_CHARACTERS

MAX_LINES = MAX_SEARCHED_LINES
"""Lines of a squad. Choices, completions and repairs are not searched for more."""
MAX_CARDS = 500
"""Models of a squad and cards of its deck. The play page has a part for each."""
MAX_CHARACTERS = MAX_TEXT_CHARACTERS
"""Characters of a squad's text. A longer one could not be imported again."""


@dataclass(frozen=True, slots=True)
class SquadSize:
    """The numbers of a squad that are limited, such as its lines."""

    lines: int
    """Lines of models, of their attachments and of the deck."""
    cards: int
    """Copies of all models and of all cards of the deck."""

    @classmethod
    def measure(cls, roster: Roster) -> "SquadSize":
        """Measure a squad."""
        attachments = sum(len(entry.attachments) for entry in roster.entries)
        models = sum(entry.count for entry in roster.entries)
        return cls(
            lines=len(roster.entries) + len(roster.deck) + attachments,
            cards=models + sum(card.count for card in roster.deck),
        )


def get_size_message(roster: Roster) -> Message | None:
    """Return the message about a limit that a squad exceeds. None if it exceeds none."""
    size = SquadSize.measure(roster)
    if size.lines > MAX_LINES:
        return _(
            "the squad has {count} lines; at most {most} are allowed",
            count=size.lines,
            most=MAX_LINES,
        )
    if size.cards > MAX_CARDS:
        return _(
            "the squad has {count} models and deck cards; at most {most} are allowed",
            count=size.cards,
            most=MAX_CARDS,
        )
    return None


def refuse_too_large(roster: Roster, before: Roster | None = None) -> None:
    """Raise UsageError if a squad exceeds the limits and is larger than before."""
    message = get_size_message(roster)
    if message is None:
        return
    size = SquadSize.measure(roster)
    old = SquadSize.measure(before) if before is not None else SquadSize(0, 0)
    grown_lines = size.lines > max(MAX_LINES, old.lines)
    grown_cards = size.cards > max(MAX_CARDS, old.cards)
    if grown_lines or grown_cards:
        raise UsageError(
            message,
            _("Combine equal models into one line with a count, or split the squad."),
        )


def refuse_long_text(text: str) -> None:
    """Raise UsageError if the text of a squad is too long to be imported again."""
    if len(text) > MAX_CHARACTERS:
        message = _(
            "the squad's text has {count} characters; at most {most} are allowed",
            count=len(text),
            most=MAX_CHARACTERS,
        )
        raise UsageError(message, _("Shorten notes and names."))
