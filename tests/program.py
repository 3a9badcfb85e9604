"""The program, started often.

One process has it loaded, and each start is forked from that in a hundredth of a second.

Every start has a process of its own with its own folder, environment and streams, as from a shell.
What a start itself does (imports, encodings, signals) is not tried here: tests of that start Python
anew. `launcher` writes a `squadpress` for a shell's PATH.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

ROOT = Path(__file__).resolve().parents[1]
STUB = """#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({address!r})
    words = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(asked, [len(words).to_bytes(4, "big")], [0, 1, 2])
    asked.sendall(words)
    sys.exit((asked.recv(1) or b"\\xff")[0])
"""


def run(
    folder: Path, *words: str | Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`squadpress WORDS` in a folder, what it printed, and how it ended."""
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        socket.socket(socket.AF_UNIX) as asked,
    ):
        asked.connect(served())
        given = json.dumps(
            [list(map(str, words)), str(folder), dict(env or os.environ)]
        ).encode()
        with Path(os.devnull).open("rb") as nothing:
            streams = [nothing.fileno(), out.fileno(), err.fileno()]
            socket.send_fds(asked, [len(given).to_bytes(4, "big")], streams)
        asked.sendall(given)
        status = (asked.recv(1) or b"\xff")[0]
        for file in (out, err):
            file.seek(0)
        told = (out.read().decode(), err.read().decode())
        return subprocess.CompletedProcess(
            ["squadpress", *map(str, words)], status, *told
        )


def launcher(file: Path) -> None:
    """Write `squadpress` for a shell."""
    file.write_text(
        STUB.format(python=sys.executable, address=served()), encoding="utf-8"
    )
    file.chmod(0o755)


def served() -> str:
    """Return the address of the process that has the program loaded; it ends with this one.

    A killed one is replaced.
    """
    if _RUNNING and _RUNNING[-1][0].poll() is None:
        return _RUNNING[-1][1]
    address = str(Path(tempfile.mkdtemp(prefix="sp-")) / "socket")
    pipe = subprocess.PIPE
    server = subprocess.Popen(
        [sys.executable, "-m", __name__, address], cwd=ROOT, stdin=pipe, stdout=pipe
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    _RUNNING.append((server, address))
    return address


_RUNNING: list[tuple[subprocess.Popen[bytes], str]] = []


def serve(address: str) -> None:
    """Load the program and start it as often as is asked for, until the input ends."""
    import builder.cli

    for module in walk_packages(builder.cli.__path__, "builder.cli."):
        import_module(module.name)
    import pypdfium2  # noqa: F401

    from builder.render.workers import load

    load("weasyprint")
    gc.freeze()
    with (
        socket.socket(socket.AF_UNIX) as listening,
        selectors.DefaultSelector() as waiting,
    ):
        listening.bind(address)
        listening.listen(16)
        ended, ends = os.pipe()
        os.set_blocking(ends, False)
        signal.set_wakeup_fd(ends)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for each in (listening, ended, 0):
            waiting.register(each, selectors.EVENT_READ)
        print("ready", flush=True)
        running: dict[int, socket.socket] = {}
        while 0 not in (seen := [key.fd for key, _events in waiting.select()]):
            if ended in seen:
                os.read(ended, 1 << 10)
                _reap(running)
            if listening.fileno() in seen:
                _start(listening, running)
    with suppress(OSError):
        Path(address).unlink()
        Path(address).parent.rmdir()


def _start(listening: socket.socket, running: dict[int, socket.socket]) -> None:
    asked, _ = listening.accept()
    size, streams, _flags, _address = socket.recv_fds(asked, 4, 3)
    given = b""
    while len(given) < int.from_bytes(size, "big"):
        given += asked.recv(1 << 20)
    if child := os.fork():
        running[child] = asked
        for stream in streams:
            os.close(stream)
        return
    for held in (listening, asked, *running.values()):
        held.close()
    _become(streams, *json.loads(given))


def _reap(running: dict[int, socket.socket]) -> None:
    for child in list(running):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            with running.pop(child) as asked, suppress(OSError):
                asked.send(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))


def _become(
    streams: list[int], words: list[str], folder: str, environment: dict[str, str]
) -> None:
    """Be the program: its streams, folder and environment; ends by SystemExit."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, "w" if number else "r", closefd=False) for number in range(3)
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # where that is, the environment says
    os.chdir(folder)
    sys.modules["__main__"] = program = import_module("builder.__main__")
    sys.argv = [str(program.__file__), *words]
    program.main()


if __name__ == "__main__":
    serve(sys.argv[1])
