"""One machine's server: the database brought up to date, then waitress."""

import gc
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

import django
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError
from waitress.server import create_server

from builder.errors import UsageError
from builder.messages import gettext as _, os_error

THREADS = 8
COLLECTIONS = (20_000, 20, 50)
"""How rarely memory is looked through for what is used no more: a page makes some hundreds of such objects, and a look
at all that is remembered of squads takes longer than a page."""

SWITCH = 0.001
"""Seconds that a thread works while another waits: one that comes back from the database goes on sooner, for which
others wait there."""


def serve(host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `ready` is told the address. UsageError where the port is taken."""
    upgrade()
    try:
        door = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        raise UsageError(
            _(
                "port {port} of this machine cannot be used: {reason}",
                port=port,
                reason=os_error(error),
            ),
            _("Name another with --port."),
        ) from error
    server = create_server(get_wsgi_application(), sockets=[door], threads=THREADS, ident=None)
    prepare()
    ready(f"http://{host}:{door.getsockname()[1]}/")
    with suppress(KeyboardInterrupt):
        server.run()
    server.close()


def upgrade() -> None:
    """Bring the database up to date."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.web.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def prepare() -> None:
    """Read the games, have the pictures of their faces made before anyone asks, and go on with what was printed."""
    from builder.web.cards.faces import faces_of
    from builder.web.cards.library import library
    from builder.web.squads.print_queue import wake

    with suppress(DatabaseError):  # pages tell of it, and of when it is back
        wake()
    for pack in library().games():
        for lang in pack.manifest.languages.all:
            faces_of(pack, lang)
    gc.collect()
    gc.freeze()  # what was read stays: looking through all of it again and again would make pages wait
    gc.set_threshold(*COLLECTIONS)
    sys.setswitchinterval(SWITCH)
