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


def make_key(finding: Finding) -> FindingKey:
    """Return the key of a finding in a baseline file: its code, file, path and English message."""
    location = finding.location
    message = translate(finding.message, "en")
    return finding.code, location.file or "", location.path or "", message


def drop_known_findings(
    findings: Sequence[Finding], known_keys: Iterable[FindingKey]
) -> tuple[Finding, ...]:
    """Return the findings that are not known. A key that is known once hides one finding."""
    remaining = Counter(known_keys)
    new_findings = []
    for finding in findings:
        key = make_key(finding)
        if remaining[key] > 0:
            remaining[key] -= 1
        else:
            new_findings.append(finding)
    return tuple(new_findings)


def dump_baseline(findings: Iterable[Finding]) -> bytes:
    """Return findings as a baseline file, sorted so that two versions compare well."""
    keys = sorted(make_key(finding) for finding in findings)
    content = {"version": FORMAT_VERSION, "findings": keys}
    return dump_json(content, indent=1).encode()


def load_baseline(data: bytes) -> list[FindingKey]:
    """Return the keys in a baseline file. Raises ValueError for any other file."""
    content = json.loads(data)
    if not isinstance(content, dict) or content.get("version") != FORMAT_VERSION:
        raise ValueError("not a baseline")
    keys: list[FindingKey] = []
    for row in content.get("findings", ()):
        # A row of another length raises ValueError.
        code, file, path, message = map(str, row)
        keys.append((code, file, path, message))
    return keys
