"""Read a publication of `release publish`, as a folder or an archive, and verify its digests."""

import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError, model_validator

from builder.errata.snapshot import ReleaseManifest, Withdrawal, hash_data, is_converted
from builder.errors import InputUnreadable
from builder.files import is_within, read_limited
from builder.messages import describe_os_error, gettext as _
from builder.model.base import Id, InnerPath, Json, Model, Sha256, VersionName
from builder.packs.exchange import parse_json
from builder.packs.releases.folders import MAX_RELEASE_BYTES
from builder.packs.releases.package import MANIFEST, SUMS

_NAME = TypeAdapter[str](InnerPath)
_SHA = TypeAdapter[str](Sha256)


class PublishedRelease(Model, extra="ignore"):
    """A release in the index of a publication."""

    version: VersionName
    withdrawn: Withdrawal | None = None

    @model_validator(mode="before")
    @classmethod
    def _add_version(cls, value: Json) -> Json:
        """Add the release's version to its withdrawal, because the index states it only once."""
        withdrawal = value.get("withdrawn") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(withdrawal, dict):
            return value
        return {**value, "withdrawn": {**withdrawal, "version": value.get("version")}}


class PublishedIndex(Model, extra="ignore"):
    """The index of a publication: a pack and its releases."""

    pack: Id
    releases: tuple[PublishedRelease, ...] = ()


@dataclass
class Publication:
    """A published folder or .zip of releases, whose files are verified by its list of hashes.

    The author of the list is not verified.
    """

    place: Path
    _sums: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            for line in self._read_bytes(SUMS).decode().splitlines():
                sha, _blank, name = line.partition("  ")
                self._sums[_NAME.validate_python(name)] = _SHA.validate_python(sha)
            self.index = PublishedIndex.model_validate(
                parse_json(self.read_file("v1/index.json"))
            )
        except (ValidationError, ValueError) as error:
            raise self._make_error(
                _("it is not a squadpress publication"), ""
            ) from error

    def read_release(self, version: str) -> dict[str, bytes]:
        """Return the files of a release by name."""
        manifest = self.read_file(f"v1/{version}/{MANIFEST}")
        try:
            listed = ReleaseManifest.model_validate(parse_json(manifest))
        except ValueError as error:
            message = _("the manifest of {version} cannot be read", version=version)
            raise self._make_error(message, "") from error
        files = {MANIFEST: manifest}
        for part in listed.files:
            files[part.path] = self.read_file(f"v1/{version}/{part.path}")
        return files

    def read_file(self, name: str) -> bytes:
        """Return the bytes of a file.

        Raise InputUnreadable if it is missing, or differs from the list.
        """
        data = self._read_bytes(name)
        sha256 = self._sums.get(name, "")
        if is_converted(data, sha256):
            message = _(
                "the line ends of {name} are CRLF, but must be LF as published",
                name=name,
            )
            hint = _(
                "Add the line `* -text` to .gitattributes in its repository, then check "
                "out the repository again."
            )
            raise self._make_error(message, hint)
        if sha256 != hash_data(data):
            message = _("{name} differs from the publication's list", name=name)
            raise self._make_error(message, _("Download it again."))
        return data

    def _read_bytes(self, name: str) -> bytes:
        try:
            if self.place.is_dir():
                if not is_within(self.place, self.place / name):
                    raise ValueError(name)
                return read_limited(self.place / name, MAX_RELEASE_BYTES)
            with zipfile.ZipFile(self.place) as archive, archive.open(name) as file:
                data = file.read(MAX_RELEASE_BYTES + 1)
        except MemoryError:
            raise
        # The library raises errors of many types for damaged archives.
        except Exception as error:
            reason: str = _("{name} is missing", name=name)
            is_missing = isinstance(error, FileNotFoundError) and self.place.is_dir()
            if isinstance(error, OSError) and not is_missing:
                reason = describe_os_error(error)
            hint = _(
                "Give the folder that `squadpress release publish` wrote, or a .zip of its content."
            )
            raise self._make_error(reason, hint) from error
        if len(data) > MAX_RELEASE_BYTES:
            raise self._make_error(_("{name} is too large", name=name), "")
        return data

    def _make_error(self, reason: str, hint: str) -> InputUnreadable:
        return InputUnreadable(
            _("{file}: {reason}", file=self.place, reason=reason), hint
        )
