"""A toy project that tests may change: a copy of a toy pack with the program's own schemas."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import BuildResult
from tests.usecases.toy import build_options, know_faces

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
PACKS = REPOSITORY / "tests" / "toys"


ENGINES = ("weasyprint", "plutoprint")


def copy_project(pack: str, target: Path, engine: str = ENGINES[0]) -> Project:
    """Return a project of one toy pack, set by an engine."""
    shutil.copytree(
        PACKS / pack,
        target,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("output", ".cache"),
    )
    shutil.copytree(
        REPOSITORY / "schemas" / "core", target / "schemas" / "core", dirs_exist_ok=True
    )
    manifest = target / "cards" / pack / "pack.yaml"
    manifest.write_text(
        f"{manifest.read_text(encoding='utf-8')}\nengine: {engine}\n", encoding="utf-8"
    )
    return Project(target)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine that a pack may choose, of those that there are on this system."""
    if request.param == "plutoprint":
        pytest.importorskip("plutoprint")
    return str(request.param)


@pytest.fixture
def lanterns(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> Project:
    """Return a project in which fonts and faces lie in the cache.

    In a module that is `COLD` no faces do.
    """
    project = copy_project("lanterns", tmp_path / "project", engine)
    know_faces(
        project.root,
        "lanterns",
        engine,
        faces=not getattr(request.module, "COLD", False),
    )
    return project


@pytest.fixture
def brigade(tmp_path: Path, engine: str) -> Project:
    return copy_project("brigade", tmp_path / "project", engine)


Build = Callable[..., BuildResult]


@pytest.fixture
def build() -> Build:
    """Build a project's only pack in this process."""

    def run(project: Project, **options: object) -> BuildResult:
        return build_pack(
            project, project.list_packs()[0], build_options(workers=1, **options)
        )  # type: ignore[arg-type]

    return run
