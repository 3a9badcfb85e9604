"""Packs as they were at e082904 still pass check and build.

A check that became stricter reports a warning.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from builder.findings import Severity
from builder.packs.project import Project
from builder.usecases.build.build import build_pack
from builder.usecases.check_pack import check_packs
from tests.house.source import ROOT
from tests.usecases.toy import build_options

ARCHIVE = ROOT / "tests" / "toys" / "packs-e082904.zip"
"""A pack of the repository, and one that `squadpress new` wrote; without the schemas that come with
the program.
"""


@pytest.mark.parametrize("pack", ["thicket", "blades"])
def test_a_pack_of_e082904_passes_check_and_build(tmp_path: Path, pack: str) -> None:
    with ZipFile(ARCHIVE) as archive:
        archive.extractall(
            tmp_path,
            [name for name in archive.namelist() if name.startswith(f"{pack}/")],
        )
    project = Project(tmp_path / pack)
    shutil.copytree(Project.core_schemas, project.root / "schemas" / "core")
    languages = {"thicket": {"en", "ru"}, "blades": {"ru", "en"}}[pack]
    findings = check_packs(project, pack)
    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []
    result = build_pack(project, pack, build_options(workers=2))
    assert [
        finding for finding in result.findings if finding.severity is Severity.ERROR
    ] == []
    assert {file.path.name.split("-")[1] for file in result.files} == languages
    stricter = [
        finding
        for finding in (*findings, *result.findings)
        if finding.severity is Severity.WARNING
    ]
    assert all(finding.hint for finding in stricter)
