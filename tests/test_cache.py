"""The cache: entries whole or absent, bounded, safe with two processes and deletion."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from builder import cache as module
from builder.cache import MAX_UNSAVED_USES, TOUCH_SECONDS, Cache, fingerprint
from builder.errors import OutputNotWritten

WRITER = """
import sys
from pathlib import Path
from builder.cache import Cache
cache = Cache(Path(sys.argv[1]))
for number in range(200):
    cache.write_all_or_fail("area", [(f"{sys.argv[2]}-{number}", {"by": sys.argv[2]}, sys.argv[2].encode() * 5000)])
    cache.write_all_or_fail("area", [("both", {"by": sys.argv[2]}, b"")])
    assert cache.value("area", "both")["by"] in ("one", "other")
"""


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def change(cache: Cache, statement: str, *values: object) -> None:
    """Change the database behind the cache's back."""
    database = sqlite3.connect(cache.path)
    with database:
        database.execute(statement, values)
    database.close()


def test_what_is_kept_is_found_again(cache: Cache) -> None:
    assert cache.value("faces", "a") is None
    assert not cache.count("faces")
    cache.write("faces", "a\t\n\udcff", {"n": [1, "ü"]}, b"\0bytes")
    assert cache.value("faces", "a\t\n\udcff") == {"n": [1, "ü"]}
    assert cache.data("faces", "a\t\n\udcff") == b"\0bytes"
    assert Cache(cache.path.parent).data("faces", "a\t\n\udcff") == b"\0bytes"
    assert cache.value("results", "a\t\n\udcff") is None
    assert cache.count("faces") == 1
    cache.write("faces", "a\t\n\udcff", {})
    assert (
        cache.value("faces", "a\t\n\udcff"),
        cache.data("faces", "a\t\n\udcff"),
    ) == ({}, b"")


@pytest.mark.parametrize("column", ["value", "data"])
def test_what_is_damaged_is_none_and_removed(cache: Cache, column: str) -> None:
    cache.write("a", "k", {"n": 1}, b"data")
    cache.write("a", "whole", {"n": 2})
    change(
        cache,
        f"UPDATE entries SET {column} = CAST('{{\"n\": 7}}' AS BLOB) WHERE key = CAST('k' AS BLOB)",
    )
    assert (cache.value if column == "value" else cache.data)("a", "k") is None
    assert cache.value("a", "k") is None
    assert cache.value("a", "whole") == {"n": 2}


def test_an_entry_is_never_taken_for_anothers(cache: Cache) -> None:
    cache.write("a", "one", {"of": "one"})
    change(cache, "UPDATE entries SET key = CAST('other' AS BLOB)")
    assert cache.value("a", "other") is None
    cache.write("a", "two", {"of": "two"})
    change(cache, "UPDATE entries SET area = 'b'")
    assert cache.value("b", "two") is None


@pytest.mark.parametrize("value", ["[]", "null", "[" * 100_000, "{", "\udcff", "7"])
def test_a_value_that_is_no_map_is_none(cache: Cache, value: str) -> None:
    cache.write("a", "k", {})
    body = value.encode("utf-8", "surrogatepass")
    digest = module._hash_content("a", b"k", body)
    change(cache, "UPDATE entries SET value = ?, value_digest = ?", body, digest)
    assert cache.value("a", "k") is None


@pytest.mark.parametrize("kind", ["3.5", "'text'", "1"])
def test_a_value_of_another_sort_is_none(cache: Cache, kind: str) -> None:
    cache.write("a", "k", {}, b"x")
    change(
        cache, f"UPDATE OR IGNORE entries SET value = {kind}, data = {kind}, used = 'x'"
    )
    assert cache.value("a", "k") is None
    assert cache.data("a", "k") is None


def test_all_that_is_damaged_is_removed_at_once(cache: Cache) -> None:
    for number in range(9):
        cache.write("a", str(number), {}, b"data")
    change(cache, "UPDATE entries SET data = x'00' WHERE id < 5")
    cache.remove_damaged("a")
    assert [cache.value("a", str(number)) is None for number in range(9)] == [
        True
    ] * 4 + [False] * 5


