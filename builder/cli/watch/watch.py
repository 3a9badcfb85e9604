"""`squadpress watch`: a local page with the watched cards, and an event for each change."""

import signal
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import click

from builder.cli.console import echo, echo_engine, echo_findings, write
from builder.cli.language import get_interface_language
from builder.cli.options import engine_option, project_option
from builder.errors import UsageError
from builder.messages import describe_os_error, gettext as _, translate
from builder.model.engines import EngineName
from builder.packs.project import Project
from builder.render.html.pages import asset
from builder.usecases.watch.pack_watch import PackWatch
from builder.usecases.watch.watch_view import (
    WatchView,
    format_page_fragment,
    format_status_line,
    format_watch_page,
)
from builder.usecases.watch.watched_files import WatchedFiles

HOST = "127.0.0.1"
EVENT_TIMEOUT_SECONDS = 10.0
"""Time after which a comment is sent, so that a closed browser is noticed."""

STATIC_FILES = {
    "/style.css": ("text/css", "watch.css"),
    "/script.js": ("text/javascript", "watch.js"),
}
_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; "
    "script-src 'self'; connect-src 'self'"
)
_SECURITY_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
}


class WatchBoard:
    """The content of the watch page, shared by threads. Waiting requests wake on each change."""

    def __init__(self, title: str, pictures: Mapping[str, bytes], lang: str) -> None:
        self.title = title
        self.lang = lang
        self.pictures = pictures
        self.view = WatchView()
        self._selected_card = ""
        self._are_sheets_requested = False
        self._news = threading.Condition()

    def show_view(self, view: WatchView) -> None:
        """Replace the content of the page, and wake waiting requests."""
        with self._news:
            self.view = view
            self._news.notify_all()

    def take_selected_card(self) -> str:
        """Return and forget the card that was selected last in the browser. Empty if none was."""
        card = self._selected_card
        self._selected_card = ""
        return card

    def select_card(self, card: str) -> None:
        """Store the card that was selected in the browser."""
        self._selected_card = card

    def take_sheet_request(self) -> bool:
        """Return True if the browser requested the sheets, and forget the request."""
        is_requested = self._are_sheets_requested
        self._are_sheets_requested = False
        return is_requested

    def request_sheets(self) -> None:
        """Store that the browser requested the sheets."""
        self._are_sheets_requested = True

    def wait_for_next(self, number: int) -> WatchView | None:
        """Wait for content newer than this number. Return None after a timeout."""
        with self._news:
            self._news.wait_for(
                lambda: self.view.number != number, EVENT_TIMEOUT_SECONDS
            )
            return self.view if self.view.number != number else None


