"""Compare what play formats allow in two states, day by day."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from builder.errata.snapshot import Snapshot
from builder.model.base import Json, look_up
from builder.model.formats import CardLegality, FormatCard, Legality, Period, PlayFormat

LEGAL = CardLegality(Legality.LEGAL)


@dataclass(frozen=True, slots=True)
class FormatChange:
    """A change of a play format from a day on: legal cards, or the points limit with `points`."""

    format: str
    form: PlayFormat
    now: CardLegality
    period: Period
    cards: tuple[str, ...] = ()
    points: bool = False

    @property
    def announcement(self) -> str:
        """The web page on which the change was announced. Empty if it is not known."""
        if self.points:
            return self.form.find_announcement(
                self.now.maximum, self.period.since or date.min
            )
        return self.now.entry.announcement or "" if self.now.entry is not None else ""


def compare_formats(old: Snapshot, new: Snapshot) -> Iterator[FormatChange]:
    """Yield the differences between the play formats of two releases.

    They apply from the effective date of the new release.

    For a card or format that is new, only bans and restrictions are changes.
    """
    start = new.effective or old.effective or date.min
    old_formats = old.play_formats.formats
    old_cards = tuple(old.format_cards())
    new_cards = tuple(new.format_cards())
    for name, new_format in new.play_formats.formats.items():
        old_format = old_formats.get(name, PlayFormat(name=new_format.name))
        cards_of_format = old_cards if name in old_formats else ()
        days = sorted({*new_format.list_days(start), *old_format.list_days(start)})
        yield from _compare_cards(
            name, (old_format, cards_of_format), (new_format, new_cards), days
        )
        yield from _compare_points(name, old_format, new_format, days)


def _compare_cards(
    name: str,
    old: tuple[PlayFormat, Sequence[FormatCard]],
    new: tuple[PlayFormat, Sequence[FormatCard]],
    days: Sequence[date],
) -> Iterator[FormatChange]:
    """Yield the changes of cards' legality, each on the first day on which it holds."""
    (old_format, old_cards), (new_format, new_cards) = old, new
    cards_by_change: dict[tuple[CardLegality, date, int], list[str]] = {}
    previous_changes: dict[str, CardLegality] = {}
    for day in days:
        changes: dict[str, CardLegality] = {}
        old_legality = old_format.find_legality_of_cards(old_cards, day)
        for card, legality in new_format.find_legality_of_cards(new_cards, day).items():
            # A new card outside the pool was never allowed, so nothing changed for it.
            is_reported = (
                card in old_legality or legality.legality is not Legality.NOT_LEGAL
            )
            if not is_reported or legality == old_legality.get(card, LEGAL):
                continue
            changes[card] = legality
            # A change that lasts is reported on its first day only.
            if legality != previous_changes.get(card):
                # Each entry of the file stays one line, even if two have the same days.
                key = (legality, day, id(legality.entry))
                cards_by_change.setdefault(key, []).append(card)
        previous_changes = changes
    for (legality, day, _entry), cards in sorted(
        cards_by_change.items(), key=lambda item: item[0][1]
    ):
        entry = legality.entry or Period()
        period = Period(since=max(entry.since or day, day), to=entry.to)
        yield FormatChange(name, new_format, legality, period, tuple(cards))


def _compare_points(
    name: str, old_format: PlayFormat, new_format: PlayFormat, days: Sequence[date]
) -> Iterator[FormatChange]:
    previous_change: tuple[int | float | None, ...] = ()
    for day in days:
        points = new_format.find_points_limit(day)
        # A tuple, because None is a limit, too: no limit at all.
        change = (points,) if points != old_format.find_points_limit(day) else ()
        if change and change != previous_change:
            legality = CardLegality(Legality.LEGAL, points)
            yield FormatChange(
                name, new_format, legality, Period(since=day), points=True
            )
        previous_change = change


def list_format_legality(
    state: Snapshot,
) -> Iterator[tuple[str, date, Mapping[str, Json]]]:
    """Yield the legal cards for each format and each later day on which legality changes."""
    playable_cards = [
        card for card in state.format_cards() if _is_playable(state, card.kind)
    ]
    for name, play_format in state.play_formats.formats.items():
        days = play_format.list_days(state.effective or date.min)
        for day, next_day in zip(days, (*days[1:], None), strict=True):
            legalities = play_format.find_legality_of_cards(playable_cards, day)
            value: dict[str, Json] = {
                "pack": state.pack,
                "version": state.label,
                "format": name,
                "name": dict(play_format.name),
                "from": str(day),
                "to": str(next_day - timedelta(1)) if next_day else None,
                "points": play_format.find_points_limit(day),
                "cards": {
                    card: _format_legality(item) for card, item in legalities.items()
                },
            }
            yield name, day, value


def _is_playable(state: Snapshot, kind: str) -> bool:
    role = look_up(state.manifest, ("kinds", kind, "role"))
    return bool(role) and role != "none"


def _format_legality(legality: CardLegality) -> dict[str, Json]:
    value: dict[str, Json] = {"legality": str(legality.legality)}
    if legality.maximum is not None:
        value["max"] = legality.maximum
    if legality.entry is not None:
        entry = legality.entry.model_dump(mode="json", by_alias=True)
        value |= {
            key: field for key, field in entry.items() if field and key != "cards"
        }
    return value
