"""The one place that knows OR-tools: a program solved by CP-SAT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.errors import ToolMissing
from builder.messages import gettext as _
from builder.model.linear import LinearProgram
from builder.solver.deadline import Deadline

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

QUICK = {
    "max_presolve_iterations": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "presolve_bve_threshold": 0,
    "find_big_linear_overlap": False,
}
"""Less preparation than is usual: these programs are large and easy, and to prepare them took most
of the time.
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The solver's result: values of variables (None: no solution), and whether proved."""

    values: tuple[int, ...] | None
    proved: bool


class Machine:
    """A program in the solver's form.

    It is built once: what the program gains is added at the next question.

    After `deadline` no question is answered; one that is being searched is broken off. ToolMissing
    where OR-tools is not installed.
    """

    def __init__(self, program: LinearProgram, deadline: Deadline) -> None:
        try:
            from ortools.sat.python import cp_model as cp
        except ImportError as error:
            raise ToolMissing(
                _("the solver OR-tools is not installed"),
                _("Install squadpress with its extra `solve`: squadpress[solve]."),
            ) from error
        self.cp = cp
        self.program = program
        self.deadline = deadline
        self.model = cp.CpModel()
        self.variables: list[cp_model.IntVar] = []
        self.rows = self.clauses = 0

    def solve(
        self,
        objective: Sequence[tuple[int, int]] = (),
        seed: int = 0,
        assume: Sequence[int] = (),
        effort: float | None = None,
        hint: Sequence[int] | None = None,
    ) -> Answer:
        """Return a solution with the largest sum of `most`, any solution without it.

        The variables of `assume` are 1.

        `hint` are values to begin with; `effort` ends the search by the solver's own clock, which
        is the same anywhere.
        """
        if self.deadline.is_over:
            return Answer(None, False)
        self._add_new_rows()
        cp, model = self.cp, self.model
        model.clear_objective()  # type: ignore[no-untyped-call]
        if objective:
            model.maximize(
                cp.LinearExpr.weighted_sum(
                    [self.variables[var] for var, _unused in objective],
                    [w for _unused, w in objective],
                )
            )
        model.clear_hints()  # type: ignore[no-untyped-call]
        for variable, value in zip(self.variables, hint or (), strict=False):
            model.add_hint(variable, value)
        for var in assume:
            model.proto.variables[var].domain[0] = 1
        solver = cp.CpSolver()
        solver.parameters.num_workers = 1
        for name, value in QUICK.items():
            setattr(solver.parameters, name, value)
        solver.parameters.random_seed = seed
        processor_seconds, wall_seconds = self.deadline.remaining()
        solver.parameters.max_time_in_seconds = max(0.01, wall_seconds)
        solver.parameters.max_deterministic_time = max(0.01, processor_seconds)
        if effort is not None:
            solver.parameters.max_deterministic_time = max(0.01, min(effort, processor_seconds))
        status = solver.solve(model)
        for var in assume:
            model.proto.variables[var].domain[0] = self.program.ranges[var][0]
        if status in (cp.OPTIMAL, cp.FEASIBLE):
            return Answer(tuple(solver.values([*self.variables])), status == cp.OPTIMAL)
        return Answer(None, status == cp.INFEASIBLE)

    def _add_new_rows(self) -> None:
        cp, model, program, variables = self.cp, self.model, self.program, self.variables
        for low, high in program.ranges[len(variables) :]:
            variables.append(model.new_int_var(low, high, ""))
        for row in program.rows[self.rows :]:
            total = cp.LinearExpr.weighted_sum(
                [variables[var] for var, _unused in row.terms],
                [factor for _unused, factor in row.terms],
            )
            low = row.low if row.low is not None else cp.INT32_MIN
            high = row.high if row.high is not None else cp.INT32_MAX
            constraint = model.add_linear_constraint(total, low, high)
            if row.when:
                constraint.only_enforce_if([self._get_literal(index) for index in row.when])
        for clause in program.clauses[self.clauses :]:
            model.add_bool_or([self._get_literal(index) for index in clause])
        self.rows, self.clauses = len(program.rows), len(program.clauses)

    def _get_literal(self, index: int) -> cp_model.LiteralT:
        return self.variables[index] if index >= 0 else ~self.variables[~index]
