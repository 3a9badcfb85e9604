"""The releases of a pack on disk: one folder per version, written once and never again."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

from builder.errata import codes
from builder.errata.release import Release
from builder.errata.snapshot import Snapshot, canonical, contract, digest, iso
from builder.errors import OutputNotWritten, UsageError
from builder.files import locked
from builder.findings import Finding, Location
from builder.messages import gettext as _
from builder.model.base import Json
from builder.model.card import Migration, Migrations
from builder.model.words import suggestion
from builder.store.bundle import map_in
from builder.store.package import MANIFEST, package
from builder.store.project import Project
from builder.store.sources import Reader

Translated: TypeAlias = Mapping[str, Mapping[str, Json]]

FORMAT = 1


@dataclass(frozen=True)
class Releases:
    """The releases of one pack."""

    project: Project
    pack: str

    @property
    def folder(self) -> Path:
        """Where the versions lie."""
        return self.project.cards_dir(self.pack) / "releases"

    def all(self) -> tuple[Release, ...]:
        """Every release whose manifest can be read, by version."""
        found = (self._release(path) for path in sorted(self.folder.glob(f"*/{MANIFEST}")))
        return tuple(sorted((release for release in found if release), key=lambda release: release.number))

    def _release(self, path: Path) -> Release | None:
        value = _json(path)
        if not isinstance(value, dict):
            return None
        released, effective = iso(value.get("released")), iso(value.get("effective"))
        return Release(path.parent.name, released, effective) if released and effective else None

    def has(self, version: str) -> bool:
        """True if there is such a version, even one whose manifest cannot be read."""
        return Path(version).name == version and (self.folder / version / MANIFEST).is_file()

    def manifest(self, version: str) -> bytes:
        """The bytes of a version's manifest."""
        return (self.folder / version / MANIFEST).read_bytes()

    def load(self, version: str) -> tuple[Snapshot, tuple[Finding, ...]]:
        """A frozen state and what is wrong with its files. UsageError if there is no such version."""
        folder = self.folder / version
        if not self.has(version):
            known = [release.version for release in self.all()]
            raise UsageError(
                _("{pack} has no release {version}", pack=self.pack, version=version),
                suggestion(version, known, _("Releases")) if known else _("`squadpress release new` makes the first."),
            )
        return _read(folder, self.project.relative(folder), version, self.pack)

    def write(self, state: Snapshot, version: str, dates: Release, previous: str | None) -> Path:
        """Freeze a state as a version: all files beside the target first, then one rename. Never overwrites."""
        target = self.folder / version
        with locked(self.project.cache_dir / "releases" / self.pack):
            if target.exists():
                remedy = _("A published version is never overwritten; choose the next one.")
                raise OutputNotWritten(_("{file} exists", file=target), remedy)
            parts = {name: text.encode() for name, text in _parts(state)}
            manifest = {
                "format": FORMAT,
                "pack": self.pack,
                "version": version,
                "released": dates.released.isoformat(),
                "effective": dates.effective.isoformat(),
                "previous": previous,
                "counts": _counts(state),
                "files": [
                    {"path": name, "bytes": len(data), "sha256": digest(data)} for name, data in sorted(parts.items())
                ],
            }
            with package(target) as made:
                for name, data in {**parts, MANIFEST: canonical(manifest).encode()}.items():
                    made.write(name, data)
            return target

    def migrations(self) -> tuple[tuple[Migration, ...], tuple[Finding, ...]]:
        """migrations.yaml; empty where the pack has none."""
        path = self.project.cards_dir(self.pack) / "migrations.yaml"
        if not path.exists():
            return (), ()
        reader = Reader(self.project)
        document = reader.document(path)
        model = reader.model(document, Migrations) if document else None
        return model.migrations if model else (), tuple(reader.findings)

    def digests(self) -> dict[str, str]:
        """SHA-256 of all that shapes a card besides its data: templates, pictures, and the contracts of its kinds."""
        project, found = self.project, {}
        for folder in (project.templates_dir(self.pack), project.cards_dir(self.pack) / "art"):
            for path in sorted(folder.rglob("*")):
                if path.is_file() and not path.name.startswith("."):
                    found[project.relative(path)] = digest(path.read_bytes())
        for path in sorted(project.base_templates.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                inside = path.relative_to(project.base_templates).as_posix()
                found[f"templates/base/{inside}"] = digest(path.read_bytes())
        for path in sorted(project.schemas_dir(self.pack).glob("*.schema.json")):
            found[project.relative(path)] = digest(canonical(contract(_json(path))).encode())
        return found


def _parts(state: Snapshot) -> Iterator[tuple[str, str]]:
    yield "pack.json", canonical(state.manifest)
    yield "vocabulary.json", canonical(state.vocabulary)
    yield "rules.json", canonical(state.rules)
    yield "cards.json", canonical(dict(sorted(state.cards.items())))
    yield "texts.json", canonical({card: sorted(paths) for card, paths in sorted(state.texts.items())})
    yield "rich.json", canonical({card: sorted(paths) for card, paths in sorted(state.rich.items())})
    yield "files.json", canonical(dict(sorted(state.files.items())))
    yield "faces.json", canonical(dict(sorted(state.faces.items())))
    yield "migrations.json", canonical([step.model_dump(mode="json") for step in state.migrations])
    for lang, strings in sorted(state.translations.items()):
        yield f"i18n/{lang}.json", canonical(dict(sorted(strings.items())))


def _counts(state: Snapshot) -> dict[str, Json]:
    kinds = Counter(str(card.get("kind")) for card in state.cards.values())
    return {
        "cards": len(state.cards),
        "kinds": {**dict(sorted(kinds.items()))},
        "translations": {lang: sum(map(len, cards.values())) for lang, cards in sorted(state.translations.items())},
    }


def _json(path: Path) -> Json:
    try:
        return json.loads(path.read_bytes())  # type: ignore[no-any-return]
    except (OSError, ValueError):
        return None


def _read(folder: Path, name: str, version: str, pack: str) -> tuple[Snapshot, tuple[Finding, ...]]:
    """Every part that can be read; a part that cannot, or whose bytes are not those of the manifest, is a finding."""
    findings: list[Finding] = []
    manifest = _json(folder / MANIFEST)
    sealed = isinstance(manifest, dict)
    if not isinstance(manifest, dict):
        findings.append(codes.UNREADABLE.finding(_("the manifest cannot be read"), Location(file=f"{name}/{MANIFEST}")))
        manifest = {}
    listed = manifest.get("files")
    known = {str(item["path"]): item for item in listed if isinstance(item, dict)} if isinstance(listed, list) else {}
    parts: dict[str, Json] = {}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")}
    for part in sorted((known.keys() | found) - {MANIFEST}):
        place = Location(file=f"{name}/{part}")
        try:
            data = (folder / part).read_bytes()
            parts[part] = json.loads(data)
        except (OSError, ValueError):
            parts[part] = None
            findings.append(codes.UNREADABLE.finding(_("this part of the release cannot be read"), place))
            continue
        if sealed and digest(data) != known.get(part, {}).get("sha256"):
            findings.append(codes.ALTERED.finding(_("the bytes are not those that were released"), place))
    return _snapshot(parts, manifest, version, pack), tuple(findings)


def _snapshot(parts: Mapping[str, Json], manifest: Mapping[str, Json], version: str, pack: str) -> Snapshot:
    def texts_of(name: str) -> dict[str, str]:
        return {key: value for key, value in map_in(parts, name).items() if isinstance(value, str)}

    def lists_of(name: str) -> dict[str, tuple[str, ...]]:
        return {key: tuple(map(str, value)) for key, value in map_in(parts, name).items() if isinstance(value, list)}

    steps = parts.get("migrations.json")
    return Snapshot(
        pack=pack,
        label=version,
        released=iso(manifest.get("released")),
        effective=iso(manifest.get("effective")),
        manifest=map_in(parts, "pack.json"),
        vocabulary=map_in(parts, "vocabulary.json"),
        rules=map_in(parts, "rules.json"),
        cards={card: raw for card, raw in map_in(parts, "cards.json").items() if isinstance(raw, dict)},
        translations={
            part.removeprefix("i18n/").removesuffix(".json"): cast("Translated", map_in(parts, part))
            for part in parts
            if part.startswith("i18n/")
        },
        texts=lists_of("texts.json"),
        rich={card: frozenset(paths) for card, paths in lists_of("rich.json").items()},
        files=texts_of("files.json"),
        faces=texts_of("faces.json"),
        migrations=tuple(Migration.model_validate(step) for step in steps) if isinstance(steps, list) else (),
        lost=frozenset(part for part, value in parts.items() if value is None),
    )
