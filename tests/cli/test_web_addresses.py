"""The future address of a website: only one that browsers open."""

from __future__ import annotations

import click
import pytest

from builder.cli.options import WebAddress
from tests.house.source import ROOT
from tests.program import run


def test_only_addresses_of_websites_are_accepted() -> None:
    kind = WebAddress()
    for address in ("", "https://cards.example.org", "http://localhost:8000/a/b/"):
        assert kind.convert(address, None, None) == address
    for address in (
        "not a url",
        "example.org",
        "https://",
        "ftp://a.example",
        "https://a b",
    ):
        with pytest.raises(click.BadParameter, match="no web address"):
            kind.convert(address, None, None)


@pytest.mark.parametrize("command", ["site", "release publish"])
def test_commands_refuse_other_addresses(command: str) -> None:
    answer = run(ROOT, *command.split(), "--base-url", "not a url")
    assert answer.returncode == 2
    assert "not a url" in answer.stderr
