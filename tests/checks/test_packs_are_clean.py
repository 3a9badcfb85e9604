import pytest

from builder.findings import has_errors
from builder.packs.project import Project
from builder.usecases.check_pack import check_packs
from tests.checks.projects import ROOT

PROJECTS = [
    ROOT,
    *sorted(
        path
        for path in (ROOT / "tests" / "toys").iterdir()
        if (path / "cards").is_dir()
    ),
]


@pytest.mark.parametrize("root", PROJECTS, ids=lambda root: root.name)
def test_every_pack_of_this_repository_passes(root) -> None:
    findings = check_packs(Project(root), None)
    assert not has_errors(findings), [
        f"{finding.location.file}: {finding.message}" for finding in findings
    ]
