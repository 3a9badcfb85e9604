"""The one place that knows OR-tools: linear programs solved by CP-SAT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.errors import ToolMissing
from builder.messages import gettext as _
from builder.model.linear import LinearProgram, LinearRow
from builder.solver.deadline import Deadline

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

QUICK_PARAMETERS = {
    "max_presolve_iterations": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "presolve_bve_threshold": 0,
    "find_big_linear_overlap": False,
}
"""Settings of CP-SAT that shorten its preparation, which took most of the time.

The programs of this package are large but easy, so that thorough preparation gains nothing.
"""
MAX_VARIABLES_WITH_CUTS = 2_000
"""Variables of a program for which CP-SAT also solves its whole linear relaxation.

That bounds the objective well, and makes small programs up to 60 times faster. In larger ones the
relaxation takes more time than it saves.
"""
MIN_SECONDS = 0.01
"""The shortest time limit that CP-SAT is given."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The variables' values, None without a solution.

    `is_proved` is True if no solution is better, or if there is proved to be none.
    """

    values: tuple[int, ...] | None
    is_proved: bool


class ProgramSolver:
    """Solves one program, which may grow between two calls.

    CP-SAT's form of the program is made once: only new variables, rows and clauses are added.
    """

    def __init__(self, program: LinearProgram, deadline: Deadline) -> None:
        """After `deadline` nothing is solved, and a search that runs is broken off.

        Raise ToolMissing if OR-tools is not installed.
        """
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
        self.row_count = 0
        self.clause_count = 0

    def solve(
        self,
        objective: Sequence[tuple[int, int]] = (),
        seed: int = 0,
        required: Sequence[int] = (),
        max_effort: float | None = None,
        hint: Sequence[int] | None = None,
    ) -> Answer:
        """Return a solution that maximizes the objective, or any solution if there is no objective.

        The variables of `required` are 1. `hint` are values to begin with. `max_effort` limits the
        search in seconds of CP-SAT's own clock, which gives the same result on every machine.
        """
        if self.deadline.is_over:
            return Answer(None, False)
        self._update_model()
        self._set_objective(objective)
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        for variable, value in zip(self.variables, hint or (), strict=False):
            self.model.add_hint(variable, value)
        solver = self._make_solver(seed, max_effort)
        # The domains are narrowed for this search only, so that the model can be used again.
        domains = self.model.proto.variables
        for var in required:
            domains[var].domain[0] = 1
        status = solver.solve(self.model)
        for var in required:
            domains[var].domain[0] = self.program.ranges[var][0]
        if status in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            values = tuple(solver.values([*self.variables]))
            return Answer(values, status == self.cp.OPTIMAL)
        return Answer(None, status == self.cp.INFEASIBLE)

    def _set_objective(self, objective: Sequence[tuple[int, int]]) -> None:
        self.model.clear_objective()  # type: ignore[no-untyped-call]
        if objective:
            self.model.maximize(self._make_sum(objective))

    def _make_solver(self, seed: int, max_effort: float | None) -> cp_model.CpSolver:
        """Return a CP-SAT solver with the time that is left."""
        processor_seconds, wall_seconds = self.deadline.remaining()
        effort = processor_seconds
        if max_effort is not None:
            effort = min(effort, max_effort)
        solver = self.cp.CpSolver()
        for name, value in QUICK_PARAMETERS.items():
            setattr(solver.parameters, name, value)
        has_cuts = len(self.variables) <= MAX_VARIABLES_WITH_CUTS
        solver.parameters.linearization_level = 2 if has_cuts else 0
        # Several workers would make results depend on timing.
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed
        solver.parameters.max_time_in_seconds = max(MIN_SECONDS, wall_seconds)
        solver.parameters.max_deterministic_time = max(MIN_SECONDS, effort)
        return solver

    def _update_model(self) -> None:
        """Add the variables, rows and clauses that the program has gained since the last call."""
        program = self.program
        for low, high in program.ranges[len(self.variables) :]:
            self.variables.append(self.model.new_int_var(low, high, ""))
        for row in program.rows[self.row_count :]:
            self._add_row(row)
        for clause in program.clauses[self.clause_count :]:
            self.model.add_bool_or([self._get_literal(index) for index in clause])
        self.row_count = len(program.rows)
        self.clause_count = len(program.clauses)

    def _add_row(self, row: LinearRow) -> None:
        # CP-SAT needs both bounds
        low = self.cp.INT32_MIN if row.low is None else row.low
        high = self.cp.INT32_MAX if row.high is None else row.high
        constraint = self.model.add_linear_constraint(
            self._make_sum(row.terms), low, high
        )
        if row.when:
            constraint.only_enforce_if([self._get_literal(index) for index in row.when])

    def _make_sum(self, terms: Sequence[tuple[int, int]]) -> cp_model.LinearExprT:
        variables = [self.variables[var] for var, _factor in terms]
        factors = [factor for _var, factor in terms]
        return self.cp.LinearExpr.weighted_sum(variables, factors)

    def _get_literal(self, index: int) -> cp_model.LiteralT:
        """Return CP-SAT's literal; indexes below 0 are complements."""
        return self.variables[index] if index >= 0 else ~self.variables[~index]
