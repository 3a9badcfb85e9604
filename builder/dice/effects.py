"""Which rules of an attack, its model and its load the numbers of a form do not count."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from builder.dice.attack_stats import Attack
from builder.model.base import Json, look_up, walk_models
from builder.model.rules import Where
from builder.model.stats import AttackForm, StatsFile
from builder.model.statvalues import FieldOf
from builder.roster.resolve import select_card
from builder.rules.query import compile_where, list_tests


@dataclass(frozen=True, slots=True)
class Effect:
    """One rule: whose it is, the field that holds it, its id there, and what stands there.

    Of a carried card `id` is the card's and `field` is empty. A rule that is a field by itself has
    the field's name.
    """

    owner: Literal["attack", "model", "carried"]
    field: str
    id: str
    value: Json = None


def find_uncounted_effects(attack: Attack, stats: StatsFile) -> Iterator[Effect]:
    """Yield the rules at the places that the file names (`effects`) which the attack's form does not count."""
    unrelated = {*stats.unrelated, *attack.form.unrelated}
    for effect in _find_effects(attack, stats):
        if effect.id not in unrelated and not _is_counted(effect, attack):
            yield effect


def _find_effects(attack: Attack, stats: StatsFile) -> Iterator[Effect]:
    """Yield every rule of one attack at the places that the file names."""
    model = select_card(attack.model, choices=attack.choices)
    for source in stats.effects:
        if source.attack is not None:
            found = look_up(attack.data, source.attack.split("."))
            yield from (
                Effect("attack", source.attack, name, value)
                for name, value in _find_rules(source.attack, found)
            )
        elif source.model is not None:
            found = model.get_value(source.model)
            yield from (
                Effect("model", source.model, name, value)
                for name, value in _find_rules(source.model, found)
            )
        elif source.carried is not None:
            passes = compile_where(source.carried)
            yield from (
                Effect("carried", "", card.id)
                for card in attack.other_attachments
                if passes(select_card(card), None)
            )


def _find_rules(field: str, found: Json) -> Iterator[tuple[str, Json]]:
    """Yield id and value of each rule in a field.

    Of a map its keys, of a list its texts, else the field itself.
    """
    if isinstance(found, Mapping):
        yield from ((str(name), value) for name, value in found.items())
    elif isinstance(found, list | tuple):
        yield from ((str(item), None) for item in found)
    elif isinstance(found, str) and field.startswith("choice."):
        yield found, None
    elif found:
        yield field.rpartition(".")[2], found


def _is_counted(effect: Effect, attack: Attack) -> bool:
    """Return True if the form reads the rule, or a true condition of the form tests it."""
    form = attack.form
    own = effect.owner == "attack"
    path = f"{effect.field}.{effect.id}"
    for part in _parts_of(form):
        if isinstance(part, FieldOf) and _starts_with(
            (part.attack if own else part.model) or "", path, effect
        ):
            return True
        if (
            isinstance(part, Where)
            and _tests_rule(part, path, effect)
            and _holds_for_choices(part, attack)
        ):
            return True
    return False


def _parts_of(form: AttackForm) -> Iterator[object]:
    """Yield every number and condition that the form uses.

    `let` holds names of which some may be unused.
    """
    for part in (form.where, form.bearer, form.bearers, *form.parts):
        yield from walk_models(part)


def _starts_with(read: str, path: str, effect: Effect) -> bool:
    """Return True if a field that is read is the rule's own or lies inside it."""
    return f"{read}.".startswith(f"{path}.") or (
        read == effect.field and effect.field.endswith(effect.id)
    )


def _tests_rule(where: Where, path: str, effect: Effect) -> bool:
    """Return True if a condition names the rule: by its path, or by its id as a value of the field."""
    for tested, test in where.fields.items():
        if _starts_with(tested, path, effect):
            return True
        for _name, wanted in list_tests(test) if tested == effect.field else ():
            if effect.id in (wanted if isinstance(wanted, tuple) else (wanted,)):
                return True
    return False


def _holds_for_choices(where: Where, attack: Attack) -> bool:
    """Return True if the part of a condition about choices holds, such as the roll that selects a line of a table."""
    asked = {path: test for path, test in where.fields.items() if path.startswith("choice.")}
    return compile_where(Where(fields=asked))(
        select_card(attack.model, choices=attack.choices), None
    )
