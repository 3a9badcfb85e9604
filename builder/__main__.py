"""`python -m builder` is `squadpress`: the command line in a process of its own."""

import atexit
import os
import signal
import sys
import threading
from contextlib import suppress


def main() -> None:
    """Load the command line and run it. Ctrl+C during loading ends without a traceback."""
    is_python_handling = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_python_handling:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from builder.cli.main import main as run_command_line

    if is_python_handling:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run_command_line()


def run() -> None:
    """Run the command line and end the process without freeing its memory.

    Freeing the objects of a large pack takes as long as laying out 30 pages.
    """
    status = [1]
    # Called last, since it is registered first.
    atexit.register(lambda: os._exit(status[0]))
    try:
        main()
    except SystemExit as end:
        status[0] = int(end.code or 0)
        raise
    finally:
        with suppress(OSError, ValueError, AttributeError):  # it may be closed
            sys.stdout.flush()
        # The interpreter stops the queues of processes before it waits for these.
        for thread in threading.enumerate():
            if type(thread) is threading.Thread and not thread.daemon:
                thread.join()


if __name__ == "__main__":
    run()
