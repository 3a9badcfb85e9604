"""What play formats say of a state's cards, day by day, and what a release changes in that. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from builder.errata.snapshot import Snapshot
from builder.model.base import Json, look_up
from builder.model.formats import CardLegality, Legality, Period, PlayFormat


@dataclass(frozen=True, slots=True)
class FormatChange:
    """What a play format says otherwise of some cards, or of points where `points` is true, from a day on."""

    format: str
    form: PlayFormat
    now: CardLegality
    period: Period
    cards: tuple[str, ...] = ()
    points: bool = False


def compare_formats(old: Snapshot, new: Snapshot) -> Iterator[FormatChange]:
    """What the formats of the new state say otherwise than those of the old one, from its day of effect on.

    Of a card or format that was not there before only bans and restrictions are told.
    """
    start = new.effective or old.effective or date.min
    before, known = old.play_formats.formats, {card.id: card for card in old.format_cards()}
    cards, legal = tuple(new.format_cards()), CardLegality(Legality.LEGAL)
    for name, form in new.play_formats.formats.items():
        was = before.get(name, PlayFormat(name=form.name))
        days = sorted({*form.days(start), *was.days(start)})
        found: dict[tuple[CardLegality, date, int], list[str]] = {}
        told: dict[str, CardLegality] = {}
        for day in days:
            then = was.standings(known.values() if name in before else (), day)
            differing = {}
            for card, now in form.standings(cards, day).items():
                listed = card in then or now.legality is not Legality.NOT_LEGAL
                if now != then.get(card, legal) and listed:
                    differing[card] = now
                    if now != told.get(card):
                        found.setdefault((now, day, id(now.entry)), []).append(card)
            told = differing
        for (now, day, _entry), those in sorted(found.items(), key=lambda item: item[0][1]):
            own = now.entry or Period()
            yield FormatChange(
                name, form, now, Period(since=max(own.since or day, day), to=own.to), tuple(those)
            )
        yield from _points(name, form, was, days)


def _points(
    name: str, form: PlayFormat, was: PlayFormat, days: list[date]
) -> Iterator[FormatChange]:
    told: tuple[int | float | None, ...] = ()
    for day in days:
        now = form.points_on(day)
        if now != was.points_on(day) and told != (now,):
            most = CardLegality(Legality.LEGAL, now)
            yield FormatChange(name, form, most, Period(since=day), points=True)
        told = (now,) if now != was.points_on(day) else ()


def list_format_legality(state: Snapshot) -> Iterator[tuple[str, date, Mapping[str, Json]]]:
    """For each format and each day from the state's day of effect on at which anything changes: what may be used."""
    playable = [card for card in state.format_cards() if _role(state, card.kind) != "none"]
    for name, form in state.play_formats.formats.items():
        days = form.days(state.effective or date.min)
        for day, after in zip(days, (*days[1:], None), strict=True):
            cards: dict[str, Json] = {
                card: _stated(said) for card, said in form.standings(playable, day).items()
            }
            yield (
                name,
                day,
                {
                    "pack": state.pack,
                    "version": state.label,
                    "format": name,
                    "name": dict(form.name),
                    "from": str(day),
                    "to": str(after - timedelta(1)) if after else None,
                    "points": form.points_on(day),
                    "cards": cards,
                },
            )


def _role(state: Snapshot, kind: str) -> Json:
    return look_up(state.manifest, ("kinds", kind, "role")) or "none"


def _stated(found: CardLegality) -> dict[str, Json]:
    said: dict[str, Json] = {"legality": str(found.legality)}
    if found.most is not None:
        said["max"] = found.most
    if found.entry is not None:
        said |= {
            key: value
            for key, value in found.entry.model_dump(mode="json", by_alias=True).items()
            if value
        }
        del said["cards"]
    return said
