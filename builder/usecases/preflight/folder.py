"""Judge a whole order: every PDF and image in a folder, fronts with their backs, and all of it by its manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builder.checks.images import counted, pairs
from builder.checks.images.counted import MANIFEST, UNREADABLE, Present
from builder.checks.images.face import Face
from builder.errors import InputUnreadable
from builder.findings import Finding, Location, in_order
from builder.messages import gettext as _
from builder.model.shop import Order, Preset
from builder.store.manifest import read_manifest
from builder.usecases.preflight.file import IMAGES, Judged, face_of, judged_image, preflight_file, preflight_pair

ORDER_SHEET = "order.pdf"


@dataclass
class Folder:
    """What is known of a folder while it is judged. `files` go by their path within it."""

    root: Path
    preset: Preset
    files: Mapping[str, Path]
    order: Order | None = None
    judged: list[Judged] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def judge(self) -> None:
        """All of it."""
        self._manifest()
        for name in self.files:
            try:
                self._file(name)
            except InputUnreadable as error:
                self.findings.append(UNREADABLE.finding(error.message, Location(file=name), error.remedy))
        self.findings += pairs.check(self.faces, self.order)
        if self.order is not None:
            pages = {one.name: len(one.views) for one in self.judged}
            present = {name: Present(_sha(path), pages.get(name)) for name, path in self.files.items()}
            self.findings += counted.check(self.order, present)

    def _manifest(self) -> None:
        """The folder's own manifest, if it is for this shop."""
        try:
            order = read_manifest(self.root)
        except ValueError:
            self.findings.append(MANIFEST.finding(_("cannot be read"), Location(file="manifest.json")))
            return
        if order is not None and order.preset != self.preset.id:
            message = _("is for {other}, not for {shop}", other=order.preset, shop=self.preset.id)
            self.findings.append(MANIFEST.finding(message, Location(file="manifest.json")))
        else:
            self.order = order

    def _file(self, name: str) -> None:
        """One file, or fronts together with their backs."""
        path = self.files[name]
        if path.suffix.lower() in IMAGES:
            listed = {file.name: file for file in self.order.files} if self.order else {}
            face = face_of(path, self.preset, name, listed.get(name))
            self.faces.append(face)
            self.judged.append(judged_image(path, face))
            return
        backs, fronts = (self._partner(name, *words) for words in (("fronts", "backs"), ("backs", "fronts")))
        if backs is not None:
            self.judged += preflight_pair(path, self.files[backs], self.preset, (name, backs))
        elif fronts is None:
            self.judged.append(preflight_file(path, self.preset, name))

    def _partner(self, name: str, this: str, other: str) -> str | None:
        """The PDF of the other side, if there is one."""
        path = self.files[name]
        partner = path.with_name(path.name.replace(this, other)).relative_to(self.root).as_posix()
        return partner if this in path.name and partner in self.files else None


def preflight_folder(root: Path, preset: Preset) -> tuple[tuple[Judged, ...], tuple[Finding, ...]]:
    """All PDF files and images of a folder, and what was found besides what each of them tells.

    An order's own sheet is passed over. InputUnreadable for a folder without such files.
    """
    endings = {".pdf", *IMAGES}
    paths = sorted(path for path in root.rglob("*") if path.suffix.lower() in endings and path.is_file())
    files = {path.relative_to(root).as_posix(): path for path in paths if path.name != ORDER_SHEET}
    files = {name: path for name, path in files.items() if not any(part.startswith(".") for part in Path(name).parts)}
    if not files:
        message = _("{folder} holds no PDF or image to judge", folder=root)
        raise InputUnreadable(message, _("Name a file, or the folder of an order."))
    folder = Folder(root, preset, files)
    folder.judge()
    return tuple(folder.judged), in_order(folder.findings)


def _sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
