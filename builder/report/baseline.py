"""Find the findings that were not there before. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from builder.findings import Finding
from builder.messages import translate
from builder.report.json_text import dump_json

FORMAT_VERSION = 1
FindingKey: TypeAlias = tuple[str, str, str, str]
"""Code, file, path and message in English. Lines are no part of it: an edit above moves them."""


def make_finding_key(finding: Finding) -> FindingKey:
    """Return the 4 values that identify a finding in a baseline file."""
    location = finding.location
    message = translate(finding.message, "en")
    return finding.code, location.file or "", location.path or "", message


def drop_known_findings(
    findings: Sequence[Finding], known_keys: Iterable[FindingKey]
) -> tuple[Finding, ...]:
    """Return the findings that a baseline does not list. Each key hides only one equal finding."""
    # Counted, so that a second finding with the same message is still reported as new.
    remaining = Counter(known_keys)
    new_findings = []
    for finding in findings:
        key = make_finding_key(finding)
        if remaining[key] > 0:
            remaining[key] -= 1
        else:
            new_findings.append(finding)
    return tuple(new_findings)


def dump_baseline(findings: Iterable[Finding]) -> bytes:
    """Format findings as a baseline file (JSON), sorted so that two versions compare well."""
    keys = sorted(make_finding_key(finding) for finding in findings)
    content = {"version": FORMAT_VERSION, "findings": keys}
    return dump_json(content, indent=1).encode()


def load_baseline(data: bytes) -> list[FindingKey]:
    """Parse a baseline file. Raise ValueError if the data is not one."""
    content = json.loads(data)
    if not isinstance(content, dict) or content.get("version") != FORMAT_VERSION:
        raise ValueError("not a baseline")
    keys: list[FindingKey] = []
    for row in content.get("findings", ()):
        # A row of another length raises ValueError.
        code, file, path, message = map(str, row)
        keys.append((code, file, path, message))
    return keys
