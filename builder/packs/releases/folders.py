"""The releases of a pack on disk: one folder per version, written once and never again."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias, TypeVar, cast

from pydantic import BaseModel, TypeAdapter

from builder.errata import release_codes
from builder.errata.chain import ChainLink, find_broken_links, find_heads
from builder.errata.release import Release, find_newest, parse_version
from builder.errata.snapshot import (
    ReleaseEngine,
    ReleaseManifest,
    Snapshot,
    Withdrawal,
    Withdrawals,
    extract_contract,
    format_canonical,
    hash_data,
    is_converted,
)
from builder.errors import OutputNotWritten, UsageError
from builder.files import (
    find_files,
    hash_file,
    is_within,
    lock_file,
    read_limited,
    require_within,
    write_atomic,
)
from builder.findings import Finding, Location
from builder.messages import describe_os_error, gettext as _
from builder.model.base import Id, Json
from builder.model.card import Migration, Migrations, TranslatedText
from builder.model.words import suggest_word
from builder.packs import file_codes as store_codes
from builder.packs.exchange import parse_json
from builder.packs.project import PUBLISHED_SCHEMA, Project
from builder.packs.releases.package import MANIFEST, open_package
from builder.packs.sources import Reader

Translated: TypeAlias = Mapping[str, Mapping[str, Json]]

M = TypeVar("M", bound=BaseModel)
FORMAT_VERSION = 1
MAX_RELEASE_BYTES = 128_000_000
"""Bytes of all parts of a release together: ten thousand cards in two languages have 32 million."""
EMPTY_PART_BYTES = len(b"{}\n")
"""Bytes of a part up to which it is an empty list or map."""
_OBJECT = TypeAdapter[Mapping[str, Json]](Mapping[str, Json])
_WORDS = TypeAdapter[Mapping[str, str]](Mapping[str, str])
TRANSLATED = TypeAdapter[object](Mapping[Id, Mapping[str, TranslatedText]])
SHAPES: Mapping[str, TypeAdapter[Any]] = {
    **dict.fromkeys(("manifest", "vocabulary", "rules", "formats"), _OBJECT),
    "cards": TypeAdapter(Mapping[Id, Mapping[str, Json]]),
    "texts": TypeAdapter(Mapping[Id, tuple[str, ...]]),
    "rich": TypeAdapter(Mapping[Id, frozenset[str]]),
    **dict.fromkeys(("files", "faces", "introduced"), _WORDS),
    "migrations": TypeAdapter(tuple[Migration, ...]),
}
"""The type of each part of a release. A part is a file with the name of a field of the state."""
FIELDS = {"pack.json": "manifest"} | {
    f"{name}.json": name for name in SHAPES if name != "manifest"
}


@dataclass(frozen=True)
class Releases:
    """The releases of one pack on disk, or its drafts if `staged`.

    Drafts are no part of the history, and may be replaced.
    """

    project: Project
    pack: str
    staged: bool = False

    @property
    def folder(self) -> Path:
        """The folder with one folder for each version."""
        folder = self.project.get_cards_dir(self.pack) / "releases"
        return folder / ".drafts" if self.staged else folder

    @property
    def drafts(self) -> "Releases":
        """The drafts of the pack: releases that are prepared and not published."""
        return Releases(self.project, self.pack, staged=True)

    def remove_after_block(self, version: str) -> AbstractContextManager[None]:
        """Return a context manager that removes a release if its block succeeds."""
        return _set_draft_aside(self.find_path(version))

    def discard_draft(self, version: str) -> None:
        """Remove a draft, if it exists."""
        if self.staged:
            shutil.rmtree(self.find_path(version), ignore_errors=True)

    def list_releases(self) -> tuple[Release, ...]:
        """Return all releases with a readable manifest, sorted by the day they take effect."""
        withdrawals = {
            withdrawal.version: withdrawal for withdrawal in self.load_withdrawals()[0]
        }
        releases: list[Release] = []
        for path in self._list_version_folders():
            manifest = _read_manifest(path)
            if manifest is not None:
                release = Release(
                    path.name,
                    manifest.released,
                    manifest.effective,
                    manifest.previous,
                    withdrawals.get(path.name),
                    manifest.announcement or "",
                )
                releases.append(release)
        return tuple(sorted(releases, key=lambda release: release.order))

    def _list_version_folders(self) -> list[Path]:
        """Return the folders of all versions, readable or not."""
        paths = sorted(self.folder.glob("*"))
        return [path for path in paths if parse_version(path.name) and path.is_dir()]

    def find_damage(self, thorough: bool = False) -> tuple[Finding, ...]:
        """Report unreadable manifests, missing releases and releases that were replaced.

        With `thorough`, also report every part whose bytes differ from its manifest.
        """
        folders = self._list_version_folders()
        damaged_folders = [path for path in folders if _read_manifest(path) is None]
        findings = [
            _report_damaged(self.project.shorten_path(path)) for path in damaged_folders
        ]
        # A folder that cannot be listed looks like one without releases.
        if os.path.lexists(self.folder):
            try:
                next(os.scandir(self.folder), None)
            except OSError as error:
                message = _("cannot be read: {reason}", reason=describe_os_error(error))
                location = Location(file=self.project.shorten_path(self.folder))
                findings.append(release_codes.UNREADABLE.finding(message, location))
        findings += find_broken_links(self.list_links())
        _withdrawals, withdrawal_findings = self.load_withdrawals()
        findings += withdrawal_findings
        if thorough:
            for path in folders:
                findings += self._find_altered_parts(path)
        return tuple(findings)

    def _find_altered_parts(self, folder: Path) -> Iterator[Finding]:
        manifest = _read_manifest(folder)
        for item in manifest.files if manifest is not None else ():
            part = folder / item.path
            name = f"{self.project.shorten_path(folder)}/{item.path}"
            if not is_within(folder, part) or not part.is_file():
                yield _report_altered(name)
            elif hash_file(part) != item.sha256:
                yield _report_altered(name, part, item.sha256)

    def list_links(self) -> tuple[ChainLink, ...]:
        """Return the hashes by which each release refers to the releases before it."""
        links: list[ChainLink] = []
        for path in self._list_version_folders():
            manifest = _read_manifest(path)
            if manifest is None:
                continue
            link = ChainLink(
                path.name,
                f"{self.project.shorten_path(path)}/{MANIFEST}",
                hash_file(path / MANIFEST),
                manifest.previous,
                {release.version: release.sha256 for release in manifest.predecessors},
                _hash_with_lf(path / MANIFEST),
            )
            links.append(link)
        return tuple(links)

    def load_withdrawals(self) -> tuple[tuple[Withdrawal, ...], tuple[Finding, ...]]:
        """Return the entries of withdrawn.yaml, and the findings about the file."""
        file, findings = self._load_list(self.folder / "withdrawn.yaml", Withdrawals)
        return file.withdrawn if file else (), findings

    def write_withdrawal(self, mark: Withdrawal) -> Path:
        """Add a release to withdrawn.yaml. Raise UsageError if it is already withdrawn."""
        from builder.packs.yaml.editing import YamlText

        path = self.find_path("withdrawn.yaml")
        if any(
            withdrawal.version == mark.version
            for withdrawal in self.load_withdrawals()[0]
        ):
            raise UsageError(
                _("{version} is already withdrawn", version=mark.version), str(path)
            )
        text = path.read_text("utf-8") if path.is_file() else "withdrawn: []\n"
        edit = YamlText(text, self.project.shorten_path(path))
        edit.append_item(
            ("withdrawn",), mark.model_dump(mode="json", exclude_none=True)
        )
        write_atomic(path, edit.text.encode())
        return path

    def find_path(self, name: str) -> Path:
        """Return a path in the folder of releases.

        Raise OutputNotWritten if a link leads out of the pack.
        """
        path = self.folder / name
        require_within(self.project.get_cards_dir(self.pack), path, self.folder)
        return path

    def has_version(self, version: str) -> bool:
        """Return True if a release exists, even if its manifest cannot be read."""
        return (
            parse_version(version) is not None
            and (self.folder / version / MANIFEST).is_file()
        )

    def load_schemas(self) -> dict[str, bytes]:
        """Return the JSON Schemas that are published with a release, by file name."""
        paths = (PUBLISHED_SCHEMA, *sorted(self.project.core_schemas.glob("*.json")))
        return {path.name: read_limited(path) for path in paths}

    def read_parts(self, version: str) -> dict[str, bytes]:
        """Return the bytes of a release's manifest and of all its files, by name."""
        folder = self.folder / version
        manifest = _read_manifest(folder)
        parts = {MANIFEST: read_limited(folder / MANIFEST)}
        for item in manifest.files if manifest is not None else ():
            path = folder / item.path
            # The manifest may be a stranger's, and name files outside.
            if is_within(folder, path):
                parts[item.path] = read_limited(path)
        return parts

    def load_state(self, version: str) -> tuple[Snapshot, tuple[Finding, ...]]:
        """Load a release. Return it with the findings about its files.

        Raise UsageError if there is no such version.
        """
        folder = self.folder / version
        if not self.has_version(version):
            versions = [release.version for release in self.list_releases()]
            form = _("{pack} has no release {version}")
            if self.staged:
                form = _("{pack} has no draft of {version}")
            hint: str = _("Create the first with `squadpress release new`.")
            if versions:
                hint = suggest_word(version, versions, _("Releases"))
            raise UsageError(_(form, pack=self.pack, version=version), hint)
        name = self.project.shorten_path(folder)
        state, findings = _read_state(folder, name, version, self.pack)
        withdrawals, _findings = self.load_withdrawals()
        marks = {mark.version: mark for mark in withdrawals}
        # A draft is rendered like the pack that it is from.
        engine = None if self.staged else state.engine
        return replace(state, withdrawal=marks.get(version), engine=engine), findings

    def check_target(self, version: str) -> None:
        """Raise OutputNotWritten if a release exists already, or its folder is read-only."""
        target = self.find_path(version)
        if target.exists() and not self.staged:
            remedy = _(
                "A published version is never overwritten. Choose the next version."
            )
            raise OutputNotWritten(_("{file} already exists", file=target), remedy)
        parent = next(
            (folder for folder in target.parents if folder.exists()), target.parent
        )
        if not os.access(parent, os.W_OK | os.X_OK):
            message = _("{file} cannot be written", file=target)
            raise OutputNotWritten(
                message, _("Make the folder {folder} writable.", folder=parent)
            )

    def write_release(
        self, state: Snapshot, version: str, dates: Release, previous: str | None
    ) -> Path:
        """Write a pack as a new release, which is never overwritten. Return its folder.

        All files are written next to the target, which is renamed once.
        """
        target = self.find_path(version)
        aside = _set_draft_aside(target) if self.staged else nullcontext()
        # Two processes must not write the same version at once.
        with lock_file(self.project.cache_dir / "releases" / self.pack), aside:
            self.check_target(version)
            parts = {name: text.encode() for name, text in _format_parts(state)}
            # The order of the keys is that of the file, whose hash later releases store.
            manifest: dict[str, object] = {
                "format": FORMAT_VERSION,
                "pack": self.pack,
                "version": version,
                "released": dates.released.isoformat(),
                "effective": dates.effective.isoformat(),
                "previous": previous,
            }
            if state.engine is not None:
                manifest["engine"] = state.engine.model_dump()
            if state.announcement:
                manifest["announcement"] = state.announcement
            heads = find_heads(() if self.staged else self.list_links())
            manifest["predecessors"] = [
                {"version": name, "sha256": sha} for name, sha in sorted(heads.items())
            ]
            manifest["counts"] = _count_contents(state)
            manifest["files"] = [
                {"path": name, "bytes": len(data), "sha256": hash_data(data)}
                for name, data in sorted(parts.items())
            ]
            parts[MANIFEST] = format_canonical(manifest).encode()
            with open_package(target) as written_package:
                for name, data in parts.items():
                    written_package.write_file(name, data)
            return target

    def load_migrations(self) -> tuple[tuple[Migration, ...], tuple[Finding, ...]]:
        """Return the entries of migrations.yaml with the findings. Empty without the file."""
        path = self.project.get_cards_dir(self.pack) / "migrations.yaml"
        file, findings = self._load_list(path, Migrations)
        version = None
        if not self.staged and not os.path.lexists(path):
            version = self.list_part_versions().get("migrations.json")
        if version:
            form = _("{file} is missing, but release {version} has it")
            message = _(form, file=path.name, version=version)
            location = Location(file=self.project.shorten_path(path))
            findings = (store_codes.MISSING_PART.finding(message, location),)
        return file.migrations if file else (), findings

    def list_part_versions(self) -> dict[str, str]:
        """Return the version of the newest release, by the name of each part that it has.

        Parts that are an empty list or map are left out.
        """
        last = find_newest(self.list_releases())
        manifest = (
            _read_manifest(self.folder / last.version) if last is not None else None
        )
        if last is None or manifest is None:
            return {}
        return {
            part.path: last.version
            for part in manifest.files
            if part.bytes > EMPTY_PART_BYTES
        }

    def _load_list(
        self, path: Path, model: type[M]
    ) -> tuple[M | None, tuple[Finding, ...]]:
        """Load a file as a model. Return (None, ()) if it does not exist."""
        # A link that leads nowhere is there, and cannot be read.
        if not os.path.lexists(path):
            return None, ()
        reader = Reader(self.project)
        document = reader.read_document(path)
        content = reader.read_model(document, model) if document else None
        return content, tuple(reader.findings)

    def hash_files(self) -> dict[str, str]:
        """Return the SHA-256 of all templates, pictures and schemas of the pack, by path."""
        project = self.project
        digests: dict[str, str] = {}
        paths = find_files(project.get_templates_dir(self.pack))
        paths += find_files(project.get_cards_dir(self.pack), "art/**/*")
        for path in paths:
            if not path.name.startswith("."):
                digests[project.shorten_path(path)] = hash_file(path)
        for path in find_files(project.base_templates):
            if "__pycache__" not in path.parts:
                path_inside = path.relative_to(project.base_templates).as_posix()
                digests[f"templates/base/{path_inside}"] = hash_file(path)
        for path in sorted(project.get_schemas_dir(self.pack).glob("*.schema.json")):
            # Other words in a description are no change of what cards may hold.
            contract = format_canonical(extract_contract(_read_json(path)))
            digests[project.shorten_path(path)] = hash_data(contract.encode())
        return digests


