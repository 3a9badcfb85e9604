"""A build on a cluster equals a local build, whatever happens to the workers."""

from __future__ import annotations

import shutil
import signal
import sys

import pytest

from builder.errors import ToolMissing
from builder.model.profile import Shared
from builder.render.cluster import scheduler as cluster
from builder.render.cluster.remote import Unreachable
from builder.render.keys import describe_environment
from builder.usecases.build.build import build_pack
from tests.render.conftest import ENGINES
from tests.render.typefaces import typeface
from tests.render.workers import crew
from tests.usecases.toy import build_options

pytestmark = pytest.mark.slow
COLD = True


ONE_ENGINE = pytest.mark.parametrize("engine", ENGINES[:1])
"""What becomes of machines is the same whoever sets the faces."""


@pytest.fixture(autouse=True)
def _one_face_a_batch(monkeypatch):
    monkeypatch.setattr("builder.render.renderer.MIN_FACES_PER_BATCH", 1)


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    with crew(tmp_path_factory.mktemp("crew")) as started:
        yield started


def files(result):
    assert result.files
    return [file.path.read_bytes() for file in result.files]


def forget(project):
    shutil.rmtree(project.cache_dir)
    shutil.rmtree(project.get_output_dir(project.list_packs()[0]))


def picture(path):
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
    )


def decorate(project, pack):
    """Pictures beside templates and cards, drawn on every face, and a font of the pack."""
    css = project.get_templates_dir(pack) / "pack.css"
    rules = (
        ".face {background: "
        "url(art/near.svg)} .title {background: "
        "url(art/far.svg); "
        "font-family: Hand}"
    )
    css.write_text(css.read_text(encoding="utf-8") + rules, encoding="utf-8")
    picture(project.get_templates_dir(pack) / "art/near.svg")
    picture(project.get_cards_dir(pack) / "art/far.svg")
    (project.get_templates_dir(pack) / "fonts").mkdir()
    (project.get_templates_dir(pack) / "fonts/hand.ttf").write_bytes(typeface("Hand"))


def far(project, shared, progress=None):
    return build_pack(
        project,
        project.list_packs()[0],
        build_options(shared=shared, progress=progress),
    )


@pytest.mark.parametrize("pack", ["lanterns", "brigade"])
def test_a_cluster_gives_the_bytes_of_a_local_build(
    request, workers, build, engine, pack
):
    project = request.getfixturevalue(pack)
    decorate(project, pack)
    local = build(project)
    expected = files(local)
    forget(project)
    told = []
    result = far(
        project, workers.shared, lambda done, total: told.append((done, total))
    )
    assert files(result) == expected
    assert (result.rendered_count, result.findings) == (
        local.rendered_count,
        local.findings,
    )
    assert told == [
        (done, local.rendered_count) for done in range(1, local.rendered_count + 1)
    ]
    stored = list(workers.store.rglob("faces/*/*"))
    assert len(stored) >= local.rendered_count


@ONE_ENGINE
def test_a_worker_killed_in_mid_build_loses_nothing_and_a_dead_scheduler_ends_it(
    lanterns, build, tmp_path, monkeypatch
):
    expected = files(build(lanterns))
    forget(lanterns)
    with crew(tmp_path / "crew") as started:
        before = []

        def kill_one(done, total):
            if done == 4:
                before.append(total)
                started.workers[0].kill()
                started.workers[0].wait()

        result = far(lanterns, started.shared, kill_one)
        assert files(result) == expected
        assert before == [result.rendered_count]
        assert result.rendered_count > 8
        assert started.workers[1].poll() is None
        forget(lanterns)

        def kill_scheduler(done, total):
            monkeypatch.setattr(cluster, "WORKER_TIMEOUT_SECONDS", 2)
            monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_SECONDS", 1)
            started.scheduler.kill()

        with pytest.raises(Unreachable, match=r"no (answer|worker) within 2 s"):
            far(
                lanterns,
                Shared(str(tmp_path / "empty"), started.address),
                kill_scheduler,
            )


