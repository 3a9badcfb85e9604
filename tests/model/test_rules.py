"""A rule that could mean nothing, or two things, is refused when it is read."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from builder.model.rules import RuleSet

RULE: dict[str, Any] = {
    "id": "r",
    "type": "limit",
    "title": {"en": "R"},
    "source": "1",
    "measure": "count",
    "max": 1,
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"max": None}, "at least one of min, max, exactly"),
        ({"exactly": 1}, "exactly cannot be combined with min or max"),
        ({"max": {"field": "limit"}}, "needs `per: card` or `per: entry`"),
        ({"groups": {"from": "entries"}}, "`groups` needs"),
        (
            {"per": "entry", "select": {"from": "deck"}},
            "the deck belongs to the whole roster",
        ),
        (
            {"measure": {"count": True, "sum": "cost"}},
            "exactly one of count, sum, distinct",
        ),
        ({"max": {"number": 1, "param": "size"}}, "exactly one of number, param"),
        ({"max": {"table": {"a": 1}}}, "`table` and `by` must be used together"),
    ],
)
def test_an_unsound_limit_is_refused_and_says_why(
    change: dict[str, Any], why: str
) -> None:
    assert RuleSet.model_validate({"rules": [RULE]}).rules
    with pytest.raises(ValidationError, match=why):
        RuleSet.model_validate({"rules": [{**RULE, **change}]})


def test_two_rules_may_not_have_one_id() -> None:
    """A verdict would be told in the words of the wrong one."""
    assert RuleSet.model_validate({"rules": [RULE, {**RULE, "id": "s"}]}).rules
    with pytest.raises(ValidationError, match="two rules have the id r"):
        RuleSet.model_validate({"rules": [RULE, {**RULE, "max": 2}]})
