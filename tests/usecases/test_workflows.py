"""The workflows of `ci init`: parsed, and their shell steps run against a local repository.

Only the network has stubs: `pip`, `gh`, `curl`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from ruamel.yaml import YAML

from builder.packs.project import Project
from tests.program import launcher, run
from tests.usecases.toy import bump, edit, toy_project

DAY = date(2026, 6, 1)
GITHUB, COMMENT = ".github/workflows/cards.yml", ".github/workflows/cards-comment.yml"

GH = """#!/bin/sh
# gh of a runner: hands out the artifact, knows pull request 7, and keeps the comment.
case "$1 $2" in
  "run download") while [ "$1" != --dir ]; do shift; done; cp -r "$STUBS/artifact" "$2" ;;
  "api -X") echo "$*" > "$STUBS/asked"; echo 7 ;;
  "pr comment") echo "$*" > "$STUBS/commented"; while [ "$1" != --body-file ]; do shift; done
    cp "$2" "$STUBS/comment.md" ;;
  *) exit 9 ;;
esac
"""
CURL = """#!/usr/bin/env python3
# curl of a runner: uploads get addresses, notes are kept in a file.
import json, os, pathlib, sys
words, folder = sys.argv[1:], pathlib.Path(os.environ["STUBS"])
notes = folder / "notes.json"
assert "PRIVATE-TOKEN: secret" in words, words
known = json.loads(notes.read_text()) if notes.exists() else []
url = words[-1]
if url.endswith("/uploads"):
    file = words[words.index("--form") + 1].removeprefix("file=@")
    assert pathlib.Path(file).read_bytes().startswith(b"\\x89PNG")
    print(json.dumps({"url": f"/uploads/1/{pathlib.Path(file).name}"}))
elif "--data-urlencode" in words:
    body = pathlib.Path(words[words.index("--data-urlencode") + 1].removeprefix("body@")).read_text()
    if "--request" in words:
        number = int(url.rpartition("/")[2])
        known = [{**note, "body": body} if note["id"] == number else note for note in known]
    else:
        known.append({"id": 40 + len(known), "body": body})
    notes.write_text(json.dumps(known))
else:
    print(json.dumps(known))
"""


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *names, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write_stub(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


@pytest.fixture
def stubs(tmp_path: Path) -> Path:
    folder = tmp_path / "stubs"
    folder.mkdir()
    write_stub(folder, "pip", "#!/bin/sh\n")
    write_stub(folder, "gh", GH)
    write_stub(folder, "curl", CURL)
    launcher(folder / "squadpress")
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone on a branch that changes a card, with the workflows on both branches."""
    project = Project(toy_project(tmp_path / "author"))
    (project.root / ".gitignore").write_text(".cache\n")
    assert run(project.root, "ci", "init").returncode == 0
    git(project.root, "init", "-b", "main")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-m", "Add the pack")
    git(
        tmp_path,
        "clone",
        "--quiet",
        "--bare",
        str(project.root),
        str(tmp_path / "origin.git"),
    )
    clone = tmp_path / "work" / "clone"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "origin.git"), str(clone))
    git(clone, "checkout", "-b", "moths")
    edit(clone / "cards/lanterns/spirit/dusk-moth.yaml", "lumen: 1", "lumen: 2")
    bump(Project(clone), "dusk-moth", {"en": "Brighter.", "de": "Heller."}, DAY)
    git(clone, "commit", "--all", "-m", "Change a stat")
    return clone


def load(root: Path, name: str) -> Any:
    return YAML(typ="safe").load((root / name).read_text())


def run_steps(
    root: Path, job: dict[str, Any], stubs: Path, values: dict[str, str]
) -> list[subprocess.CompletedProcess[str]]:
    """Run the shell steps of a job as a runner does, until one fails. Values are by expression."""

    def fill(text: str) -> str:
        return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: values[match[1]], text)

    path = f"{stubs}{os.pathsep}{os.environ['PATH']}"
    files = {
        name: stubs / name.lower() for name in ("GITHUB_ENV", "GITHUB_STEP_SUMMARY")
    }
    base = {**os.environ, "PATH": path, "STUBS": str(stubs)}
    base |= {name: str(file) for name, file in files.items()}
    base |= {name: fill(value) for name, value in job.get("env", {}).items()}
    results = []
    for step in job["steps"]:
        if "run" not in step:
            continue
        environment = (
            files["GITHUB_ENV"].read_text() if files["GITHUB_ENV"].exists() else ""
        )
        added = dict(line.split("=", 1) for line in environment.splitlines())
        if (
            step.get("if") == "env.IS_PRIVATE != 'true'"
            and base.get("IS_PRIVATE") == "true"
        ):
            continue
        env = (
            base
            | added
            | {name: fill(value) for name, value in step.get("env", {}).items()}
        )
        assert (
            "${{" not in step["run"]
        )  # an expression in a script would run what others wrote
        command = ["bash", "-e", "-c", step["run"]]
        process = subprocess.run(
            command, cwd=root, env=env, capture_output=True, text=True
        )
        results.append(process)
        if process.returncode:
            break
    return results


def compare_on_github(
    checkout: Path, stubs: Path
) -> list[subprocess.CompletedProcess[str]]:
    job = load(checkout, GITHUB)["jobs"]["cards"]
    results = run_steps(checkout, job, stubs, {"github.base_ref": "main"})
    if (checkout / "result").exists():
        (checkout / "result").rename(stubs / "artifact")
    return results


EVENT = {
    "github.token": "t",
    "github.repository": "moths/cards",
    "github.server_url": "https://github.com",
    "github.event.repository.private": "false",
    "github.event.workflow_run.id": "99",
    "github.event.workflow_run.head_repository.owner.login": "colleague",
    "github.event.workflow_run.head_branch": "moths",
}


