"""Shorten the findings of a preflight: one warning for many of the same code."""

from collections.abc import Sequence
from dataclasses import replace

from builder.findings import Finding, Severity
from builder.messages import gettext as _

MAX_LISTED_RANGES = 8
"""Ranges of pages in a message."""


def shorten_findings(
    findings: Sequence[Finding], *, pages: bool = True
) -> tuple[Finding, ...]:
    """Keep all errors, but only the first warning of each code in each file.

    The message of the warning names the number of others and, with `pages`, their pages.
    """
    groups: dict[object, list[Finding]] = {}
    for finding in dict.fromkeys(findings):
        key: object = (finding.location.file, finding.code)
        if finding.severity is Severity.ERROR:
            key = finding  # a group of its own
        groups.setdefault(key, []).append(finding)
    return tuple(
        _merge_similar(similar_findings, pages) for similar_findings in groups.values()
    )


def _merge_similar(similar_findings: Sequence[Finding], pages: bool) -> Finding:
    """Return the first of similar warnings, with the number and pages of the others added."""
    first = similar_findings[0]
    if len(similar_findings) == 1:
        return first
    numbers: set[int] = set()
    if pages:
        numbers = {
            finding.location.page
            for finding in similar_findings
            if finding.location.page
        }
    form = _("{what} (and {many} more in this file)")
    if len(numbers) > 1:
        form = _("{what} (and {many} more in this file: pages {pages})")
    listed = format_number_ranges(sorted(numbers))
    message = _(form, what=first.message, many=len(similar_findings) - 1, pages=listed)
    return replace(first, message=message)


def format_number_ranges(
    numbers: Sequence[int], max_ranges: int = MAX_LISTED_RANGES
) -> str:
    """Format ascending numbers as ranges, such as `1–4, 7`.

    If there are more than `max_ranges` ranges, the first ones and the last one are shown.
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    ranges = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    if len(ranges) > max_ranges:
        ranges = [*ranges[: max_ranges - 1], "…", ranges[-1]]
    return ", ".join(ranges)


def merge_findings(
    first_findings: Sequence[Finding], second_findings: Sequence[Finding]
) -> list[Finding]:
    """Join the findings of a first and a second check of the same files.

    A warning of the second check is dropped if the first has one of that code for the file.
    """
    first_warnings: set[tuple[str | None, str]] = set()
    for finding in first_findings:
        if finding.severity is not Severity.ERROR:
            first_warnings.add((finding.location.file, finding.code))
    merged_findings = [*first_findings]
    for finding in second_findings:
        is_error = finding.severity is Severity.ERROR
        if is_error or (finding.location.file, finding.code) not in first_warnings:
            merged_findings.append(finding)
    return merged_findings
