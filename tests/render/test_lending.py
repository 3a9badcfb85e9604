"""A local build with a store: what one machine set, another takes; what is damaged is set again."""

from __future__ import annotations

import shutil

import pytest

from builder.model.shared import Shared
from builder.store.project import Project

pytestmark = pytest.mark.slow


def files(result):
    return [file.path.read_bytes() for file in result.files]


@pytest.mark.parametrize("kind", ["folder", "memory"])
def test_another_machine_sets_nothing_again(lanterns, build, tmp_path, kind):
    shared = Shared(str(tmp_path / "store") if kind == "folder" else f"memory://{tmp_path.name}")
    first = build(lanterns, shared=shared)
    expected = files(first)
    shutil.rmtree(lanterns.cache_dir)
    second = build(lanterns, shared=shared)
    assert (first.known, second.fresh, second.known) == (0, 0, first.fresh)
    assert files(second) == expected


def test_it_does_not_matter_where_project_and_program_lie(lanterns, build, tmp_path, monkeypatch):
    shared = Shared(str(tmp_path / "store"))
    first = build(lanterns, shared=shared)
    other = Project(tmp_path / "elsewhere" / "deep")
    shutil.copytree(lanterns.root, other.root, ignore=shutil.ignore_patterns(".cache", "output"))
    shutil.copytree(lanterns.base_templates, tmp_path / "program")
    monkeypatch.setattr("builder.store.resources.base_templates", lambda: tmp_path / "program")
    second = build(other, shared=shared)
    assert (second.fresh, second.known) == (0, first.fresh)
    assert files(second) == files(first)


def test_a_damaged_face_is_set_again_and_mended(lanterns, build, tmp_path):
    shared = Shared(str(tmp_path / "store"))
    first = build(lanterns, shared=shared)
    expected = files(first)
    faces = sorted((tmp_path / "store/faces").rglob("*/*"))
    whole = faces[0].read_bytes()
    faces[0].write_bytes(whole[:200] + bytes(9) + whole[209:])
    shutil.rmtree(lanterns.cache_dir)
    second = build(lanterns, shared=shared)
    assert (second.fresh, second.known) == (1, first.fresh - 1)
    assert files(second) == expected
    assert faces[0].read_bytes() == whole


def test_a_card_that_cannot_be_set_is_not_lent(lanterns, build, tmp_path):
    css = lanterns.root / "templates/lanterns/spirit/card.css"
    css.write_text(css.read_text(encoding="utf-8") + ".kind-spirit .price {width: 3mm}", encoding="utf-8")
    shared = Shared(str(tmp_path / "store"))
    first = build(lanterns, shared=shared)
    shutil.rmtree(lanterns.cache_dir)
    second = build(lanterns, shared=shared)
    assert first.findings
    assert second.findings == first.findings
    assert second.known > 0
    assert second.fresh + second.known == first.fresh
