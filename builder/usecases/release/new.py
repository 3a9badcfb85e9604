"""Make a release: load the pack, check its data and the release, and write it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from builder.checks.registry import check_loaded_pack, run_checks
from builder.checks.roster.verdict import EXPECTATION
from builder.errata import release_codes
from builder.errata.change import iterate_leaves
from builder.errata.rebase import merge_draft
from builder.errata.release import Proposal, Release, find_predecessor, list_lineage
from builder.errata.snapshot import (
    FACES_ENGINE,
    FACES_PROGRAM,
    Snapshot,
    load_snapshot,
)
from builder.errors import UsageError
from builder.findings import Finding, Severity, has_errors, sort_findings
from builder.messages import gettext as _
from builder.model.card import Migration
from builder.model.loaded import LoadedPack
from builder.model.words import suggest_word
from builder.packs.pack_files import PackFiles
from builder.packs.releases.folders import Releases
from builder.usecases.check_pack import check_samples
from builder.usecases.pack_states import find_first_releases_before, read_working_pack

if TYPE_CHECKING:
    from builder.usecases.build.build_options import EngineChoice
    from builder.usecases.build.faces import ProvePrint

T = TypeVar("T")


@dataclass(frozen=True)
class MadeRelease:
    """The result of making a release. If it was refused, `findings` say why."""

    proposal: Proposal
    findings: tuple[Finding, ...]
    frozen: bool = False
    refused: bool = False
    engine_choice: "EngineChoice | None" = None


@dataclass(frozen=True, slots=True)
class ReleaseRequest:
    """The request to make a release: version, dates and options.

    `dry`: write nothing; findings and exceptions are those of the real run. `only`: release these
    cards, and all others as in the previous release. `staged`: release the draft of this version.
    `draft`: write a draft, even if cards cannot be printed. `announcement`: the page on which the
    release is announced; default: that of the draft. `continues_withdrawn`: allow a release
    that is based on a withdrawn one.
    """

    version: str
    effective: date
    released: date
    dry: bool = False
    only: Collection[str] = ()
    staged: bool = False
    draft: bool = False
    continues_withdrawn: bool = False
    announcement: str = ""


def make_release(
    packs: PackFiles,
    pack: str,
    request: ReleaseRequest,
    pictures: "ProvePrint | None" = None,
) -> MadeRelease:
    """Release a pack, or return the errors that prevent it.

    `pictures` renders all faces. It gives their digests, their errors and the engine.
    """
    releases = packs.open_releases(pack)
    last = find_predecessor(releases.list_releases(), request.version)
    proposal, pack_findings, loaded = _make_proposal(
        packs, pack, releases, last, request
    )
    findings = sort_findings(
        (*pack_findings, *check_loaded_pack(loaded), *run_checks("release", proposal))
    )
    state = proposal.state
    choice = None
    is_refused = has_errors(findings)
    if pictures is not None and not is_refused:
        proof = pictures(loaded)
        choice = proof.engine_choice
        findings = sort_findings((*findings, *proof.findings))
        if not request.draft:  # a draft may have faults of print; its release may not
            digests = proof.digests
            if request.only and proposal.previous is not None:
                digests = keep_faces(proposal.previous, digests, request.only)
            state = replace(state, faces=digests, engine=proof.engine)
            is_refused = has_errors(findings)
    if is_refused:
        return MadeRelease(proposal, findings, refused=True)
    findings = sort_findings((*findings, *_check_sample_squads(packs, pack, loaded)))
    target = releases.drafts if request.draft else releases
    # A dry run also finds out whether the folder can be written.
    if request.dry:
        target.check_target(request.version)
        return MadeRelease(proposal, findings, engine_choice=choice)
    dates = Release(request.version, request.released, request.effective)
    target.write_release(state, request.version, dates, last.version if last else None)
    if request.staged:
        releases.drafts.discard_draft(request.version)
    return MadeRelease(proposal, findings, frozen=True, engine_choice=choice)


def _check_sample_squads(
    packs: PackFiles, pack: str, loaded: LoadedPack
) -> Iterator[Finding]:
    """Yield a warning for each sample squad without its expected result in the released pack.

    Sample squads are no part of a release, so they do not prevent it.
    """
    for finding in check_samples(packs.project, pack, loaded, faulty=False):
        if finding.code == EXPECTATION.code:
            form = _(
                "`squadpress check {pack}` reports this as an error. If the new result is right, "
                "correct `expect` in the roster. Otherwise correct the rule or the card."
            )
            hint = _(form, pack=pack)
            yield replace(finding, severity=Severity.WARNING, hint=hint)


def _make_proposal(
    packs: PackFiles,
    pack: str,
    releases: Releases,
    last: Release | None,
    request: ReleaseRequest,
) -> tuple[Proposal, tuple[Finding, ...], LoadedPack]:
    """Load the state to release, and the earlier releases that checks compare it with.

    `last` is the release before it. Also return the errors of the files, and the loaded pack.
    """
    version = request.version
    all_releases = releases.list_releases()
    previous, old_findings = releases.load_state(last.version) if last else (None, ())
    if request.staged:
        state, state_findings, loaded = _load_draft(releases, version, last)
    else:
        state, state_findings, loaded = read_working_pack(packs, pack)
    if request.only:
        state, state_findings, loaded = _select_cards(
            state, state_findings, previous, request.only
        )
    announcement = request.announcement or (
        state.announcement if request.staged else ""
    )
    state = replace(
        state,
        released=request.released,
        effective=request.effective,
        announcement=announcement,
    )
    # Only play formats ask in which release a card was new.
    if state.formats:
        state = replace(
            state, introduced=find_first_releases_before(releases, state, version)[0]
        )
    lineage = list_lineage(all_releases, last) if last is not None else all_releases
    proposal = Proposal(
        version,
        request.released,
        request.effective,
        state,
        previous,
        tuple(release.version for release in all_releases),
        {file.id or file.stem: file.document for file in loaded.files},
        _load_releases_outside_lineage(releases, lineage, version),
        last is not None and last.withdrawal is not None,
        _load_last_valid_state(releases, lineage, last),
        request.continues_withdrawn,
    )
    release_findings = dict.fromkeys(
        (*releases.find_damage(thorough=True), *old_findings)
    )
    return proposal, (*state_findings, *release_findings), loaded


def _load_releases_outside_lineage(
    releases: Releases, lineage: Sequence[Release], version: str
) -> tuple[Snapshot, ...]:
    """Load the releases that this version is not based on, directly or indirectly."""
    return tuple(
        releases.load_state(release.version)[0]
        for release in releases.list_releases()
        if release not in lineage and release.version != version
    )


def _load_last_valid_state(
    releases: Releases, lineage: Sequence[Release], last: Release | None
) -> Snapshot | None:
    """Load the last release before a withdrawn one that is valid.

    None if `last` was not withdrawn.
    """
    if last is None or last.withdrawal is None:
        return None
    for release in reversed(lineage):
        if release.withdrawal is None:
            return releases.load_state(release.version)[0]
    return None


Source: TypeAlias = tuple[Snapshot, tuple[Finding, ...], LoadedPack]
"""A state of a pack, the findings about it, and the pack loaded from it."""


def _load_draft(releases: Releases, version: str, last: Release | None) -> Source:
    """Load a draft. Also return a finding if a release was made after it."""
    state, findings = releases.drafts.load_state(version)
    drafts_by_version = {
        draft.version: draft for draft in releases.drafts.list_releases()
    }
    draft = drafts_by_version.get(version)
    if draft is not None and last is not None and draft.previous != last.version:
        form = _(
            "the draft of {version} is based on {base}, but {last} was released since"
        )
        base = draft.previous or _("nothing")
        message = _(form, version=version, base=base, last=last.version)
        findings = (*findings, release_codes.OUTDATED_DRAFT.finding(message))
    return state, findings, load_snapshot(state, f"draft:{version}")


def _select_cards(
    state: Snapshot,
    findings: Sequence[Finding],
    before: Snapshot | None,
    only: Collection[str],
) -> Source:
    """Return the previous state with only the given cards updated.

    Raise UsageError for an unknown card.
    """
    if before is None:
        message = _("there is no earlier release to take the other cards from")
        raise UsageError(message, _("Release the whole pack first."))
    for card in only:
        if card not in state.cards:
            message = _("the card {value} does not exist", value=card)
            raise UsageError(message, suggest_word(card, state.cards))

    migrations = _take_migrations(before, state, only)
    removed_ids = {step.old for step in migrations}

    def update_cards(old: Mapping[str, T], new: Mapping[str, T]) -> dict[str, T]:
        kept = {card: old[card] for card in old if card not in removed_ids}
        return {**kept, **{card: new[card] for card in only if card in new}}

    translations = {}
    for lang in state.languages[1:]:
        old_texts = before.translations.get(lang, {})
        new_texts = state.translations.get(lang, {})
        translations[lang] = update_cards(old_texts, new_texts)
    selected = replace(
        before,
        label=state.label,
        cards=update_cards(before.cards, state.cards),
        texts=update_cards(before.texts, state.texts),
        rich=update_cards(before.rich, state.rich),
        files=_update_pictures(before, state, only),
        faces={},
        engine=None,
        translations=translations,
        migrations=(*before.migrations, *migrations),
    )
    card_findings = tuple(
        finding
        for finding in findings
        if PurePosixPath(finding.location.file or "").stem in only
    )
    return selected, card_findings, load_snapshot(selected, "work")


def _take_migrations(
    before: Snapshot, state: Snapshot, only: Collection[str]
) -> tuple[Migration, ...]:
    """Return the new lines of migrations.yaml that lead to the given cards.

    Raise UsageError if a line also leads to another card that no release has.
    """
    new_cards = {card for card in only if card not in before.cards}
    migrations: list[Migration] = []
    # A card may have been renamed twice, so its lines are followed from the last one.
    for step in reversed(state.migrations):
        if step in before.migrations or new_cards.isdisjoint(step.new):
            continue
        missing = [
            card
            for card in step.new
            if card not in new_cards and card not in before.cards
        ]
        if missing:
            form = _("{old} becomes {new}, and {missing} is not selected")
            new = ", ".join(step.new)
            message = _(form, old=step.old, new=new, missing=", ".join(missing))
            raise UsageError(message, _("Select all cards that replace it."))
        migrations.insert(0, step)
        new_cards.add(step.old)
    return tuple(migrations)


def _update_pictures(
    before: Snapshot, state: Snapshot, only: Collection[str]
) -> dict[str, str]:
    """Return the pictures of the previous state, with those of the updated cards."""
    files = dict(before.files)
    for card in only:
        for _path, name in iterate_leaves(dict(state.cards[card])):
            file = f"cards/{state.pack}/art/{name}"
            if file in state.files:
                files[file] = state.files[file]
    return files


def keep_faces(
    before: Snapshot, digests: Mapping[str, str], only: Collection[str]
) -> dict[str, str]:
    """Return the digests of all faces: new ones of the given cards, previous ones of others.

    The new templates are no part of a release of single cards, so its notes must not say that all
    cards look different. Digests by another program or engine are left out: nothing can be compared
    with them.
    """
    makers = (FACES_PROGRAM, FACES_ENGINE)
    kept_faces: Mapping[str, str] = {}
    if all(before.faces.get(key) == digests.get(key) for key in makers):
        kept_faces = before.faces
    # A key is LANGUAGE/CARD/FACE, or the name of a maker.
    taken_faces = {
        key: digest
        for key, digest in digests.items()
        if key in makers or key.split("/")[1] in only
    }
    return {**kept_faces, **taken_faces}


@dataclass(frozen=True, slots=True)
class RebasedDraft:
    """A draft before and after it was updated to a later release, with conflicts.

    `base` is the release that it was based on before, None for none, and `onto` the later one.
    """

    base: str | None
    onto: str
    before: Snapshot
    after: Snapshot
    findings: tuple[Finding, ...]


def rebase_draft(
    releases: Releases, version: str, *, dry: bool = False
) -> RebasedDraft:
    """Update a draft to the latest release before it. With `dry`, write nothing.

    Raise UsageError if there is no such draft or no later release than the one it is based on.
    """
    before, draft_findings = releases.drafts.load_state(version)
    drafts_by_version = {
        draft.version: draft for draft in releases.drafts.list_releases()
    }
    draft = drafts_by_version.get(version)
    if draft is None:
        raise UsageError(_("there is no draft of {version}", version=version))
    last = find_predecessor(releases.list_releases(), version)
    if last is None or last.version == draft.previous:
        raise UsageError(
            _(
                "the draft of {version} is already based on the latest release",
                version=version,
            )
        )
    base = Snapshot(before.pack, "nothing")
    if draft.previous:
        base = releases.load_state(draft.previous)[0]
    onto, flaws = releases.load_state(last.version)
    after, conflicts = merge_draft(base, before, onto, f"draft:{version}")
    findings = sort_findings((*draft_findings, *flaws, *conflicts))
    if not dry and not has_errors(findings):
        releases.drafts.write_release(after, version, draft, last.version)
    return RebasedDraft(draft.previous, last.version, before, after, findings)
