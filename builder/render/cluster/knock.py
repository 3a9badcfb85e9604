"""Asks whether a scheduler answers at an address, without the library that talks to it.

That library waits for ever for somebody who listens and says nothing.
"""

from __future__ import annotations

import socket
from threading import Thread
from urllib.parse import urlsplit

from builder.messages import gettext as _
from builder.messages import os_error

PATIENT = 10.0
"""Seconds that a scheduler has to answer."""


class Knock:
    """A connection that is tried beside other work, and closed again. `address` is as `tcp://HOST:PORT`."""

    def __init__(self, address: str) -> None:
        self.shown = address.replace("tcp://", "dask://")
        parts = urlsplit(address)
        self._place = parts.hostname or "", parts.port or 0
        self._why: str | None = None
        self._thread = Thread(target=self._try, daemon=True)  # looking a name up may last longer than anyone waits
        self._thread.start()

    def _try(self) -> None:
        try:
            with socket.create_connection(self._place, timeout=PATIENT) as line:
                # A scheduler greets whoever comes before it is spoken to.
                self._why = "" if line.recv(1) else _("what listens there is no scheduler")
        except TimeoutError:
            return
        except OSError as error:
            self._why = os_error(error)

    def answer(self) -> str:
        """Why no scheduler is there; empty if one is."""
        self._thread.join(PATIENT)
        return _("no answer in {seconds:g} s", seconds=PATIENT) if self._why is None else self._why
