"""Complete an unfinished squad with the solver, and describe the additions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from builder.errors import UsageError
from builder.messages import Message, gettext as _
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.costs import count_cards, find_shortages
from builder.rules.format import Formatter
from builder.solver.complete import find_completions
from builder.solver.completion_model import SquadRequest
from builder.solver.conflict import Conflict, Demand
from builder.solver.result import SolvedRoster
from builder.usecases.roster.check_roster import (
    CheckedRoster,
    OwnedCards,
    check_card_exists,
    check_size,
)


@dataclass(frozen=True, slots=True)
class CompletedRoster:
    """A solution: the squad, its cost, and a line for each addition."""

    roster: Roster
    cost: int | float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of completing a squad.

    `why` are the requirements that contradict each other, if there is no legal squad. `notes`
    are requests that the cards of the file already contradict.
    """

    squads: tuple[CompletedRoster, ...] = ()
    proved: bool = True
    why: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def complete_roster(
    result: CheckedRoster, wish: SquadRequest, owned: OwnedCards | None = None
) -> Completion:
    """Return legal squads that contain a checked one. Empty if the squad could not be understood.

    Raise UsageError for an unknown card, for a card that is both requested and excluded, and
    for a squad that is too large.
    """
    checker, roster = result.checker, result.roster
    if checker is None or roster is None or result.verdict is None or result.verdict.problems:
        return Completion()
    check_size(roster)
    for card in (*wish.want, *sorted(wish.avoid)):
        check_card_exists(checker.pack, card)
        if card in wish.want and card in wish.avoid:
            message = _("{card} is both included and excluded", card=card)
            raise UsageError(message, _("Use only one of --want and --avoid."))
    painted = owned is not None and owned.painted
    if owned is not None:
        wish = replace(wish, owned_copies=owned.count_copies(checker.pack))
    completion = find_completions(checker, roster, wish)
    formatter = Formatter(checker.evaluator, result.lang)
    notes = tuple(_describe_kept_wishes(roster, wish, painted, formatter))
    if completion.conflict is not None and completion.conflict.demands:
        why = tuple(
            describe_conflict(completion.conflict, roster, formatter, wish.owned_copies, painted)
        )
        return Completion(proved=completion.conflict.is_proved, why=why, notes=notes)
    if not completion.squads:
        late = _(
            "Time ran out before a legal squad was found; there may be one. Try again, or "
            "require less."
        )
        notes = (*notes, formatter.names.translate(late))
    squads = (
        CompletedRoster(solved.roster, solved.cost, tuple(describe_additions(solved, formatter)))
        for solved in completion.squads
    )
    return Completion(tuple(squads), completion.is_proved, notes=notes)


def _describe_kept_wishes(
    roster: Roster, wish: SquadRequest, painted: bool, formatter: Formatter
) -> Iterator[str]:
    """Yield the cards of the file that contradict the wishes: completing only adds."""
    used_copies = count_cards(roster)
    for card in sorted(wish.avoid & used_copies.keys()):
        form = _(
            "{card} stays in the squad: --avoid only prevents adding cards. Remove it with "
            "`squadpress roster remove`."
        )
        yield formatter.names.translate(_(form, card=formatter.names.name_card(card)))
    for item in (
        find_shortages({"": roster}, wish.owned_copies) if wish.owned_copies is not None else ()
    ):
        form = _("{card} ×{used} stays, although you own {owned}")
        if painted:
            form = _("{card} ×{used} stays, although you have {owned} painted")
        yield formatter.names.translate(
            _(form, card=formatter.names.name_card(item.card), used=item.claimed, owned=item.owned)
        )


def describe_additions(solved: SolvedRoster, formatter: Formatter) -> list[str]:
    """Return a line for each addition: new models, new equipment of old models, links."""
    names, roster = formatter.names, solved.roster
    attachments: dict[int, list[str]] = {}
    added_copies: dict[int, int] = {}
    new_entries = 0
    for addition in solved.additions:
        if addition.source is Source.ATTACHMENTS:
            attachments.setdefault(addition.line, []).append(names.name_card(addition.card))
        elif addition.source is Source.ENTRIES and addition.line >= 0:
            added_copies[addition.line] = addition.count
        elif addition.source is Source.ENTRIES:
            new_entries += 1
    first_new = len(roster.entries) - new_entries
    new_models: Counter[str] = Counter()
    for line, entry in enumerate(roster.entries[first_new:], first_new):
        choices = [formatter.format_choice(name, value) for name, value in entry.choices.items()]
        details = ", ".join((*attachments.pop(line, []), *choices))
        text = (
            f"{names.name_card(entry.card)} ({details})" if details else names.name_card(entry.card)
        )
        new_models[text] += entry.count
    texts = [_format_addition(text, copies) for text, copies in new_models.items()]
    for line, copies in added_copies.items():
        texts.append(
            f"  {formatter.format_line(roster, line)}: ×{roster.entries[line].count} (+{copies})"
        )
    for line, cards in attachments.items():
        texts.append(f"  {formatter.format_line(roster, line)}: + {', '.join(cards)}")
    for choice in solved.choices:
        value = formatter.format_choice(choice.name, choice.value)
        texts.append(f"  {formatter.format_line(roster, choice.line)}: {value}")
    return [*texts, *_describe_deck(solved, formatter), *_describe_links(solved, formatter)]


