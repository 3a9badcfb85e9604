"""All rules in force, written as rows of a decision model's program."""

from collections.abc import Iterable

from builder.rules.decision_model import ConstraintWriter, DecisionModel
from builder.rules.evaluate import Evaluator
from builder.rules.forms.base import RuleForm
from builder.solver.deadline import Deadline


class RuleProgram:
    """The rules as constraints of one solver model.

    `rule_literals` has the literal that turns each rule on, if rules can be turned off.
    """

    def __init__(
        self,
        model: DecisionModel,
        evaluator: Evaluator,
        deadline: Deadline,
        *,
        can_turn_off: bool = False,
        keeps_links: bool = False,
        only_rules: frozenset[str] | None = None,
    ) -> None:
        """Write the constraints of all rules, or of `only_rules`.

        With `keeps_links` every link that is named in the squad stays. Raise SearchTimeout after
        the deadline.
        """
        self.writer = ConstraintWriter(model)
        self.links = self.writer.links
        self.rule_literals: dict[str, int] = {}
        forms = list(evaluator.find_error_forms(model.squad.params))
        if only_rules is not None:
            forms = [form for form in forms if form.rule.id in only_rules]
        if can_turn_off:
            for form in forms:
                self.rule_literals[form.rule.id] = model.program.add_variable()
        self.write_rules(forms, deadline)
        self.links.write_constraints(keeps_links)
        # Reading the cost makes its variables, which must belong to every solution.
        _ = model.cost
        self._forbid_useless_links(evaluator)

    def write_rules(self, forms: Iterable[RuleForm], deadline: Deadline) -> None:
        """Write the constraints of these rules. Raise SearchTimeout after the deadline."""
        for form in forms:
            deadline.check()
            form.write_constraints(self.writer, self._make_conditions(form))

    def _make_conditions(self, form: RuleForm) -> tuple[int, ...]:
        """Return the literals under which a rule is in force."""
        writer = self.writer
        conditions = []
        if form.rule.id in self.rule_literals:
            conditions.append(self.rule_literals[form.rule.id])
        if form.exists is not None:
            conditions.append(
                writer.make_presence_literal(writer.find_parts(form.exists))
            )
        if form.not_exists is not None:
            conditions.append(
                ~writer.make_presence_literal(writer.find_parts(form.not_exists))
            )
        return tuple(conditions)

    def _forbid_useless_links(self, evaluator: Evaluator) -> None:
        """Forbid links of entries that no rule about the link selects."""
        for decision in self.links.links.values():
            forms = [form for form in evaluator.forms if form.link == decision.link]
            matches = [
                self.writer.match_part(form.selector, decision.entry) for form in forms
            ]
            if matches:
                self.writer.program.add_clause([~decision.is_named, *matches])
