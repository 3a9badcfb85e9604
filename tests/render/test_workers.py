"""Processes that set cards.

The same bytes whatever their number, nothing lost with one that dies, and none outlives the build.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from builder import limits
from builder.errors import SquadpressError
from builder.render import workers
from builder.render.jobs import Batch
from builder.render.workers import EngineSetup, Workers
from builder.usecases.build.build import build_pack
from tests.checks.projects import ROOT
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow
COLD = True

SLOW = """
import os, time
from builder.render.engines.{engine} import engine
setting = next(each for name, each in vars(engine).items() if name.lower() == "{engine}")
lay = setting.lay_out_faces
def slow(*arguments):
    open(os.environ["REACHED"], "w").close()
    time.sleep(3)
    return lay(*arguments)
setting.lay_out_faces = slow
"""
"""What holds a build up in the middle, in each of its processes."""

LACKING = """
from builder.errors import ToolMissing
from builder.render.engines.weasyprint import adapter
def missing():
    raise ToolMissing("a library is missing", "Install it.")
adapter.check_libraries = missing
"""


@pytest.fixture
def fit(engine: str) -> ModuleType:
    """Where the engine is asked to set a batch."""
    return import_module(f"builder.render.engines.{engine}.engine")


def built(project, **options):
    return build_pack(project, project.list_packs()[0], build_options(**options))


def data(result):
    return [file.path.read_bytes() for file in result.files]


def begin(project: Path, **env: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "builder",
        "build",
        "--project",
        str(project),
        "--workers",
        "2",
        "--quiet",
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        start_new_session=True,
    )


def customised(folder: Path, text: str) -> str:
    """Search paths on which every process first runs this text."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(text, encoding="utf-8")
    return f"{folder / 'site'}{os.pathsep}{ROOT}"