def comment_on_github(tmp_path: Path, stubs: Path, **values: str) -> Path:
    """Run the comment's job in a checkout of the main branch."""
    base = tmp_path / "runner" / str(len(list(tmp_path.glob("runner/*")))) / "base"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "origin.git"), str(base))
    (stubs / "github_env").unlink(missing_ok=True)
    job = load(base, COMMENT)["jobs"]["comment"]
    for process in run_steps(base, job, stubs, EVENT | values):
        assert process.returncode == 0, process.stderr
    return base


def test_a_pull_request_gets_a_comment_with_pictures(
    checkout: Path, stubs: Path, tmp_path: Path
) -> None:
    for process in compare_on_github(checkout, stubs):
        assert process.returncode == 0, process.stderr
    changes = (stubs / "artifact/changes.md").read_text()
    assert "lumen: 1 -> 2" in changes
    assert "![Dusk Moth](pictures/lanterns/dusk-moth.png)" in changes
    summary = (stubs / "github_step_summary").read_text()
    assert "lumen: 1 -> 2" in summary
    assert "](pictures" not in summary
    with Image.open(stubs / "artifact/pictures/lanterns/dusk-moth.png") as picture:
        assert picture.width > picture.height / 2

    base = comment_on_github(tmp_path, stubs)
    commit = git(base, "rev-parse", "HEAD").strip()
    address = (
        f"https://raw.githubusercontent.com/moths/cards/{commit}/7/pictures/lanterns/"
    )
    comment = (stubs / "comment.md").read_text()
    assert f"![Dusk Moth]({address}dusk-moth.png)" in comment
    assert "https://github.com/moths/cards/actions/runs/99#artifacts" in comment
    assert "head=colleague:moths" in (stubs / "asked").read_text()
    assert (
        "pr comment 7 --repo moths/cards --edit-last --create-if-none"
        in (stubs / "commented").read_text()
    )
    origin = tmp_path / "origin.git"
    files = git(origin, "ls-tree", "-r", "--name-only", "card-previews").split()
    assert files == ["7/pictures/lanterns/dusk-moth.png"]  # and nothing of the project

    comment_on_github(tmp_path, stubs)  # the second run adds a commit to the branch
    assert git(origin, "rev-list", "--count", "card-previews").strip() == "2"


def test_a_private_repository_gets_a_link_instead_of_pictures(
    checkout: Path, stubs: Path, tmp_path: Path
) -> None:
    compare_on_github(checkout, stubs)
    comment_on_github(tmp_path, stubs, **{"github.event.repository.private": "true"})
    comment = (stubs / "comment.md").read_text()
    assert "![" not in comment
    assert "lumen: 1 -> 2" in comment
    assert "#artifacts" in comment
    assert "card-previews" not in git(tmp_path / "origin.git", "branch")


def test_the_comment_publishes_nothing_but_pictures(
    checkout: Path, stubs: Path, tmp_path: Path
) -> None:
    compare_on_github(checkout, stubs)
    folder = stubs / "artifact/pictures/lanterns"
    (folder / "script.sh").write_text("echo bad")
    (folder / "link.png").symlink_to("/etc/passwd")
    comment_on_github(tmp_path, stubs)
    files = git(
        tmp_path / "origin.git", "ls-tree", "-r", "--name-only", "card-previews"
    ).split()
    assert files == ["7/pictures/lanterns/dusk-moth.png"]


def test_a_history_that_disagrees_fails_after_the_comparison(
    checkout: Path, stubs: Path
) -> None:
    edit(checkout / "cards/lanterns/spirit/old-wick.yaml", "waft: 6", "waft: 7")
    results = compare_on_github(checkout, stubs)
    assert [process.returncode for process in results] == [0, 0, 0, 1]
    assert "old-wick" in (stubs / "artifact/changes.md").read_text()


def test_a_merge_request_gets_a_comment_and_then_another_text(
    checkout: Path, stubs: Path
) -> None:
    config = load(checkout, ".gitlab-ci.yml")["cards"]
    job = {"steps": [{"run": line} for line in config["script"]], "env": {}}
    job["env"] = {
        "CI_MERGE_REQUEST_IID": "3",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "5",
    }
    for process in run_steps(checkout, job, stubs, {}):
        assert process.returncode == 0, process.stderr
    assert not (
        stubs / "notes.json"
    ).exists()  # without a token there is only the artifact
    assert config["artifacts"]["paths"] == ["changes.md", "pictures/"]
    assert (checkout / "pictures/lanterns/dusk-moth.png").is_file()
    job["env"]["SQUADPRESS_TOKEN"] = "secret"
    for _time in range(2):
        (checkout / "changes.md").unlink()
        for process in run_steps(checkout, job, stubs, {}):
            assert process.returncode == 0, process.stderr
    (note,) = json.loads(
        (stubs / "notes.json").read_text()
    )  # the second one replaced the text
    assert "lumen: 1 -> 2" in note["body"]
    assert "![Dusk Moth](/uploads/1/dusk-moth.png)" in note["body"]


def test_jobs_have_no_more_rights_than_they_need(checkout: Path) -> None:
    cards, comment = load(checkout, GITHUB), load(checkout, COMMENT)
    # The job with the pull request's files may write nothing, and the other one runs none of them.
    assert cards["permissions"] == {"contents": "read"}
    assert comment["on"]["workflow_run"]["workflows"] == [cards["name"]]
    uses = [step for step in comment["jobs"]["comment"]["steps"] if "uses" in step]
    assert uses == [{"uses": "actions/checkout@v4"}]
    for workflow in (cards, comment):
        assert "secrets." not in json.dumps(workflow)