@contextmanager
def _set_draft_aside(target: Path) -> Iterator[None]:
    """Move a draft away during a block, and move it back if the block fails."""
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    try:
        yield
    # Also an interrupted command must not lose the old draft.
    except BaseException:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _format_parts(state: Snapshot) -> Iterator[tuple[str, str]]:
    yield "pack.json", format_canonical(state.manifest)
    yield "vocabulary.json", format_canonical(state.vocabulary)
    yield "rules.json", format_canonical(state.rules)
    yield "cards.json", format_canonical(dict(sorted(state.cards.items())))
    if state.formats:
        yield "formats.json", format_canonical(state.formats)
        yield (
            "introduced.json",
            format_canonical(dict(sorted(state.introduced.items()))),
        )
    texts = {card: sorted(paths) for card, paths in sorted(state.texts.items())}
    yield "texts.json", format_canonical(texts)
    rich_texts = {card: sorted(paths) for card, paths in sorted(state.rich.items())}
    yield "rich.json", format_canonical(rich_texts)
    yield "files.json", format_canonical(dict(sorted(state.files.items())))
    yield "faces.json", format_canonical(dict(sorted(state.faces.items())))
    migrations = [step.model_dump(mode="json") for step in state.migrations]
    yield "migrations.json", format_canonical(migrations)
    for lang, strings in sorted(state.translations.items()):
        yield f"i18n/{lang}.json", format_canonical(dict(sorted(strings.items())))


