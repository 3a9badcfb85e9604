"""What an order tells of its preflight: every error, and each sort of warning once."""

from __future__ import annotations

from builder.findings import Finding, Location, Severity
from builder.usecases.preflight.brief_findings import (
    format_number_ranges,
    shorten_findings,
)


def finding(
    code: str, page: int, severity: Severity = Severity.WARNING, file: str = "a.pdf"
) -> Finding:
    return Finding(
        f"preflight/{code}",
        f"on page {page}",
        severity=severity,
        location=Location(file=file, page=page),
    )


def test_errors_are_all_kept_and_warnings_are_counted() -> None:
    errors = [finding("rgb", page, Severity.ERROR) for page in (1, 2)]
    thin = [finding("thin-line", page) for page in (1, 2, 3)]
    other_finding = finding("thin-line", 1, file="b.pdf")
    brief_findings = shorten_findings([*errors, *thin, other_finding])
    assert brief_findings[:2] == tuple(errors)
    assert [finding.message for finding in brief_findings[2:]] == [
        "on page 1 (and 2 more in this file: pages 1–3)",
        "on page 1",
    ]
    assert [finding.location.file for finding in brief_findings[2:]] == [
        "a.pdf",
        "b.pdf",
    ]
    assert shorten_findings([errors[0], errors[0]]) == (errors[0],)


def test_pages_are_listed_as_ranges_and_many_of_them_in_short() -> None:
    assert format_number_ranges([2]) == "2"
    assert format_number_ranges([1, 2, 3, 7, 9, 10]) == "1–3, 7, 9–10"
    assert format_number_ranges(range(1, 56, 2)) == "1, 3, 5, 7, 9, 11, 13, …, 55"


def test_a_file_checked_with_and_without_its_letters_warns_of_a_thing_once() -> None:
    from builder.findings import Finding, Location, Severity
    from builder.usecases.preflight.brief_findings import merge_findings

    line = Finding(
        "preflight/thin-line",
        "10 more",
        "",
        Severity.WARNING,
        Location(file="a.pdf", page=1),
    )
    second_finding = Finding(
        "preflight/thin-line",
        "11 more",
        "",
        Severity.WARNING,
        Location(file="a.pdf", page=1),
    )
    other_finding = Finding(
        "preflight/thin-line",
        "11 more",
        "",
        Severity.WARNING,
        Location(file="b.pdf", page=1),
    )
    cut = Finding(
        "preflight/text-cut", "cut", "", Severity.ERROR, Location(file="a.pdf", page=1)
    )
    assert merge_findings([line], [second_finding, other_finding, cut]) == [
        line,
        other_finding,
        cut,
    ]
    assert merge_findings([cut], [cut, second_finding]) == [cut, cut, second_finding]
