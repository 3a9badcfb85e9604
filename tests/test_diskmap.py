"""A shelf gives back what was put on it, however much that is."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from builder import diskmap
from builder.diskmap import MAX_RECENT_VALUES, DiskMap
from builder.errors import OutputNotWritten

KEYS = st.integers(0, 12)
PUT = st.tuples(KEYS, st.tuples(st.text(), st.integers()))


@given(st.lists(PUT | KEYS), st.integers(0, 5))
def test_a_shelf_is_a_dict(steps, room):
    """Values are put, put anew and asked for in any order; most find no room in memory."""
    shelf, wanted = DiskMap(room), {}
    for step in steps:
        if isinstance(step, tuple):
            key, value = step
            shelf[key] = wanted[key] = value
        else:
            assert shelf.get(step) == wanted.get(step)
        assert list(shelf.items()) == list(wanted.items())
        assert [key in shelf for key in range(13)] == [
            key in wanted for key in range(13)
        ]
        assert len(shelf) == len(wanted)
    assert shelf == wanted


def test_few_values_stay_in_memory():
    """Return what is on the shelf besides those with room is read when it is asked for."""
    shelf = DiskMap(2)
    for key in range(500):
        shelf[key] = {"number": key}
    assert shelf[0] is shelf[0]
    assert shelf[400] is shelf[400]
    before = shelf[400]
    assert [value["number"] for value in shelf.values()] == list(range(500))
    assert shelf[400] == before
    assert shelf[400] is not before
    assert len(shelf._recent_values) == MAX_RECENT_VALUES


@pytest.mark.parametrize("full", ["at once", "in the middle", "no folder"])
def test_values_stay_in_memory_while_the_disk_is_full(full, monkeypatch):
    """Return a value that also finds no memory and is refused; earlier ones stay readable."""
    shelf = DiskMap(1)
    shelf[0] = shelf[1] = "early"

    def cut(*_, **__):
        if full == "no folder":
            raise FileNotFoundError(errno.ENOENT, "No usable temporary directory")
        return Path("/dev/full").open("r+b", buffering=0)

    monkeypatch.setattr(tempfile, "TemporaryFile", cut)
    if full == "in the middle":
        real = shelf._file
        monkeypatch.setattr(
            shelf,
            "_file",
            SimpleNamespace(seek=real.seek, read=real.read, write=lambda data: 1),
        )
    else:
        shelf = DiskMap(1)
        shelf[0] = "early"
    shelf[2] = "late"
    assert shelf[2] == "late"
    monkeypatch.setattr(diskmap, "MAX_UNWRITTEN_BYTES", 40)
    with pytest.raises(OutputNotWritten):
        shelf[3] = "later" * 10
    assert 3 not in shelf
    assert set(shelf.values()) == {"early", "late"}
