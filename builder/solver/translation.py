"""The rules of a pack as rows of a program: what `rules/` asks of a squad, asked of every squad a model may become."""

from __future__ import annotations

from builder.model.rules import Rule
from builder.rules.decision_model import DecisionModel
from builder.rules.evaluate import Evaluator
from builder.rules.query import Selector
from builder.rules.row_writer import RowWriter


class Translation:
    """All rules in force, put into a model's program; `switches[rule]` is the literal that turns a rule on."""

    def __init__(
        self, model: DecisionModel, evaluator: Evaluator, *, switched: bool = False, keep: bool = False
    ) -> None:
        self.writer = RowWriter(model)
        self.ties = self.writer.ties
        self.switches: dict[str, int] = {}
        for form in evaluator.binding(model.squad.params):
            if switched:
                self.switches[form.rule.id] = model.program.var()
            form.rows(self.writer, self._when(form.rule))
        self.ties.finish(keep)

    def _when(self, rule: Rule) -> tuple[int, ...]:
        """The literals under which a rule is in force."""
        when = (self.switches[rule.id],) if rule.id in self.switches else ()
        if rule.when is None or rule.when.exists is None:
            return when
        return (*when, self.writer.some(self.writer.taken(Selector(rule.when.exists))))
