"""Check all PDF files and images of a folder, with the manifest of an order."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from builder.checks.images.face import ExistingFile, ImageFace, OrderFolder
from builder.checks.images.orders import MANIFEST, UNREADABLE
from builder.checks.registry import run_checks
from builder.errors import InputUnreadable
from builder.files import hash_file
from builder.findings import Finding, Location, sort_findings
from builder.messages import gettext as _
from builder.model.shop import OrderFile, Preset, ShopOrder
from builder.packs.releases.package import read_manifest
from builder.usecases.preflight.checked_files import (
    IMAGE_EXTENSIONS,
    CheckedFile,
    FileReader,
    check_file,
    check_image,
    check_pair,
    read_image_face,
)

EXCLUDED_NAMES = re.compile(r"^order\.pdf$|-(foil|white)\.pdf$")
"""The order sheet, and the files that show foil and white ink. They are checked when written."""
CHECKED_EXTENSIONS = {".pdf", *IMAGE_EXTENSIONS}


class FolderChecker:
    """Checks the PDFs and images of a folder as one order. Collects results and findings."""

    def __init__(
        self,
        files: Mapping[str, Path],
        preset: Preset,
        order_files: Mapping[str, OrderFile],
    ) -> None:
        self.files = files
        self.preset = preset
        self.order_files = order_files
        self.results: list[CheckedFile] = []
        self.faces: list[ImageFace] = []
        self.findings: list[Finding] = []

    def check_files(self) -> None:
        """Check each file. A file that cannot be read gives a finding."""
        with FileReader() as reader:
            for name, path in self.files.items():
                try:
                    if path.suffix.lower() in IMAGE_EXTENSIONS:
                        self._check_image(reader, name, path)
                    else:
                        self._check_pdf(reader, name, path)
                except InputUnreadable as error:
                    location = Location(file=name)
                    self.findings.append(
                        UNREADABLE.finding(error.message, location, error.remedy)
                    )

    def _check_image(self, reader: FileReader, name: str, path: Path) -> None:
        order_file = self.order_files.get(name)
        face = reader.run_work(
            (name,), read_image_face, path, self.preset, name, order_file
        )
        self.faces.append(face)
        self.results.append(check_image(path, face))

    def _check_pdf(self, reader: FileReader, name: str, path: Path) -> None:
        """Check a PDF. A PDF of fronts is checked together with the PDF of its backs."""
        if _find_pdf_of_other_side(name, self.files, "backs", "fronts") is not None:
            return  # the fronts' turn checks both
        backs = _find_pdf_of_other_side(name, self.files, "fronts", "backs")
        if backs is None:
            self.results.append(
                reader.run_work((name,), check_file, path, self.preset, name)
            )
            return
        names = (name, backs)
        paths = (path, self.files[backs])
        self.results += reader.run_work(names, check_pair, *paths, self.preset, names)


def check_folder(
    root: Path, preset: Preset
) -> tuple[tuple[CheckedFile, ...], tuple[Finding, ...]]:
    """Check all PDFs and images of a folder. Return the results and findings about the folder.

    The order sheet is not checked. Raise InputUnreadable for a folder without such files.
    """
    files = _list_checked_files(root)
    if not files:
        message = _("{folder} contains no PDF or image", folder=root)
        raise InputUnreadable(message, _("Give a file, or the folder of an order."))
    order, order_findings = _read_order(root, preset)
    order_files = {file.name: file for file in order.files} if order is not None else {}
    checker = FolderChecker(files, preset, order_files)
    checker.check_files()
    present_files: dict[str, ExistingFile] = {}
    if order is not None:
        page_counts = {result.name: len(result.views) for result in checker.results}
        for name, path in files.items():
            present_files[name] = ExistingFile(hash_file(path), page_counts.get(name))
    folder = OrderFolder(checker.faces, present_files, order)
    findings = [*order_findings, *checker.findings, *run_checks("images", folder)]
    return tuple(checker.results), sort_findings(findings)


def _list_checked_files(root: Path) -> dict[str, Path]:
    """Return the PDFs and images below a folder, by their relative paths.

    Hidden files, files in hidden folders and the excluded files are left out.
    """
    files = {}
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() not in CHECKED_EXTENSIONS or EXCLUDED_NAMES.search(
            path.name
        ):
            continue
        relative_path = path.relative_to(root)
        is_hidden = any(part.startswith(".") for part in relative_path.parts)
        if not is_hidden and path.is_file():
            files[relative_path.as_posix()] = path
    return files


def _read_order(root: Path, preset: Preset) -> tuple[ShopOrder | None, list[Finding]]:
    """Read the manifest of a folder. None if it has none for this shop. Also return findings."""
    message = _("cannot be read")
    try:
        order = read_manifest(root)
        if order is None or order.preset == preset.id:
            return order, []
        message = _(
            "is for {other}, not for {shop}", other=order.preset, shop=preset.id
        )
    except ValueError:
        pass
    return None, [MANIFEST.finding(message, Location(file="manifest.json"))]


def _find_pdf_of_other_side(
    name: str, files: Mapping[str, Path], side: str, other_side: str
) -> str | None:
    """Return the name of the PDF with the other side of the same cards, or None."""
    path = PurePosixPath(name)
    if side not in path.name:
        return None
    partner = str(path.with_name(path.name.replace(side, other_side)))
    return partner if partner in files else None
