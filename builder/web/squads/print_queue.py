"""Printing beside the pages: jobs wait in the database for workers, which are processes of their own.

So many workers run on a machine as there are locks in the data folder. Each takes the oldest job of whoever was served
least lately, says every second that it lives, and goes when nothing waits. A job whose worker fell silent is taken up
again by the next.
"""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Literal

import pikepdf
from django.conf import settings
from django.db import connection
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone
from filelock import FileLock, Timeout

from builder.errors import SquadpressError
from builder.files import make_private_folder
from builder.findings import Severity
from builder.messages import gettext as _, to_json
from builder.usecases.build.build_options import (
    STORE,
    WORKERS,
    BuildOptions,
    Home,
    Publishing,
    Selection,
    worker_pool,
)
from builder.web.squads.models import PrintJob

KEPT = timedelta(days=1)
"""How long a finished file can be fetched."""
SILENT = timedelta(seconds=15)
"""A worker that has said nothing for so long is taken for dead."""
MAX_JOB_SECONDS, MAX_JOB_CLOCK_SECONDS = 600, 6_000
"""Processor time that one job may take, and time on the clock, after which it can only have got stuck."""
TRIES = 3
JOBS_AT_ONCE = max(1, (os.cpu_count() or 2) // 2)
What = Literal["cards", "sheet", "gauges", "lists"]


@dataclass(frozen=True, slots=True)
class PrintWish:
    """What is to be printed of a squad: its cards (in so many copies each; as it fields them where none are stated),
    its sheet, or the game's gauges and tokens; or the sheets of all lists of an event. In which language, and how."""

    pack: str
    lang: str
    release: str = ""
    what: What = "cards"
    paper: Literal["a4", "letter"] = "a4"
    ink: bool = False
    fold: bool = False
    sheet: bool = True
    copies: dict[str, int] | None = None

    @property
    def options(self) -> BuildOptions:
        """The same for the use case; the squad's file and the folder are not named yet."""
        copies = self.copies if self.what == "cards" else {}
        select = Selection(
            langs=(self.lang,), as_of=self.release or None, variant="ink" if self.ink else "full",
            copies=None if copies is None else tuple(sorted(copies.items())),
        )  # fmt: skip
        publish = Publishing(
            profile=f"home-{self.paper}", gauges="only" if self.what == "gauges" else "with", untranslated=True,
            sheet=self.sheet or self.what in ("sheet", "lists"), home=Home(fold=self.fold),
        )  # fmt: skip
        return BuildOptions(select, publish)


def folder() -> Path:
    """Where finished files lie."""
    return Path(settings.DATA) / "prints"


def file_of(job: PrintJob) -> Path:
    """A job's finished file."""
    return folder() / f"{job.pk}.pdf"


def queue(owner: str, job: PrintJob, wish: PrintWish) -> None:
    """Let a job wait until a worker takes it."""
    job.owner, job.wish = owner, asdict(wish)
    job.save(force_insert=True)
    wake()


def place(job: PrintJob) -> int:
    """How many jobs come before one that waits."""
    waiting = list(_waiting().values_list("pk", flat=True)[:100])
    return waiting.index(job.pk) if job.pk in waiting else len(waiting)


_workers: list["subprocess.Popen[bytes]"] = []


def wake() -> None:
    """Begin a worker where a job waits, or lost its own, and fewer work than may."""
    _workers[:] = [worker for worker in _workers if worker.poll() is None]
    if len(_workers) < JOBS_AT_ONCE and (_lost().exists() or _waiting().exists()) and _free():
        command = [sys.executable, "-m", "django", "print_jobs"]
        _workers.append(
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        )


def _free() -> bool:
    """True if another worker may begin."""
    with suppress(Timeout), _slot():
        return True
    return False


@contextmanager
def _slot() -> Iterator[None]:
    """One of the places for workers; the system frees that of a process that is killed. Timeout if all are taken."""
    make_private_folder(folder())
    for number in range(JOBS_AT_ONCE):
        lock = FileLock(folder() / f"worker-{number}.lock", timeout=0, mode=0o600)
        with suppress(Timeout):
            lock.acquire()
            try:
                yield
            finally:
                lock.release()
            return
    raise Timeout(str(folder()))


def _lost() -> QuerySet[PrintJob]:
    """Jobs whose workers fell silent."""
    return PrintJob.objects.filter(state=PrintJob.RUNNING, beat__lt=timezone.now() - SILENT)


def _waiting() -> QuerySet[PrintJob]:
    """Jobs in the order in which they are taken: the oldest of the owner who was served least lately comes first."""
    served = PrintJob.objects.filter(owner=OuterRef("owner"), started__isnull=False).order_by(
        "-started"
    )
    waiting = PrintJob.objects.filter(state=PrintJob.QUEUED).annotate(
        served=Subquery(served.values("started")[:1])
    )
    return waiting.order_by(F("served").asc(nulls_first=True), "made")


def claim() -> PrintJob | None:
    """The next job, which is this worker's now; None where none waits."""
    lost = _lost()
    lost.filter(tries__gte=TRIES).update(
        state=PrintJob.FAILED, told=[to_json(_("printing broke off several times"))]
    )
    lost.update(state=PrintJob.QUEUED)
    for job in _waiting()[:20]:
        now, mine = timezone.now(), PrintJob.objects.filter(pk=job.pk, state=PrintJob.QUEUED)
        if mine.update(state=PrintJob.RUNNING, started=now, beat=now, tries=F("tries") + 1):
            job.refresh_from_db()
            return job
    return None


def run(job: PrintJob) -> None:
    """Print a job. Whoever took it up meanwhile, since this worker seemed dead, has the last word."""
    mine = PrintJob.objects.filter(pk=job.pk, state=PrintJob.RUNNING, started=job.started)
    try:
        with _Pulse(job) as pulse:
            pages, told = _print(job, pulse)
    except SquadpressError as error:
        pages, told = 0, [error.message, error.remedy]
    except Exception:
        logging.getLogger("django").exception("a print job failed")
        pages, told = 0, [_("something went wrong on the server")]
    mine.update(
        state=PrintJob.DONE if pages else PrintJob.FAILED,
        pages=pages,
        told=[to_json(one) for one in told if one],
    )


def _print(job: PrintJob, pulse: "_Pulse") -> tuple[int, list[str]]:
    """The pages of the finished file, or why there is none."""
    wish = PrintWish(**job.wish)
    with TemporaryDirectory(dir=folder()) as place:
        if wish.what == "lists":
            return _print_lists(job, wish, pulse, Path(place))
        file, pages, told = _printed(wish, job.text, Path(place), pulse)
        if file is not None:
            _store_finished_file(file, job)
        return pages, told


def _store_finished_file(file: Path, job: PrintJob) -> None:
    """Store a file that was made in a private folder as the finished file of a job, readable by its owner alone."""
    file.chmod(0o600)
    file.replace(file_of(job))


def _print_lists(
    job: PrintJob, wish: PrintWish, pulse: "_Pulse", place: Path
) -> tuple[int, list[str]]:
    """The sheets of many lists in one file; of one that cannot be printed it is told why."""
    made, told, lists = pikepdf.Pdf.new(), list[str](), json.loads(job.text)
    for number, (player, text) in enumerate(lists):
        pulse(number, len(lists))
        (own := place / str(number)).mkdir()
        try:
            file, _pages, wrong = _printed(wish, text, own)
        except SquadpressError as error:
            file, wrong = None, [error.message]
        if file is None:
            told.append(_("{player} has no sheet: {reason}", player=player, reason=wrong[0]))
        else:
            with pikepdf.open(file) as one:
                made.pages.extend(one.pages)
    if len(made.pages):
        made.save(place / "all.pdf")
        _store_finished_file(place / "all.pdf", job)
    return len(made.pages), told or ([] if len(made.pages) else [_("there is nothing to print")])


def _printed(
    wish: PrintWish, text: str, place: Path, pulse: "_Pulse | None" = None
) -> tuple[Path | None, int, list[str]]:
    """A squad's file in a folder and its pages; without one why there is none."""
    from dataclasses import replace

    from builder.usecases.build.build import build_pack
    from builder.web.cards.library import get_library

    squad = place / "squad.yaml"
    squad.write_text(text, encoding="utf-8")
    asked, pool = (
        wish.options,
        worker_pool(os.environ.get(WORKERS) or "1", os.environ.get(STORE) or None),
    )
    options = BuildOptions(
        replace(asked.select, roster=squad),
        replace(asked.publish, output=place),
        replace(pool, progress=pulse),
    )
    result = build_pack(get_library().project, wish.pack, options)
    if not result.files:
        wrong = [
            finding.message for finding in result.findings if finding.severity is Severity.ERROR
        ]
        return None, 0, wrong[:5] or [_("there is nothing to print")]
    return result.files[0].path, result.files[0].pages, []


class _Pulse:
    """Says every second how far a job is, and ends the process where it takes far too long."""

    def __init__(self, job: PrintJob) -> None:
        self.job, self.far, self.over = job, (0, 0), Event()
        self.thread = Thread(target=self._beat, daemon=True)

    def __call__(self, done: int, total: int) -> None:
        """So many faces of so many are set."""
        self.far = done, total

    def __enter__(self) -> "_Pulse":
        self.thread.start()
        return self

    def __exit__(self, *_unused: object) -> None:
        self.over.set()
        self.thread.join()

    def _beat(self) -> None:
        begun, worked = time.monotonic(), sum(os.times()[:4])
        mine = PrintJob.objects.filter(
            pk=self.job.pk, state=PrintJob.RUNNING, started=self.job.started
        )
        while not self.over.wait(1):
            took = sum(os.times()[:4]) - worked  # of this process, and of those that it waited for
            if took > MAX_JOB_SECONDS or time.monotonic() - begun > MAX_JOB_CLOCK_SECONDS:
                os._exit(1)
            with suppress(Exception):  # a database that is away for a moment
                mine.update(beat=timezone.now(), done=self.far[0], total=self.far[1])
        connection.close()


def sweep() -> None:
    """Remove what was kept long enough."""
    old = timezone.now() - KEPT
    PrintJob.objects.filter(made__lt=old).delete()
    for path in folder().glob("*.pdf"):
        with suppress(OSError):
            if path.stat().st_mtime < old.timestamp():
                path.unlink()


def work() -> None:
    """Print until nothing waits; at once over where enough others do."""
    with suppress(Timeout), _slot():
        while (job := claim()) is not None:
            run(job)
        sweep()