def _describe_deck(solved: SolvedRoster, formatter: Formatter) -> Iterator[str]:
    for addition in solved.additions:
        if addition.source is Source.DECK:
            yield _format_addition(formatter.names.name_card(addition.card), addition.count)


def _format_addition(text: str, copies: int) -> str:
    return f"+ {text} ×{copies}" if copies > 1 else f"+ {text}"


def _describe_links(solved: SolvedRoster, formatter: Formatter) -> Iterator[str]:
    for link in solved.links:
        if link.target is not None:  # completing removes no link
            model = formatter.format_line(solved.roster, link.line)
            target = formatter.format_line(solved.roster, link.target)
            yield f"  {model}: {formatter.names.name_link(link.link)} = {target}"


def describe_conflict(
    conflict_found: Conflict,
    roster: Roster,
    formatter: Formatter,
    owned: Mapping[str, int] | None = None,
    painted: bool = False,
) -> list[str]:
    """Return the requirements that contradict each other: cards, then rules, then requests.

    `owned` are copies by card, only the painted ones with `painted`.
    """
    say, names = formatter.names.translate, formatter.names
    stay = (item for item in conflict_found.demands if item.kind == "pick")
    picks = Counter(pick_name(roster, item.path, item.name, formatter) for item in stay)
    texts = [
        say(_("{card} must stay", card=name + (f" ×{copies}" if copies > 1 else "")))
        for name, copies in picks.items()
    ]
    for item in conflict_found.demands:
        if item.kind == "rule":
            rule = formatter.evaluator.get_form(item.name).rule
            texts.append(
                f"{rule.id} ({names.choose_name(rule.title, rule.id)}; "
                f"{names.choose_name(rule.source, '')})"
            )
        elif item.kind == "own":
            texts.append(
                say(
                    _describe_owned_limit(
                        item.name,
                        names.name_card(item.name),
                        (owned or {}).get(item.name, 0),
                        painted,
                    )
                )
            )
        elif item.kind != "pick":
            texts.append(say(_describe_demand(item, roster, formatter)))
    return texts


def _describe_owned_limit(card: str, name: str, owned: int, painted: bool) -> str:
    """Return the requirement to use no more copies than are owned, of one card or of all."""
    if not card and painted:
        return _("only cards you have painted are added")
    if not card:
        return _("only cards you own are added")
    form = _("{card}: at most the {owned} you own")
    if painted:
        form = _("{card}: at most the {owned} you have painted")
    return _(form, card=name, owned=owned)


def _describe_demand(item: Demand, roster: Roster, formatter: Formatter) -> Message:
    """Return a player's request as text, or the selected card of the roster that must stay."""
    names = formatter.names
    match item.kind:
        case "choice":
            name, _unused, value = item.name.partition("=")
            card = formatter.format_line(roster, int(item.path[1]))
            choice = formatter.format_choice(name, value, count_similar=False)
            return _("{card} must keep {choice}", card=card, choice=choice)
        case "tie":
            card = formatter.format_line(roster, int(item.path[1]))
            link = names.name_link(item.name)
            return _("{card} must keep its “{link}”", card=card, link=link)
        case "slot":
            card = pick_name(roster, item.path, item.name, formatter)
            return _("{card} keeps its slot", card=card)
        case "exact":
            return _("exactly {amount} must be spent", amount=item.name)
        case "want":
            return _("{card} must be added", card=names.name_card(item.name))
    return _("{card} must not be added", card=names.name_card(item.name))


def pick_name(roster: Roster, path: Sequence[str | int], card: str, formatter: Formatter) -> str:
    """Return the name of a selected card: an attachment with its model, repeated ones numbered."""
    name = formatter.names.name_card(card)
    if path[0] != "entries":
        return name
    bearer = formatter.format_line(roster, int(path[1]))
    return f"{name} ({bearer})" if len(path) > 2 else bearer
