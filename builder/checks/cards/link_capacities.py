"""Checks that only one link rule with a capacity is in force for a model."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from builder.checks.cards.rule_reach import drop_fields
from builder.findings import Finding
from builder.messages import gettext as _
from builder.model.codes import define
from builder.model.loaded import LoadedPack
from builder.model.pack import Pack
from builder.model.rules import LinkRule, Source
from builder.roster.resolve import make_test_selections
from builder.rules.query import compile_condition, keep_static_part

TWO_CAPACITIES = define(
    "rules/two-capacities",
    _("Two link rules with a capacity apply to the same card and link"),
    _(
        "Each rule assigns the card's models to targets separately. A squad could pass "
        "although no assignment respects both capacities."
    ),
    _(
        "Use one rule with one capacity, or make the selections or conditions of the two "
        "rules exclude each other."
    ),
)


def check(loaded: LoadedPack) -> Iterator[Finding]:
    """Report two link rules with capacities that apply to the same card and link."""
    document = loaded.sources.get("rules.yaml")
    pack = loaded.whole
    if document is None or loaded.verdict_errors:
        return
    rules = [
        (index, rule)
        for index, rule in enumerate(pack.rules.rules)
        if isinstance(rule, LinkRule) and rule.capacity is not None
    ]
    for (_first_index, first), (index, second) in combinations(rules, 2):
        if first.link != second.link or _exclude_each_other(first, second):
            continue
        shared = sorted(_select_cards(first, pack) & _select_cards(second, pack))
        if shared:
            message = _(
                "the rules {first} and {second} both have a capacity for the link {link} of {card}",
                first=first.id,
                second=second.id,
                link=second.link,
                card=shared[0],
            )
            yield TWO_CAPACITIES.finding(
                message, document.locate(("rules", index, "capacity"))
            )


def _select_cards(rule: LinkRule, pack: Pack) -> set[str]:
    """Return the ids of the cards that a link rule may apply to."""
    # Where players choose keywords, a test of keywords does not exclude any card.
    is_changed = any(
        choice.keyword is not None for choice in pack.manifest.roster.choices.values()
    )
    where = keep_static_part(
        drop_fields(rule.select.where, frozenset({"keywords"} if is_changed else ()))
    )
    passes = compile_condition(where)
    entries = (
        pick
        for pick in make_test_selections(pack).values()
        if pick.source is Source.ENTRIES
    )
    return {pick.card.id for pick in entries if passes(pick, None)}


def _exclude_each_other(first: LinkRule, second: LinkRule) -> bool:
    """Return True if no roster parameters can put both rules in force."""
    first_params = _read_params(first)
    second_params = _read_params(second)
    return any(
        first_params[name].isdisjoint(second_params[name])
        for name in first_params.keys() & second_params
    )


def _read_params(rule: LinkRule) -> Mapping[str, frozenset[object]]:
    """Return the parameter values for which the rule is in force."""
    if rule.when is None:
        return {}
    return {
        name: frozenset(value if isinstance(value, tuple) else (value,))
        for name, value in rule.when.params.items()
    }
