"""Find special rules of an attack and its model that the numbers do not include."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from builder.dice.attack_stats import Attack
from builder.model.base import Json, look_up, walk_models
from builder.model.rules import Where
from builder.model.stats import AttackForm, StatsFile
from builder.model.statvalues import FieldOf
from builder.roster.resolve import make_test_selection
from builder.rules.query import compile_condition, list_tests


@dataclass(frozen=True, slots=True)
class Effect:
    """A special rule of an attack: its owner, its field, its id, and its value.

    For an attachment, `id` is its card id and `field` is empty. If a whole field is one rule, `id`
    is the name of the field.
    """

    owner: Literal["attack", "model", "carried"]
    field: str
    id: str
    value: Json = None


def find_uncounted_effects(attack: Attack, stats: StatsFile) -> Iterator[Effect]:
    """Yield the special rules of an attack whose effect its values do not contain."""
    unrelated = {*stats.unrelated, *attack.form.unrelated}
    for effect in _find_effects(attack, stats):
        if effect.id not in unrelated and not _is_in_attack_values(effect, attack):
            yield effect


def _find_effects(attack: Attack, stats: StatsFile) -> Iterator[Effect]:
    """Yield the special rules of one attack."""
    model = make_test_selection(attack.model, choices=attack.choices)
    for source in stats.effects:
        if source.attack is not None:
            content = look_up(attack.data, source.attack.split("."))
            yield from _list_effects("attack", source.attack, content)
        elif source.model is not None:
            yield from _list_effects(
                "model", source.model, model.get_value(source.model)
            )
        elif source.carried is not None:
            yield from _find_attachment_effects(attack, source.carried)


def _list_effects(
    owner: Literal["attack", "model"], field: str, content: Json
) -> Iterator[Effect]:
    """Yield the special rules in one field."""
    for name, value in _find_rules(field, content):
        yield Effect(owner, field, name, value)


def _find_attachment_effects(attack: Attack, condition: Where) -> Iterator[Effect]:
    """Yield the special rules of other attachments that meet a condition."""
    matches = compile_condition(condition)
    for card in attack.other_attachments:
        if matches(make_test_selection(card), None):
            yield Effect("carried", "", card.id)


def _find_rules(field: str, content: Json) -> Iterator[tuple[str, Json]]:
    """Yield the id and the value of each special rule in a field.

    The keys of a map, the texts of a list, else the field itself.
    """
    if isinstance(content, Mapping):
        yield from ((str(name), value) for name, value in content.items())
    elif isinstance(content, list | tuple):
        yield from ((str(item), None) for item in content)
    elif isinstance(content, str) and field.startswith("choice."):
        yield content, None
    elif content:
        yield field.rpartition(".")[2], content


def _is_in_attack_values(effect: Effect, attack: Attack) -> bool:
    """Return True if the calculated values of the attack contain the effect of the special rule.

    This is so if the attack form reads the rule, or names it in a condition that the choices meet.
    """
    path = f"{effect.field}.{effect.id}"
    for part in _list_values_and_conditions(attack.form):
        if isinstance(part, FieldOf):
            field = part.attack if effect.owner == "attack" else part.model
            if _is_path_of_rule(field or "", path, effect):
                return True
        elif isinstance(part, Where):
            refers_to_rule = _condition_refers_to(part, path, effect)
            # a condition that the model's choices do not meet has no effect
            if refers_to_rule and _match_choices(part, attack):
                return True
    return False


def _list_values_and_conditions(form: AttackForm) -> Iterator[object]:
    """Yield all values and conditions of an attack form.

    Names of `let` are left out: some may be unused.
    """
    for part in (form.where, form.bearer, form.bearers, *form.parts):
        yield from walk_models(part)


def _is_path_of_rule(read_path: str, path: str, effect: Effect) -> bool:
    """Return True if a path that is read is the path of the special rule, or inside it."""
    # with a dot at the end, `rules.fast` does not begin with `rules.fa`
    if f"{read_path}.".startswith(f"{path}."):
        return True
    return read_path == effect.field and effect.field.endswith(effect.id)


def _condition_refers_to(condition: Where, path: str, effect: Effect) -> bool:
    """Return True if a condition names the special rule by its path or its id."""
    for tested_path, test in condition.fields.items():
        if _is_path_of_rule(tested_path, path, effect):
            return True
        if tested_path != effect.field:
            continue
        for _name, operand in list_tests(test):
            operands = operand if isinstance(operand, tuple) else (operand,)
            if effect.id in operands:
                return True
    return False


def _match_choices(condition: Where, attack: Attack) -> bool:
    """Return True if the choices of an attack meet a condition.

    Other parts of the condition are ignored.
    """
    choice_tests = {
        path: test
        for path, test in condition.fields.items()
        if path.startswith("choice.")
    }
    model = make_test_selection(attack.model, choices=attack.choices)
    return compile_condition(Where(fields=choice_tests))(model, None)
