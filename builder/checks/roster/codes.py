"""What judging a roster can find: codes with their reasons and remedies."""

from __future__ import annotations

from collections.abc import Mapping

from builder.findings import Severity
from builder.messages import gettext as _
from builder.model.codes import Code, define

RULE_BROKEN = define(
    "roster/rule-broken",
    _("The squad breaks a rule of its game"),
    _(
        "The rules of squad building stand in the pack's rules.yaml; the message names the rule, its place in the"
        " rulebook, what was counted and where the bound comes from."
    ),
    _("Take one of the repairs that the hint names, nearest first."),
)
EXPECTATION = define(
    "roster/expectation",
    _("A sample squad is judged otherwise than it says"),
    _("Samples are the tests of rules.yaml: one that changes its verdict shows that a rule or a card did."),
    _("Correct `expect` in the roster if the new verdict is right, else the rule or the card."),
)
PACK_ERRORS = define(
    "roster/pack-has-errors",
    _("The pack itself has errors"),
    _("Cards that are not valid are not loaded; a squad that uses them is judged without them."),
    _("Run `squadpress check` and mend the pack first."),
    Severity.WARNING,
)
NOT_OWNED = define(
    "roster/not-owned",
    _("The squads claim more copies of a card than the collection holds"),
    _("A collection lists what stands on the player's shelf; several squads of one evening share it."),
    _("Take the card out of one squad, or correct the collection."),
)
PROBLEMS: Mapping[str, Code] = {
    "unknown-card": define(
        "roster/unknown-card",
        _("The roster names a card that the pack does not have"),
        _("A squad cannot be judged or printed with a card that nobody knows."),
        _("Correct the id; it is the card's file name without .yaml."),
    ),
    "wrong-role": define(
        "roster/wrong-role",
        _("A card stands where its kind may not"),
        _("Each kind of card is an entry, an attachment or a deck card; pack.yaml says which."),
        _("Put the card where its kind belongs."),
    ),
    "unknown-link": define(
        "roster/unknown-link",
        _("A tie that the pack does not declare"),
        _("A misspelt tie would be ignored, and the squad would be judged as another one."),
        _("Use a tie that pack.yaml declares under roster.links."),
    ),
    "unknown-target": define(
        "roster/unknown-target",
        _("A tie points at nothing in this roster"),
        _("A tie names another entry by its id, or by its card where that is the only one."),
        _("Name an entry of this roster."),
    ),
    "ambiguous-target": define(
        "roster/ambiguous-target",
        _("A tie points at a card that stands on several lines"),
        _("Which of them is meant decides who is placed after whom, so it cannot be guessed."),
        _("Give the meant entry an `id` and name that."),
    ),
    "unknown-choice": define(
        "roster/unknown-choice",
        _("A choice that the pack does not declare"),
        _("A misspelt choice would be ignored, and the squad would be judged as another one."),
        _("Use a choice that pack.yaml declares under roster.choices."),
    ),
    "wrong-choice": define(
        "roster/wrong-choice",
        _("A choice has a value that the pack does not know"),
        _("Rules look at the choice; an unknown value would slip past them."),
        _("Use one of the values that pack.yaml declares, or the id of a card of the chosen kind."),
    ),
    "unknown-param": define(
        "roster/unknown-parameter",
        _("A parameter that the pack does not declare"),
        _("Bounds are worked out from the parameters; an unknown one would be ignored."),
        _("Use a parameter that pack.yaml declares under roster.params."),
    ),
    "wrong-param": define(
        "roster/wrong-parameter",
        _("A parameter has a value that is not allowed"),
        _("Bounds are worked out from the parameters."),
        _("Write a value that pack.yaml allows."),
    ),
    "missing-param": define(
        "roster/missing-parameter",
        _("A parameter without a default is not stated"),
        _("Bounds are worked out from the parameters."),
        _("State it at the top of the roster."),
    ),
    "duplicate-id": define(
        "roster/duplicate-id",
        _("Two entries have one id"),
        _("Ties name entries by their id; with two of one name they would point at either."),
        _("Give each entry an id of its own."),
    ),
    "other-pack": define(
        "roster/other-pack",
        _("The roster belongs to another pack"),
        _("A squad is judged by the rules of its own game."),
        _("Judge it with the pack that it names."),
    ),
}
"""The code of a finding for each sort of problem that resolving a roster meets."""
