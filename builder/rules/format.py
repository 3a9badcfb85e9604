"""Rules, violations and repairs in words: what is demanded, what is wrong, what would mend it."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from builder.messages import gettext as _
from builder.model.roster import Roster
from builder.model.rules import Source
from builder.roster.operations import (
    Add,
    FreeSlot,
    Move,
    Operation,
    Remove,
    SetChoice,
    SetLink,
    SetParam,
)
from builder.rules.choice_domains import CUSTOM_WORD
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.rules.names import Names
from builder.rules.violation import Repair, Violation
from builder.rules.wording import format_when


class Formatter:
    """Tells the violations of one pack in one language."""

    def __init__(self, evaluator: Evaluator, lang: str) -> None:
        self.names = Names(evaluator.pack, lang)
        self.evaluator = evaluator
        self._counted: tuple[Roster, Counter[str]] | None = None

    def format_title(self, violation: Violation) -> str:
        """The rule's short name."""
        return self.names.choose_name(violation.title, violation.rule)

    def format_heading(self, violation: Violation) -> str:
        """The rule's id, its short name, and where in the rulebook it stands."""
        return f"{violation.rule} ({self.format_title(violation)}; {self.names.choose_name(violation.source, '')})"

    def format_message(self, violation: Violation) -> str:
        """What is wrong: actual against bound, how the bound came about, what was counted."""
        return self.evaluator.get_form(violation.rule).format_message(violation, self.names)

    def format_sentence(self, form: RuleForm) -> str:
        """What a rule demands, as one sentence."""
        text = form.format_sentence(self.names)
        if form.rule.when is not None:
            condition = format_when(form.rule.when, self.names)
            text += "; " + self.names.translate(_("in force when {condition}", condition=condition))
        return text[0].upper() + text[1:] + "."

    def format_hint(self, violation: Violation, roster: Roster) -> str:
        """The rule's own advice, then the nearest repairs."""
        own = self.names.choose_name(violation.hint, "") if violation.hint else ""
        told = self.names.translate(_("; or ")).join(
            dict.fromkeys(self.format_repair(item, roster) for item in violation.repairs)
        )
        mended = self.names.translate(_("Simplest fixes: {list}.", list=told)) if told else ""
        return " ".join(part for part in (own, mended) if part)

    def format_repair(self, repair: Repair, roster: Roster) -> str:
        """One repair in words."""
        line = partial(self.format_line, roster)
        steps = dict.fromkeys(
            self.format_operation(step, line)
            + (self.format_location(step, roster) if _unclear(step, roster) else "")
            for step in repair.operations
        )
        rest = "" if repair.clean else self.names.translate(_(" (other errors remain)"))
        return self.names.translate(_(" and ")).join(steps) + rest

    def format_operation(self, step: Operation, line: Callable[[int], str]) -> str:
        """One operation in words; `line` names a line of the roster."""
        if isinstance(step, SetParam):
            param, value = (
                self.names.name_param(step.name),
                self.names.name_param_value(step.name, step.value),
            )
            told = _("set {param} to “{value}” (`{name}: {word}`)")
            return self.names.translate(
                _(told, param=param, value=value, name=step.name, word=step.value)
            )
        card = (
            self.names.name_card(step.card)
            if isinstance(step, Remove | FreeSlot | Move | Add)
            else line(step.line)
        )
        match step:
            case Remove() if step.count > 1 and "attachments" not in step.path:
                told = _("remove {card} ×{count}", card=card, count=step.count)
            case Remove():
                told = _("remove {card}", card=card)
            case FreeSlot():
                told = _("do not set the slot of {card}", card=card)
            case Move():
                told = _("attach {card} to {bearer} instead", card=card, bearer=line(step.line))
            case Add():
                return self._added(step, card, line)
            case SetChoice():
                told = _(
                    "set for {card}: {choice}",
                    card=card,
                    choice=self.format_choice(step.name, step.value),
                )
            case SetLink(target=None):
                told = _(
                    "remove “{link}” of {card}", card=card, link=self.names.name_link(step.link)
                )
            case SetLink(target=int(to)):
                link, target = self.names.name_link(step.link), line(to)
                told = _("set “{link}” of {card} to {target}", card=card, target=target, link=link)
        return self.names.translate(told)

    def _added(self, step: Add, card: str, line: Callable[[int], str]) -> str:
        if step.line < 0:
            many = (f" ×{step.count}" if step.count > 1 else "") + self.format_choices(
                dict(step.choices)
            )
            return self.names.translate(_("add {card}", card=card)) + many
        if step.source is Source.ENTRIES:
            return self.names.translate(
                _("increase {card} by {count}", card=line(step.line), count=step.count)
            )
        return self.names.translate(
            _("attach {card} to {bearer}", card=card, bearer=line(step.line))
        )

    def format_location(self, step: Operation, roster: Roster) -> str:
        """Which of several leaves: the bearer of an attachment, the line of a card that comes twice; else empty."""
        if not isinstance(step, Remove | FreeSlot) or step.path[0] != "entries":
            return ""
        line = self.format_line(roster, int(step.path[1]))
        if len(step.path) > 2:
            return f" ({line})"
        return f" (#{int(step.path[1]) + 1})" if "#" in line else ""

    def format_choice(self, name: str, value: str, alike: bool = True) -> str:
        """One choice, `Job: cook`; with `alike` how many other values would do as well; that it is none any more."""
        field = self.names.name_field(f"choice.{name}")
        if not value:
            return self.names.translate(_("no {name}", name=field))
        if value == CUSTOM_WORD:
            return f"{field}: " + self.names.translate(_("any text"))
        others = self.evaluator.domains.count_similar_values(name, value) if alike else 0
        told = f"{field}: {self.names.name_value(f'choice.{name}', value)}"
        return told + (
            self.names.translate(_(" (or any of {many} others)", many=others)) if others else ""
        )

    def format_choices(self, choices: Mapping[str, str]) -> str:
        """All that is chosen for a model, in brackets after a space; empty if nothing is."""
        told = ", ".join(self.format_choice(name, value) for name, value in choices.items())
        return f" ({told})" if told else ""

    def format_line(self, roster: Roster, line: int) -> str:
        """An entry by the player's name for it, else by its card, with its number where that card comes twice."""
        entry = roster.entries[line]
        if self._counted is None or self._counted[0] is not roster:
            self._counted = (roster, Counter(other.card for other in roster.entries))
        twins = self._counted[1][entry.card] > 1
        return (entry.name or self.names.name_card(entry.card)) + (f" #{line + 1}" if twins else "")


def _unclear(step: Operation, roster: Roster) -> bool:
    """True if a card that leaves is on several lines of models, or carried by several."""
    if not isinstance(step, Remove) or step.path[0] != "entries":
        return False
    carried = [
        entry
        for entry in roster.entries
        if any(item.card == step.card for item in entry.attachments)
    ]
    return len(step.path) == 2 or len(carried) > 1