class WatchServer(ThreadingHTTPServer):
    """The local web server of `squadpress watch`. Port 0 means any free port.

    Raises UsageError if the port is in use.
    """

    # The requests for events never end, so the server must not wait for them.
    daemon_threads = True
    block_on_close = False

    def __init__(self, board: WatchBoard, port: int) -> None:
        self.board = board
        try:
            super().__init__((HOST, port), WatchRequestHandler)
        except OSError as error:
            form = _("port {port} of this machine cannot be used: {reason}")
            message = _(form, port=port, reason=describe_os_error(error))
            hint = _("Choose another with --port, or --port 0 for any free port.")
            raise UsageError(message, hint) from error

    @property
    def address(self) -> str:
        """The web address of the page."""
        return f"http://{HOST}:{self.server_port}/"

    def start_thread(self) -> None:
        """Serve requests in a background thread until `shutdown` is called."""
        options = {"poll_interval": 0.1}
        threading.Thread(target=self.serve_forever, kwargs=options, daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the error of a browser that closed the connection."""


class WatchRequestHandler(BaseHTTPRequestHandler):
    """Answers one request of the browser."""

    server: WatchServer
    server_version = "squadpress"

    def do_POST(self) -> None:
        """Select a card, or request the sheets. Refuse requests of other websites."""
        own_origins = [f"http://{host}" for host in self._list_own_hosts()]
        card = unquote(self.path.removeprefix("/select/"))
        # Forms of other websites can send requests here, but not with this origin.
        if not self._is_own_host() or self.headers.get("Origin") not in own_origins:
            self._send_message(403, _("open {address}", address=self.server.address))
        elif self.path.startswith("/select/"):
            self.server.board.select_card(card)
            self._send_message(202, card)
        elif self.path == "/sheets":
            self.server.board.request_sheets()
            self._send_message(202, "sheets")
        else:
            self._send_message(404, _("nothing here"))

    def _list_own_hosts(self) -> list[str]:
        return [f"{host}:{self.server.server_port}" for host in (HOST, "localhost")]

    def _is_own_host(self) -> bool:
        """Return True if the request names this server as its host."""
        # Another website could reach this port under its own host name and read the cards.
        requested_hosts = self.headers.get_all("Host") or []
        return (
            len(requested_hosts) == 1 and requested_hosts[0] in self._list_own_hosts()
        )

    def do_GET(self) -> None:
        """Send the page, a style sheet or script, a picture, or the stream of events."""
        board = self.server.board
        if not self._is_own_host():
            self._send_message(403, _("open {address}", address=self.server.address))
        elif self.path == "/":
            html = format_watch_page(board.title, board.view, board.lang)
            self._send_data(200, "text/html; charset=utf-8", html.encode())
        elif self.path in STATIC_FILES:
            kind, name = STATIC_FILES[self.path]
            self._send_data(200, kind, asset(name))
        elif self.path == "/events":
            self._send_events(board)
        else:
            self._send_picture(self.path.removeprefix("/picture/").removesuffix(".png"))

    def _send_picture(self, name: str) -> None:
        data = self.server.board.pictures.get(name)
        if data is None:
            self._send_message(404, _("nothing here"))
        else:
            self._send_data(200, "image/png", data)

    def _send_message(self, status: int, message: str) -> None:
        text = translate(message, self.server.board.lang)
        self._send_data(status, "text/plain; charset=utf-8", f"{text}\n".encode())

    def _send_data(self, status: int, kind: str, data: bytes) -> None:
        self._send_headers(
            status, kind, {**_SECURITY_HEADERS, "Content-Length": str(len(data))}
        )
        self.wfile.write(data)

    def _send_headers(
        self, status: int, kind: str, more: Mapping[str, str] = {}
    ) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Cache-Control": "no-store",
            **more,
        }.items():
            self.send_header(name, value)
        self.end_headers()

    def _send_events(self, board: WatchBoard) -> None:
        """Send the current content and each change, until the browser closes the connection."""
        self._send_headers(200, "text/event-stream")
        view: WatchView | None = board.view
        last = 0
        while True:
            if view is None:
                # A line with a colon at its start is a comment, which browsers ignore.
                self.wfile.write(b": still here\n\n")
            else:
                last = view.number
                html = format_page_fragment(view, board.lang)
                self.wfile.write(f"id: {last}\ndata: {html}\n\n".encode())
            self.wfile.flush()
            view = board.wait_for_next(last)

    def log_message(self, format: str, *args: object) -> None:
        """Print no log, because the terminal shows errors and warnings."""


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--lang",
    "langs",
    multiple=True,
    metavar="LANG",
    help="Language, or `all`. Default: the language being edited.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="Port. 0: any free port.",
)
@engine_option
@project_option
def watch(
    project: Project,
    pack: str | None,
    langs: tuple[str, ...],
    port: int,
    engine: EngineName | None,
) -> int:
    """Show the cards of PACK in the browser and render each again when it is saved. Stop with
    Ctrl-C.

    The page is only available on this machine. Errors are shown in the page and here; the last
    good picture stays.
    """
    # A program started in the background may have been told to ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    packs = project.choose_packs(pack)
    if len(packs) > 1:
        hint = _("Give one of them: {listed}.", listed=", ".join(packs))
        raise UsageError(_("there are several packs"), hint)
    files = WatchedFiles(project, packs[0])
    lang = get_interface_language()
    pack_watch = PackWatch(project, packs[0], langs, engine)
    board = WatchBoard(f"squadpress watch {packs[0]}", pack_watch.pictures, lang)
    with WatchServer(board, port) as server:
        view = pack_watch.start_watch(files.list_latest_files())
        echo_engine(packs[0], pack_watch.engine_choice)
        server.start_thread()
        echo(
            _(
                "{pack} is at {address} (stop with Ctrl-C)",
                pack=packs[0],
                address=server.address,
            )
        )
        try:
            board.show_view(view)
            pack_watch.warm_up()
            while True:
                board.show_view(view)
                view = pack_watch.check_pack()
                board.show_view(view)
                write(format_status_line(view, lang))
                if view.findings:
                    echo_findings(view.findings, lang)
                view = _wait_for_view(files, board, pack_watch)
        except KeyboardInterrupt:
            echo(_("stopped"))
        server.shutdown()
    return 0


def _wait_for_view(
    files: WatchedFiles, board: WatchBoard, pack_watch: PackWatch
) -> WatchView:
    """Wait until a file is saved or a card is selected. Check other cards in the meantime."""
    while True:
        paths = files.wait_for_save()
        if paths:
            return pack_watch.show_saved_files(paths)
        card = board.take_selected_card()
        if card:
            return pack_watch.select_card(card)
        if board.take_sheet_request():
            board.show_view(pack_watch.show_sheets())
        if pack_watch.import_edited_tables():
            board.show_view(pack_watch.view)
            write(format_status_line(pack_watch.view, board.lang))
        view = pack_watch.check_next_cards()
        if view is not None:
            board.show_view(view)
