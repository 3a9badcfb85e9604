"""A play format as rules of the forms that exist: whoever judges, explains or completes squads knows it by them."""

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


def with_format(pack: Pack, played: FormatDay) -> Pack:
    """A pack with the rules that one of its play formats adds on a day."""
    own = tuple(_rules(pack, played.format, pack.formats[played.format], played.day))
    return replace(
        pack,
        rules=pack.rules.model_copy(update={"rules": (*pack.rules.rules, *own)}),
        played=played,
    )


def _rules(pack: Pack, name: str, form: PlayFormat, day: date) -> Iterator[Limit]:
    """The pool, then each entry of the lists that says something of a card of the pack, then the points."""
    told: dict[int, tuple[CardLegality, list[str]]] = {}
    for card, standing in form.find_standings(
        map(pack.format_card, pack.cards.values()), day
    ).items():
        if standing.legality is not Legality.LEGAL:
            told.setdefault(id(standing.entry), (standing, []))[1].append(card)
    for standing, cards in told.values():
        entry, rule = standing.entry, str(standing.legality)
        made = _limit(
            pack,
            name,
            f"{rule}-{cards[0]}" if entry else rule,
            standing.format_title,
            entry or Period(),
        )
        each = {"select": Select(source=Source.ALL, where=_only(cards, pack.cards)), "per": "card"}
        reason = {"max": Bound(number=standing.most or 0), "hint": entry.reason if entry else {}}
        yield made.model_copy(update={**each, **reason})
    for number, limit in enumerate(form.points, 1):
        if limit.holds_on(day):
            most = {
                "measure": Measure(sum="cost"),
                "max": Bound(number=limit.max),
                "select": Select(source=Source.ALL),
            }
            yield _limit(
                pack,
                name,
                f"points-{number}",
                partial(format_points_title, max_points=limit.max),
                limit,
            ).model_copy(update=most)


def _only(cards: Sequence[str], known: Collection[str]) -> Where:
    """A condition for these cards, by the shorter of two lists."""
    if len(cards) <= len(known) // 2:
        return Where(fields={"id": Test(one_of=tuple(cards))})
    others = tuple(sorted(set(known).difference(cards)))
    return Where(none=(Where(fields={"id": Test(one_of=others)}),)) if others else Where()


def _limit(
    pack: Pack, name: str, rule: str, title: Callable[[str], Message], period: Period
) -> Limit:
    """A limit whose id no rules.yaml can have."""
    form = pack.formats[name]
    titles, sources = {}, {}
    for lang in dict.fromkeys((*pack.manifest.languages.all, *list_languages())):
        names = Names(pack, lang)
        called = names.choose_name(form.name, name)
        titles[lang] = names.translate(title(called))
        sources[lang] = names.translate(join_messages([called, *period.words]))
    made = Limit(
        id=name,
        type="limit",
        title=titles,
        source=sources,
        measure=Measure(count=True),
        max=Bound(number=0),
    )
    return made.model_copy(update={"id": f"{name}:{rule}"})
