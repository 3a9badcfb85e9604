"""A long publication shows progress, and goes on where it was interrupted."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest

from builder.cli import console
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.publish import make_printer, publish_releases
from tests.usecases.toy import toy_project

FIRST = date(2026, 4, 1)
FACES_BEFORE_INTERRUPTION = 4


@pytest.mark.slow
def test_an_interrupted_publication_renders_only_the_remaining_faces(
    tmp_path: Path,
) -> None:
    project = Project(toy_project(tmp_path, known=False))
    releases = PackFiles(project).open_releases("lanterns")
    made = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    )
    assert made.frozen, made.findings
    totals: list[int] = []

    def interrupt(rendered_count: int, total: int) -> None:
        totals.append(total)
        if rendered_count == FACES_BEFORE_INTERRUPTION:
            raise KeyboardInterrupt

    prints = make_printer(project, WorkerPool(0, progress=interrupt))
    with pytest.raises(KeyboardInterrupt):
        publish_releases(releases, "lanterns", prints)
    first_total = max(totals)
    totals.clear()
    prints = make_printer(
        project, WorkerPool(0, progress=lambda _count, total: totals.append(total))
    )
    files, findings = publish_releases(releases, "lanterns", prints)
    assert not findings
    assert any(path.endswith(".pdf") for path in files)
    assert max(totals) <= first_total - FACES_BEFORE_INTERRUPTION


def test_progress_is_printed_as_lines_outside_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 29.0, 31.0, 31.0, 45.0, 62.0, 62.0, 70.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    with console.ProgressBar() as bar:
        for count in (1, 2, 3, 4):
            bar.step(count, 9)
    assert (
        capsys.readouterr().err == "rendering faces: 2 of 9\nrendering faces: 4 of 9\n"
    )
    with console.ProgressBar(is_quiet=True) as bar:
        bar.step(5, 9)
    assert capsys.readouterr().err == ""
