"""Work is handed to processes as they finish: each has some at hand, and little waits in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, wait
from typing import Any

import pytest

from builder.render import pool
from builder.render.pool import spread


class Slow(Executor):
    """Finishes a batch, the first of those it has, only when somebody waits for one."""

    def __init__(self) -> None:
        self.waiting: list[Future[Any]] = []

    def submit(self, call: Callable[..., Any], /, *given: Any, **_: Any) -> Future[Any]:
        self.waiting.append(Future())
        return self.waiting[-1]

    def finish(self, count: int) -> None:
        for future in self.waiting[:count]:
            future.set_result([future])
        del self.waiting[:count]

    def wait(self, running: Any, timeout: float | None, until: str) -> Any:
        if timeout is None:
            self.finish(1)
        return wait(running, timeout, until)


@pytest.mark.parametrize("most", [1, 2, 16])
def test_so_much_is_under_way_and_no_more(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, at_once = Slow(), set()
    monkeypatch.setattr(pool, "wait", slow.wait)

    def batches() -> Iterator[Any]:
        for number in range(100):
            yield number
            at_once.add(len(slow.waiting))
        slow.finish(len(slow.waiting))

    assert len(list(spread(slow, batches(), most))) == 100
    assert max(at_once) == most - 1  # one of those that were under way is finished by now
