"""Runs checks. Knows nothing of what they judge."""

from __future__ import annotations

from builder.checks.registry import card_checks
from builder.findings import Finding, in_order
from builder.model.loaded import LoadedPack


def judge_pack(loaded: LoadedPack) -> tuple[Finding, ...]:
    """All findings about a pack, those of loading first taken in, in order of place."""
    if loaded.pack is None:
        return loaded.findings
    found = [finding for _, check in card_checks() for finding in check(loaded)]
    return in_order((*loaded.findings, *found))
