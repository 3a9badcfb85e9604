"""Setting beyond one machine: a store of set faces that several machines see, and the cluster that fills it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shared:
    """`store` is a folder or a URL; `cluster` the address of a scheduler (`tcp://HOST:PORT`), None for none."""

    store: str
    cluster: str | None = None
