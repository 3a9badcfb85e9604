"""The lock files pin everything and name neither a host nor a path."""

from __future__ import annotations

import re
import tomllib

import pytest

from builder.render.engines.plutoprint import adapter as plutoprint
from builder.render.engines.weasyprint import adapter as weasyprint
from tests.house.source import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([0-9][^\s;]*)(?: ; .*)?$")


def pins(lock: str) -> dict[str, str]:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    stated = [line for line in lines if line and not line.lstrip().startswith("#")]
    found = {line: PIN.match(line) for line in stated}
    assert [line for line, pin in found.items() if not pin] == []
    return {pin[1]: pin[2] for pin in found.values() if pin}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_no_path(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert (
        re.findall(
            r"https?:|file:|--index|--find|--extra|@ |/(?:home|opt|root|tmp|work)\b",
            text,
        )
        == []
    )


def test_both_locks_agree() -> None:
    small, large = pins(LOCKS[0]), pins(LOCKS[1])
    assert small.items() <= large.items()


def test_every_stated_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    stated = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    names = {
        re.split(r"[<>=~!;\[ ]", item)[0].lower().replace(".", "-") for item in stated
    }
    assert names <= pins(LOCKS[0]).keys()
    extras = [
        item
        for group in project["project"]["optional-dependencies"].values()
        for item in group
    ]
    names |= {re.split(r"[<>=~!;\[ ]", item)[0].lower() for item in extras}
    assert names <= pins(LOCKS[1]).keys()


def test_what_one_machine_can_do_is_set_up_with_the_first_command() -> None:
    # `make cards` installs the small lock, and the README's commands follow: only those of a
    # cluster ask for more.
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]["optional-dependencies"]
    wanted = [
        item
        for name, group in extras.items()
        if name not in ("cluster", "dev")
        for item in group
    ]
    assert {re.split(r"[<>=~!;\[ ]", item)[0].lower() for item in wanted} <= pins(
        LOCKS[0]
    ).keys()


def test_the_pinned_engines_are_some_that_were_tried() -> None:
    # With any other version a note says that it was not tried.
    assert pins(LOCKS[0])["weasyprint"] in weasyprint.TESTED_VERSIONS
    assert pins(LOCKS[0])["plutoprint"] in plutoprint.TESTED_VERSIONS
