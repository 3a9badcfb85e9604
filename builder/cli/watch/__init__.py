"""`squadpress watch`."""

import signal

import click

from builder.cli.console import echo, echo_findings, write
from builder.cli.language import interface_language
from builder.cli.options import engine_option, project_option
from builder.cli.watch.server import Board, Server
from builder.errors import UsageError
from builder.messages import gettext as _
from builder.store.project import Project
from builder.usecases.pages import status_line
from builder.usecases.watch.watch import Watch, Watched


@click.command()
@click.argument("pack", required=False)
@click.option("--lang", "langs", multiple=True, metavar="LANG", help="A language, or all. Default: the edited one.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free port.")
@engine_option
@project_option
def watch(project: Project, pack: str | None, langs: tuple[str, ...], port: int, engine: str | None) -> int:
    """Show PACK's cards in the browser and set each again when it is saved. Ctrl-C ends it.

    The page is on this machine alone. What is wrong is told in the page and here; the last good picture stays.
    """
    # A program started in the background may have been told to ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    packs = project.choose(pack)
    if len(packs) > 1:
        raise UsageError(_("there are several packs"), _("Name one: {listed}.", listed=", ".join(packs)))
    files, work, lang = Watched(project, packs[0]), Watch(project, packs[0], langs, engine), interface_language()
    board = Board(f"squadpress watch {packs[0]}", work.pictures, lang)
    with Server(board, port) as server:
        sight = work.begin(files.latest())
        server.start()
        echo(_("{pack} is at {address} (Ctrl-C ends)", pack=packs[0], address=server.address))
        try:
            board.show(sight)
            work.warm()
            while True:
                board.show(sight)
                sight = work.judged()
                board.show(sight)
                write(status_line(sight, lang))
                if sight.findings:
                    echo_findings(sight.findings, lang)
                while not (paths := files.saved()):
                    pass
                sight = work.saved(paths)
        except KeyboardInterrupt:
            echo(_("ended"))
        server.shutdown()
    return 0
