"""Releases in time: ordered by day of effect, chained by digests, withdrawn and never lost."""

from __future__ import annotations

import json
import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from builder.errata.release import (
    Release,
    find_predecessor,
    find_release_in_force,
    list_lineage,
    make_index,
    measure_state,
)
from builder.packs.project import Project
from builder.packs.releases.folders import Releases
from tests.errata.states import fox, state
from tests.house.source import ROOT

FIRST, SECOND, THIRD = date(2026, 3, 1), date(2026, 5, 1), date(2026, 7, 1)


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    (tmp_path / "cards" / "woods").mkdir(parents=True)
    return Releases(Project(tmp_path), "woods")


def write(releases: Releases, version: str, day: date) -> None:
    before = find_predecessor(releases.list_releases(), version)
    releases.write_release(
        state(fox()),
        version,
        Release(version, day, day),
        before.version if before else None,
    )


def manifest(releases: Releases, version: str) -> dict[str, object]:
    return dict(json.loads(releases.read_parts(version)["manifest.json"]))


def line_of_three(releases: Releases) -> None:
    write(releases, "1.0.0", FIRST)
    write(releases, "1.1.0", SECOND)
    write(releases, "1.0.1", THIRD)


def test_an_older_line_is_corrected_and_the_newer_one_stays_in_force(
    releases: Releases,
) -> None:
    line_of_three(releases)
    known = releases.list_releases()
    assert [release.version for release in known] == ["1.0.0", "1.1.0", "1.0.1"]
    assert [release.previous for release in known] == [None, "1.0.0", "1.0.0"]
    assert [release.version for release in list_lineage(known, known[-1])] == [
        "1.0.0",
        "1.0.1",
    ]
    now = find_release_in_force(known, date(2027, 1, 1))
    assert now is not None
    assert now.version == "1.1.0"
    sizes = {
        one.version: measure_state(releases.load_state(one.version)[0]) for one in known
    }
    listed = make_index("woods", "Woods", known, sizes)["releases"]
    assert isinstance(listed, list)
    assert [item["until"] for item in listed] == [str(SECOND), None, str(THIRD)]


def test_a_release_planned_for_later_does_not_bar_an_earlier_one(
    releases: Releases,
) -> None:
    write(releases, "1.0.0", FIRST)
    write(releases, "2.0.0", THIRD)
    write(releases, "1.0.1", SECOND)
    known = releases.list_releases()
    assert [release.version for release in known] == ["1.0.0", "1.0.1", "2.0.0"]
    days = {day: find_release_in_force(known, day) for day in (date(2026, 6, 1), THIRD)}
    assert [release and release.version for release in days.values()] == [
        "1.0.1",
        "2.0.0",
    ]


def test_each_manifest_names_those_that_none_named_before(releases: Releases) -> None:
    line_of_three(releases)
    named = {
        version: manifest(releases, version)["predecessors"]
        for version in ("1.0.0", "1.1.0", "1.0.1")
    }
    chain = {
        release: [item["version"] for item in items]
        for release, items in named.items()
        if isinstance(items, list)
    }
    assert chain == {"1.0.0": [], "1.1.0": ["1.0.0"], "1.0.1": ["1.1.0"]}
    assert releases.find_damage(thorough=True) == ()


def test_releases_older_than_the_chain_stay_valid_and_the_next_one_names_them(
    releases: Releases,
) -> None:
    for version, day in (("1.0.0", FIRST), ("1.1.0", SECOND)):
        write(releases, version, day)
        path = releases.folder / version / "manifest.json"
        stated = json.loads(path.read_text("utf-8"))
        del stated["predecessors"]
        path.write_text(json.dumps(stated), "utf-8")
    assert releases.find_damage(thorough=True) == ()
    write(releases, "1.2.0", THIRD)
    items = manifest(releases, "1.2.0")["predecessors"]
    assert isinstance(items, list)
    assert [item["version"] for item in items] == ["1.0.0", "1.1.0"]


def test_a_release_that_is_removed_or_replaced_is_noticed(releases: Releases) -> None:
    line_of_three(releases)
    path = releases.folder / "1.1.0"
    shutil.move(path, path.with_name("elsewhere"))
    assert [finding.code for finding in releases.find_damage()] == ["release/removed"]
    write(releases, "1.1.0", SECOND)
    assert [finding.code for finding in releases.find_damage()] == ["release/altered"]


def test_a_part_that_is_gone_or_altered_is_noticed_by_a_thorough_look(
    releases: Releases,
) -> None:
    line_of_three(releases)
    (releases.folder / "1.0.0" / "rules.json").write_text("{}")
    (releases.folder / "1.1.0" / "cards.json").unlink()
    assert [finding.code for finding in releases.find_damage(thorough=True)] == [
        "release/altered"
    ] * 2


def test_a_withdrawn_release_is_kept_and_in_force_no_more(releases: Releases) -> None:
    line_of_three(releases)
    example = re.search(
        r"```yaml\n(withdrawn:.*?)```",
        (ROOT / "docs" / "formats.md").read_text("utf-8"),
        re.DOTALL,
    )
    assert example is not None
    (releases.folder / "withdrawn.yaml").write_text(example[1])
    known = releases.list_releases()
    found = [find_release_in_force(known, day) for day in (date(2026, 6, 30), THIRD)]
    assert [release and release.version for release in found] == ["1.1.0", "1.0.1"]
    assert find_predecessor(known, "1.2.0") == known[1], (
        "what was printed under a version is still what the next one follows"
    )
