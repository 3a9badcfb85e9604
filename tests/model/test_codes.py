"""Codes of findings: how a check becomes stricter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.findings import Severity
from builder.model import codes


@pytest.fixture
def code_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(codes, "_CODES_BY_NAME", {})
    monkeypatch.setattr(codes, "VERSION", "0.2.0")
    return


@pytest.mark.parametrize(
    ("error_from", "severity"),
    [
        ("", Severity.ERROR),
        ("0.2.0", Severity.ERROR),
        ("0.3.0", Severity.WARNING),
        ("0.10.0", Severity.WARNING),
    ],
)
@pytest.mark.usefixtures("code_table")
def test_a_stricter_check_warns_until_its_version(
    error_from: str, severity: Severity
) -> None:
    code = codes.define(
        "toy/strict", "A toy", "Reason.", "Fix it.", error_from=error_from
    )
    finding = code.finding("a toy is broken")
    assert finding.severity is severity
    announces = f"Fix it. From version {error_from} on, this is an error."
    assert finding.hint == (announces if severity is Severity.WARNING else "Fix it.")


@pytest.mark.usefixtures("code_table")
def test_an_ordinary_warning_announces_nothing() -> None:
    code = codes.define("toy/mild", "A toy", "Reason.", "Fix it.", Severity.WARNING)
    assert code.finding("a toy is odd").hint == "Fix it."


def test_a_new_case_of_a_code_is_a_warning_until_its_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = codes.Code("toy/wide", "Wide", "It is cut off.", "Shorten it.")
    monkeypatch.setattr(codes, "VERSION", "0.2.0")
    finding = codes.make_stricter_code(code, "0.3.0").finding("too wide")
    assert (finding.code, finding.severity) == ("toy/wide", Severity.WARNING)
    assert "0.3.0" in finding.hint
    monkeypatch.setattr(codes, "VERSION", "0.3.0")
    assert codes.make_stricter_code(code, "0.3.0") is code
