"""A peer that is absent or fails is named with its reason, and never counts as fast."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from builder.model.pack import Size
from tests.bench.bench_peers import (
    BROWSERS,
    Cost,
    Leaf,
    by_chromium,
    by_typst,
    quoted,
    told,
)

LEAVES = (
    Leaf(
        ('<section class="face">A "text"</section>',),
        (".face{color:#000}",),
        Size(width=63, height=88),
    ),
)


def browser(folder: Path, script: str) -> None:
    program = folder / BROWSERS[0]
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)


def test_an_absent_peer_is_named_as_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for name, peer in (("Chromium", by_chromium), ("Typst", by_typst)):
        told(name, peer(tmp_path, LEAVES), 1)
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in printed] == [
        ["Chromium", "skipped:"],
        ["Typst", "skipped:"],
    ]


def test_a_browser_is_given_a_page_and_reported_where_the_file_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    browser(
        tmp_path,
        'for each; do case $each in --print-to-pdf=*) echo 12345 > "${each#*=}";; esac; done',
    )
    cost = by_chromium(tmp_path, LEAVES)
    assert isinstance(cost, Cost)
    assert cost.size == 6


def test_a_peer_that_fails_has_a_reason_instead_of_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    browser(tmp_path, "echo no display >&2; exit 3")
    assert by_chromium(tmp_path, LEAVES) == "it failed with 3: no display"


def test_a_text_reaches_typst_as_it_is() -> None:
    assert quoted('a "b"\n c\\d #e') == '"a \\"b\\" c\\\\d #e"'
