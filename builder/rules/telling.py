"""Violations and repairs in words: what was counted, what the bound is and how it came about, what would mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from builder.messages import pgettext
from builder.model.card import Card
from builder.model.roster import Roster
from builder.model.rules import LinkRule, Ref, Requires, Rule, Where
from builder.roster.operations import Add, Choose, Free, Move, Operation, Remove, Untie
from builder.rules.bounds import Derived
from builder.rules.evaluate import Evaluator
from builder.rules.forms.counting import Counter
from builder.rules.forms.relations import Permit
from builder.rules.names import Names
from builder.rules.query import parts
from builder.rules.violation import Counted, Kind, Repair, Violation
from builder.rules.ways import OWN_WORD, ways_of
from builder.rules.wording import condition, selection

BROKEN: Mapping[Kind, str] = {
    "max": pgettext("rule", "{actual}, at most {bound} allowed"),
    "min": pgettext("rule", "{actual}, at least {bound} needed"),
    "exactly": pgettext("rule", "{actual}, exactly {bound} needed"),
    "no-slot": pgettext("rule", "no slot for {subject}: needs {actual}, {bearer} has {bound}{types}"),
    "not-allowed": pgettext("rule", "{bearer} may not carry {subject}"),
    "no-target": pgettext("rule", "{subject} needs “{link}”, and nobody in the roster can be it"),
    "unnamed": pgettext("rule", "{subject} must name its “{link}”: {counted} would do"),
    "wrong-target": pgettext("rule", "{counted} cannot be “{link}” of {subject}"),
    "overfull": pgettext("rule", "{subject} holds {actual}, its room is {bound}"),
    "needs": pgettext("rule", "{subject} needs {needs}, and there is none"),
}


class Teller:
    """Tells the violations of one pack in one language."""

    def __init__(self, evaluator: Evaluator, lang: str) -> None:
        self.names = Names(evaluator.pack, lang)
        self.ways = ways_of(evaluator)
        self.forms = {rule.id: (rule, form) for rule, form in evaluator.rules}

    def title(self, violation: Violation) -> str:
        """The rule's short name."""
        return self.names.of(violation.title, violation.rule)

    def message(self, violation: Violation) -> str:
        """What is wrong: actual against bound, how the bound came about, what was counted."""
        say = self.names.say
        rule, form = self.forms[violation.rule]
        counted = self.listed(violation.counted)
        if isinstance(form, Counter) and form.rule.measure.distinct is not None:
            counted = self.by_value(violation.counted, form.rule.measure.distinct)
        elif violation.kind == "no-slot":
            counted = self.by_slot(violation.counted)
        bound = violation.bound
        words = {
            "actual": f"{violation.actual:g}",
            "bound": f"{bound.value:g}" if bound is not None else "",
            "subject": self.names.card(violation.subject.card) if violation.subject is not None else "",
            "bearer": self.names.card(self._bearer(violation)),
            "counted": counted,
            "types": self._types(bound),
            **self._words(rule),
        }
        text = say(pgettext("rule", BROKEN[violation.kind], **words))
        if isinstance(form, Permit):
            text += self._asked(violation, form)
        if isinstance(form, Counter):
            text = self._group(violation, form) + text
            text += f" ({how})" if bound is not None and (how := self.derivation(bound)) else ""
        if counted and (isinstance(form, Counter) or violation.kind in ("no-slot", "overfull")):
            text += "; " + say(pgettext("rule", "counted: {names}", names=counted))
        return text.strip()

    def listed(self, counted: Sequence[Counted]) -> str:
        """Counted picks by name, copies of a card together, with what they add where that is not their number."""
        copies: dict[str, int] = {}
        amounts: dict[str, int | float] = {}
        for item in counted:
            copies[item.card] = copies.get(item.card, 0) + item.count
            amounts[item.card] = amounts.get(item.card, 0) + item.amount
        told = []
        for card, count in copies.items():
            name = self.names.card(card) + (f" ×{count}" if count > 1 else "")
            told.append(f"{name} = {amounts[card]:g}" if amounts[card] not in (count, 1) else name)
        return ", ".join(told)

    def by_value(self, counted: Sequence[Counted], path: str) -> str:
        """Counted picks grouped by the value for which they were counted."""
        groups: dict[str, list[Counted]] = {}
        for item in counted:
            groups.setdefault(item.value or "", []).append(Counted(item.path, item.card, item.count, item.count))
        return "; ".join(f"{self.names.value(path, value)}: {self.listed(items)}" for value, items in groups.items())

    def by_slot(self, counted: Sequence[Counted]) -> str:
        """Counted attachments, each with the slot that it needs: `Rope (hand), Lamp (any)`."""
        either, slot = self.names.say(pgettext("rule", " or ")).join, self.names.slot
        return ", ".join(
            f"{self.names.card(item.card)} ({either(slot(kind) for kind in (item.value or '').split('/'))})"
            for item in counted
        )

    def derivation(self, bound: Derived) -> str:
        """How a bound came about: `Size 30 / 12 = 2`; empty for a fixed number."""
        names = self.names
        if bound.form in ("one_per", "share"):
            top = f" × {bound.top}" if bound.top != 1 else ""
            return f"{names.param(bound.param)} {bound.amount}{top} / {bound.each:g} = {bound.value:g}"
        if bound.form == "param":
            return f"{names.param(bound.param)}: {names.param_value(bound.param, bound.amount)}"
        if bound.form == "field":
            return f"{names.field(bound.field)}: {bound.value:g}"
        if bound.form == "table":
            return f"{names.param(bound.param)} {names.param_value(bound.param, bound.amount)}: {bound.value:g}"
        return ""

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
        others = self.ways.alike(name, value) if alike else 0
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

    def _bearer(self, violation: Violation) -> str:
        """The card that carries, where the violation is about one."""
        if violation.kind == "no-slot":
            return violation.candidates[0]
        return violation.counted[0].card if violation.counted else ""

    def _asked(self, violation: Violation, form: Permit) -> str:
        """What the rule, and the attachment itself, ask of a bearer."""
        assert violation.subject is not None
        card = self.names.pack.cards[violation.subject.card]
        stated = (form.rule.bearer, form.asks(card.id))
        told = " ".join(condition(settled(where, card), self.names) for where in stated if where is not None)
        return self.names.say(pgettext("rule", ": the bearer must be a model {what}", what=told)) if told else ""

    def _types(self, bound: Derived | None) -> str:
        """The slot types that a bearer has, in brackets after a space."""
        if bound is None or bound.form != "slots" or not bound.field:
            return ""
        return f" ({', '.join(self.names.slot(slot) for slot in bound.field.split(', '))})"

    def _words(self, rule: Rule) -> dict[str, str]:
        """What a violation says of the rule itself."""
        if isinstance(rule, LinkRule):
            return {"link": self.names.link(rule.link)}
        return {"needs": selection(rule.needs, self.names)} if isinstance(rule, Requires) else {}

    def _group(self, violation: Violation, form: Counter) -> str:
        """Which group a limit is broken in."""
        if form.rule.per == "card":
            return self.names.say(pgettext("rule", "{group}: ", group=self.names.card(violation.group)))
        if form.rule.per == "entry" and violation.subject is not None:
            return self.names.say(pgettext("rule", "{group}: ", group=self.names.card(violation.subject.card)))
        path = form.rule.group_path
        if path is None:
            return ""
        return self.names.say(
            pgettext("rule", "{group}: ", group=f"{self.names.field(path)} {self.names.value(path, violation.group)}")
        )


def settled(where: Where, other: Card) -> Where:
    """A condition with what it takes from the other card put in."""
    fields = {
        path: test.model_copy(
            update={part: other.field(wanted.other) for part, wanted in parts(test) if isinstance(wanted, Ref)}
        )
        for path, test in where.fields.items()
    }
    inner = {name: tuple(settled(each, other) for each in getattr(where, name)) for name in ("all", "any", "none")}
    return where.model_copy(update={"fields": fields, **inner})


def _unclear(step: Operation, roster: Roster) -> bool:
    """True if a card that leaves is on several lines of models, or carried by several."""
    if not isinstance(step, Remove) or step.path[0] != "entries":
        return False
    carried = [entry for entry in roster.entries if any(item.card == step.card for item in entry.attachments)]
    return len(step.path) == 2 or len(carried) > 1
