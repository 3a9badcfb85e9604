"""The program as the shell starts it: the command line, then an end at once."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn

from builder.cli.main import main


def run() -> NoReturn:
    """Run the command line and leave.

    The interpreter would first take apart all that a command made, value by value, to give back memory that is given
    back anyway: after a build as long as composing a dozen sheets. What comes before that comes here too: threads
    are waited for, then what was promised for the end is done.
    """
    try:
        main()
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            raise  # a text: the interpreter prints it
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:  # the shell may have closed it
                    stream.flush()
        except (OSError, ValueError):  # what cannot be written is told as ever
            raise end from None
        os._exit(end.code or 0)
    sys.exit(0)
