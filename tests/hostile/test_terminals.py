"""Names of strangers steer no terminal, browser or spreadsheet.

The watched page answers to its own name alone.
"""

from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path

import pytest

from builder.cli.watch.watch import WatchBoard, WatchServer
from builder.findings import Finding, Location, Severity
from builder.messages import (
    CONTROL_CHARACTERS,
    escape_controls,
    gettext as _,
    translate,
)
from builder.render.html.pages import page
from builder.report.findings import format_text
from builder.usecases.preflight.checked_files import CheckedFile
from builder.usecases.preflight.html_report import (
    PreflightReport,
    format_preflight_report,
)
from builder.usecases.roster.verdict import RosterRow, format_rows_csv
from builder.usecases.watch.watch_view import WatchedCard, WatchView, format_watch_page
from tests.hostile.attacks import call
from tests.usecases.toy import edit, toy_project

STEERING = "\x1b[2J\x1b]0;owned\x07 \x9b31m \r hidden \u202egnp.exe \x7f\x00"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_key_of_a_card_does_not_steer_the_terminal(tmp_path: Path, form: str) -> None:
    project = toy_project(tmp_path)
    card = project / "cards/lanterns/spirit/dusk-moth.yaml"
    text = card.read_text(encoding="utf-8")
    card.write_text(f"{text}\n{json.dumps('evil' + STEERING)}: 1\n", encoding="utf-8")
    code, said = call(project, "check", "lanterns", "--format", form)
    assert code == 1
    assert "evil" in said
    assert not CONTROL_CHARACTERS.search(said)


def test_names_in_lists_tables_and_messages_do_not_steer_the_terminal(
    tmp_path: Path,
) -> None:
    project = toy_project(tmp_path)
    roster = tmp_path / "a\x1b[31m\u202eb.yaml"
    source = (project / "cards/lanterns/rosters/marsh-walk.yaml").read_text(
        encoding="utf-8"
    )
    lines = [line for line in source.splitlines() if not line.startswith("name:")]
    roster.write_text(
        "\n".join([f"name: {json.dumps('evil' + STEERING)}", *lines]), encoding="utf-8"
    )
    edit(
        project / "cards/lanterns/spirit/old-wick.yaml",
        "name: ",
        'name: "\\e[31mwick\\u009b2J" #',
    )
    for words in (
        ("show",),
        ("check",),
        ("check", "--explain"),
        ("share", "--as", "text"),
        ("share", "--as", "markdown"),
        ("share", "--as", "json"),
        ("rename", "\x1b[2Jx"),
        ("undo",),
        ("stats",),
        ("explain",),
        ("seal",),
    ):
        _code, said = call(project, "roster", words[0], roster, *words[1:])
        assert not CONTROL_CHARACTERS.search(said), words
    _code, said = call(project, "roster", "open", f"@{roster}")
    assert not CONTROL_CHARACTERS.search(said)


def test_a_line_break_in_a_name_makes_no_finding_of_its_own() -> None:
    place = Location(file="cards/a\nb.yaml", line=1)
    message = _(
        "{key} is not a known field",
        key="x\ncards/other.yaml:1:1: error cards/forged: all is lost",
    )
    told = format_text(
        [Finding("schema/unknown-property", message, "", Severity.ERROR, place)], "en"
    )
    assert len(told.splitlines()) == 2


def test_what_fills_a_message_is_written_out_and_words_are_left_alone() -> None:
    assert (
        translate(_("{file} cannot be read", file="\x1b[31m"), "de")
        == "\\u001b[31m ist nicht lesbar"
    )
    assert escape_controls("Ёлка — 雪\n\tעברית 👩‍👩‍👧") == "Ёлка — 雪\n\tעברית 👩‍👩‍👧"
    assert (
        json.loads(escape_controls(json.dumps("\x9b31m", ensure_ascii=False)))
        == "\x9b31m"
    )


NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title><script>x</script>",
    "]]><svg onload=alert(1)>",
    "<!--",
    "&lt;script&gt;",
    "javascript:alert(1)",
    "\x00<script>",
    "{{7*7}}",
    "a\u2028b",
]


class Reader(HTMLParser):
    """Notes what a browser would run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += (
            [tag] if tag in ("script", "svg", "iframe", "object", "base") else []
        )
        self.found += [key for key, _value in attrs if key.startswith("on")]
        links = [str(value) for key, value in attrs if key in ("href", "src")]
        self.found += [
            link for link in links if link.strip().lower().startswith("javascript:")
        ]


def active(page: str) -> list[str]:
    """Return what a page would run, but for what a page without names runs too."""
    reader = Reader()
    reader.feed(page)
    return reader.found


@pytest.mark.parametrize("name", NAMES)
def test_no_page_runs_what_a_name_says(name: str) -> None:
    finding = Finding(name, name, name, Severity.ERROR, Location(file=name, path=name))

    def pages(name: str, finding: Finding) -> list[str]:
        watched_card, file = (
            WatchedCard(name, name, name, ()),
            CheckedFile(Path("f"), name, (), ()),
        )
        files, size = {name: f"kind/{name}"}, (1, 1)
        card = {
            "name": name,
            "front": name,
            "back": None,
            "size": 1,
            "kind": name,
            "faction": name,
            "facts": (name,),
        }
        dates = {
            "version": "1.0.0",
            "released": name,
            "effective": name,
            "announcement": "",
        }
        release = {
            "release": dates,
            "summary": name,
            "documents": [(f"v1/{name}", name)],
            "files": [(f"v1/1.0.0/{name}", 1, "0" * 64)],
            "withdrawn": name,
            "state": name,
        }
        return [
            format_watch_page(
                name, WatchView(1, (), (watched_card,), (finding,), name), "en"
            ),
            page(
                "gallery.html",
                name,
                title=name,
                cards=[card],
                files=files,
                pixels=lambda _size: size,
            ),
            page(
                "releases.html",
                "en",
                title=name,
                name=name,
                languages=(),
                releases=[release],
            ),
            format_preflight_report(
                PreflightReport(name, name, [finding], [], 0, [file, file]), "en"
            ),
        ]

    plain = Finding("a/b", "x", "y", Severity.ERROR, Location(file="f", path="p"))
    for hostile, harmless in zip(pages(name, finding), pages("x", plain), strict=True):
        assert active(hostile) == active(harmless)


@pytest.mark.parametrize(
    "name",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        " =1",
        "\uff1d1",
        "\n=cmd|' /C calc'!A0",
    ],
)
def test_no_cell_is_a_formula(name: str) -> None:
    row = RosterRow(name, name, name, True, None, None, (name,), name)
    (cells,) = list(csv.reader(StringIO(format_rows_csv([row], RosterRow))))[1:]
    assert [cell for cell in cells if cell.strip()[:1] in tuple("=+-@\uff1d")] == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1:{port}.evil.example",
        "localhost:{port}:1",
        "LOCALHOST.evil:{port}",
        " 127.0.0.1:{port}x",
        "[::1]:{port}",
        "user@localhost:{port}",
        "",
    ],
)
def test_the_watched_page_answers_to_its_own_name_alone(host: str) -> None:
    with WatchServer(WatchBoard("x", {}, "en"), 0) as server:
        server.start_thread()
        try:
            port = server.server_port
            assert (
                _status(port, f"127.0.0.1:{port}")
                == _status(port, f"localhost:{port}")
                == 200
            )
            assert _status(port, host.format(port=port)) == 403
            assert _status(port, f"localhost:{port}", "evil.example") == 403
        finally:
            server.shutdown()


def _status(port: int, *hosts: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.putrequest("GET", "/", skip_host=True)
    for host in hosts:
        connection.putheader("Host", host)
    connection.endheaders()
    return connection.getresponse().status
