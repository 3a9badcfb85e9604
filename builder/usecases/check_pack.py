"""Check packs: load them, run the checks, check their sample rosters."""

from collections.abc import Iterator

from builder.checks.cards.formats import find_unknown_releases
from builder.checks.cards.references import KnownNames
from builder.checks.cards.rulings import check_rulings
from builder.checks.registry import check_loaded_pack, run_checks
from builder.checks.roster.verdict import EXPECTATION, NOT_DECIDED, RULE_BROKEN
from builder.findings import Finding, has_errors
from builder.model.loaded import LoadedPack
from builder.packs.file_codes import LINKED_FOLDER, MISSING_PART, MISSING_RULES
from builder.packs.pack_files import PackFiles
from builder.packs.profiles import load_publish_files
from builder.packs.project import Project
from builder.packs.rosters import read_roster
from builder.packs.tables.mapping_file import load_mappings
from builder.usecases.appearance import check_appearance
from builder.usecases.build.build_options import get_render_folders
from builder.usecases.build.engine_choice import with_chosen_engine
from builder.usecases.imports.title_cards import check_title_card
from builder.usecases.pack_states import (
    find_missing_files,
    find_missing_rules,
    find_verdict_errors,
    load_pack_as_of,
)
from builder.usecases.release.branches import find_lost_changes, find_same_versions
from builder.usecases.release.rulings import open_rulings
from builder.usecases.roster.check_roster import RosterCheckers, check_roster


def check_packs(
    project: Project, pack: str | None, as_of: str | None = None
) -> tuple[Finding, ...]:
    """Run all checks on one pack or all packs, as edited or as released. Return the findings.

    Without `as_of`, print profiles and presets of shops are checked too.
    """
    findings: list[Finding] = []
    if as_of is None:
        publish_files, file_findings = load_publish_files(project)
        findings += file_findings
        for publish_file in publish_files:
            findings += run_checks("cards", publish_file)
    for pack_id in project.choose_packs(pack):
        loaded = load_pack_as_of(PackFiles(project), pack_id, as_of)
        if any(finding.code == LINKED_FOLDER.code for finding in loaded.findings):
            # A check would blame the other files for what is in the linked folder.
            findings += loaded.findings
            continue
        loaded = with_chosen_engine(get_render_folders(project, pack_id), loaded)[0]
        pack_findings = check_loaded_pack(loaded)
        findings += pack_findings
        if as_of is None:
            findings += _check_working_files(
                project, pack_id, loaded, has_errors(pack_findings)
            )
    return tuple(findings)


def _check_working_files(
    project: Project, pack: str, loaded: LoadedPack, faulty: bool
) -> Iterator[Finding]:
    """Check the files of a pack that a release does not contain.

    They are sample rosters, table mappings, releases, rulings, and pictures and templates.
    """
    yield from _find_missing_files(project, pack, loaded)
    yield from check_samples(project, pack, loaded, faulty)
    yield from load_mappings(project, pack)[1]
    releases = PackFiles(project).open_releases(pack)
    yield from releases.load_migrations()[1]
    yield from releases.find_damage(thorough=True)
    yield from find_same_versions(releases)
    yield from find_lost_changes(releases)
    versions = [release.version for release in releases.list_releases()]
    yield from find_unknown_releases(loaded, versions)
    if loaded.pack is not None:
        yield from check_appearance(project, loaded)
    if (project.get_cards_dir(pack) / "rulings").is_dir():
        rulings, ruling_findings = open_rulings(PackFiles(project), pack)
        yield from ruling_findings
        names = (
            KnownNames({}, {}) if loaded.pack is None else KnownNames.collect(loaded)
        )
        yield from check_rulings(rulings, names, versions)


def _find_missing_files(
    project: Project, pack: str, loaded: LoadedPack
) -> Iterator[Finding]:
    """Report files that a pack should have. Only packs with sample rosters need rules."""
    if loaded.pack is None:
        return
    reported = {
        finding.location.file for finding in loaded.findings if has_errors((finding,))
    }
    missing = [*find_missing_files(PackFiles(project), loaded)]
    if project.list_rosters(pack):
        missing += find_missing_rules(loaded)
    yield from (finding for finding in missing if finding.location.file not in reported)


def check_samples(
    project: Project, pack: str, loaded: LoadedPack, faulty: bool
) -> Iterator[Finding]:
    """Check the sample rosters of a pack.

    Broken rules are no findings, because samples may show them on purpose. Without a completely
    read pack, samples are only parsed. If the pack is `faulty`, unmet expectations of samples are
    left out, because its errors may be their cause.
    """
    if loaded.pack is None:
        return
    packs = PackFiles(project)
    is_complete = not has_errors(loaded.findings) and not find_verdict_errors(
        packs, loaded
    )
    excluded_codes = {RULE_BROKEN.code, NOT_DECIDED.code}
    excluded_codes |= {
        MISSING_PART.code,
        MISSING_RULES.code,
    }  # reported once for the pack
    if faulty:
        excluded_codes.add(EXPECTATION.code)
    checkers = RosterCheckers(packs)
    if is_complete:
        checkers.add_pack(loaded, pack)
    for path in project.list_rosters(pack):
        sample = read_roster(path, project, loaded.pack.manifest.roster)
        findings = sample.findings
        result = None
        if is_complete and sample.roster is not None and sample.roster.pack == pack:
            result = check_roster(checkers, sample, repaired=False)
            findings = result.findings
        yield from (
            finding for finding in findings if finding.code not in excluded_codes
        )
        if result is not None:
            yield from check_title_card(project, result)
