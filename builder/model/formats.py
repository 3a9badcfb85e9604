"""Models of formats.yaml: play formats with card pools, bans, restrictions and points."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from builder.messages import Message, gettext as _
from builder.model.base import (
    Announcement,
    CardId,
    Id,
    KindId,
    Localized,
    Model,
    NameOf,
    VersionName,
)


class Period(Model):
    """A period of time. Its first and last day are included."""

    since: date | None = Field(
        default=None,
        alias="from",
        description="The first day on which it applies; always if absent.",
    )
    to: date | None = Field(
        default=None, description="The last day on which it applies; no end if absent."
    )

    model_config = ConfigDict(populate_by_name=True)

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.since and self.to and self.to < self.since:
            raise ValueError(_("its end is before its start"))
        return self

    @property
    def words(self) -> tuple[Message, ...]:
        """The first and the last day as texts. Empty for an unlimited period."""
        words: list[Message] = []
        if self.since is not None:
            words.append(_("from {day}", day=self.since))
        if self.to is not None:
            words.append(_("until {day}", day=self.to))
        return tuple(words)

    def holds_on(self, day: date) -> bool:
        """Return True if the day is in the period."""
        return (self.since is None or self.since <= day) and (
            self.to is None or day <= self.to
        )


class PoolPart(Period):
    """A part of a card pool: the cards that match all given keys. Without keys, all cards."""

    kinds: tuple[KindId, ...] = Field(
        default=(), description="Cards of any of these kinds."
    )
    factions: tuple[Annotated[Id, NameOf("faction")], ...] = Field(
        default=(), description="Cards of any of these factions."
    )
    releases: tuple[Annotated[VersionName, NameOf("release")], ...] = Field(
        default=(), description="Cards that first appeared in one of these releases."
    )
    cards: tuple[CardId, ...] = Field(default=(), description="These cards.")

    def includes(self, card: "FormatCard") -> bool:
        """Return True if the card matches all keys of this part of the pool."""
        conditions = (
            (self.kinds, card.kind),
            (self.factions, card.faction),
            (self.releases, card.release),
            (self.cards, card.id),
        )
        return all(not allowed or value in allowed for allowed, value in conditions)


class Ban(Period):
    """Cards that a play format does not allow during a period."""

    cards: tuple[CardId, ...] = Field(min_length=1, description="The cards.")
    reason: Localized = Field(
        default_factory=dict, description="The reason, per language."
    )
    announcement: Announcement | None = Field(
        default=None, description="The page on which it was announced."
    )


class Restriction(Ban):
    """Cards of which a play format allows only some copies during a period."""

    max: int = Field(ge=1, description="Maximum copies of each card in a roster.")


class PointsLimit(Period):
    """The maximum cost of a roster in a play format during a period."""

    max: int | float = Field(
        ge=0, description="Maximum points, in the pack's currency."
    )
    announcement: Announcement | None = Field(
        default=None, description="The page on which it was announced."
    )


class Legality(StrEnum):
    """Whether a card may be used in a play format: legal, restricted, banned or not legal."""

    LEGAL = "legal"
    RESTRICTED = "restricted"
    BANNED = "banned"
    NOT_LEGAL = "not-legal"


TITLES: Mapping[Legality, str] = {
    Legality.LEGAL: _("Allowed in {format}"),
    Legality.RESTRICTED: _("At most {most} of each in {format}"),
    Legality.BANNED: _("Banned in {format}"),
    Legality.NOT_LEGAL: _("Not in the pool of {format}"),
}


def format_points_title(name: str, max_points: int | float | None) -> Message:
    """Return the title of the rule that limits the cost in a play format."""
    if max_points is None:
        return _("Points without limit in {format}", format=name)
    return _("At most {most} points in {format}", format=name, most=max_points)


@dataclass(frozen=True, slots=True)
class CardLegality:
    """Whether a card may be used in a play format on a day, and by which entry of its lists.

    `entry` is the ban or restriction that decides it. `maximum` is the largest number of copies.
    """

    legality: Legality
    maximum: int | float | None = None
    entry: Ban | None = field(default=None, compare=False)

    def format_title(self, name: str) -> Message:
        """Return in words whether the card may be used in the play format of this name."""
        return _(TITLES[self.legality], format=name, most=self.maximum)


@dataclass(frozen=True, slots=True)
class FormatCard:
    """The properties of a card that play formats test.

    `release` is the one it was new in, None where that is not known.
    """

    id: str
    kind: str
    faction: str | None = None
    release: str | None = None


@dataclass(frozen=True, slots=True)
class FormatDay:
    """A play format and the day of play. Without an id, each squad's own format is used."""

    format: str
    day: date


