"""The one place that knows OR-tools: a program solved by CP-SAT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from builder.errors import ToolMissing
from builder.solve.program import Program

SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solver found: the variables' values (None if there is no solution), and whether that is proved."""

    values: tuple[int, ...] | None
    proved: bool


def solve(
    program: Program,
    most: Sequence[tuple[int, int]] = (),
    seed: int = 0,
    assume: Sequence[int] = (),
    seconds: float = SECONDS,
) -> Answer:
    """A solution with the largest sum of `most`, any solution without it; the literals of `assume` hold.

    ToolMissing where OR-tools is not installed.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise ToolMissing(
            "the solver OR-tools is not installed", "Install squadpress with its extra `solve`: squadpress[solve]."
        ) from error
    model = cp_model.CpModel()
    held = set(assume)
    ranges = [(1, 1) if var in held else both for var, both in enumerate(program.ranges)]
    variables = [model.new_int_var(low, high, "") for low, high in ranges]
    booleans = {}

    def literal(index: int) -> cp_model.LiteralT:
        var = index if index >= 0 else ~index
        if var not in booleans:
            booleans[var] = model.new_bool_var("")
            model.add(booleans[var] == variables[var])
        return booleans[var] if index >= 0 else ~booleans[var]

    for row in program.rows:
        vars_, factors = [variables[var] for var, _ in row.terms], [factor for _, factor in row.terms]
        total = cp_model.LinearExpr.weighted_sum(vars_, factors)
        low = row.low if row.low is not None else cp_model.INT32_MIN
        high = row.high if row.high is not None else cp_model.INT32_MAX
        made = model.add_linear_constraint(total, low, high)
        if row.when:
            made.only_enforce_if([literal(index) for index in row.when])
    if most:
        model.maximize(cp_model.LinearExpr.weighted_sum([variables[var] for var, _ in most], [w for _, w in most]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Answer(tuple(solver.value(var) for var in variables), status == cp_model.OPTIMAL)
    return Answer(None, status == cp_model.INFEASIBLE)
