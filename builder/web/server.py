"""The server of `squadpress serve`: migrates the database, then runs waitress."""

import gc
import logging
import os
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, connection
from waitress.server import create_server

from builder.errors import UsageError
from builder.messages import describe_os_error, gettext as _

THREADS = 8
GC_THRESHOLDS = (20_000, 20, 50)
"""The garbage collector runs rarely. A page makes a few hundred objects, and a full run takes
longer than a page.
"""
CLEANUP_SECONDS = 3_600
"""Seconds between two clean-ups of expired prints and lists."""
THREAD_SWITCH_SECONDS = 0.001
"""A thread that returns from the database continues soon, because others wait for it there."""


def run_server(host: str, port: int, report_address: Callable[[str], None]) -> None:
    """Run the web server until Ctrl+C. Raise UsageError if the port cannot be used."""
    migrate_database()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = describe_os_error(error)
        raise UsageError(
            _(
                "port {port} of this machine cannot be used: {reason}",
                port=port,
                reason=reason,
            ),
            _("Choose another port with --port."),
        ) from error
    server = create_server(
        get_wsgi_application(), sockets=[listener], threads=THREADS, ident=None
    )
    prepare_process()
    report_address(f"http://{host}:{listener.getsockname()[1]}/")
    with suppress(KeyboardInterrupt):
        server.run()
    server.close()


def migrate_database() -> None:
    """Apply all migrations to the database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.web.settings")
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)


def prepare_process() -> None:
    """Start the background work of a server process: games, pictures, print jobs, clean-up."""
    from builder.web.cards.faces import get_faces
    from builder.web.cards.library import get_library
    from builder.web.squads.print_queue import start_worker

    with suppress(DatabaseError):  # a page shows this error too
        start_worker()
    Thread(target=_clean_up_hourly, daemon=True).start()
    for (
        pack
    ) in get_library().list_games():  # other languages when a reader asks for them
        get_faces(pack, settings.LANGUAGE_CODE)
    gc.collect()
    gc.freeze()  # the games stay in memory, so the collector need not look at them
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)


def _clean_up_hourly() -> None:
    """Delete expired prints and imported lists, now and every hour."""
    from builder.web.squads.print_queue import remove_old_jobs

    while True:
        try:
            remove_old_jobs()
        except Exception:  # the next clean-up may succeed: the thread must not end
            logging.getLogger("django").exception("the clean-up failed")
        with suppress(Exception):  # a lost connection cannot be closed
            connection.close()
        time.sleep(CLEANUP_SECONDS)
