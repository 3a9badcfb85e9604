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
    require_searchable_size,
)


@dataclass(frozen=True, slots=True)
class CompletedRoster:
    """A legal squad that the solver found, with its cost and a line for each addition."""

    roster: Roster
    cost: int | float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of completing a squad: legal squads, or the reasons why there is none.

    `why` are the requirements that contradict each other, if there is no legal squad. `notes`
    are requests that the cards of the file already contradict.
    """

    squads: tuple[CompletedRoster, ...] = ()
    proved: bool = True
    why: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def complete_roster(
    result: CheckedRoster, request: SquadRequest, owned: OwnedCards | None = None
) -> Completion:
    """Find legal squads that contain all cards of a checked squad.

    The result is empty for an unreadable squad. Raise UsageError for an unknown card, for a card
    that is both requested and excluded, and for a squad that is too large.
    """
    checker, roster = result.checker, result.roster
    if (
        checker is None
        or roster is None
        or result.verdict is None
        or result.verdict.problems
    ):
        return Completion()
    require_searchable_size(roster)
    for card in (*request.want, *sorted(request.avoid)):
        check_card_exists(checker.pack, card)
        if card in request.want and card in request.avoid:
            message = _("{card} is both included and excluded", card=card)
            raise UsageError(message, _("Use only one of --want and --avoid."))
    painted = owned is not None and owned.painted
    if owned is not None:
        request = replace(request, owned_copies=owned.count_copies(checker.pack))
    completion = find_completions(checker, roster, request)
    formatter = Formatter(checker.evaluator, result.lang)
    notes = [*_list_contradictions(roster, request, painted, formatter)]
    conflict = completion.conflict
    if conflict is not None and conflict.demands:
        why = describe_conflict(
            conflict, roster, formatter, request.owned_copies, painted
        )
        return Completion(proved=conflict.is_proved, why=tuple(why), notes=tuple(notes))
    if not completion.squads:
        message = _(
            "Time ran out before a legal squad was found; there may be one. Try again, or "
            "require less."
        )
        notes.append(formatter.names.translate(message))
    squads: list[CompletedRoster] = []
    for solved in completion.squads:
        lines = tuple(describe_additions(solved, formatter))
        squads.append(CompletedRoster(solved.roster, solved.cost, lines))
    return Completion(tuple(squads), completion.is_proved, notes=tuple(notes))


def _list_contradictions(
    roster: Roster, request: SquadRequest, painted: bool, formatter: Formatter
) -> Iterator[str]:
    """Yield messages about cards of the squad that the request excludes.

    They stay, because completing only adds cards.
    """
    names = formatter.names
    used_copies = count_cards(roster)
    for card in sorted(request.avoid & used_copies.keys()):
        form = _(
            "{card} stays in the squad: --avoid only prevents adding cards. Remove it with "
            "`squadpress roster remove`."
        )
        yield names.translate(_(form, card=names.name_card(card)))
    if request.owned_copies is None:
        return
    for item in find_shortages({"": roster}, request.owned_copies):
        form = _("{card} ×{used} stays, although you own {owned}")
        if painted:
            form = _("{card} ×{used} stays, although you have {owned} painted")
        name = names.name_card(item.card)
        yield names.translate(_(form, card=name, used=item.claimed, owned=item.owned))


def describe_additions(solved: SolvedRoster, formatter: Formatter) -> list[str]:
    """Return a line for each addition: new models, new equipment of old models, links."""
    names, roster = formatter.names, solved.roster
    attachments: dict[int, list[str]] = {}
    added_copies: dict[int, int] = {}
    new_entries = 0
    for addition in solved.additions:
        if addition.source is Source.ATTACHMENTS:
            attachments.setdefault(addition.line, []).append(
                names.name_card(addition.card)
            )
        elif addition.source is Source.ENTRIES and addition.line >= 0:
            added_copies[addition.line] = addition.count
        elif addition.source is Source.ENTRIES:
            new_entries += 1
    # The solver appends new entries to those of the file.
    first_new = len(roster.entries) - new_entries
    new_models: Counter[str] = Counter()
    for line, entry in enumerate(roster.entries[first_new:], first_new):
        choices = [
            formatter.format_choice(name, value)
            for name, value in entry.choices.items()
        ]
        details = ", ".join((*attachments.pop(line, []), *choices))
        name = names.name_card(entry.card)
        text = f"{name} ({details})" if details else name
        new_models[text] += entry.count
    texts = [_format_addition(text, copies) for text, copies in new_models.items()]
    for line, copies in added_copies.items():
        model = formatter.format_line(roster, line)
        texts.append(f"  {model}: ×{roster.entries[line].count} (+{copies})")
    # Attachments of new models are in their lines already; these are of old models.
    for line, cards in attachments.items():
        texts.append(f"  {formatter.format_line(roster, line)}: + {', '.join(cards)}")
    for choice in solved.choices:
        value = formatter.format_choice(choice.name, choice.value)
        texts.append(f"  {formatter.format_line(roster, choice.line)}: {value}")
    return [
        *texts,
        *_describe_deck(solved, formatter),
        *_describe_links(solved, formatter),
    ]


def _describe_deck(solved: SolvedRoster, formatter: Formatter) -> Iterator[str]:
    for addition in solved.additions:
        if addition.source is Source.DECK:
            yield _format_addition(
                formatter.names.name_card(addition.card), addition.count
            )


def _format_addition(text: str, copies: int) -> str:
    return f"+ {text} ×{copies}" if copies > 1 else f"+ {text}"


def _describe_links(solved: SolvedRoster, formatter: Formatter) -> Iterator[str]:
    for link in solved.links:
        if link.target is not None:  # completing removes no link
            model = formatter.format_line(solved.roster, link.line)
            target = formatter.format_line(solved.roster, link.target)
            yield f"  {model}: {formatter.names.name_link(link.link)} = {target}"


def describe_conflict(
    conflict: Conflict,
    roster: Roster,
    formatter: Formatter,
    owned: Mapping[str, int] | None = None,
    painted: bool = False,
) -> list[str]:
    """Describe requirements that contradict each other: cards, then rules, then requests.

    `owned` are copies by card, only the painted ones with `painted`.
    """
    names = formatter.names
    remaining_copies: Counter[str] = Counter()
    for item in conflict.demands:
        if item.kind == "pick":
            remaining_copies[
                name_selected_card(roster, item.path, item.name, formatter)
            ] += 1
    texts = []
    for name, copies in remaining_copies.items():
        card = f"{name} ×{copies}" if copies > 1 else name
        texts.append(names.translate(_("{card} must stay", card=card)))
    for item in conflict.demands:
        if item.kind == "rule":
            rule = formatter.evaluator.get_form(item.name).rule
            title = names.choose_name(rule.title, rule.id)
            texts.append(f"{rule.id} ({title}; {names.choose_name(rule.source, '')})")
        elif item.kind == "own":
            name = names.name_card(item.name)
            copies = (owned or {}).get(item.name, 0)
            limit = _describe_owned_limit(item.name, name, copies, painted)
            texts.append(names.translate(limit))
        elif item.kind != "pick":
            texts.append(names.translate(_describe_demand(item, roster, formatter)))
    return texts


def _describe_owned_limit(card: str, name: str, owned: int, painted: bool) -> str:
    """Describe the requirement to use only as many copies of a card as are owned."""
    if not card and painted:
        return _("only cards you have painted are added")
    if not card:
        return _("only cards you own are added")
    form = _("{card}: at most the {owned} you own")
    if painted:
        form = _("{card}: at most the {owned} you have painted")
    return _(form, card=name, owned=owned)


def _describe_demand(item: Demand, roster: Roster, formatter: Formatter) -> Message:
    """Describe one requirement: a request of the player, or a card that must stay."""
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
            card = name_selected_card(roster, item.path, item.name, formatter)
            return _("{card} keeps its slot", card=card)
        case "exact":
            return _("exactly {amount} must be spent", amount=item.name)
        case "want":
            return _("{card} must be added", card=names.name_card(item.name))
    return _("{card} must not be added", card=names.name_card(item.name))


def name_selected_card(
    roster: Roster, path: Sequence[str | int], card: str, formatter: Formatter
) -> str:
    """Return the name of a card of the squad. An attachment is named with its model."""
    name = formatter.names.name_card(card)
    if path[0] != "entries":
        return name
    model = formatter.format_line(roster, int(path[1]))
    # The path of an attachment is entries, line, attachments, index.
    return f"{name} ({model})" if len(path) > 2 else model
