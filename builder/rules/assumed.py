"""Choices that a roster need not state, because only one value is possible."""

from collections.abc import Mapping
from dataclasses import replace

from builder.roster.resolve import Pick, Squad
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.query import compile_where


def assume_choices(squad: Squad, domains: ChoiceDomains) -> Squad:
    """Return the squad with each needed choice made that has one possible value; itself where there is none."""
    declared = domains.pack.manifest.roster.choices
    needed = {
        name: compile_where(choice.needed)
        for name, choice in declared.items()
        if choice.needed is not None
    }
    if not needed:
        return squad
    completed: dict[int, Pick] = {}
    for entry in squad.entries:
        names = [name for name, passes in needed.items() if passes(entry, None)]
        assumed = _only_values(names, entry, domains)
        if assumed:
            completed[id(entry)] = replace(entry, choices={**entry.choices, **assumed})
    if not completed:
        return squad
    return replace(
        squad,
        entries=tuple(completed.get(id(entry), entry) for entry in squad.entries),
        attachments=tuple(
            replace(pick, bearer=completed[id(pick.bearer)])
            if id(pick.bearer) in completed
            else pick
            for pick in squad.attachments
        ),
        ties={link: completed.get(id(target), target) for link, target in squad.ties.items()},
    )


def _only_values(names: list[str], entry: Pick, domains: ChoiceDomains) -> Mapping[str, str]:
    """Return the choices that leave the entry one value; those from one field of the card are counted together."""
    declared = domains.pack.manifest.roster.choices
    groups: dict[str, list[str]] = {}
    for name in names:
        field = declared[name].field
        groups.setdefault(f"choice.{name}" if field is None else field, []).append(name)
    assumed: dict[str, str] = {}
    for group in groups.values():
        if any(name in entry.choices for name in group):
            continue
        options = [(name, value) for name in group for value in domains.options(name, entry.card)]
        if len(options) == 1:
            assumed.update(options)
    return assumed
