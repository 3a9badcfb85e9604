"""Published files prove themselves, point onwards, and come out the same again."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from builder.findings import Finding
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.package import open_package
from builder.usecases.build.build_options import WorkerPool
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.publish import (
    Prints,
    make_printer,
    publish_releases,
)
from builder.usecases.release.published_versions import TREE
from tests.report.feed_rules import require_json_feed
from tests.usecases.toy import bump, edit, toy_project

FIRST, SECOND = date(2026, 4, 1), date(2026, 6, 1)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two releases: a dearer card, and a card that was withdrawn."""
    project = Project(toy_project(tmp_path / "project"))
    assert make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    ).frozen
    cards = project.get_cards_dir("lanterns")
    edit(cards / "spirit" / "dusk-moth.yaml", "cost: 1", "cost: 2")
    bump(project, "dusk-moth", {"en": "Costs 2.", "de": "Kostet 2."}, SECOND)
    products = cards / "products.yaml"
    lines = [
        line
        for line in products.read_text("utf-8").splitlines(keepends=True)
        if "amber-brooch" not in line
    ]
    products.write_text("".join(lines), encoding="utf-8")
    (cards / "charm" / "amber-brooch.yaml").unlink()
    (cards / "i18n" / "de" / "charm" / "amber-brooch.yaml").unlink()
    line = f"migrations:\n  - {{old: amber-brooch, type: delete, date: {SECOND}}}\n"
    (cards / "migrations.yaml").write_text(line)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("2.0.0", SECOND, SECOND)
    )
    assert release_result.frozen, release_result.findings
    return project


def published(
    project: Project, folder: Path, prints: Prints | None = None
) -> tuple[set[str], tuple[Finding, ...]]:
    """What is published lies in a folder; its names, and what was found."""
    files, findings = publish_releases(
        PackFiles(project).open_releases("lanterns"), "lanterns", prints
    )
    if not files:
        return set(), findings
    with open_package(folder) as box:
        for path, data in files.items():
            box.write_file(path, data)
        box.write_sums()
    return set(box.hashes), findings


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file()
    }


