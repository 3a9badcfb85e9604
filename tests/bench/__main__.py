"""`make bench`: runs each bench_*.py beside this file.

A bench is a module with `main()`, which prints its figures.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    return sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


def main(chosen: list[str]) -> None:
    chosen = [name.replace("-", "_") for name in chosen]
    for name in names():
        if not chosen or name.removeprefix("bench_") in chosen:
            print(f"== {name.removeprefix('bench_')}", flush=True)
            importlib.import_module(f"tests.bench.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
