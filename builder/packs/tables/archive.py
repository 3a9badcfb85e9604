"""The files inside a workbook, which is a zip archive, read with limits."""

import io
from zipfile import ZipFile

from builder.messages import gettext as _
from builder.packs.tables.source import MAX_FILE_BYTES, MAX_UNPACKED_BYTES, TableSource

XML_EXTENSIONS = (".xml", ".rels")


def open_archive(source: TableSource) -> ZipFile:
    """Open a workbook as a zip archive.

    Raise InputUnreadable if it unpacks to too much, or its XML declares entities.
    """
    archive = ZipFile(io.BytesIO(source.data))
    sizes = [part.file_size for part in archive.infolist()]
    if sum(sizes) > MAX_UNPACKED_BYTES or max(sizes, default=0) > 2 * MAX_FILE_BYTES:
        raise source.make_error(_("it unpacks to more than any table of cards needs"))
    for name in archive.namelist():
        # Entities can make a small file expand to gigabytes. No spreadsheet program declares any.
        is_xml = name.endswith(XML_EXTENSIONS)
        if is_xml and b"<!DOCTYPE" in archive.read(name).replace(b"\0", b""):
            raise source.make_error(_("it is no workbook that can be read"))
    return archive
