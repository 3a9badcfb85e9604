"""`python -m builder` is `squadpress`: the command line in a process of its own."""

import atexit
import os
import sys
import threading
from contextlib import suppress

from builder.cli.main import main


def run() -> None:
    """Run the command line and end the process at once: taking a pack apart takes as long as composing thirty sides."""
    status = [1]
    atexit.register(lambda: os._exit(status[0]))  # called last, since it is registered first
    try:
        main()
    except SystemExit as end:
        status[0] = int(end.code or 0)
        raise
    finally:
        with suppress(OSError, ValueError, AttributeError):  # it may be closed
            sys.stdout.flush()
        for thread in threading.enumerate():  # the interpreter stops processes' queues before it waits for these
            if type(thread) is threading.Thread and not thread.daemon:
                thread.join()


if __name__ == "__main__":
    run()