def _count_contents(state: Snapshot) -> dict[str, Json]:
    kinds = Counter(str(card.get("kind")) for card in state.cards.values())
    translations: dict[str, Json] = {}
    for lang, cards in sorted(state.translations.items()):
        translations[lang] = sum(map(len, cards.values()))
    return {
        "cards": len(state.cards),
        "kinds": {**dict(sorted(kinds.items()))},
        "translations": translations,
    }


def _read_json(path: Path) -> Json:
    try:
        return parse_json(read_limited(path))
    except (OSError, ValueError):
        return None


def _read_manifest(folder: Path) -> ReleaseManifest | None:
    """Return the manifest of a release, or None if it cannot be read."""
    try:
        return ReleaseManifest.model_validate(_read_json(folder / MANIFEST))
    except ValueError:
        return None


def _report_damaged(name: str) -> Finding:
    location = Location(file=f"{name}/{MANIFEST}")
    return release_codes.UNREADABLE.finding(_("the manifest cannot be read"), location)


def _report_altered(name: str, path: Path | None = None, sha256: str = "") -> Finding:
    """Return the error that a file of a release differs from the manifest."""
    place = Location(file=name)
    with suppress(OSError):
        if path is not None and is_converted(
            read_limited(path, MAX_RELEASE_BYTES), sha256
        ):
            message = _("the line ends are CRLF, but must be LF as in the release")
            return release_codes.CONVERTED_LINE_ENDS.finding(message, place)
    return release_codes.ALTERED.finding(
        _("the file differs from the released file"), place
    )


