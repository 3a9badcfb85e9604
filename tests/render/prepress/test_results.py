"""What is kept of work on drawings.

Found again, and made again where anything it depends on is other.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from builder.cache import Cache
from builder.render.cache import RESULTS, ResultCache
from builder.render.prepress.drawings import hash_resources


def test_a_result_is_made_once(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> tuple[bytes, list[str]]:
        made.append(1)
        return b"data\n\x00", ["a word"]

    memo = ResultCache(Cache(tmp_path), b"setting")
    assert memo.get("job", [b"one"], make) == (b"data\n\x00", ["a word"])
    assert memo.get("job", [b"one"], make) == (b"data\n\x00", ["a word"])
    assert len(made) == 1
    memo.get("job", [b"o", b"ne"], make)
    memo.get("other", [b"one"], make)
    memo.with_key_parts("more").get("job", [b"one"], make)
    assert len(made) == 4


def test_a_broken_result_is_made_again(tmp_path: Path) -> None:
    memo = ResultCache(Cache(tmp_path))
    assert memo.cache is not None
    memo.get("job", [b"one"], lambda: (b"data", []))
    database = sqlite3.connect(memo.cache.path)
    (name,) = database.execute("SELECT key FROM entries").fetchone()
    memo.cache.write(RESULTS, name.decode(), {"words": []}, b"nonsense")
    assert memo.get("job", [b"one"], lambda: (b"data", [])) == (b"data", [])


def resources(
    pdf: pikepdf.Pdf,
    *,
    pixel: bytes = b"\x01",
    alpha: float = 0.5,
    font: str = "ABCDEF+One",
) -> Dictionary:
    image = pdf.make_stream(
        pixel, Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1
    )
    made = Dictionary(
        XObject=Dictionary(Im=image), ExtGState=Dictionary(G=Dictionary(ca=alpha))
    )
    program = pdf.make_stream(b"a program that holds other letters each time" + pixel)
    made["/Font"] = Dictionary(
        F=pdf.make_indirect(
            Dictionary(Type=Name.Font, BaseFont=Name("/" + font), P=program)
        )
    )
    made["/Some"] = Array([1, True, Name.Other])
    return made


NAMES = ("/XObject", "/ExtGState", "/Font", "/Some")


@pytest.mark.parametrize(
    "changed", [{"pixel": b"\x02"}, {"alpha": 0.6}, {"font": "ABCDEG+One"}]
)
def test_resources_are_distinguished_by_what_they_hold(changed: dict) -> None:
    one, other = pikepdf.new(), pikepdf.new()
    other.make_indirect(Dictionary())
    assert hash_resources(resources(one), *NAMES) == hash_resources(
        resources(other), *NAMES
    )
    assert hash_resources(resources(one), *NAMES) != hash_resources(
        resources(other, **changed), *NAMES
    )
