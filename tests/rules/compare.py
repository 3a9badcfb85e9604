"""Compare the verdicts on random squads with brute force.

`python -m tests.rules.compare --squads 20000`.

The command prints how many squads of which sort were compared, and ends with 1 if one verdict
differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from builder.model.roster import Roster
from builder.rules.checker import RosterChecker
from tests.rules.link_brute_force import judge_by_trying
from tests.rules.orchard import pack
from tests.rules.random_games import make_cards, make_rules, make_squad
from tests.rules.slowly import slowly

SQUADS_PER_GAME = 50


class Comparison:
    """The counts of one run."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []

    def run(self, squads: int) -> None:
        """Compare so many squads that have no unclear links."""
        while self.counts["squads compared"] < squads:
            cards, rules = make_cards(self.random), make_rules(self.random)
            checker = RosterChecker(pack(rules, cards))
            self.counts["games"] += 1
            by_id = {card["id"]: card for card in cards}
            for _squad in range(SQUADS_PER_GAME):
                roster = make_squad(self.random, cards)
                brute = judge_by_trying(rules, by_id, roster)
                verdict = checker.check(roster, repaired=False)
                idle = any(problem.code == "idle-tie" for problem in verdict.problems)
                if (
                    brute.has_problem
                    or idle
                    or self.counts["squads compared"] == squads
                ):
                    continue
                self._count(roster, rules[-1], by_id)
                self.counts["legal" if not brute.broken else "illegal"] += 1
                for rule, reason in brute.broken.items():
                    self.counts[f"broken: {rule}, {reason}"] += 1
                if verdict.undecided:
                    self.counts["not decided"] += 1
                if verdict.broken != brute.broken.keys() or verdict.undecided:
                    self._differ(
                        roster,
                        rules,
                        cards,
                        f"{sorted(verdict.broken)} instead of {brute.broken}",
                    )
                if verdict != slowly(checker, roster):
                    self._differ(
                        roster,
                        rules,
                        cards,
                        "the fast path decides otherwise than the rules",
                    )

    def _count(
        self,
        roster: Roster,
        rule: dict[str, object],
        cards: dict[str, dict[str, object]],
    ) -> None:
        """Count what a squad has."""
        self.counts["squads compared"] += 1
        self.counts["with links that are named"] += any(
            entry.links for entry in roster.entries
        )
        self.counts["with several copies on a line"] += any(
            entry.count > 1 for entry in roster.entries
        )
        self.counts["with a rule about capacities"] += "capacity" in rule
        weights = (cards[entry.card].get("weight") for entry in roster.entries)
        self.counts["with a load above 1"] += "load" in rule and any(
            isinstance(weight, int | float) and weight > 1 for weight in weights
        )

    def _differ(self, roster: Roster, rules: object, cards: object, told: str) -> None:
        self.counts["differences"] += 1
        self.differences.append(
            f"{told}\n  {roster.model_dump_json(exclude_defaults=True)}\n  {rules}\n  {cards}"
        )


def main() -> int:
    """Run the comparison and print its counts."""
    parser = argparse.ArgumentParser(
        description="Compare verdicts on random squads with brute force."
    )
    parser.add_argument(
        "--squads", type=int, default=20_000, help="Squads to compare (default: 20000)."
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="Seed of the random numbers (default: 1)."
    )
    options = parser.parse_args()
    made = Comparison(options.seed)
    made.run(options.squads)
    for name, count in sorted(
        made.counts.items(), key=lambda item: (item[0].startswith("broken"), item[0])
    ):
        print(f"{count:8,}  {name}")
    print(f"{made.counts['differences']:8,}  differences")
    for told in made.differences[:3]:
        print(told)
    return 1 if made.differences else 0


if __name__ == "__main__":
    sys.exit(main())
