"""A toy project that tests may change: a copy of a toy pack with the program's own schemas."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.store.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.options import BuildResult
from tests.usecases.toy import build_options

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
PACKS = REPOSITORY / "tests" / "packs"


def copy_project(pack: str, target: Path) -> Project:
    """A project of one toy pack."""
    shutil.copytree(PACKS / pack, target, dirs_exist_ok=True)
    shutil.copytree(REPOSITORY / "schemas" / "core", target / "schemas" / "core", dirs_exist_ok=True)
    return Project(target)


@pytest.fixture
def lanterns(tmp_path: Path) -> Project:
    return copy_project("lanterns", tmp_path / "project")


@pytest.fixture
def brigade(tmp_path: Path) -> Project:
    return copy_project("brigade", tmp_path / "project")


Build = Callable[..., BuildResult]


@pytest.fixture
def build() -> Build:
    """Build a project's only pack in this process."""

    def run(project: Project, **options: object) -> BuildResult:
        return build_pack(project, project.packs()[0], build_options(workers=1, **options))  # type: ignore[arg-type]

    return run