FOREIGN = """CREATE TABLE entries (other);
CREATE TRIGGER t AFTER INSERT ON entries BEGIN SELECT load_extension('x'); END;"""


@pytest.mark.parametrize(
    "damage", ["", "junk", "junk" * 5000, "SQLite format 3\0" + "x" * 9000, FOREIGN]
)
def test_a_damaged_database_is_set_aside_and_begun_anew(
    cache: Cache, damage: str
) -> None:
    cache.path.parent.mkdir()
    if damage == FOREIGN:
        database = sqlite3.connect(cache.path)
        database.executescript(damage)
        database.close()
    else:
        cache.path.write_text(damage)
    assert cache.value("a", "k") is None
    cache.write_all_or_fail("a", [("k", {"n": 1}, b"")])
    assert cache.value("a", "k") == {"n": 1}
    assert Cache(cache.path.parent).value("a", "k") == {"n": 1}
    assert cache.path.with_suffix(".damaged").exists() == bool(damage)


def test_a_page_damaged_anywhere_is_no_traceback(cache: Cache, tmp_path: Path) -> None:
    for number in range(50):
        cache.write("a", str(number), {"n": number}, b"data" * 500)
    change(cache, "PRAGMA wal_checkpoint(TRUNCATE)")
    whole = cache.path.read_bytes()
    for place in range(0, len(whole), 1021):
        other = Cache(tmp_path / f"at-{place}")
        other.path.parent.mkdir()
        other.path.write_bytes(whole[:place] + b"\xff" * 64 + whole[place + 64 :])
        assert all(
            other.value("a", str(number)) in (None, {"n": number})
            for number in range(50)
        )
        other.write("a", "7", {"n": 7})
        assert other.value("a", "7") == {"n": 7}


def test_it_may_be_deleted_or_moved_at_any_moment(cache: Cache, tmp_path: Path) -> None:
    cache.write("a", "k", {"n": 1})
    shutil.rmtree(cache.path.parent)
    assert cache.value("a", "k") is None
    cache.write_all_or_fail("a", [("k", {"n": 2}, b"")])
    assert Cache(cache.path.parent).value("a", "k") == {"n": 2}
    cache.path.parent.rename(tmp_path / "elsewhere")
    assert cache.value("a", "k") is None
    assert Cache(tmp_path / "elsewhere").value("a", "k") == {"n": 2}


