"""Find the cards that a rule may want. Any other card that is added can only make things worse."""

from builder.model.rules import Source
from builder.roster.resolve import Squad, added, picks_of
from builder.rules.evaluate import Evaluator

ROUNDS = 4
"""How often what wanted cards want themselves is looked up."""


def find_wanted_cards(
    squad: Squad, evaluator: Evaluator, only_rules: frozenset[str] | None = None
) -> dict[str, Source]:
    """Return the cards that some rule in force may want, each with the place where it stands.

    This is true whatever is chosen for models. With `only_rules` the other rules are left out.
    """
    cards = evaluator.pack.cards
    sources = {name: pick.source for name, pick in picks_of(evaluator.pack).items()}
    needs = []
    for form in evaluator.find_error_forms(squad.params):
        if only_rules is not None and form.rule.id not in only_rules:
            continue
        weak = bool(evaluator.domains.of_rule[form.rule.id])
        needs.append((form.selector_of(form.rule.select, weak), form.wants(weak)))
    pool = list(squad.picks(Source.ALL))
    found: dict[str, Source] = {}
    models = [
        added(cards[name], source, None, squad)
        for name, source in sources.items()
        if source is Source.ENTRIES
    ]
    bearers = {Source.ATTACHMENTS: [*squad.entries, *models]}
    picks = {
        name: [added(cards[name], source, bearer, squad) for bearer in bearers.get(source, [None])]
        for name, source in sources.items()
    }
    for _ in range(ROUNDS):
        before = len(found)
        asking = [(wants, [pick for pick in pool if takes.takes(pick)]) for takes, wants in needs]
        for card, source in sources.items():
            if card not in found and any(
                wants(pick, there) for wants, there in asking for pick in picks[card]
            ):
                found[card] = source
                pool += picks[card]
        wish = [cards[name] for name, source in found.items() if source is Source.ATTACHMENTS]
        for card in (bearer for one in wish for bearer in evaluator.carriers(one, weak=True)):
            if card not in found:
                found[card] = Source.ENTRIES
                pool += picks[card]
        if len(found) == before:
            break
    return found
