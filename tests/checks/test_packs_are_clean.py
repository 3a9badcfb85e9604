import pytest

from builder.checks.registry import card_checks
from builder.findings import has_errors
from builder.model.codes import define
from builder.store.project import Project
from builder.usecases.check import check_packs
from tests.checks.projects import ROOT

PROJECTS = [ROOT, *sorted(path for path in (ROOT / "tests" / "packs").iterdir() if (path / "cards").is_dir())]


@pytest.mark.parametrize("root", PROJECTS, ids=lambda root: root.name)
def test_every_pack_of_this_repository_passes(root) -> None:
    findings = check_packs(Project(root), None)
    assert not has_errors(findings), [f"{one.location.file}: {one.message}" for one in findings]


def test_a_code_cannot_be_defined_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        define("cards/file-name", "Again", "why", "remedy")
    with pytest.raises(ValueError, match="form"):
        define("nonsense", "No group", "why", "remedy")


def test_checks_are_found_by_their_files() -> None:
    names = [name for name, _ in card_checks()]
    assert names == sorted(
        path.stem for path in (ROOT / "builder/checks/cards").glob("*.py") if path.stem != "__init__"
    )