def _hash_with_lf(path: Path) -> str:
    """Return the SHA-256 of a file with its CRLF line ends changed to LF, "" if it has none."""
    data = read_limited(path)
    return hash_data(data.replace(b"\r\n", b"\n")) if b"\r\n" in data else ""


def _read_state(
    folder: Path, name: str, version: str, pack: str
) -> tuple[Snapshot, tuple[Finding, ...]]:
    """Load a release from its folder, with all parts that can be read.

    Report a part that cannot be read, or whose bytes differ from the manifest.
    """
    findings: list[Finding] = []
    manifest = _read_manifest(folder)
    hashes: dict[str, str] = {}
    if manifest is None:
        findings.append(_report_damaged(name))
    else:
        hashes = {item.path: item.sha256 for item in manifest.files}
    parts: dict[str, object] = {}
    remaining_bytes = MAX_RELEASE_BYTES
    present_paths = find_files(folder, "**/*.json")
    present_names = {path.relative_to(folder).as_posix() for path in present_paths}
    # Files that the manifest does not list are read too, so that they are reported.
    for part in sorted((hashes.keys() | present_names) - {MANIFEST}):
        try:
            if not is_within(folder, folder / part):
                raise ValueError
            data = read_limited(folder / part, remaining_bytes)
            parts[part] = _validate_part(part, parse_json(data))
        # KeyError: no release has a part of this name.
        except (OSError, ValueError, KeyError):
            parts[part] = None
            message = _("this part of the release cannot be read")
            location = Location(file=f"{name}/{part}")
            findings.append(release_codes.UNREADABLE.finding(message, location))
            continue
        # The limit is for all parts of a release together.
        remaining_bytes -= len(data)
        if manifest is not None and hash_data(data) != hashes.get(part):
            altered = _report_altered(
                f"{name}/{part}", folder / part, hashes.get(part, "")
            )
            findings.append(altered)
    return _make_snapshot(parts, manifest, version, pack), tuple(findings)


