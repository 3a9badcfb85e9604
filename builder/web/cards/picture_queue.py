"""Make pictures in the background: one process at a time, the game requested last comes first."""

import atexit
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread

EXIT_UNFINISHED = 75
"""The exit code of a process that made some of the pictures. The others need another process."""


@dataclass(frozen=True, slots=True)
class PictureTask:
    """A game, language and release whose pictures are missing."""

    pack: str
    lang: str
    release: str | None
    stamp: str


class PictureQueue:
    """Renders pictures in the background, one game after another.

    A game that a reader asks for moves to the front. Each process works for a limited time, so
    that no game waits until all pictures of another one are made.
    """

    def __init__(self) -> None:
        self._tasks: list[PictureTask] = []
        self._current: PictureTask | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._is_ending = False

    def add(self, task: PictureTask, folders: Sequence[str]) -> None:
        """Put a task at the front of the queue. Start a thread if none is running."""
        with self._lock:
            is_idle = self._current is None and not self._tasks
            if task == self._current or self._is_ending:
                return
            if task in self._tasks:
                self._tasks.remove(task)
            self._tasks.insert(0, task)
        if is_idle:
            Thread(target=self._make_all, args=(folders,), daemon=True).start()

    def _make_all(self, folders: Sequence[str]) -> None:
        """Run one process per task until the queue is empty."""
        while True:
            with self._lock:
                self._current = None
                if not self._tasks or self._is_ending:
                    self._tasks.clear()
                    return
                task = self._current = self._tasks.pop(0)
            names = [task.pack, task.lang, task.release or ""]
            command = [
                sys.executable,
                "-m",
                "builder.web.cards.faces",
                *folders,
                *names,
            ]
            exit_code = None
            with suppress(OSError):
                exit_code = self._run_process(command)
            if exit_code == EXIT_UNFINISHED:
                with self._lock:
                    self._tasks.append(task)

    def _run_process(self, command: list[str]) -> int:
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        with subprocess.Popen(command, stdin=pipe, stdout=nowhere) as process:
            self._process = process
            return process.wait()

    def end(self) -> None:
        """End the current process by closing its standard input."""
        with self._lock:
            self._is_ending = True
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)


picture_queue = PictureQueue()
atexit.register(picture_queue.end)
