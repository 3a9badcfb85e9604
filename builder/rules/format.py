"""Format rules, violations and repairs as text."""

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
    """Writes the violations and rules of one pack in one language."""

    def __init__(self, evaluator: Evaluator, lang: str) -> None:
        self.names = Names(evaluator.pack, lang)
        self.evaluator = evaluator
        self._counted_roster: tuple[Roster, Counter[str]] | None = None

    def format_title(self, violation: Violation) -> str:
        """Return the title of the broken rule."""
        return self.names.choose_name(violation.title, violation.rule)

    def format_heading(self, violation: Violation) -> str:
        """Return the rule's id, its title, and its page or section in the rulebook."""
        source = self.names.choose_name(violation.source, "")
        return f"{violation.rule} ({self.format_title(violation)}; {source})"

    def format_message(self, violation: Violation) -> str:
        """Return the error message: the actual number, the allowed one, and the cards counted."""
        return self.evaluator.get_form(violation.rule).format_message(
            violation, self.names
        )

    def format_sentence(self, form: RuleForm) -> str:
        """Return a sentence that states what the rule requires."""
        text = form.format_sentence(self.names)
        if form.rule.when is not None:
            condition = format_when(form.rule.when, self.names)
            text += "; " + self.names.translate(
                _("in force when {condition}", condition=condition)
            )
        return text[0].upper() + text[1:] + "."

    def format_hint(self, violation: Violation, roster: Roster) -> str:
        """Return how to fix a violation: the rule's own hint, then up to 3 edits."""
        hints = []
        if violation.hint:
            hints.append(self.names.choose_name(violation.hint, ""))
        repairs = dict.fromkeys(
            self.format_repair(item, roster) for item in violation.repairs
        )
        repair_list = self.names.translate(_("; or ")).join(repairs)
        if repair_list:
            hints.append(
                self.names.translate(_("Simplest fixes: {list}.", list=repair_list))
            )
        return " ".join(hint for hint in hints if hint)

    def format_repair(self, repair: Repair, roster: Roster) -> str:
        """Describe the edits of one repair, such as "remove Rope and add Lamp"."""
        format_line = partial(self.format_line, roster)
        steps: dict[str, None] = {}
        for operation in repair.operations:
            text = self.format_operation(operation, format_line)
            if _is_ambiguous(operation, roster):
                text += self.format_location(operation, roster)
            steps[text] = None
        rest = (
            ""
            if repair.is_complete
            else self.names.translate(_(" (other errors remain)"))
        )
        return self.names.translate(_(" and ")).join(steps) + rest

    def format_operation(
        self, operation: Operation, format_line: Callable[[int], str]
    ) -> str:
        """Describe one edit of a roster. `format_line` gives the name of a line."""
        match operation:
            case SetParam():
                message = self._describe_param(operation)
            case Add():
                return self._format_addition(operation, format_line)
            case Remove() | FreeSlot() | Move():
                message = self._describe_removal(operation, format_line)
            case SetChoice():
                choice = self.format_choice(operation.name, operation.value)
                message = _(
                    "set for {card}: {choice}",
                    card=format_line(operation.line),
                    choice=choice,
                )
            case SetLink():
                message = self._describe_link(operation, format_line)
        return self.names.translate(message)

    def _describe_param(self, step: SetParam) -> str:
        param = self.names.name_param(step.name)
        value = self.names.name_param_value(step.name, step.value)
        form = _("set {param} to “{value}” (`{name}: {word}`)")
        return _(form, param=param, value=value, name=step.name, word=step.value)

    def _describe_removal(
        self, step: Remove | FreeSlot | Move, format_line: Callable[[int], str]
    ) -> str:
        card = self.names.name_card(step.card)
        if isinstance(step, FreeSlot):
            return _("do not set the slot of {card}", card=card)
        if isinstance(step, Move):
            host = format_line(step.line)
            return _("attach {card} to {bearer} instead", card=card, bearer=host)
        if step.count > 1 and "attachments" not in step.path:
            return _("remove {card} ×{count}", card=card, count=step.count)
        return _("remove {card}", card=card)

    def _describe_link(self, step: SetLink, format_line: Callable[[int], str]) -> str:
        card = format_line(step.line)
        link = self.names.name_link(step.link)
        if step.target is None:
            return _("remove “{link}” of {card}", card=card, link=link)
        target = format_line(step.target)
        return _(
            "set “{link}” of {card} to {target}", card=card, target=target, link=link
        )

    def _format_addition(self, step: Add, format_line: Callable[[int], str]) -> str:
        card = self.names.name_card(step.card)
        if step.line < 0:
            copies = f" ×{step.count}" if step.count > 1 else ""
            choices = self.format_choices(dict(step.choices))
            return self.names.translate(_("add {card}", card=card)) + copies + choices
        line = format_line(step.line)
        if step.source is Source.ENTRIES:
            message = _("increase {card} by {count}", card=line, count=step.count)
        else:
            message = _("attach {card} to {bearer}", card=card, bearer=line)
        return self.names.translate(message)

    def format_location(self, operation: Operation, roster: Roster) -> str:
        """Return in brackets which of several equal lines or hosts an edit is about, else ""."""
        if (
            not isinstance(operation, Remove | FreeSlot)
            or operation.path[0] != "entries"
        ):
            return ""
        line = self.format_line(roster, int(operation.path[1]))
        if len(operation.path) > 2:
            return f" ({line})"
        return f" (#{int(operation.path[1]) + 1})" if "#" in line else ""

    def format_choice(self, name: str, value: str, count_similar: bool = True) -> str:
        """Return a choice with its value, such as "Job: cook".

        With `count_similar` the number of other values that are as good is added. An empty value
        says that the choice is removed.
        """
        field = self.names.name_field(f"choice.{name}")
        if not value:
            return self.names.translate(_("no {name}", name=field))
        if value == CUSTOM_WORD:
            return f"{field}: " + self.names.translate(_("any text"))
        text = f"{field}: {self.names.name_value(f'choice.{name}', value)}"
        similar = (
            self.evaluator.domains.count_similar_values(name, value)
            if count_similar
            else 0
        )
        if similar:
            text += self.names.translate(_(" (or any of {many} others)", many=similar))
        return text

    def format_choices(self, value_by_choice: Mapping[str, str]) -> str:
        """Return all choices of a model in brackets, such as " (Job: cook)", or ""."""
        text = ", ".join(
            self.format_choice(name, value) for name, value in value_by_choice.items()
        )
        return f" ({text})" if text else ""

    def format_line(self, roster: Roster, line_index: int) -> str:
        """Return the name of an entry, with its line number if several lines have the same card.

        It is the player's own name if there is one, else the card's.
        """
        entry = roster.entries[line_index]
        # one roster is formatted line by line: its cards are counted once
        if self._counted_roster is None or self._counted_roster[0] is not roster:
            self._counted_roster = (
                roster,
                Counter(entry.card for entry in roster.entries),
            )
        has_several_lines = self._counted_roster[1][entry.card] > 1
        name = entry.name or self.names.name_card(entry.card)
        return f"{name} #{line_index + 1}" if has_several_lines else name


def _is_ambiguous(operation: Operation, roster: Roster) -> bool:
    """Return True if an edit must say which of several equal lines it is about."""
    if not isinstance(operation, Remove) or operation.path[0] != "entries":
        return False
    if len(operation.path) == 2:
        return True
    hosts = 0
    for entry in roster.entries:
        hosts += any(item.card == operation.card for item in entry.attachments)
    return hosts > 1