def test_every_byte_is_proved_and_comes_out_again(
    project: Project, tmp_path: Path
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    names, findings = published(project, first)
    published(project, second)
    assert findings == ()
    assert tree(first) == tree(second)
    assert set(tree(first)) == names
    proof = subprocess.run(
        ["sha256sum", "-c", "--strict", "SHA256SUMS"],
        cwd=first,
        capture_output=True,
        check=False,
    )
    assert proof.returncode == 0, proof.stdout
    assert len(proof.stdout.splitlines()) == len(names) - 1


def test_machines_find_their_way(project: Project, tmp_path: Path) -> None:
    published(project, tmp_path)

    def read(path: str) -> dict:
        return json.loads((tmp_path / path).read_text(encoding="utf-8"))

    index = read("v1/index.json")
    assert [
        (listed_release["version"], listed_release["until"])
        for listed_release in index["releases"]
    ] == [
        ("1.0.0", "2026-06-01"),
        ("2.0.0", None),
    ]
    assert read("v1/latest.json") == {"version": "2.0.0", "path": "v1/2.0.0/"}
    legality = read("v1/2.0.0/legality.json")
    assert legality["legal"]["dusk-moth"] == {
        "since": "1.0.0",
        "revision": 2,
        "revisedIn": "2.0.0",
    }
    assert legality["withdrawn"] == {
        "amber-brooch": {"lastIn": "1.0.0", "type": "delete", "successors": []}
    }
    assert (
        read("v1/2.0.0/de/cards.json")["dusk-moth"]["name"]
        != read("v1/2.0.0/en/cards.json")["dusk-moth"]["name"]
    )
    assert {card["id"] for card in read("v1/2.0.0/changes.json")["cards"]} == {
        "dusk-moth",
        "amber-brooch",
    }
    assert "Costs 2." in (tmp_path / "v1" / "2.0.0" / "CHANGES.md").read_text(
        encoding="utf-8"
    )
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index(">2.0.0 <small>in force<") < page.index(
        ">1.0.0 <small>superseded<"
    )
    assert "http" not in page


def test_every_published_file_keeps_its_schema_and_added_cards_state_their_fields(
    project: Project, tmp_path: Path
) -> None:
    names, _findings = published(project, tmp_path)
    schemas = {
        path.name: json.loads(path.read_bytes())
        for path in (tmp_path / "v1" / "schemas").iterdir()
    }
    registry = Registry().with_resources(
        [(name, DRAFT202012.create_resource(item)) for name, item in schemas.items()]
    )
    checked = set()
    for name in sorted(names):
        path = Path(name)
        if name.startswith("feed.") and path.suffix == ".json":
            require_json_feed((tmp_path / name).read_bytes())
        elif path.suffix == ".json" and path.parent.name != "schemas":
            part = next(
                (
                    folder
                    for folder in ("i18n", "badges", "legality")
                    if folder in path.parts
                ),
                path.name,
            )
            schema = {"$ref": f"published.schema.json#/$defs/{part}"}
            Draft202012Validator(schema, registry=registry).validate(
                json.loads((tmp_path / name).read_bytes())
            )
            checked.add(part)
    assert {
        "index.json",
        "changes.json",
        "legality.json",
        "i18n",
        "badges",
        "manifest.json",
        "cards.json",
    } <= checked
    first = json.loads((tmp_path / "v1" / "1.0.0" / "changes.json").read_bytes())
    moth = next(card for card in first["cards"] if card["id"] == "dusk-moth")
    assert {"path": "cost", "new": 1} in moth["fields"]


def test_badges_tell_whether_a_release_is_up_to_date(
    project: Project, tmp_path: Path
) -> None:
    published(project, tmp_path)
    texts_by_version = {
        version: json.loads((tmp_path / f"v1/badges/{version}.json").read_bytes())[
            "message"
        ]
        for version in ("1.0.0", "2.0.0")
    }
    assert texts_by_version == {"1.0.0": "1.0.0 \u2192 2.0.0", "2.0.0": "2.0.0"}
    svg = ElementTree.parse(tmp_path / "v1/badges/1.0.0.svg").getroot()
    assert "2.0.0" in "".join(svg.itertext())


def test_a_new_release_leaves_the_old_ones_bytes(
    project: Project, tmp_path: Path
) -> None:
    later = project.get_cards_dir("lanterns") / "releases" / "2.0.0"
    shutil.move(later, tmp_path / "later")
    published(project, tmp_path / "out")
    before = {
        path: data
        for path, data in tree(tmp_path / "out").items()
        if path.startswith("v1/1.0.0/")
    }
    shutil.move(tmp_path / "later", later)
    published(project, tmp_path / "out")
    after = tree(tmp_path / "out")
    assert {path: after[path] for path in before} == before


def test_a_damaged_release_is_not_published(project: Project, tmp_path: Path) -> None:
    path = project.get_cards_dir("lanterns") / "releases" / "1.0.0" / "cards.json"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    names, findings = published(project, tmp_path / "out")
    assert (names, [finding.code for finding in findings]) == (
        set(),
        ["release/altered"],
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_prints_are_published_too(project: Project, tmp_path: Path) -> None:
    names, findings = published(
        project, tmp_path, make_printer(project, workers=WorkerPool(1))
    )
    assert findings == ()
    prints = {
        "lanterns-2.0.0-notes-en.pdf",
        "lanterns-2.0.0-notes-en.html",
        "lanterns-en-home-a4-2.0.0.pdf",
    }
    assert {f"{TREE}/2.0.0/{name}" for name in prints} <= names
    first = (tmp_path / "SHA256SUMS").read_bytes()
    published(project, tmp_path, make_printer(project, workers=WorkerPool(1)))
    assert (tmp_path / "SHA256SUMS").read_bytes() == first
