"""Turn a play format into limits, so that all code that reads rules obeys it too."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from builder.messages import Message, join_messages, list_languages
from builder.model.formats import (
    CardLegality,
    FormatDay,
    Legality,
    Period,
    PlayFormat,
    format_points_title,
)
from builder.model.pack import Pack
from builder.model.rules import Bound, Limit, Measure, Select, Source, Test, Where
from builder.rules.names import Names


def with_format(pack: Pack, format_day: FormatDay) -> Pack:
    """Return a pack with the additional rules of a play format on a day."""
    play_format = pack.formats[format_day.format]
    format_rules = tuple(
        _make_format_rules(pack, format_day.format, play_format, format_day.day)
    )
    rules = pack.rules.model_copy(update={"rules": (*pack.rules.rules, *format_rules)})
    return replace(pack, rules=rules, played=format_day)


def _make_format_rules(
    pack: Pack, format_name: str, play_format: PlayFormat, day: date
) -> Iterator[Limit]:
    """Yield the limits for banned and restricted cards, then for points."""
    # cards with one entry of the lists share a rule
    cards_by_entry: dict[int, tuple[CardLegality, list[str]]] = {}
    legality_by_card = play_format.find_legality_of_cards(
        map(pack.format_card, pack.cards.values()), day
    )
    for card_id, card_legality in legality_by_card.items():
        if card_legality.legality is Legality.LEGAL:
            continue
        # by identity: two entries may read the same and still be separate rules
        key = id(card_legality.entry)
        _legality, card_ids = cards_by_entry.setdefault(key, (card_legality, []))
        card_ids.append(card_id)
    for card_legality, card_ids in cards_by_entry.values():
        yield _make_card_rule(pack, format_name, card_legality, card_ids)
    for number, limit in enumerate(play_format.points, 1):
        if limit.holds_on(day):
            title = partial(format_points_title, max_points=limit.max)
            rule = _make_format_limit(
                pack, format_name, f"points-{number}", title, limit
            )
            update = {
                "measure": Measure(sum="cost"),
                "max": Bound(number=limit.max),
                "select": Select(source=Source.ALL),
            }
            yield rule.model_copy(update=update)


def _make_card_rule(
    pack: Pack, format_name: str, card_legality: CardLegality, card_ids: Sequence[str]
) -> Limit:
    """Return the limit for the cards that one entry of a ban list is about."""
    entry = card_legality.entry
    rule_name = str(card_legality.legality)
    if entry:
        rule_name = f"{rule_name}-{card_ids[0]}"
    period = entry or Period()
    rule = _make_format_limit(
        pack, format_name, rule_name, card_legality.format_title, period
    )
    where = _match_cards(card_ids, pack.cards)
    update = {
        "select": Select(source=Source.ALL, where=where),
        "per": "card",
        "max": Bound(number=card_legality.maximum or 0),
        "hint": entry.reason if entry else {},
    }
    return rule.model_copy(update=update)


def _match_cards(card_ids: Sequence[str], all_ids: Collection[str]) -> Where:
    """Return a condition that exactly these cards meet."""
    # A pool can list most cards of a pack, and each test goes through the list.
    if len(card_ids) <= len(all_ids) // 2:
        return Where(fields={"id": Test(one_of=tuple(card_ids))})
    excluded_ids = tuple(sorted(set(all_ids).difference(card_ids)))
    if not excluded_ids:
        return Where()
    return Where(none=(Where(fields={"id": Test(one_of=excluded_ids)}),))


def _make_format_limit(
    pack: Pack,
    format_name: str,
    rule_name: str,
    format_title: Callable[[str], Message],
    period: Period,
) -> Limit:
    """Return a limit that allows nothing, with the format's name as its title and source."""
    titles, sources = {}, {}
    for lang in dict.fromkeys((*pack.manifest.languages.all, *list_languages())):
        names = Names(pack, lang)
        name = names.choose_name(pack.formats[format_name].name, format_name)
        titles[lang] = names.translate(format_title(name))
        sources[lang] = names.translate(join_messages([name, *period.words]))
    limit = Limit(
        id=format_name,
        type="limit",
        title=titles,
        source=sources,
        measure=Measure(count=True),
        # A limit without a bound is not valid. Callers replace this one.
        max=Bound(number=0),
    )
    # a copy is not validated, so that its id may have a colon
    return limit.model_copy(update={"id": f"{format_name}:{rule_name}"})