def marked(name: str) -> list[int]:
    """Processes that were begun with this in their surroundings."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if name.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def files(project: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (project / "output").rglob("*.pdf")
    }


def edit(project):
    card = project.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml"
    card.write_text(
        card.read_text(encoding="utf-8").replace("lumen: ", "lumen: 1"),
        encoding="utf-8",
    )


def test_a_cold_build_makes_the_files_of_one_process(lanterns, tmp_path):
    together = begin(lanterns.root)
    assert together.communicate() == (b"", b"")
    made = files(lanterns.root)
    (lanterns.root / "output").rename(tmp_path / "output")
    lanterns.cache_dir.rename(tmp_path / "cache")
    command = [
        sys.executable,
        "-m",
        "builder",
        "build",
        "--project",
        str(lanterns.root),
        "--workers",
        "1",
        "--quiet",
    ]
    subprocess.run(command, cwd=ROOT, check=True)
    assert files(lanterns.root) == made != {}


@pytest.mark.parametrize("size", [1, 64])
def test_the_same_bytes_cold_and_after_an_edit(lanterns, tmp_path, monkeypatch, size):
    monkeypatch.setattr(workers, "MIN_FACES_PER_BATCH", size)
    monkeypatch.setattr(workers, "MAX_FACES_PER_BATCH", size)
    card = lanterns.get_cards_dir("lanterns") / "spirit" / "old-wick.yaml"
    text = card.read_text(encoding="utf-8")
    cold = data(built(lanterns, workers=2))
    card.write_text(text.replace("lumen: ", "lumen: 1"), encoding="utf-8")
    warm = built(lanterns, workers=2)
    assert 0 < warm.rendered_count <= 4
    edited = data(warm)
    assert edited != cold
    for number, (words, expected) in enumerate(
        [(card.read_text(encoding="utf-8"), edited), (text, cold)]
    ):
        lanterns.cache_dir.rename(tmp_path / f"cache-{number}")
        card.write_text(words, encoding="utf-8")
        assert data(built(lanterns, workers=1)) == expected


def test_findings_come_back(lanterns):
    css = lanterns.get_templates_dir("lanterns") / "spirit" / "card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + ".kind-spirit .title {left: 1mm}",
        encoding="utf-8",
    )
    assert {finding.code for finding in built(lanterns).findings} == {"render/cut-off"}


@pytest.mark.parametrize("engine", ["weasyprint"], indirect=True)
def test_what_is_missing_is_reported_with_its_fix(lanterns, tmp_path):
    build = begin(lanterns.root, PYTHONPATH=customised(tmp_path, LACKING))
    told = build.communicate()[1]
    assert build.returncode == 4
    assert b"a library is missing" in told
    assert b"Install it." in told


def test_what_a_dead_process_had_is_set_again(lanterns, fit, tmp_path, monkeypatch):
    expected = data(built(lanterns, workers=1))
    lanterns.cache_dir.rename(tmp_path / "cache")
    render_batch = fit.render_batch

    def dies_once(*given):
        with suppress(FileExistsError):
            (tmp_path / "died").mkdir()
            os.kill(os.getpid(), signal.SIGKILL)
        return render_batch(*given)

    monkeypatch.setattr(fit, "render_batch", dies_once)
    made = built(lanterns, workers=2)
    assert (tmp_path / "died").exists()
    assert data(made) == expected


def test_a_batch_that_kills_whoever_sets_it_ends_the_build(lanterns, fit, monkeypatch):
    monkeypatch.setattr(
        fit, "render_batch", lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    )
    with pytest.raises(SquadpressError, match="crashed") as caught:
        built(lanterns, workers=2)
    assert "--only" in caught.value.remedy


def hangs() -> None:
    while True:
        pass


def eats() -> None:
    kept = []
    while True:
        kept.append(bytearray(50_000_000))


def dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("count", "harm", "limit"),
    [
        (1, dies, "SIGKILL"),
        (2, dies, "SIGKILL"),
        (2, hangs, "more than 2 seconds of processor time"),
        (1, eats, "more than 800 MB of memory"),
    ],
)
def test_a_face_that_takes_too_much_is_a_finding_and_the_rest_is_set(
    lanterns, fit, monkeypatch, harm, count, limit
):
    render_batch = fit.render_batch

    def greedy(*given):
        (batch,) = (each for each in given if isinstance(each, Batch))
        if any(
            face.card == "old-wick" and "face front" in face.html
            for face in batch.faces
        ):
            harm()
        return render_batch(*given)

    monkeypatch.setattr(fit, "render_batch", greedy)
    monkeypatch.setattr(workers, "BATCH_SECONDS", 2)
    monkeypatch.setattr(workers, "FACE_SECONDS", 0)
    monkeypatch.setattr(workers, "MEMORY_BYTES", 800_000_000)
    found = built(lanterns, workers=count).findings
    assert {finding.code for finding in found} == {"render/limits"}
    assert [
        finding.message for finding in found if "old-wick" not in finding.message
    ] == []
    assert all(limit in finding.message for finding in found)
    monkeypatch.setattr(fit, "render_batch", render_batch)
    after = built(lanterns, workers=1)
    assert not after.findings
    assert after.rendered_count <= 2  # all others were kept


@pytest.mark.parametrize("count", [0, 1])
def test_a_face_at_which_the_engine_fails_is_a_finding_and_the_rest_is_set(
    lanterns, fit, monkeypatch, count
):
    render_batch = fit.render_batch

    def broken(*given):
        (batch,) = (each for each in given if isinstance(each, Batch))
        if any(face.card == "old-wick" for face in batch.faces):
            raise RecursionError("too deep")
        return render_batch(*given)

    monkeypatch.setattr(fit, "render_batch", broken)
    found = built(lanterns, workers=count).findings
    assert {finding.code for finding in found} == {"render/engine-failed"}
    assert all(
        "old-wick" in found.message and "too deep" in found.message for found in found
    )
    monkeypatch.setattr(fit, "render_batch", render_batch)
    after = built(lanterns, workers=1)
    assert not after.findings
    assert after.rendered_count <= 4  # all others were kept


def test_an_interruption_leaves_no_process_behind(lanterns):
    def stop(_done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_pack(lanterns, "lanterns", build_options(workers=2, progress=stop))
    children = (
        Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    )
    assert not [
        child
        for child in children
        if b"pytest" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


@pytest.mark.parametrize("limit", [1, 2, 16])
def test_the_number_of_pending_batches_is_limited(
    limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun_batches, done_batches, pending_counts = [], [], []
    monkeypatch.setattr(workers, "MAX_PENDING_BATCHES_PER_PROCESS", limit)
    monkeypatch.setattr(
        limits, "LimitedPool", lambda count, _: ThreadPoolExecutor(count)
    )
    monkeypatch.setattr(
        workers, "render_batch", lambda _setup, batch: [time.sleep(0.001), batch][1:]
    )

    def batches() -> Iterator[Any]:
        for number in range(100):
            pending_counts.append(len(begun_batches) - len(done_batches))
            begun_batches.append(number)
            yield number

    with Workers(EngineSetup(None), 2) as pool:
        done_batches.extend(pool.render(batches(), 2))
    assert sorted(done_batches) == list(range(100))
    assert max(pending_counts) <= 2 * limit


def test_no_more_processes_are_started_than_there_are_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = []

    def start(count: int, _memory: int) -> ThreadPoolExecutor:
        counts.append(count)
        return ThreadPoolExecutor(count)

    monkeypatch.setattr(limits, "LimitedPool", start)
    monkeypatch.setattr(workers, "render_batch", lambda _setup, batch: [batch])
    with Workers(EngineSetup(None), 8) as pool:
        assert [*pool.render([1], 1)] == [1]  # type: ignore[list-item]
    assert counts == [1]


@pytest.mark.parametrize(
    ("faces", "processes", "size"),
    [(1, 2, 16), (100, 2, 25), (400, 2, 64), (400, 0, 64), (40, 8, 16)],
)
def test_the_size_of_a_batch(faces: int, processes: int, size: int) -> None:
    assert workers.choose_batch_size(faces, processes) == size


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_build_that_was_ended(lanterns, engine, tmp_path, end):
    reached, name = tmp_path / "reached", f"SQUADPRESS_TEST={tmp_path}"
    paths = customised(tmp_path, SLOW.format(engine=engine))
    build = begin(
        lanterns.root,
        PYTHONPATH=paths,
        REACHED=str(reached),
        SQUADPRESS_TEST=str(tmp_path),
    )
    while not reached.exists():
        assert build.poll() is None
        time.sleep(0.05)
    assert len(marked(name)) >= 3
    if end == signal.SIGINT:  # a terminal tells all of them
        os.killpg(build.pid, end)
    else:
        build.send_signal(end)
    assert b"Traceback" not in build.communicate()[1]
    for _ in range(1200):
        if not marked(name):
            break
        time.sleep(0.05)
    assert marked(name) == []


@pytest.mark.parametrize(
    "engine", ["plutoprint"], indirect=True
)  # documents of both take the same way
@pytest.mark.parametrize("count", [1, 2])
def test_a_document_that_takes_too_much_is_a_finding(lanterns, fit, monkeypatch, count):
    name = next(
        name
        for name, each in vars(fit).items()
        if isinstance(each, type) and hasattr(each, "render_document")
    )
    monkeypatch.setattr(getattr(fit, name), "render_document", lambda *_unused: hangs())
    monkeypatch.setattr(workers, "DOCUMENT_SECONDS", 3)
    squad = lanterns.get_cards_dir("lanterns") / "rosters" / "marsh-walk.yaml"
    found = built(lanterns, workers=count, roster=squad, langs=("en",)).findings
    assert {finding.code for finding in found} == {"render/limits"}
