"""`squadpress watch` as a user runs it: started, asked by a browser, its files edited, ended."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.house.source import ROOT
from tests.program import run
from tests.usecases.toy import edit, toy_project

PATIENCE = 240
"""Seconds until a silent program counts as stuck; no measure of its speed."""

MOST_SILENT = 24
"""Signs of life without news, one each ten seconds, until news will not come any more."""

WICK = "cards/lanterns/spirit/old-wick.yaml"


@contextmanager
def watching(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Provide the program and its port, once it serves."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "builder", "watch", "lanterns", "--port", "0"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        # The first line names the engine that was chosen, the next one the address.
        line = process.stdout.readline()
        if "engine" in line:
            line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line + process.stdout.read()
        yield process, int(found[1])
    finally:
        process.kill()
        process.wait()


def asked(port: int, path: str, host: str | None = None) -> tuple[int, bytes]:
    """Return what the program answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def events(port: int) -> Iterator[str]:
    """Yield what the page is told, event by event."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    silence = 0
    while (line := answer.readline()) and silence < MOST_SILENT:
        silence += line.startswith(b":")
        if line.startswith(b"data: "):
            silence = 0
            yield line.removeprefix(b"data: ").decode()


def until(told: Iterator[str], *signs: str) -> str:
    """Return the first event with all these signs."""
    found = next((text for text in told if all(sign in text for sign in signs)), None)
    assert found is not None, f"no event told of {signs}"
    return found


def front(event: str) -> str:
    """Return the address of the first picture."""
    found = re.search(r'src="(picture/\w+\.png)"', event)
    assert found, event
    return f"/{found[1]}"


@pytest.mark.slow
def test_a_saved_card_appears_a_broken_one_keeps_its_picture_and_control_c_ends(
    tmp_path: Path,
) -> None:
    folder = toy_project(tmp_path)
    card = folder / WICK
    os.utime(card)
    with watching(folder) as (process, port):
        told = events(port)
        first = until(told, "Old Wick")
        before = asked(port, front(first))[1]
        assert before.startswith(b"\x89PNG")

        edit(card, "Old Wick", "Young Wick")
        second = until(told, "Young Wick")
        assert asked(port, front(second))[1] != before

        whole = card.read_text(encoding="utf-8")
        card.write_text(whole + "\noops: [\n", encoding="utf-8")
        broken = until(told, "yaml/", 'class="stale"')
        assert front(broken) == front(second)

        card.write_text(whole.replace("Young Wick", "Elder Wick"), encoding="utf-8")
        # The checks that follow the picture may name a stale translation: only the picture's own
        # mark counts.
        assert 'class="stale"' not in until(told, "Elder Wick")

        assert asked(port, "/")[0] == 200
        assert asked(port, "/picture/nothing.png")[0] == 404
        assert asked(port, "/", host="cards.example.org")[0] == 403
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 0, output
    assert "yaml/" in output
    assert "Traceback" not in output


def test_a_taken_port_is_reported_with_a_way_out(tmp_path: Path) -> None:
    folder = toy_project(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        process = run(folder, "watch", "lanterns", "--port", port)
    assert process.returncode == 2
    assert f"port {port}" in process.stderr
    assert "--port 0" in process.stderr