@ONE_ENGINE
def test_a_worker_that_hangs_is_not_waited_for(lanterns, build, tmp_path, monkeypatch):
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "5s")
    expected = files(build(lanterns))
    forget(lanterns)
    with crew(tmp_path / "crew") as started:

        def hang(done, total):
            if done == 2:
                started.workers[0].send_signal(signal.SIGSTOP)

        assert files(far(lanterns, started.shared, hang)) == expected


@ONE_ENGINE
def test_without_any_worker_left_the_build_ends_and_keeps_what_is_set(
    lanterns, build, tmp_path, monkeypatch
):
    expected = files(build(lanterns))
    forget(lanterns)
    with crew(tmp_path / "crew", workers=1) as started:

        def kill(done, total):
            if done == 3:
                monkeypatch.setattr(cluster, "WORKER_TIMEOUT_SECONDS", 2)
                monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_SECONDS", 1)
                for worker in started.workers:
                    worker.kill()

        with pytest.raises(Unreachable, match="no worker within 2 s"):
            far(lanterns, started.shared, kill)
        again = build(lanterns)
    assert again.cached_count >= 3
    assert files(again) == expected


@ONE_ENGINE
def test_a_scheduler_that_is_not_there_is_named(lanterns, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_SECONDS", 1)
    with pytest.raises(Unreachable, match="no scheduler answers at dask:") as raised:
        far(lanterns, Shared(str(tmp_path / "store"), "tcp://127.0.0.1:9"))
    assert "dask scheduler" in raised.value.remedy


@ONE_ENGINE
def test_without_dask_the_missing_extra_is_named(lanterns, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ToolMissing, match=r"dask\.distributed") as raised:
        far(lanterns, Shared(str(tmp_path / "store"), "tcp://127.0.0.1:9"))
    assert "squadpress[cluster]" in raised.value.remedy
    assert not (tmp_path / "store").exists()


def test_workers_with_another_engine_are_refused_with_the_reason(
    lanterns, workers, engine, monkeypatch
):
    ours = {**describe_environment(engine), engine: "99"}
    monkeypatch.setattr(cluster, "describe_environment", lambda _engine: ours)
    reason = rf"{engine} is [\d.]+ on the worker and 99 on this computer"
    with pytest.raises(Unreachable, match=f"no worker can render .*{reason}"):
        far(lanterns, workers.shared)


@ONE_ENGINE
def test_a_store_that_workers_do_not_see_is_refused(lanterns, workers):
    with pytest.raises(
        Unreachable, match="cannot find a new file in the store memory://faces"
    ):
        far(lanterns, Shared("memory://faces", workers.address))


def test_what_cannot_be_set_is_found_as_in_a_local_build(lanterns, workers, build):
    css = lanterns.root / "templates/lanterns/spirit/card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + ".kind-spirit .price {width: 3mm}",
        encoding="utf-8",
    )
    local = build(lanterns)
    shutil.rmtree(lanterns.cache_dir)
    result = far(lanterns, workers.shared)
    assert local.findings
    assert result.findings == local.findings
    assert [(file.path, file.draft) for file in result.files] == [
        (file.path, True) for file in local.files
    ]


@ONE_ENGINE
def test_what_is_damaged_in_the_store_is_sent_and_set_again(
    lanterns, workers, build, tmp_path
):
    expected = files(build(lanterns))
    forget(lanterns)
    shared = Shared(str(tmp_path / "store"), workers.address)
    fresh = far(lanterns, shared).rendered_count
    forget(lanterns)
    # One more file, and the workers fetch all of them once more.
    picture(lanterns.root / "templates/lanterns/art/unused.svg")
    for path in (tmp_path / "store").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1])
    result = far(lanterns, shared)
    assert result.rendered_count == fresh
    assert files(result) == expected