class PlayFormat(Model):
    """A play format: its card pool, its bans and restrictions, and its points limits."""

    name: Localized = Field(description="The printed name.")
    pool: tuple[PoolPart, ...] = Field(
        default=(),
        description="The allowed cards: those in any part of the pool; all cards if absent.",
    )
    banned: tuple[Ban, ...] = Field(default=(), description="The banned cards.")
    restricted: tuple[Restriction, ...] = Field(
        default=(), description="The restricted cards."
    )
    points: tuple[PointsLimit, ...] = Field(
        default=(),
        description="Limits on points. All limits that apply on a day count.",
    )

    @property
    def periods(self) -> tuple[Period, ...]:
        """All entries of the play format that have dates."""
        return (*self.pool, *self.banned, *self.restricted, *self.points)

    def list_days(self, start: date) -> tuple[date, ...]:
        """Return the first day, and each later day on which the rules of the format change."""
        days: set[date] = set()
        for period in self.periods:
            if period.since is not None:
                days.add(period.since)
            # The last day of the calendar has no next one.
            if period.to is not None and period.to != date.max:
                days.add(period.to + timedelta(1))
        return (start, *sorted(day for day in days if day > start))

    def find_legality_of_cards(
        self, cards: Iterable[FormatCard], day: date
    ) -> dict[str, CardLegality]:
        """Return whether each card may be used on a day, by the card's id.

        The pool goes before the lists, a ban before a restriction.
        """
        parts = [part for part in self.pool if part.holds_on(day)]
        limits = [limit for limit in self.restricted if limit.holds_on(day)]
        bans = [ban for ban in self.banned if ban.holds_on(day)]
        # A later entry replaces an earlier one: the smallest maximum counts, then the first ban.
        limits.sort(key=lambda limit: -limit.max)
        listed: dict[str, CardLegality] = {}
        for limit in limits:
            restricted = CardLegality(Legality.RESTRICTED, limit.max, limit)
            listed.update(dict.fromkeys(limit.cards, restricted))
        for ban in reversed(bans):
            listed.update(
                dict.fromkeys(ban.cards, CardLegality(Legality.BANNED, entry=ban))
            )
        legal = CardLegality(Legality.LEGAL)
        not_legal = CardLegality(Legality.NOT_LEGAL)
        standings: dict[str, CardLegality] = {}
        for card in cards:
            if self.pool and not any(part.includes(card) for part in parts):
                standings[card.id] = not_legal
            else:
                standings[card.id] = listed.get(card.id, legal)
        return standings

    def find_card_legality(self, card: FormatCard, day: date) -> CardLegality:
        """Return whether one card may be used on a day."""
        return self.find_legality_of_cards((card,), day)[card.id]

    def find_points_limit(self, day: date) -> int | float | None:
        """Return the maximum cost of a roster on a day, or None without a limit."""
        limits = [limit.max for limit in self.points if limit.holds_on(day)]
        return min(limits, default=None)

    def find_announcement(self, max_points: int | float | None, day: date) -> str:
        """Return where the limit on the cost was announced, or ""."""
        for limit in self.points:
            if limit.max == max_points and limit.holds_on(day) and limit.announcement:
                return limit.announcement
        return ""


class FormatSet(Model):
    """formats.yaml: the play formats of a pack."""

    formats: Mapping[Id, PlayFormat] = Field(
        default_factory=dict, description="The play formats by id."
    )
