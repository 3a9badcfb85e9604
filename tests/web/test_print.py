"""Print jobs wait their turn, survive the end of a worker, and belong to their owner."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from builder.render import render_codes
from builder.usecases.build.build_options import BuildResult, BuiltFile
from builder.web.squads import print_queue as printing
from builder.web.squads.models import PrintJob, SavedSquad
from builder.web.squads.print_queue import (
    PrintRequest,
    claim_job,
    count_jobs_before,
    get_job_file,
)
from tests.house.source import ROOT


def do(client: Client, squad: str, what: str) -> None:
    assert client.post(f"{squad}/edit", {"do": what, "next": squad}).status_code == 302


@pytest.fixture
def built(client: Client, squad: str) -> str:
    for what in ("add captain-davis", "add patrolman", "add patrolman"):
        do(client, squad, what)
    return squad


def asked(client: Client, squad: str, **form: str) -> PrintJob:
    answer = client.post(f"{squad}/print", form)
    assert answer.status_code == 302
    return PrintJob.objects.get(pk=UUID(answer["Location"].rpartition("/")[2]))


def of(owner: str) -> PrintJob:
    squad = SavedSquad.objects.create(
        owner=owner, pack="hydrophilia", text="pack: hydrophilia\n"
    )
    return PrintJob.objects.create(owner=owner, squad=squad, text=squad.text, wish={})


def test_a_form_says_which_copies_of_which_cards_and_how(
    client: Client, built: str
) -> None:
    do(client, built, "count 2 patrolman 3")
    job = asked(
        client,
        built,
        paper="letter",
        ink="1",
        **{"copies-patrolman": "1", "copies-captain-davis": "0"},
    )
    wish = PrintRequest(**job.wish)
    assert (wish.copies, wish.sheet) == ({"captain-davis": 0, "patrolman": 1}, False)
    options = wish.make_options()
    assert (options.publish.profile, options.select.variant) == ("home-letter", "ink")
    do(client, built, "remove 1 captain-davis")
    assert (
        "captain-davis" in PrintJob.objects.get(pk=job.pk).text
    )  # as it was when it was asked for


def test_nothing_to_print_is_said(client: Client, squad: str, built: str) -> None:
    none = client.post(
        f"{squad}/print", {"copies-patrolman": "0", "copies-captain-davis": "0"}
    )
    assert none.status_code == 400
    assert "No card is selected for printing" in none.content.decode()


def test_a_page_without_script_refreshes_itself_while_it_waits_and_then_gives_the_file(
    client: Client, built: str
) -> None:
    job = asked(client, built, what="sheet")
    page = client.get(f"/prints/{job.pk}").content.decode()
    assert '<meta http-equiv="refresh"' in page
    assert client.get(f"/prints/{job.pk}.pdf").status_code == 404
    printing.get_prints_folder().mkdir(exist_ok=True)
    get_job_file(job).write_bytes(b"%PDF-")
    PrintJob.objects.filter(pk=job.pk).update(state=PrintJob.DONE, pages=1)
    assert (
        '<meta http-equiv="refresh"'
        not in client.get(f"/prints/{job.pk}").content.decode()
    )
    file = client.get(f"/prints/{job.pk}.pdf")
    assert (file["Content-Type"], b"".join(file)) == (
        "application/pdf",
        b"%PDF-",
    )  # type: ignore[attr-defined]
    assert Client().get(f"/prints/{job.pk}.pdf").status_code == 404


def test_owners_take_turns(client: Client) -> None:
    first = [of("a") for _n in range(3)]
    other, third = of("b"), of("c")
    turns = []
    while (job := claim_job()) is not None:
        turns.append(job.pk)
    assert turns == [first[0].pk, other.pk, third.pk, first[1].pk, first[2].pk]


def test_a_page_says_how_many_come_before() -> None:
    of("a")
    late = of("a")
    assert count_jobs_before(late) == 1
    claim_job()
    other = of("b")
    assert (count_jobs_before(other), count_jobs_before(late)) == (
        0,
        1,
    )  # that owner has had no turn yet


def test_a_job_whose_worker_fell_silent_is_taken_up_again_and_given_up_at_last() -> (
    None
):
    job = of("a")
    for tries in range(1, printing.MAX_ATTEMPTS + 1):
        taken = claim_job()
        assert taken is not None
        assert taken.tries == tries
        assert claim_job() is None  # its worker lives
        PrintJob.objects.filter(pk=job.pk).update(
            beat=timezone.now() - 2 * printing.MAX_SILENCE
        )
    assert claim_job() is None
    assert PrintJob.objects.get(pk=job.pk).state == PrintJob.FAILED


def test_what_was_kept_for_a_day_is_removed(client: Client) -> None:
    old, young = of("a"), of("a")
    printing.get_prints_folder().mkdir(exist_ok=True)
    for job in (old, young):
        get_job_file(job).write_bytes(b"%PDF-")
    past = timezone.now() - printing.FILE_LIFETIME - timedelta(hours=1)
    PrintJob.objects.filter(pk=old.pk).update(made=past)
    os.utime(get_job_file(old), (past.timestamp(), past.timestamp()))
    printing.remove_old_jobs()
    assert [job.pk for job in PrintJob.objects.all()] == [young.pk]
    assert not get_job_file(old).exists()
    assert get_job_file(young).exists()


def test_nobody_lets_many_wait(client: Client, built: str) -> None:
    for _n in range(5):
        asked(client, built, what="sheet")
    assert client.post(f"{built}/print", {"what": "sheet"}).status_code == 400
    assert PrintJob.objects.count() == 5


QUEUE = """
import django; django.setup()
from dataclasses import asdict
from django.core.management import call_command
from builder.web.squads.models import PrintJob, SavedSquad
from builder.web.squads.print_queue import PrintRequest
call_command("migrate", verbosity=0)
text = "pack: hydrophilia\\nname: X\\nentries: [{card: captain-davis}, {card: patrolman, count: 2}]\\n"
squad = SavedSquad.objects.create(owner="a", pack="hydrophilia", text=text)
request = asdict(PrintRequest("hydrophilia", "en", copies={"patrolman": 1}))
job = PrintJob(owner="a", squad=squad, text=text, wish=request)
job.save(force_insert=True)
print(job.pk)
"""


@pytest.mark.slow
def test_a_print_survives_the_death_of_its_worker(tmp_path: Path) -> None:
    around = {**os.environ, "SQUADPRESS_DATA": str(tmp_path)}
    made = subprocess.run(
        [sys.executable, "-c", QUEUE],
        env=around,
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    job = UUID(made.stdout.decode().strip())
    command = [sys.executable, "-m", "django", "print_jobs"]

    def ask(query: str, *values: object) -> tuple[object, ...]:
        with sqlite3.connect(
            tmp_path / "squads.sqlite3", timeout=20, isolation_level=None
        ) as database:
            return tuple(database.execute(query, values).fetchone() or ())

    worker = subprocess.Popen(command, env=around, cwd=ROOT)
    until = time.monotonic() + 60
    while ask("SELECT state FROM squadpress_printjob") != ("running",):
        assert time.monotonic() < until
        time.sleep(0.02)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    file = tmp_path / "prints" / f"{job}.pdf"
    assert not file.exists()
    ask(
        "UPDATE squadpress_printjob SET beat = '2020-01-01 00:00:00'"
    )  # it has been silent for long
    subprocess.run(command, env=around, cwd=ROOT, check=True, timeout=120)
    assert ask("SELECT state, tries, pages FROM squadpress_printjob") == (
        "done",
        2,
        3,
    )  # front, back, sheet
    assert file.read_bytes().startswith(b"%PDF-")


def test_a_draft_is_given_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "squad-en-home-a4-draft.pdf"
    written.write_bytes(b"%PDF-1.7")
    error = render_codes.OVERFLOW.finding("the text of a block is too long")
    result = BuildResult((BuiltFile(written, 2, 3, True, draft=True),), (error,))
    monkeypatch.setattr(
        "builder.usecases.build.build.build_pack", lambda *_arguments: result
    )
    request = PrintRequest(pack="hydrophilia", lang="en")
    printed = printing._print_squad(
        request, "pack: hydrophilia\n", tmp_path / "print.pdf"
    )
    assert printed.pages == 2
    assert printed.messages[0].startswith("this is a draft")
    assert printed.messages[1] == "the text of a block is too long"
    assert (tmp_path / "print.pdf").is_file()
