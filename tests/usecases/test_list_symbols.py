"""Characters of lists that the program's fonts do not have: icons, other fonts, frames."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.render.installed_fonts import FontCopy
from builder.usecases.imports import symbols
from builder.usecases.imports.symbols import MISSING_ICON, choose_symbols


def test_symbols_become_icons(tmp_path: Path) -> None:
    files = choose_symbols(
        Project(tmp_path), ["Move ▲ or ■, \U0001f480 \ue123 ⚅", "plain ″ ×"], "en"
    )
    assert set(files.icons) == set("▲■\U0001f480\ue123⚅")
    assert set(files.icons.values()) == set(files.drawings)
    assert all(drawing.startswith(b"<svg") for drawing in files.drawings.values())


def test_letters_without_a_font_become_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbols, "find_family", lambda characters, lang: None)
    files = choose_symbols(Project(tmp_path), ["שומר"], "en")
    assert set(files.icons.values()) == {MISSING_ICON}
    assert files.missing == ("ו", "מ", "ר", "ש")


def test_an_installed_font_prints_other_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = FontCopy("Invented", (("invented.ttf", b"font"),), frozenset({ord("ש")}))
    monkeypatch.setattr(symbols, "find_family", lambda characters, lang: copy)
    files = choose_symbols(Project(tmp_path), ["שר"], "en")
    assert files.fonts == (copy,)
    assert files.missing == ("ר",)
