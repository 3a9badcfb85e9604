"""Printing in the background.

Jobs wait in the database for workers, which are processes of their own.

The lock files in the data folder limit the workers of a machine. Each worker takes the oldest job
of the owner who was served least recently, reports every second that it is alive, and ends when
nothing waits. A job whose worker is silent is taken by the next one.
"""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
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
    HomeOptions,
    PublishOptions,
    Selection,
    WorkerPool,
    make_worker_pool,
)
from builder.web.squads.imported_lists import (
    PrintResult,
    remove_expired_lists,
    render_list,
)
from builder.web.squads.models import PrintJob

FILE_LIFETIME = timedelta(days=1)
"""The time for which a finished file can be downloaded."""
MAX_SILENCE = timedelta(seconds=15)
"""A worker that has not reported for longer counts as dead."""
MAX_CPU_SECONDS, MAX_WALL_SECONDS = 600, 6_000
"""Processor time and time of one job, after which it can only be stuck."""
MAX_ATTEMPTS = 3
MAX_WORKERS = max(1, (os.cpu_count() or 2) // 2)
MAX_ERRORS = 5
"""Errors that are shown of a job."""
PrintContent = Literal["cards", "sheet", "gauges", "lists", "squads", "imported"]


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """A request to print the cards or sheet of a squad, or the gauges of a game.

    Or the sheets of all lists of an event, the cards or sheets of several squads, or a list of
    another program.

    `copies` holds the copies by card. None means as many as the squad has.
    """

    pack: str
    lang: str
    release: str = ""
    what: PrintContent = "cards"
    paper: Literal["a4", "letter"] = "a4"
    ink: bool = False
    fold: bool = False
    sheet: bool = True
    copies: dict[str, int] | None = None

    def make_options(self) -> BuildOptions:
        """Return the build options, without the squad's file and the output folder."""
        copies = self.copies if self.what in ("cards", "squads") else {}
        select = Selection(
            langs=(self.lang,),
            as_of=self.release or None,
            variant="ink" if self.ink else "full",
            copies=None if copies is None else tuple(sorted(copies.items())),
        )
        publish = PublishOptions(
            profile=f"home-{self.paper}",
            gauges="only" if self.what == "gauges" else "with",
            untranslated=True,
            sheet=self.sheet or self.what in ("sheet", "lists"),
            home=HomeOptions(fold=self.fold),
        )
        return BuildOptions(select, publish)


def get_prints_folder() -> Path:
    """Return the folder with all finished print files."""
    return Path(settings.DATA) / "prints"


def get_job_file(job: PrintJob) -> Path:
    """Return the path of a job's finished file."""
    return get_prints_folder() / f"{job.pk}.pdf"


def queue_job(owner: str, job: PrintJob, request: PrintRequest) -> None:
    """Store a print job and start a worker process for it."""
    job.owner = owner
    job.wish = asdict(request)
    job.save(force_insert=True)
    start_worker()


def count_jobs_before(job: PrintJob) -> int:
    """Return the number of jobs that will run before a waiting one."""
    waiting_ids = list(_list_waiting().values_list("pk", flat=True)[:100])
    return waiting_ids.index(job.pk) if job.pk in waiting_ids else len(waiting_ids)


_workers: list["subprocess.Popen[bytes]"] = []


def start_worker() -> None:
    """Start a worker process if a job needs one and the limit permits it."""
    _workers[:] = [worker for worker in _workers if worker.poll() is None]
    has_work = _list_lost().exists() or _list_waiting().exists()
    if has_work and len(_workers) < MAX_WORKERS and _has_free_slot():
        command = [sys.executable, "-m", "django", "print_jobs"]
        worker = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        _workers.append(worker)


def _has_free_slot() -> bool:
    with suppress(Timeout), _take_slot():
        return True
    return False


@contextmanager
def _take_slot() -> Iterator[None]:
    """Hold one of the worker slots during the block. Raise Timeout if all are taken.

    A slot is a locked file, because the system releases the lock of a killed process.
    """
    make_private_folder(get_prints_folder())
    for number in range(MAX_WORKERS):
        file = get_prints_folder() / f"worker-{number}.lock"
        # It does not wait: a worker is only started where a slot is free.
        lock = FileLock(file, timeout=0, mode=0o600)
        with suppress(Timeout):
            lock.acquire()
            try:
                yield
            finally:
                lock.release()
            return
    raise Timeout(str(get_prints_folder()))


def _list_lost() -> QuerySet[PrintJob]:
    """Return the running jobs whose workers have stopped reporting."""
    deadline = timezone.now() - MAX_SILENCE
    return PrintJob.objects.filter(state=PrintJob.RUNNING, beat__lt=deadline)


def _list_waiting() -> QuerySet[PrintJob]:
    """Return the waiting jobs in order. Owners who were served least recently come first."""
    jobs_of_owner = PrintJob.objects.filter(
        owner=OuterRef("owner"), started__isnull=False
    )
    last_start = jobs_of_owner.order_by("-started").values("started")[:1]
    jobs = PrintJob.objects.filter(state=PrintJob.QUEUED)
    jobs = jobs.annotate(served=Subquery(last_start))
    # So an owner with many jobs does not keep the others waiting.
    return jobs.order_by(F("served").asc(nulls_first=True), "made")


def claim_job() -> PrintJob | None:
    """Assign the next waiting job to this worker. None if there is no job."""
    messages = [to_json(_("printing broke off several times"))]
    lost = _list_lost()
    lost.filter(tries__gte=MAX_ATTEMPTS).update(state=PrintJob.FAILED, told=messages)
    lost.update(state=PrintJob.QUEUED)
    for job in _list_waiting()[:20]:
        now = timezone.now()
        # Another worker may claim the job meanwhile. Only one update then changes the row.
        unclaimed = PrintJob.objects.filter(pk=job.pk, state=PrintJob.QUEUED)
        if unclaimed.update(
            state=PrintJob.RUNNING, started=now, beat=now, tries=F("tries") + 1
        ):
            job.refresh_from_db()
            return job
    return None


def run_job(job: PrintJob) -> None:
    """Print a job.

    If another worker has taken it over, because this one seemed dead, its result counts.
    """
    try:
        with _Heartbeat(job) as heartbeat:
            result = _print(job, heartbeat)
    except SquadpressError as error:
        result = PrintResult(0, (error.message, error.remedy))
    except Exception:
        logging.getLogger("django").exception("a print job failed")
        result = PrintResult(0, (_("something went wrong on the server"),))
    own_job = PrintJob.objects.filter(
        pk=job.pk, state=PrintJob.RUNNING, started=job.started
    )
    own_job.update(
        state=PrintJob.DONE if result.pages else PrintJob.FAILED,
        pages=result.pages,
        told=[to_json(message) for message in result.messages if message],
    )


def _print(job: PrintJob, heartbeat: "_Heartbeat") -> PrintResult:
    request = PrintRequest(**job.wish)
    if job.imported is not None:
        return render_list(job.imported, _make_pool(heartbeat))
    with TemporaryDirectory(dir=get_prints_folder()) as temporary:
        folder = Path(temporary)
        if request.what in ("lists", "squads"):
            return _print_lists(job, request, heartbeat, folder)
        result = _print_squad(request, job.text, folder / "print.pdf", heartbeat)
        if result.pages:
            _store_file(folder / "print.pdf", job)
        return result


def _store_file(file: Path, job: PrintJob) -> None:
    """Move a finished file to the folder of prints. Only its owner can read it."""
    # The file is made private before it appears under its final name.
    file.chmod(0o600)
    file.replace(get_job_file(job))


def _print_lists(
    job: PrintJob, request: PrintRequest, heartbeat: "_Heartbeat", folder: Path
) -> PrintResult:
    """Print the sheets of many squads into one file. Report squads that cannot be printed."""
    merged = pikepdf.Pdf.new()
    messages = list[str]()
    lists = json.loads(job.text)
    for number, (player, text, *own_request) in enumerate(lists):
        heartbeat.report(number, len(lists))
        file = folder / str(number) / "print.pdf"
        file.parent.mkdir()
        # The lists of an event share one request. Squads of different games have their own.
        list_request = PrintRequest(**own_request[0]) if own_request else request
        try:
            result = _print_squad(list_request, text, file)
        except SquadpressError as error:
            result = PrintResult(0, (error.message,))
        if result.pages:
            with pikepdf.open(file) as sheet:
                merged.pages.extend(sheet.pages)
            if result.messages:
                form = _("{player}: {message}")
                messages.append(_(form, player=player, message=result.messages[0]))
        else:
            reason = result.messages[0]
            messages.append(
                _("{player} has no sheet: {reason}", player=player, reason=reason)
            )
    if len(merged.pages):
        merged.save(folder / "all.pdf")
        _store_file(folder / "all.pdf", job)
    elif not messages:
        messages.append(_("there is nothing to print"))
    return PrintResult(len(merged.pages), tuple(messages))


def _print_squad(
    request: PrintRequest, text: str, file: Path, heartbeat: "_Heartbeat | None" = None
) -> PrintResult:
    """Print one squad into a file."""
    from builder.usecases.build.build import build_pack
    from builder.web.cards.library import get_library

    squad = file.with_name("squad.yaml")
    options = request.make_options()
    squad.write_text(text, encoding="utf-8")
    options = BuildOptions(
        replace(options.select, roster=squad),
        replace(options.publish, output=file.parent),
        _make_pool(heartbeat),
    )
    result = build_pack(get_library().project, request.pack, options)
    errors = [
        finding for finding in result.findings if finding.severity is Severity.ERROR
    ]
    messages = [error.message for error in errors[:MAX_ERRORS]]
    if result.files:
        written_file = result.files[0]
        written_file.path.replace(file)
        if written_file.draft:
            messages = [
                _("this is a draft: red frames show what does not fit"),
                *messages,
            ]
        return PrintResult(written_file.pages, tuple(messages))
    return PrintResult(0, tuple(messages or [_("there is nothing to print")]))


def _make_pool(heartbeat: "_Heartbeat | None") -> WorkerPool:
    pool = make_worker_pool(
        os.environ.get(WORKERS) or "1", os.environ.get(STORE) or None
    )
    return replace(pool, progress=heartbeat.report if heartbeat is not None else None)


class _Heartbeat:
    """Reports every second that the worker runs, and its progress.

    Ends the process of a stuck job.
    """

    def __init__(self, job: PrintJob) -> None:
        self.job = job
        self.rendered_faces, self.all_faces = 0, 0
        self.stopped = Event()
        self.thread = Thread(target=self._run, daemon=True)

    def report(self, rendered_faces: int, all_faces: int) -> None:
        """Store the progress, which the next heartbeat writes to the database."""
        self.rendered_faces, self.all_faces = rendered_faces, all_faces

    def __enter__(self) -> "_Heartbeat":
        self.thread.start()
        return self

    def __exit__(self, *_unused: object) -> None:
        self.stopped.set()
        self.thread.join()

    def _run(self) -> None:
        start = time.monotonic()
        start_cpu = sum(os.times()[:4])
        own_job = PrintJob.objects.filter(
            pk=self.job.pk, state=PrintJob.RUNNING, started=self.job.started
        )
        while not self.stopped.wait(1):
            # The processor time of this process and of its children that have ended.
            cpu_seconds = sum(os.times()[:4]) - start_cpu
            if (
                cpu_seconds > MAX_CPU_SECONDS
                or time.monotonic() - start > MAX_WALL_SECONDS
            ):
                os._exit(1)
            with suppress(Exception):  # the database may be away for a moment
                own_job.update(
                    beat=timezone.now(), done=self.rendered_faces, total=self.all_faces
                )
        connection.close()


def remove_old_jobs() -> None:
    """Delete expired print jobs and files."""
    oldest = timezone.now() - FILE_LIFETIME
    PrintJob.objects.filter(made__lt=oldest).delete()
    for path in get_prints_folder().glob("*.pdf"):
        with suppress(OSError):
            if path.stat().st_mtime < oldest.timestamp():
                path.unlink()
    remove_expired_lists()


def run_worker() -> None:
    """Run waiting jobs until there are none. End at once if all worker slots are taken."""
    with suppress(Timeout), _take_slot():
        job = claim_job()
        while job is not None:
            run_job(job)
            job = claim_job()
        remove_old_jobs()
