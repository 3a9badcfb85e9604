"""Fill in choices that have only one possible value, so that rosters need not state them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from builder.roster.resolve import SelectedCard, Squad, replace_entries
from builder.rules.choice_domains import ChoiceDomains
from builder.rules.query import CardTest


def assume_choices(
    squad: Squad, needed: Mapping[str, CardTest], domains: ChoiceDomains
) -> Squad:
    """Fill in every required choice of the squad's models that allows exactly one value.

    `needed` gives, by the choice's name, the condition under which a model needs it.
    """
    completed = {}
    for entry in squad.entries:
        names = [name for name, passes in needed.items() if passes(entry, None)]
        assumed_values = _find_only_values(names, entry, domains)
        if assumed_values:
            # By identity, because two lines of a roster may hold equal cards.
            completed[id(entry)] = replace(
                entry, choices={**entry.choices, **assumed_values}
            )
    return replace_entries(squad, completed)


def _find_only_values(
    names: Sequence[str], entry: SelectedCard, domains: ChoiceDomains
) -> dict[str, str]:
    """Return the value of each choice that has exactly one allowed value, by the choice's name.

    Choices from the same field of the card are counted together.
    """
    declared = domains.pack.manifest.roster.choices
    names_by_field: dict[str, list[str]] = {}
    for name in names:
        field = declared[name].field
        key = f"choice.{name}" if field is None else field
        names_by_field.setdefault(key, []).append(name)
    assumed_values: dict[str, str] = {}
    for field_names in names_by_field.values():
        if any(name in entry.choices for name in field_names):
            continue
        # Choices from one field are alternatives: together they must leave one value.
        options = []
        for name in field_names:
            options += [
                (name, value) for value in domains.list_options(name, entry.card)
            ]
        if len(options) == 1:
            assumed_values.update(options)
    return assumed_values
