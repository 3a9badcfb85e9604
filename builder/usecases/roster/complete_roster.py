"""Complete a half-built squad by the solver, and tell what it did; squads in, squads out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.errors import UsageError
from builder.messages import Message, gettext as _
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import shortages, used
from builder.rules.format import Formatter
from builder.solver.complete import Wish, complete
from builder.solver.conflict import Conflict, Switch
from builder.solver.result import SolvedRoster
from builder.usecases.roster.check_roster import (
    JudgedRoster,
    OwnedCards,
    check_card_exists,
    check_size,
)


@dataclass(frozen=True, slots=True)
class CompletedRoster:
    """One squad found: its cost, and what came in, one line per model or card."""

    roster: Roster
    cost: int | float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completion:
    """What completing a squad came to; `why` tells the smallest conflict where there is none, `notes` which wishes
    what is in it already does not meet."""

    squads: tuple[CompletedRoster, ...] = ()
    proved: bool = True
    why: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def complete_roster(
    judged: JudgedRoster, wish: Wish, owned: OwnedCards | None = None
) -> Completion:
    """Legal squads that hold a judged one.

    UsageError for a card that the pack does not have or that is both wanted and avoided, and for a squad too large;
    the answer is empty where the squad is not understood.
    """
    judge, roster = judged.judge, judged.roster
    if judge is None or roster is None or judged.verdict is None or judged.verdict.problems:
        return Completion()
    check_size(roster)
    for card in (*wish.want, *sorted(wish.avoid)):
        check_card_exists(judge.pack, card)
        if card in wish.want and card in wish.avoid:
            message = _("{card} is both wanted and avoided", card=card)
            raise UsageError(message, _("Say only one of --want and --avoid."))
    painted = owned is not None and owned.painted
    if owned is not None:
        wish = replace(wish, own=owned.copies(judge.pack))
    made = complete(judge, roster, wish)
    formatter = Formatter(judge.evaluator, judged.lang)
    notes = tuple(_describe_kept_wishes(roster, wish, painted, formatter))
    if made.conflict is not None and made.conflict.demands:
        why = tuple(describe_conflict(made.conflict, roster, formatter, wish.own, painted))
        return Completion(proved=made.conflict.proved, why=why, notes=notes)
    if not made.outcomes:
        late = _(
            "Time ran out before a legal squad was found; there may be one. Ask again, or ask for less."
        )
        notes = (*notes, formatter.names.say(late))
    squads = (
        CompletedRoster(found.roster, found.cost, tuple(describe_additions(found, formatter)))
        for found in made.outcomes
    )
    return Completion(tuple(squads), made.proved, notes=notes)


def _describe_kept_wishes(
    roster: Roster, wish: Wish, painted: bool, formatter: Formatter
) -> Iterator[str]:
    """What the file holds against the wishes: completing only adds."""
    there = used(roster)
    for card in sorted(wish.avoid & there.keys()):
        form = _(
            "{card} stays: it is in the file already, and --avoid only keeps cards from being added; take it out "
            "with `squadpress roster remove`"
        )
        yield formatter.names.say(_(form, card=formatter.names.card(card)))
    for item in shortages({"": roster}, wish.own) if wish.own is not None else ():
        form = _("{card} ×{used} stays, though you own {owned}")
        if painted:
            form = _("{card} ×{used} stays, though you have {owned} painted")
        yield formatter.names.say(
            _(form, card=formatter.names.card(item.card), used=item.claimed, owned=item.owned)
        )


def describe_additions(found: SolvedRoster, formatter: Formatter) -> list[str]:
    """What came in: models with what they carry, equal ones together; then what old models were given; the deck."""
    names, entries = formatter.names, found.roster.entries
    carried: dict[int, list[str]] = {}
    for item in found.came:
        if item.source is Source.ATTACHMENTS:
            carried.setdefault(item.line, []).append(names.card(item.card))
    grown = {
        item.line: item.count
        for item in found.came
        if item.source is Source.ENTRIES and item.line >= 0
    }
    new = len(entries) - sum(item.source is Source.ENTRIES and item.line < 0 for item in found.came)
    lines: Counter[str] = Counter()
    for line, entry in enumerate(entries[new:], new):
        load = carried.pop(line, [])
        chosen = (formatter.choice(name, value) for name, value in entry.choices.items())
        told = ", ".join((*load, *chosen))
        text = names.card(entry.card) + (f" ({told})" if told else "")
        lines[text] += entry.count
    result = [f"+ {text}" + (f" ×{many}" if many > 1 else "") for text, many in lines.items()]
    for line, many in grown.items():
        result.append(f"  {formatter.line(found.roster, line)}: ×{entries[line].count} (+{many})")
    result += [
        f"  {formatter.line(found.roster, line)}: + {', '.join(load)}"
        for line, load in carried.items()
    ]
    for made in found.chosen:
        result.append(
            f"  {formatter.line(found.roster, made.line)}: {formatter.choice(made.name, made.value)}"
        )
    deck = [item for item in found.came if item.source is Source.DECK]
    result += [
        f"+ {names.card(item.card)}" + (f" ×{item.count}" if item.count > 1 else "")
        for item in deck
    ]
    for tie in found.ties:
        if tie.target is None:
            continue  # nothing that is there is taken away
        tied, target = (formatter.line(found.roster, line) for line in (tie.line, tie.target))
        result.append(f"  {tied}: {names.link(tie.link)} = {target}")
    return result


def describe_conflict(
    found: Conflict,
    roster: Roster,
    formatter: Formatter,
    own: Mapping[str, int] | None = None,
    painted: bool = False,
) -> list[str]:
    """The demands that cannot all hold: picks together, then rules as their titles, then the player's wishes.

    `own` are copies by card, only the painted ones if `painted`.
    """
    say, names = formatter.names.say, formatter.names
    stay = (item for item in found.demands if item.kind == "pick")
    picks = Counter(pick_name(roster, item.path, item.name, formatter) for item in stay)
    told = [
        say(_("{card} stays", card=name + (f" ×{many}" if many > 1 else "")))
        for name, many in picks.items()
    ]
    for item in found.demands:
        if item.kind == "rule":
            rule = formatter.evaluator.form(item.name).rule
            told.append(f"{rule.id} ({names.of(rule.title, rule.id)}; {names.of(rule.source, '')})")
        elif item.kind == "own":
            told.append(
                say(
                    _describe_owned_limit(
                        item.name, names.card(item.name), (own or {}).get(item.name, 0), painted
                    )
                )
            )
        elif item.kind != "pick":
            told.append(say(_describe_demand(item, roster, formatter)))
    return told


def _describe_owned_limit(card: str, name: str, owned: int, painted: bool) -> str:
    """The wish to add no more than is owned: of one card, or of all."""
    if not card and painted:
        return _("nothing is added that you do not have painted")
    if not card:
        return _("nothing is added that you do not own")
    form = _("{card}: no more than you own ({owned})")
    if painted:
        form = _("{card}: no more than you have painted ({owned})")
    return _(form, card=name, owned=owned)


def _describe_demand(item: Switch, roster: Roster, formatter: Formatter) -> Message:
    """A wish of the player's, or something that the roster says of a pick, which is to stay."""
    names = formatter.names
    match item.kind:
        case "choice":
            name, _unused, value = item.name.partition("=")
            card, choice = (
                formatter.line(roster, int(item.path[1])),
                formatter.choice(name, value, alike=False),
            )
            return _("{card} keeps {choice}", card=card, choice=choice)
        case "tie":
            card, link = formatter.line(roster, int(item.path[1])), names.link(item.name)
            return _("{card} keeps its “{link}”", card=card, link=link)
        case "slot":
            card = pick_name(roster, item.path, item.name, formatter)
            return _("{card} keeps the slot that is named", card=card)
        case "exact":
            return _("exactly {amount} spent", amount=item.name)
        case "want":
            return _("{card} is wanted", card=names.card(item.name))
    return _("{card} is not to be added", card=names.card(item.name))


def pick_name(roster: Roster, path: Sequence[str | int], card: str, formatter: Formatter) -> str:
    """A pick by name: an attachment with its bearer, an entry with its number where its card comes twice."""
    name = formatter.names.card(card)
    if path[0] != "entries":
        return name
    bearer = formatter.line(roster, int(path[1]))
    return f"{name} ({bearer})" if len(path) > 2 else bearer
