"""A local build with a store: what one machine set, another takes; what is damaged is set again."""

from __future__ import annotations

import shutil
import socket
from threading import Event, Thread

import pytest

from builder.model.profile import Shared
from builder.packs.project import Project
from builder.render.cluster.remote import Unreachable
from builder.render.cluster.scheduler import Cluster, find_connection_error
from builder.render.jobs import Places
from builder.render.shared_store import open_store
from builder.render.workers import EngineSetup

pytestmark = pytest.mark.slow
COLD = True


def files(result):
    return [file.path.read_bytes() for file in result.files]


@pytest.mark.parametrize("kind", ["folder", "memory"])
def test_another_machine_sets_nothing_again(lanterns, build, tmp_path, kind):
    shared = Shared(
        str(tmp_path / "store") if kind == "folder" else f"memory://{tmp_path.name}"
    )
    first = build(lanterns, shared=shared)
    expected = files(first)
    shutil.rmtree(lanterns.cache_dir)
    second = build(lanterns, shared=shared)
    assert (first.cached_count, second.rendered_count, second.cached_count) == (
        0,
        0,
        first.rendered_count,
    )
    assert files(second) == expected


def test_it_does_not_matter_where_project_and_program_lie(
    lanterns, build, tmp_path, monkeypatch
):
    shared = Shared(str(tmp_path / "store"))
    first = build(lanterns, shared=shared)
    other = Project(tmp_path / "elsewhere" / "deep")
    shutil.copytree(
        lanterns.root, other.root, ignore=shutil.ignore_patterns(".cache", "output")
    )
    shutil.copytree(lanterns.base_templates, tmp_path / "program")
    monkeypatch.setattr(
        "builder.packs.project.Project.base_templates", tmp_path / "program"
    )
    second = build(other, shared=shared)
    assert (second.rendered_count, second.cached_count) == (0, first.rendered_count)
    assert files(second) == files(first)


def test_a_damaged_face_is_set_again_and_fixed(lanterns, build, tmp_path):
    shared = Shared(str(tmp_path / "store"))
    first = build(lanterns, shared=shared)
    expected = files(first)
    faces = sorted((tmp_path / "store/faces").rglob("*/*"))
    whole = faces[0].read_bytes()
    faces[0].write_bytes(whole[:200] + bytes(9) + whole[209:])
    shutil.rmtree(lanterns.cache_dir)
    second = build(lanterns, shared=shared)
    assert (second.rendered_count, second.cached_count) == (1, first.rendered_count - 1)
    assert files(second) == expected
    assert faces[0].read_bytes() == whole


def test_a_card_that_cannot_be_set_is_not_lent(lanterns, build, tmp_path):
    css = lanterns.root / "templates/lanterns/spirit/card.css"
    css.write_text(
        css.read_text(encoding="utf-8") + ".kind-spirit .price {width: 3mm}",
        encoding="utf-8",
    )
    shared = Shared(str(tmp_path / "store"))
    first = build(lanterns, shared=shared)
    shutil.rmtree(lanterns.cache_dir)
    second = build(lanterns, shared=shared)
    assert first.findings
    assert second.findings == first.findings
    assert second.cached_count > 0
    assert second.rendered_count + second.cached_count == first.rendered_count


FEW = {"langs": ("en",), "only": ("kind=charm",)}


def test_a_wrong_address_is_reported_though_the_cluster_was_not_needed(
    lanterns, build, tmp_path
):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    away = Shared(str(tmp_path / "store"), f"tcp://127.0.0.1:{port}")
    found = build(lanterns, shared=away, **FEW)
    (told,) = found.findings
    assert (len(found.files), told.code, told.severity) == (
        1,
        "render/cluster",
        "warning",
    )
    assert f"no scheduler answers at dask://127.0.0.1:{port}: " in told.message
    again = build(lanterns, shared=away, **FEW)
    assert (again.rendered_count, again.findings) == (0, ())


@pytest.mark.parametrize(
    ("greeting", "why"),
    [(b"hello", ""), (b"", "the program at this address is not a scheduler")],
)
def test_who_greets_is_a_scheduler(greeting, why):
    def greet():
        line, _ = listening.accept()
        line.sendall(greeting)
        line.close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=greet, daemon=True).start()
        assert find_connection_error(
            f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        ).endswith(why)


def test_nobody_waits_long_for_who_says_nothing_or_is_looked_up_for_ever(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("builder.render.cluster.scheduler.CONNECT_TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert find_connection_error(address).endswith("no answer within 0.2 s")
        places = Places(tmp_path, tmp_path, tmp_path, tmp_path, tmp_path)
        with pytest.raises(Unreachable, match="no scheduler answers") as caught:
            list(
                Cluster(address, open_store(str(tmp_path))).render_all(
                    [], EngineSetup(places)
                )
            )
        assert caught.value.exit_code == 4
    gone = Event()

    def never(*_, **__):
        gone.wait()
        raise OSError("late")

    monkeypatch.setattr(socket, "create_connection", never)
    assert find_connection_error("tcp://nowhere:1").endswith("no answer within 0.2 s")
    gone.set()
