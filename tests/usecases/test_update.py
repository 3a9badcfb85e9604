"""A player takes a newer publication: proved, compared with what is here, kept only when asked."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from builder.errata.snapshot import Withdrawal
from builder.errors import InputUnreadable, UsageError
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.packs.releases.package import open_package
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.publish import publish_releases
from builder.usecases.release.update import find_update, put_update
from tests.hostile.attacks import call
from tests.house.source import ROOT
from tests.program import run
from tests.usecases.toy import bump, edit, toy_project

FIRST, SECOND, THIRD = date(2026, 4, 1), date(2026, 6, 1), date(2026, 8, 1)
SQUAD = "pack: lanterns\nversion: 1.0.0\nname: Mine\nembers: 4\nentries: [{card: reed-mother}]\n"


@pytest.fixture
def publisher(tmp_path: Path) -> Project:
    """Two releases; the second makes a card dearer than a squad of four embers can be."""
    project = Project(toy_project(tmp_path / "publisher"))
    assert make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    ).frozen
    shutil.copytree(project.root, tmp_path / "player")
    edit(
        project.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml",
        "cost: 4",
        "cost: 6",
    )
    bump(project, "reed-mother", {"en": "Costs 6.", "de": "Kostet 6."}, SECOND)
    assert make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.1.0", SECOND, SECOND)
    ).frozen
    return project


def published(project: Project, place: Path) -> Path:
    files, _findings = publish_releases(
        PackFiles(project).open_releases("lanterns"), "lanterns"
    )
    with open_package(place) as box:
        for name, data in files.items():
            box.write_file(name, data)
        box.write_sums()
    return place


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["publication", "publication.zip"])
def test_a_newer_release_is_compared_and_kept_when_asked(
    publisher: Project, tmp_path: Path, name: str
) -> None:
    place, player = published(publisher, tmp_path / name), Project(tmp_path / "player")
    before = tree(player.root)
    release_update = find_update(player, place)
    assert (
        list(release_update.new_files),
        release_update.old.label,
        release_update.new.label,
    ) == (
        ["1.1.0"],
        "1.0.0",
        "1.1.0",
    )
    assert tree(player.root) == before
    put_update(player, release_update)
    releases = PackFiles(player).open_releases("lanterns")
    assert releases.find_damage(thorough=True) == ()
    assert releases.read_parts("1.1.0") == PackFiles(publisher).open_releases(
        "lanterns"
    ).read_parts("1.1.0")
    assert find_update(player, place).new_files == {}


def alter(place: Path) -> None:
    edit(place / "v1/1.1.0/cards.json", '"cost": 6', '"cost": 5')


def alter_with_list(place: Path) -> None:
    """The lists fit again, but for the digest in the manifest."""
    import hashlib

    path = place / "v1/1.1.0/cards.json"
    old = hashlib.sha256(path.read_bytes()).hexdigest()
    alter(place)
    edit(place / "SHA256SUMS", old, hashlib.sha256(path.read_bytes()).hexdigest())


def lose(place: Path) -> None:
    (place / "v1/1.1.0/rules.json").unlink()


def lead_out(place: Path) -> None:
    (place / "v1/1.1.0/rules.json").unlink()
    (place / "v1/1.1.0/rules.json").symlink_to("/etc/passwd")


@pytest.mark.parametrize("harm", [alter, alter_with_list, lose, lead_out])
def test_what_is_not_as_published_is_refused(
    publisher: Project, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    place = published(publisher, tmp_path / "publication")
    harm(place)
    with pytest.raises(InputUnreadable):
        find_update(Project(tmp_path / "player"), place)


def test_another_release_of_the_same_number_is_refused(
    publisher: Project, tmp_path: Path
) -> None:
    place, player = (
        published(publisher, tmp_path / "publication"),
        Project(tmp_path / "player"),
    )
    shutil.rmtree(player.get_cards_dir("lanterns") / "releases")
    edit(
        player.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml",
        "cost: 4",
        "cost: 3",
    )
    assert make_release(
        PackFiles(player), "lanterns", ReleaseRequest("1.0.0", FIRST, FIRST)
    ).frozen
    with pytest.raises(InputUnreadable, match=r"1\.0\.0"):
        find_update(player, place)


def test_what_is_no_publication_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK")
    (tmp_path / "empty").mkdir()
    for name in ("a.zip", "empty", "none"):
        with pytest.raises(InputUnreadable):
            find_update(Project(tmp_path), tmp_path / name)
    with pytest.raises(InputUnreadable, match="SHA256SUMS is missing"):
        find_update(Project(tmp_path), tmp_path / "empty")


@pytest.mark.slow
def test_the_command_reports_what_becomes_of_my_squads(
    publisher: Project, tmp_path: Path
) -> None:
    place, player = published(publisher, tmp_path / "publication"), tmp_path / "player"
    (player / "mine.yaml").write_text(SQUAD)
    process = run(player, "update", str(place), "mine.yaml", "--write", "--lang", "en")
    assert process.returncode == 0  # no squad that was legal
    assert "More expensive: Reed Mother 4 → 6" in process.stdout
    assert "Mine  4 -> 6" in process.stdout
    assert "1 release added" in process.stdout
    assert "cards/lanterns were not changed" in process.stdout
    assert (player / "mine.yaml").read_text() == SQUAD.replace("1.0.0", '"1.1.0"')
    assert "cost: 4" in (player / "cards/lanterns/spirit/reed-mother.yaml").read_text()


def test_a_squad_is_checked_from_its_own_version_and_not_pinned_where_it_would_be_illegal(
    publisher: Project, tmp_path: Path
) -> None:
    cheap = publisher.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml"
    edit(cheap, "cost: 6", "cost: 7")
    bump(publisher, "reed-mother", {"en": "Costs 7.", "de": "Kostet 7."}, THIRD)
    assert make_release(
        PackFiles(publisher), "lanterns", ReleaseRequest("1.2.0", THIRD, THIRD)
    ).frozen
    player, place = tmp_path / "player", published(publisher, tmp_path / "publication")
    put_update(
        Project(player), find_update(Project(player), place)
    )  # 1.1.0 and 1.2.0 are here already
    PackFiles(publisher).open_releases("lanterns").write_withdrawal(
        Withdrawal(
            version="1.1.0", date=THIRD, reason={"en": "Wrong."}, successor="1.2.0"
        )
    )
    place = published(publisher, tmp_path / "later")
    sample = (
        (player / "cards/lanterns/rosters/marsh-walk.yaml")
        .read_text()
        .partition("expect:")[0]
    )
    squad = sample.replace("pack: lanterns\n", "pack: lanterns\nversion: 1.0.0\n")
    (player / "mine.yaml").write_text(squad)
    status, output = call(
        player, "update", place, player / "mine.yaml", "--write", "--lang", "en"
    )
    assert status == 1
    assert "BROKEN" in output
    assert "12 -> 15" in output
    assert "1 no longer legal" in output
    assert "mine.yaml: unchanged, because the squad would be illegal in 1.2.0" in output
    # The squad moves over two releases, and the summary is about both.
    assert "Lanterns of Lowmarsh: what changed from 1.0.0 to 1.2.0" in output
    assert "More expensive: Reed Mother 4 → 7" in output
    assert (player / "mine.yaml").read_text() == squad
    assert [
        mark.successor
        for mark in PackFiles(Project(player))
        .open_releases("lanterns")
        .load_withdrawals()[0]
    ] == ["1.2.0"]
    assert find_update(Project(player), place).marks == ()


@pytest.mark.parametrize("inside", [True, False])
def test_a_squad_leaves_a_withdrawn_release(
    publisher: Project, tmp_path: Path, inside: bool
) -> None:
    player, place = tmp_path / "player", published(publisher, tmp_path / "publication")
    put_update(Project(player), find_update(Project(player), place))
    folder = player if inside else tmp_path / "elsewhere"
    folder.mkdir(exist_ok=True)
    mine = folder / "mine.yaml"
    mine.write_text(SQUAD.replace("1.0.0", "1.1.0").replace("embers: 4", "embers: 12"))
    withdrawal = Withdrawal(version="1.1.0", date=SECOND, reason={"en": "Wrong."})
    PackFiles(publisher).open_releases("lanterns").write_withdrawal(withdrawal)
    place = published(publisher, tmp_path / "later")
    request = ("update", place, mine, "--write", "--lang", "en")
    process = run(folder, *request)
    output = process.stdout + process.stderr
    assert "1.1.0 was withdrawn on 2026-06-01: Wrong." in output
    assert "Use 1.0.0 instead." in output
    assert "mine.yaml: now uses 1.0.0" in output
    assert 'version: "1.0.0"' in mine.read_text()
    assert "withdrawn" not in run(folder, *request).stderr


PLANNED = date(2026, 7, 1)
"""The day in force between the second release and a planned third."""


def planned(publisher: Project, tmp_path: Path) -> Path:
    """A publication whose third release is not in force on that day."""
    edit(
        publisher.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml",
        "cost: 6",
        "cost: 7",
    )
    bump(publisher, "reed-mother", {"en": "Costs 7.", "de": "Kostet 7."}, THIRD)
    assert make_release(
        PackFiles(publisher), "lanterns", ReleaseRequest("1.2.0", THIRD, THIRD)
    ).frozen
    return published(publisher, tmp_path / "publication")


def test_squads_move_to_the_release_in_force_unless_requested_otherwise(
    publisher: Project, tmp_path: Path
) -> None:
    place, player = planned(publisher, tmp_path), Project(tmp_path / "player")
    release_update = find_update(player, place, day=PLANNED)
    assert (
        release_update.old.label,
        release_update.new.label,
        sorted(release_update.new_files),
    ) == (
        "1.0.0",
        "1.1.0",
        ["1.1.0", "1.2.0"],
    )
    assert [planned_release.version for planned_release in release_update.planned] == [
        "1.2.0"
    ]
    requested_update = find_update(player, place, to="1.2.0", day=PLANNED)
    assert (requested_update.new.label, requested_update.planned) == ("1.2.0", ())
    assert find_update(player, place, day=THIRD).new.label == "1.2.0"
    with pytest.raises(UsageError):
        find_update(player, place, to="9.0.0", day=PLANNED)
    with pytest.raises(InputUnreadable):
        find_update(player, place, day=date(2026, 1, 1))
    put_update(player, release_update)
    second_update = find_update(player, place, day=PLANNED)
    assert (second_update.old.label, second_update.new.label) == ("1.1.0", "1.1.0")


def test_a_squad_of_a_planned_release_is_not_moved_back(
    publisher: Project, tmp_path: Path
) -> None:
    planned_day = date(2199, 1, 1)
    edit(
        publisher.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml",
        "cost: 6",
        "cost: 3",
    )
    bump(publisher, "reed-mother", {"en": "Costs 3.", "de": "Kostet 3."}, planned_day)
    assert make_release(
        PackFiles(publisher),
        "lanterns",
        ReleaseRequest("1.2.0", planned_day, planned_day),
    ).frozen
    place, player = published(publisher, tmp_path / "publication"), tmp_path / "player"
    (player / "mine.yaml").write_text(SQUAD)
    output = call(
        player, "update", place, player / "mine.yaml", "--write", "--lang", "en"
    )[1]
    assert "1.2.0 takes effect on 2199-01-01. Squads stay at 1.1.0" in output
    assert "1.1.0" in (player / "mine.yaml").read_text()
    output = call(player, "update", place, "--lang", "en")[1]
    assert "no release newer" not in output
    assert "no release after 1.1.0 is in force yet" in output
    output = call(
        player,
        "update",
        place,
        player / "mine.yaml",
        "--write",
        "--to",
        "1.2.0",
        "--lang",
        "en",
    )[1]
    assert (
        "nothing newer" not in output
    )  # the planned release is here already, and the squad moves to it
    assert "1.2.0" in (player / "mine.yaml").read_text()
    output = call(
        player, "update", place, player / "mine.yaml", "--write", "--lang", "en"
    )[1]
    assert "because it uses 1.2.0, which is later than 1.1.0" in output
    assert "1.2.0" in (player / "mine.yaml").read_text()


def test_a_folder_without_a_project_is_enough(
    publisher: Project, tmp_path: Path
) -> None:
    place = published(publisher, tmp_path / "published")
    folder = tmp_path / "squads"
    folder.mkdir()
    (folder / "mine.yaml").write_text(
        SQUAD.replace("embers: 4", "embers: 12"), encoding="utf-8"
    )
    second_process = run(folder, "update", str(place), "mine.yaml")
    assert "Lanterns of Lowmarsh: what changed in 1.1.0" in second_process.stdout, (
        second_process.stderr
    )
    assert "4 -> 6" in second_process.stdout
    assert "version: 1.0.0" in (folder / "mine.yaml").read_text()
    process = run(folder, "update", str(place), "mine.yaml", "--write")
    assert "mine.yaml: now uses 1.1.0" in process.stdout
    assert 'version: "1.1.0"' in (folder / "mine.yaml").read_text()
    assert sorted(path.name for path in folder.iterdir()) == ["mine.yaml"]
    (folder / "others.yaml").write_text("pack: kites\nname: Others\nentries: []\n")
    output = run(folder, "update", str(place), "mine.yaml", "others.yaml", "--write")
    assert "mine.yaml: unchanged, because it already uses 1.1.0" in output.stdout
    assert "others.yaml: unchanged, because it is not a squad" in output.stdout
    assert "what changed in 1.1.0" not in output.stdout, "the squad is there already"


def test_impact_writes_only_versions_of_releases(publisher: Project) -> None:
    folder = publisher.get_cards_dir("lanterns")
    for path in [*folder.rglob("*.yaml")]:
        if "releases" not in path.parts:
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("reed-mother", "old-mother"), encoding="utf-8")
        if path.name == "reed-mother.yaml":
            path.rename(path.with_name("old-mother.yaml"))
    line = "{old: reed-mother, new: old-mother, type: rename, date: 2026-08-01}"
    (folder / "migrations.yaml").write_text(f"migrations:\n  - {line}\n")
    sample = (
        ROOT / "tests/toys/lanterns/cards/lanterns/rosters/marsh-walk.yaml"
    ).read_text()
    sample = sample.replace("name:", "version: 1.0.0\nname:").partition("expect")[0]
    file = publisher.root / "mine.yaml"

    def show_impact(new: str, text: str) -> str:
        file.write_text(text, encoding="utf-8")
        request = ("release", "impact", "1.0.0", new, file, "--write", "--lang", "en")
        return call(publisher.root, *request)[1]

    roomy = SQUAD.replace("embers: 4", "embers: 12")
    output = show_impact("work", roomy)
    assert "unchanged, because it uses 1.0.0, and work is not a release" in output
    assert file.read_text() == roomy
    unpinned = roomy.replace("version: 1.0.0\n", "")
    assert "ids updated" in show_impact("work", unpinned)
    assert file.read_text() == unpinned.replace("reed", "old")
    request = ReleaseRequest("2.0.0", THIRD, THIRD)
    made = make_release(PackFiles(publisher), "lanterns", request)
    assert made.frozen, made.findings
    assert "mine.yaml: ids updated to 2.0.0" in show_impact("2.0.0", roomy)
    assert "2.0.0" in file.read_text()
    output = show_impact("2.0.0", sample)
    assert "unchanged, because the squad would be illegal in 2.0.0" in output
    assert file.read_text() == sample
    assert "later than 2.0.0" in show_impact("2.0.0", roomy.replace("1.0.0", "2.1.0"))


def test_a_removed_card_is_no_squad_without_old_ids(publisher: Project) -> None:
    folder = publisher.get_cards_dir("lanterns")
    (folder / "spirit" / "reed-mother.yaml").unlink()
    line = "{old: reed-mother, new: [], type: delete, date: 2026-08-01}"
    (folder / "migrations.yaml").write_text(f"migrations:\n  - {line}\n")
    squad = publisher.root / "mine.yaml"
    squad.write_text(SQUAD.replace("version: 1.0.0\n", ""), encoding="utf-8")
    impact = ("release", "impact", "1.0.0", "work", squad, "--write", "--lang", "en")
    output = call(publisher.root, *impact)[1]
    assert "reed-mother was removed. Remove or replace it in the squad." in output
    assert "unchanged, because reed-mother has no single successor" in output


def test_a_planned_withdrawal_is_shown_everywhere(
    publisher: Project, tmp_path: Path
) -> None:
    planned_day, end = date(2198, 1, 1), date(2199, 1, 1)
    edit(
        publisher.get_cards_dir("lanterns") / "spirit" / "reed-mother.yaml",
        "cost: 6",
        "cost: 3",
    )
    bump(publisher, "reed-mother", {"en": "Costs 3.", "de": "Kostet 3."}, planned_day)
    request = ReleaseRequest("1.2.0", planned_day, planned_day)
    assert make_release(PackFiles(publisher), "lanterns", request).frozen
    releases = PackFiles(publisher).open_releases("lanterns")
    releases.write_withdrawal(
        Withdrawal(version="1.2.0", date=end, reason={"en": "Wrong."})
    )
    words = "planned for 2198-01-01, to be withdrawn on 2199-01-01"
    assert words in run(publisher.root, "release", "list", "--lang", "en").stdout
    place = published(publisher, tmp_path / "publication")
    for name in ("feed.en.atom", "feed.en.json"):
        # Feed readers hide entries of the future.
        assert "2198-01-01T" not in (place / name).read_text()
    for name in ("index.en.html", "feed.en.atom", "feed.en.json"):
        text = (place / name).read_text(encoding="utf-8")
        assert words in text, name
        assert "Wrong." in text, name
    player = Project(tmp_path / "player")
    assert find_update(player, place).planned == (), "nobody should move to it"
    _code, output = call(player.root, "update", place, "--to", "1.2.0", "--lang", "en")
    assert "1.2.0 is to be withdrawn on 2199-01-01: Wrong." in output


def test_a_withdrawal_gives_its_reason_in_all_languages(publisher: Project) -> None:
    command = ("release", "withdraw", "1.0.0", "--reason", "Torn.", "--lang", "en")
    process = run(publisher.root, *command)
    assert process.returncode == 2
    assert "the reason is missing in de" in process.stderr
    assert "Add --reason de=TEXT." in process.stderr
