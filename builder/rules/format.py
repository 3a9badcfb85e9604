"""Rules, violations and repairs in words: what is demanded, what is wrong, what would mend it."""

from __future__ import annotations

from collections.abc import Mapping

from builder.messages import pgettext
from builder.model.roster import Roster
from builder.roster.operations import Add, Choose, Free, Move, Operation, Remove, Untie
from builder.rules.choice_domains import OWN_WORD
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import Form
from builder.rules.names import Names
from builder.rules.violation import Repair, Violation
from builder.rules.wording import in_force


class Formatter:
    """Tells the violations of one pack in one language."""

    def __init__(self, evaluator: Evaluator, lang: str) -> None:
        self.names = Names(evaluator.pack, lang)
        self.evaluator = evaluator

    def title(self, violation: Violation) -> str:
        """The rule's short name."""
        return self.names.of(violation.title, violation.rule)

    def message(self, violation: Violation) -> str:
        """What is wrong: actual against bound, how the bound came about, what was counted."""
        return self.evaluator.form(violation.rule).message(violation, self.names)

    def sentence(self, form: Form) -> str:
        """What a rule demands, as one sentence."""
        text = form.sentence(self.names)
        if form.rule.when is not None:
            condition = in_force(form.rule.when, self.names)
            text += "; " + self.names.say(pgettext("rule", "in force when {condition}", condition=condition))
        return text[0].upper() + text[1:] + "."

    def hint(self, violation: Violation, roster: Roster) -> str:
        """The rule's own advice, then the nearest repairs."""
        own = self.names.of(violation.hint, "") if violation.hint else ""
        told = self.names.say(pgettext("rule", "; or ")).join(self.repair(item, roster) for item in violation.repairs)
        mended = self.names.say(pgettext("rule", "Nearest repairs: {list}.", list=told)) if told else ""
        return " ".join(part for part in (own, mended) if part)

    def repair(self, repair: Repair, roster: Roster) -> str:
        """One repair in words."""
        steps: dict[str, None] = dict.fromkeys(
            self.step(step, roster) + (self.whose(step, roster) if _unclear(step, roster) else "")
            for step in repair.operations
        )
        return self.names.say(pgettext("rule", " and ")).join(steps) + (
            "" if repair.clean else self.names.say(pgettext("rule", " (other errors remain)"))
        )

    def step(self, step: Operation, roster: Roster) -> str:
        """One operation in words."""
        names, say = self.names, self.names.say
        if isinstance(step, Remove):
            many = step.count > 1 and "attachments" not in step.path
            if many:
                return say(pgettext("rule", "remove {card} ×{count}", card=names.card(step.card), count=step.count))
            return say(pgettext("rule", "remove {card}", card=names.card(step.card)))
        if isinstance(step, Free):
            return say(pgettext("rule", "do not name the slot of {card}", card=names.card(step.card)))
        if isinstance(step, Move):
            return say(
                pgettext(
                    "rule",
                    "give {card} to {bearer} instead",
                    card=names.card(step.card),
                    bearer=self.line(roster, step.line),
                )
            )
        if isinstance(step, Choose):
            return say(
                pgettext(
                    "rule",
                    "choose for {card}: {choice}",
                    card=self.line(roster, step.line),
                    choice=self.choice(step.name, step.value),
                )
            )
        if isinstance(step, Untie):
            return say(
                pgettext(
                    "rule",
                    "take away “{link}” of {card}",
                    card=self.line(roster, step.line),
                    link=names.link(step.link),
                )
            )
        if isinstance(step, Add):
            if step.line < 0:
                return say(pgettext("rule", "add {card}", card=names.card(step.card)))
            return say(
                pgettext(
                    "rule", "give {card} to {bearer}", card=names.card(step.card), bearer=self.line(roster, step.line)
                )
            )
        target, entry = self.line(roster, step.target), self.line(roster, step.line)
        return say(
            pgettext(
                "rule", "name {target} as “{link}” of {card}", card=entry, target=target, link=names.link(step.link)
            )
        )

    def whose(self, step: Operation, roster: Roster) -> str:
        """Which of several leaves: the bearer of an attachment, the line of a card that comes twice; else empty."""
        if not isinstance(step, Remove | Free) or step.path[0] != "entries":
            return ""
        line = self.line(roster, int(step.path[1]))
        if len(step.path) > 2:
            return f" ({line})"
        return f" (#{int(step.path[1]) + 1})" if "#" in line else ""

    def choice(self, name: str, value: str, alike: bool = True) -> str:
        """One choice, `Job: cook`; with `alike` how many other values would do as well; that it is none any more."""
        field = self.names.field(f"choice.{name}")
        if not value:
            return self.names.say(pgettext("rule", "no {name}", name=field))
        if value == OWN_WORD:
            return f"{field}: " + self.names.say(pgettext("rule", "a word of your own"))
        others = self.evaluator.domains.alike(name, value) if alike else 0
        told = f"{field}: {self.names.value(f'choice.{name}', value)}"
        return told + (self.names.say(pgettext("rule", " (or any of {many} others)", many=others)) if others else "")

    def choices(self, choices: Mapping[str, str]) -> str:
        """All that is chosen for a model, in brackets after a space; empty if nothing is."""
        told = ", ".join(self.choice(name, value) for name, value in choices.items())
        return f" ({told})" if told else ""

    def line(self, roster: Roster, line: int) -> str:
        """An entry by the player's name for it, else by its card, with its number where that card comes twice."""
        entry = roster.entries[line]
        twins = sum(other.card == entry.card for other in roster.entries) > 1
        return (entry.name or self.names.card(entry.card)) + (f" #{line + 1}" if twins else "")


def _unclear(step: Operation, roster: Roster) -> bool:
    """True if a card that leaves is on several lines of models, or carried by several."""
    if not isinstance(step, Remove) or step.path[0] != "entries":
        return False
    carried = [entry for entry in roster.entries if any(item.card == step.card for item in entry.attachments)]
    return len(step.path) == 2 or len(carried) > 1