def test_two_processes_write_at_once(cache: Cache) -> None:
    command = [sys.executable, "-c", WRITER, str(cache.path.parent)]
    writers = [subprocess.Popen([*command, name]) for name in ("one", "other")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    for name in ("one", "other"):
        assert all(
            cache.data("area", f"{name}-{number}") == name.encode() * 5000
            for number in range(200)
        )


def test_a_killed_process_leaves_what_it_wrote_whole(cache: Cache) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(cache.path.parent), "one"]
    )
    end = time.monotonic() + 30
    while cache.value("area", "one-20") is None and time.monotonic() < end:
        time.sleep(0.01)
    writer.kill()
    writer.wait()
    assert cache.data("area", "one-20") == b"one" * 5000
    cache.write_all_or_fail("area", [("after", {}, b"")])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_opens_a_connection_of_its_own(cache: Cache) -> None:
    cache.write("a", "before", {"n": 1})
    child = os.fork()
    if child == 0:
        cache.write("a", "child", {"n": 2})
        os._exit(0 if cache.value("a", "before") == {"n": 1} else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert cache.value("a", "child") == {"n": 2}
    cache.write_all_or_fail("a", [("after", {}, b"")])


def test_threads_have_connections_of_their_own(cache: Cache) -> None:
    def work(name: str) -> None:
        for number in range(50):
            cache.write_all_or_fail("a", [(f"{name}{number}", {"n": number}, b"")])

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(
        cache.value("a", f"{name}{number}") == {"n": number}
        for name in "abcd"
        for number in range(50)
    )


def test_above_its_size_what_was_not_used_for_longest_goes(cache: Cache) -> None:
    cache.max_bytes = 500_000
    for number in range(20):
        cache.write("a", str(number), {}, b"x" * 50_000)
    cache.evict()
    assert all(
        cache.value("a", str(number)) is not None for number in range(20)
    )  # used just now, all of them
    change(cache, "UPDATE entries SET used = id")
    assert cache.data("a", "0") is not None
    cache.evict()
    left = [number for number in range(20) if cache.value("a", str(number)) is not None]
    assert left == [0, *range(20 - len(left) + 1, 20)]
    assert 5 < len(left) < 11
    assert cache.path.stat().st_size < 600_000


def test_another_process_evicts_nothing_that_a_running_build_used(cache: Cache) -> None:
    count = 2 * MAX_UNSAVED_USES
    cache.write_all("a", [(str(number), {}, b"x" * 100) for number in range(count)])
    change(cache, "UPDATE entries SET used = 1")
    used_keys = [str(number) for number in range(MAX_UNSAVED_USES)]
    assert len(cache.load_values("a", used_keys)) == len(used_keys)
    other = Cache(cache.path.parent, max_bytes=0)
    other.evict()
    assert len(cache.load_values("a", used_keys)) == len(used_keys)
    assert cache.count("a") == len(used_keys)


def test_a_use_is_written_down_once_an_hour(cache: Cache) -> None:
    cache.write("a", "k", {})

    def used() -> int:
        database = sqlite3.connect(cache.path)
        found = database.execute("SELECT used FROM entries").fetchone()[0]
        database.close()
        return int(found)

    before = used()
    change(cache, "UPDATE entries SET used = used - ?", TOUCH_SECONDS // 2)
    cache.value("a", "k")
    cache.evict()
    assert used() == before - TOUCH_SECONDS // 2
    change(cache, "UPDATE entries SET used = used - ?", TOUCH_SECONDS)
    cache.value("a", "k")
    cache.evict()
    assert used() >= before


@pytest.fixture(params=["a file", "a folder in its place"])
def refused(request: pytest.FixtureRequest, tmp_path: Path) -> Cache:
    if request.param == "a file":
        (tmp_path / "cache").write_text("in the way")
    else:
        (tmp_path / "cache" / "cache.db").mkdir(parents=True)
    return Cache(tmp_path / "cache")


def test_where_nothing_can_be_written_it_is_done_without(refused: Cache) -> None:
    refused.write("a", "k", {})
    refused.evict()
    refused.remove_damaged("a")
    assert refused.value("a", "k") is None
    assert not refused.count("a")
    with pytest.raises(OutputNotWritten, match="cache cannot be written") as caught:
        refused.write_all_or_fail("a", [("k", {}, b"")])
    assert caught.value.remedy


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_may_only_be_read_is_done_without(cache: Cache) -> None:
    cache.write("a", "k", {})
    cache.path.parent.chmod(0o500)
    try:
        read_only = Cache(cache.path.parent)
        read_only.write("a", "k", {"n": 2})
        assert read_only.value("a", "k") == {}
    finally:
        cache.path.parent.chmod(0o700)


def test_a_package_is_known_by_its_version() -> None:
    assert module.installed("pytest") == pytest.__version__
    assert module.installed("not-installed") == "-"


def test_the_fingerprint_reports_of_the_sources_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "builder"
    for part in ("render/html", "render/prepress", "cli"):
        (program / part).mkdir(parents=True)
        (program / part / "a.py").write_text("one")
    monkeypatch.setattr(module, "__file__", str(program / "cache.py"))

    def now() -> str:
        fingerprint.cache_clear()
        module._hash_sources.cache_clear()
        return fingerprint(
            "render", but=("render/prepress",), libraries=("pytest", "not-installed")
        )

    first = now()
    for other in ("cli", "render/prepress"):
        (program / other / "a.py").write_text("two")
        assert now() == first
    (program / "render/html/a.py").write_text("two")
    second = now()
    (program / "render/html/a.py").rename(program / "render/html/b.py")
    assert len({first, second, now()}) == 3
    (program / "render/html/b.py").rename(program / "render/html/a.py")
    (program / "render/html/a.py").write_text("one")
    assert now() == first
    monkeypatch.setattr(module, "installed", lambda _: "0")
    assert now() != first
    fingerprint.cache_clear()
    module._hash_sources.cache_clear()


def test_a_package_that_does_not_exist_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="no package moved"):
        fingerprint("moved")
