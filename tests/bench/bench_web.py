"""200 players at once build squads of ten models, and the other targets of the web pages.

All players come within the longest time that one of them thinks. Each reads the page, thinks, and
presses a button. They share the two cores with the server. A figure is the time from the press to
the last byte. The server's own time is beside it. Each game is measured with each database: one of
about 100 cards, whose pictures are rendered, and one of 1,000 cards without pictures.

Then come the first view on a slow phone (400 ms until an answer begins, 1.6 Mbit/s, a processor a
quarter as fast) and the static site of 1,000 cards.

`python -m tests.bench.bench_web PART SECONDS FOLDER` measures one part: `small`, `large`, `phone` or
`site`. The players stop after some seconds. A folder keeps the games for the next time.
"""

from __future__ import annotations

import gzip
import math
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from builder.packs.project import find_project
from builder.web.cards.library import stamp_pack
from tests.bench.cards import PACK, ROOT, project_of
from tests.web.postgres import INITDB, run_postgres

PLAYERS, MODELS, THINK = 200, 10, (8.0, 16.0)
"""Players, models each adds, and the seconds between two of their edits."""
CARDS = 1_000
MAX_EDIT_MS, MAX_VIEW_SECONDS, MAX_SITE_SECONDS = 120, 1.5, 180
"""The targets: an edit of 95 % of all, the first view on a slow phone, and the site."""
PHONE = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 200_000,
    "uploadThroughput": 90_000,
}
"""A slow network as Chromium emulates it: ms, and bytes in a second."""


@dataclass
class Player:
    """A browser, which keeps its cookies and how long its edits took."""

    port: int
    chance: random.Random
    cookies: dict[str, str] = field(default_factory=dict)
    until: float = math.inf
    took: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    """The same for pages that were opened."""
    faults: list[str] = field(default_factory=list)

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> tuple[int, bytes, str]:
        door = HTTPConnection("127.0.0.1", self.port, timeout=60)
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        known = {
            "Cookie": kept,
            "Accept-Language": "en",
            "Accept-Encoding": "gzip",
            **headers,
        }
        if form is not None:
            known["Content-Type"] = "application/x-www-form-urlencoded"
        door.request(method, path, urlencode(form) if form is not None else None, known)
        answer = door.getresponse()
        for name, value in answer.getheaders():
            if name == "Set-Cookie":
                cookie = value.partition(";")[0].partition("=")
                self.cookies[cookie[0]] = cookie[2]
        body = answer.read()
        door.close()
        zipped = answer.getheader("Content-Encoding") == "gzip"
        return (
            answer.status,
            gzip.decompress(body) if zipped else body,
            answer.getheader("Location") or "",
        )

    def play(self) -> None:
        """One squad, model by model."""
        time.sleep(self.chance.uniform(0, THINK[1]))
        page = self.ask("GET", f"/games/{PACK}")[1].decode()
        token = {
            "csrfmiddlewaretoken": _found(r'csrfmiddlewaretoken" value="(\w+)"', page)
        }
        form = {
            **token,
            "pack": PACK,
            "faction": _found(r'name="faction" value="([\w-]+)"', page),
        }
        squad = self.ask("POST", "/squads", form)[2].partition("?")[0]
        for _model in range(MODELS):
            start = time.perf_counter()
            page = self.ask("GET", squad)[1].decode()
            self.opened.append(time.perf_counter() - start)
            adds = re.findall(r'value="(add [^"]+)"', page)
            time.sleep(self.chance.uniform(*THINK))
            if time.monotonic() > self.until:
                return
            do = (
                self.chance.choice(adds[:30]) if adds else "undo"
            )  # nothing more fits: something leaves again
            edit = {
                **token,
                "do": do,
                "next": squad,
                "tiles": _found(r'name="tiles" value="([^"]*)"', page),
            }
            start = time.perf_counter()
            status = self.ask("POST", f"{squad}/edit", edit, **{"HX-Request": "true"})[
                0
            ]
            self.took.append(time.perf_counter() - start)
            if status != 200:
                self.faults.append(f"{status} for {do}")

    def run(self) -> None:
        try:
            self.play()
        except Exception as fault:  # counted, told at the end
            self.faults.append(repr(fault))