def _validate_part(part_name: str, value: Json) -> object:
    """Return the value of a release's part. Raise ValueError if it is invalid or unknown."""
    if PurePosixPath(part_name).parent.name == "i18n":
        TRANSLATED.validate_python(value)
        return value
    return SHAPES[FIELDS[part_name]].validate_python(value)


def _make_snapshot(
    parts: Mapping[str, object],
    manifest: ReleaseManifest | None,
    version: str,
    pack: str,
) -> Snapshot:
    fields: dict[str, Any] = {}
    translations: dict[str, Translated] = {}
    for part, value in parts.items():
        if part.startswith("i18n/"):
            translations[PurePosixPath(part).stem] = cast("Translated", value or {})
        elif part in FIELDS and value is not None:
            fields[FIELDS[part]] = value
    engine = None
    if manifest is not None:
        fields["released"] = manifest.released
        fields["effective"] = manifest.effective
        fields["announcement"] = manifest.announcement or ""
        engine = manifest.engine
    return Snapshot(
        pack=pack,
        label=version,
        translations=translations,
        lost=frozenset(part for part, value in parts.items() if value is None),
        engine=engine or _get_former_engine(parts),
        **fields,
    )


def _get_former_engine(parts: Mapping[str, object]) -> ReleaseEngine:
    """Return the engine of a release that names none: that of its pack.yaml, else WeasyPrint."""
    manifest = parts.get("pack.json")
    name = manifest.get("engine") if isinstance(manifest, Mapping) else None
    return ReleaseEngine(name="plutoprint" if name == "plutoprint" else "weasyprint")
