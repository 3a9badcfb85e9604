"""A cluster in processes of its own: a scheduler and workers that stand in an empty folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from distributed import Client

from builder.model.profile import Shared
from tests.house.source import ROOT


@dataclass(frozen=True)
class Crew:
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: tuple[subprocess.Popen[bytes], ...]
    store: Path

    @property
    def shared(self) -> Shared:
        return Shared(str(self.store), self.address)


@contextmanager
def crew(folder: Path, workers: int = 2) -> Iterator[Crew]:
    folder.mkdir(exist_ok=True)
    file = folder / "scheduler.json"
    started = []

    def start(what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{what}",
            "--scheduler-file",
            str(file),
            *arguments,
        ]
        log = (folder / f"{what}-{len(started)}.log").open("wb")
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        log.close()
        started.append(process)
        return process

    try:
        start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard")
        while not file.exists() or not file.read_bytes().endswith(b"}"):
            assert started[0].poll() is None, (folder / "scheduler-0.log").read_text()
            time.sleep(0.1)
        options = (
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(folder),
        )
        members = tuple(start("worker", *options) for _ in range(workers))
        address = json.loads(file.read_bytes())["address"]
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
        yield Crew(address, started[0], members, folder / "store")
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