def _found(pattern: str, page: str) -> str:
    found = re.search(pattern, page)
    return found[1] if found else ""


@contextmanager
def community(
    project: Path, data: Path, database: str = ""
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Provide the program as a community runs it (docs/hosting.md), two workers of gunicorn.

    Its port and its process.
    """
    known = {"SQUADPRESS_PROJECT": str(project), "SQUADPRESS_DATA": str(data)}
    settings = {**os.environ, **known, "DJANGO_SETTINGS_MODULE": "builder.web.settings"}
    settings |= {"DATABASE_URL": database} if database else {}
    subprocess.run(
        [sys.executable, "-m", "django", "migrate", "-v", "0"],
        cwd=ROOT,
        env=settings,
        check=True,
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = [
        sys.executable,
        "-m",
        "gunicorn",
        "builder.web.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
    ]
    workers = [
        "--workers",
        "2",
        "--threads",
        "4",
        "--timeout",
        "120",
        "--log-level",
        "error",
    ]
    workers += [
        "--access-logfile",
        str(data / "log"),
        "--access-logformat",
        "%(m)s %(U)s %(D)s",
    ]
    server = subprocess.Popen([*serve, *workers], cwd=ROOT, env=settings)
    try:
        for _turn in range(600):
            try:
                Player(port, random.Random(0)).ask("GET", f"/games/{PACK}")
                break
            except OSError:
                time.sleep(0.1)
        yield port, server
    finally:
        server.terminate()
        server.wait()


def _largest(server: subprocess.Popen[bytes]) -> float:
    """MB of the largest process of a server and of what it began, at its peak."""
    peaks, waiting = [0], [str(server.pid)]
    while waiting:
        process = waiting.pop()
        with suppress(OSError):  # it is over
            peaks.append(
                int(
                    _found(
                        r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text()
                    )
                    or 0
                )
            )
        children = subprocess.run(
            ["pgrep", "-P", process], capture_output=True, text=True, check=False
        )
        waiting += children.stdout.split()
    return max(peaks) / 1024


def main(part: str = "", seconds: str = "inf", kept: str = "") -> None:
    """Measure one part, or all."""
    with TemporaryDirectory() as temporary:
        folder = Path(kept or temporary)
        for name, make, has_pictures in (
            ("small", _make_small_game, True),
            ("large", _make_large_game, False),
        ):
            if part in ("", name):
                games = make(folder / name)
                for database, address in _list_databases():
                    print(f"-- game: {name}, database: {database}", flush=True)
                    data = folder / f"{name}-{database}"
                    _play(games, data, float(seconds), address, has_pictures)
        if part in ("", "phone"):
            _view(_make_small_game(folder / "small"), folder / "small-sqlite")
        if part in ("", "site"):
            _write_site(_make_large_game(folder / "large"), folder / "site")


def _list_databases() -> Iterator[tuple[str, str]]:
    """Yield the names and addresses of both databases. PostgreSQL runs for the measurement."""
    yield "sqlite", ""
    if INITDB is not None:
        with run_postgres() as address:
            yield "postgresql", address


def _make_small_game(games: Path) -> Path:
    if not games.exists():
        for part in (f"cards/{PACK}", "schemas", "templates"):
            shutil.copytree(ROOT / part, games / part)
    return games


def _make_large_game(games: Path) -> Path:
    if not games.exists():
        project_of(games, CARDS)
        # A new squad uses the last release, which does not have the made-up cards.
        shutil.rmtree(games / "cards" / PACK / "releases")
    return games


def _play(
    games: Path, data: Path, seconds: float, database: str, has_pictures: bool
) -> None:
    """Let all players build, and print how long their edits took."""
    data.mkdir(parents=True, exist_ok=True)
    (data / "log").unlink(missing_ok=True)
    with community(games, data, database) as (port, server):
        if has_pictures:
            _warm(games, data / "faces")
        begun = time.monotonic()
        players = [
            Player(port, random.Random(number), until=begun + seconds)
            for number in range(PLAYERS)
        ]
        threads = [threading.Thread(target=player.run) for player in players]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=300)
        faults = [fault for player in players for fault in player.faults]
        lasted, largest = time.monotonic() - begun, _largest(server)
        used = _count_processor_seconds(server)
    print(f"{PLAYERS} players for {lasted:.0f} s, {len(faults)} errors")
    for fault in sorted(set(faults))[:5]:
        print(f"  {fault}")
    edits = [each for player in players for each in player.took]
    _told(f"an edit (target: p95 at most {MAX_EDIT_MS} ms)", edits)
    served = re.findall(r"POST \S+/edit (\d+)", Path(data, "log").read_text())
    _told("an edit, on the server", [int(micro) / 1e6 for micro in served])
    opened = [each for player in players for each in player.opened]
    _told("a squad's page", opened)
    # This figure hardly depends on what else runs on the machine.
    print(f"processor time: {1000 * used / len(edits):.0f} ms for an edit and its page")
    print(f"largest process of the server: {largest:.0f} MB")


def _count_processor_seconds(server: subprocess.Popen[bytes]) -> float:
    """Return the processor time of a server's workers."""
    ticks = 0
    children = subprocess.run(
        ["pgrep", "-P", str(server.pid)], capture_output=True, text=True, check=False
    )
    for process in children.stdout.split():
        with suppress(OSError):  # it is over
            fields = (
                Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            )
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _view(games: Path, data: Path) -> None:
    """Print how long a slow phone takes to show a page for the first time."""
    data.mkdir(parents=True, exist_ok=True)
    with community(games, data) as (port, _server):
        _warm(games, data / "faces")
        for page in ("/", f"/games/{PACK}"):
            seconds = _phone(f"http://127.0.0.1:{port}{page}")
            print(
                f"first view of {page} on a slow phone: {seconds:.1f} s "
                f"(target: {MAX_VIEW_SECONDS} s)",
                flush=True,
            )


def _write_site(games: Path, target: Path) -> None:
    """Print how long the static site of the large game takes, with an empty cache."""
    shutil.rmtree(games / "output", ignore_errors=True)
    start = time.monotonic()
    command = [sys.executable, "-m", "builder", "site", str(target), "--pack", PACK]
    subprocess.run(
        [*command, "--work", "--project", str(games)],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    print(
        f"site of {CARDS} cards: {time.monotonic() - start:.0f} s "
        f"(target: {MAX_SITE_SECONDS} s)"
    )


def _warm(games: Path, faces: Path) -> None:
    """Wait until all pictures of faces are there, in each of the game's languages."""
    stamp = stamp_pack(find_project(games), PACK)
    stated = _found(
        r"(?m)^languages:(.*)", Path(games, "cards", PACK, "pack.yaml").read_text()
    )
    wanted = {
        faces / f"{PACK}-{lang}.json" for lang in re.findall(r"\b[a-z]{2}\b", stated)
    }
    while wanted:
        time.sleep(1)
        wanted = {
            path
            for path in wanted
            if not path.is_file() or stamp not in path.read_text()
        }


def _told(what: str, took: list[float]) -> None:
    """A line of figures in ms."""
    cuts = [1000 * cut for cut in quantiles(took, n=100)]
    print(
        f"{what} ({len(took)}): median {cuts[49]:.0f} ms, p95 "
        f"{cuts[94]:.0f} ms, p99 "
        f"{cuts[98]:.0f} ms"
    )


def _phone(address: str) -> float:
    """Seconds until the largest part of a page is painted on a slow phone."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as tools:
        browser = tools.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 390, "height": 844})
        slow = page.context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        slow.send("Network.enable")
        slow.send("Network.emulateNetworkConditions", PHONE)
        page.goto(address, wait_until="load")
        painted = page.evaluate(
            "new Promise(done => new "
            "PerformanceObserver(list => "
            "done(list.getEntries().at(-1).startTime))"
            ".observe({type: 'largest-contentful-paint', buffered: true}))"
        )
        browser.close()
        return float(painted) / 1000


if __name__ == "__main__":
    main(*sys.argv[1:])
