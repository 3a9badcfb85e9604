"""A shop's file as a whole: its metadata for PDF/X, and the concatenation of its portions.

Equal objects are written once, however many portions hold them. The portions are read one after
another, so that only one is in memory.
"""

import hashlib
import shutil
import zlib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import IO
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf

from builder.model.shop import Colour
from builder.pdf import Array, Dictionary, Name, Object, ObjectId, Pdf, Stream, String
from builder.render.prepress.ink import CmykProfile
from builder.render.sheets.pdfwriter import PdfWriter, make_stream_body

PDF_VERSIONS = {"pdf/x-1a": "1.4", "pdf/x-4": "1.6"}
STANDARD_NAMES = {"pdf/x-1a": "PDF/X-1a:2003", "pdf/x-4": "PDF/X-4"}
REGISTRY_URL = "http://www.color.org"
MAX_REMEMBERED_OBJECTS = 10_000
"""Objects written lately that are not written again."""

_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfx="http://ns.adobe.com/pdfx/1.3/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<xmp:CreateDate>{day}T00:00:00Z</xmp:CreateDate><xmp:ModifyDate>{day}T00:00:00Z</xmp:ModifyDate>
<xmp:MetadataDate>{day}T00:00:00Z</xmp:MetadataDate><xmp:CreatorTool>Squadpress</xmp:CreatorTool>
<pdf:Producer>Squadpress</pdf:Producer><pdf:Trapped>False</pdf:Trapped>
<xmpMM:DocumentID>uuid:{identity}</xmpMM:DocumentID><xmpMM:InstanceID>uuid:{identity}</xmpMM:InstanceID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass><xmpMM:VersionID>1</xmpMM:VersionID>
{claim}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


def write_metadata(
    pdf: Pdf,
    colour: Colour,
    profile: CmykProfile,
    title: str,
    day: str,
    face_count: int,
) -> None:
    """Write the title, dates, PDF/X standard and output intent into a PDF.

    `day` is that of the release, as YYYY-MM-DD. The number of faces makes the ids of decks differ
    that are equal in all else.
    """
    standard = colour.standard
    stamp = f"D:{day.replace('-', '')}000000Z"
    info = {"/Title": title, "/Creator": "Squadpress", "/Producer": "Squadpress"}
    info |= {"/CreationDate": stamp, "/ModDate": stamp}
    info_dictionary = Dictionary({key: String(value) for key, value in info.items()})
    info_dictionary["/Trapped"] = Name("/False")
    claim = ""
    # PDF/X-1a requires its claim here as well, PDF/X-4 only in the XMP data.
    if standard == "pdf/x-1a":
        info_dictionary["/GTS_PDFXVersion"] = String(STANDARD_NAMES[standard])
        claim = (
            f"<pdfx:GTS_PDFXVersion>{STANDARD_NAMES[standard]}</pdfx:GTS_PDFXVersion>"
        )
    elif standard == "pdf/x-4":
        claim = f"<pdfxid:GTS_PDFXVersion>{STANDARD_NAMES[standard]}</pdfxid:GTS_PDFXVersion>"
    pdf.trailer["/Info"] = pdf.make_indirect(info_dictionary)
    # From the contents, not random: equal files give equal bytes.
    inputs = "\0".join((title, day, str(standard), str(face_count)))
    identity = hashlib.sha256(inputs.encode()).hexdigest()
    uuid = UUID(identity[:32])
    text = _XMP.format(title=escape(title), day=day, identity=uuid, claim=claim)
    meta = pdf.make_stream(text.encode())
    meta["/Type"] = Name.Metadata
    meta["/Subtype"] = Name.XML
    pdf.Root["/Metadata"] = meta
    if "/Group" in pdf.Root:
        del pdf.Root["/Group"]
    _write_output_intent(pdf, colour, profile)


def _write_output_intent(pdf: Pdf, colour: Colour, profile: CmykProfile) -> None:
    embedded = pdf.make_stream(b"")
    embedded.write(zlib.compress(profile.data, 9), filter=Name.FlateDecode)
    embedded["/N"] = 4
    embedded["/Alternate"] = Name.DeviceCMYK
    condition = colour.condition if colour.condition and profile.is_requested else None
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(condition or "Custom"),
        OutputCondition=String(profile.description),
        Info=String(profile.description),
        DestOutputProfile=embedded,
    )
    if condition:
        intent["/RegistryName"] = String(REGISTRY_URL)
    pdf.Root["/OutputIntents"] = Array([pdf.make_indirect(intent)])


def save_file(pdf: Pdf, standard: str | None, path: Path) -> None:
    """Save a PDF so that equal files have equal bytes.

    Object streams are avoided, because older readers of shops do not know them.
    """
    pdf.remove_unreferenced_resources()
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]
    version = PDF_VERSIONS.get(standard or "", "1.6")
    pdf.save(
        path,
        deterministic_id=True,
        force_version=version,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=True,
        fix_metadata_version=False,
    )


def concatenate_files(parts: Sequence[Path], path: Path) -> None:
    """Write the pages of several PDF files into one, with the metadata of the first.

    A single part is moved.
    """
    if len(parts) == 1:
        shutil.move(parts[0], path)
        return
    with path.open("wb") as out:
        with Pdf.open(parts[0]) as first:
            writer = _Concatenation(out, first.pdf_version)
        for part in parts:
            with Pdf.open(part) as pdf:
                writer.add_pages(pdf)
        with Pdf.open(parts[0]) as first:
            writer.finish(first)


class _Concatenation:
    """Writes the objects of several PDF files into one file."""

    def __init__(self, out: IO[bytes], version: str) -> None:
        self._writer = PdfWriter(out, version)
        self._parent = self._writer.reserve()
        self._pages: list[int] = []
        self._numbers_by_hash: dict[bytes, int] = {}
        self._numbers_by_id: dict[ObjectId, int] = {}

    def add_pages(self, pdf: Pdf) -> None:
        """Write the pages of a PDF with everything they use."""
        self._numbers_by_id = {}
        for page in pdf.pages:
            entries = self._format_entries(page.obj, "/Parent")
            self._pages.append(
                self._writer.add(b"<<%s/Parent %d 0 R>>" % (entries, self._parent))
            )

    def finish(self, pdf: Pdf) -> None:
        """Write the metadata of a PDF and the end of the file."""
        self._numbers_by_id = {}
        info = self._add_object(pdf.trailer["/Info"])
        self._writer.write_page_tree(self._pages, self._parent)
        entries = self._format_entries(pdf.Root, "/Pages")
        root = self._writer.add(b"<<%s/Pages %d 0 R>>" % (entries, self._parent))
        self._writer.write_end(root, info)

    def _add_object(self, item: Object) -> int:
        """Return the number of an object. It is written unless an equal one was written lately."""
        if item.objgen not in self._numbers_by_id:
            body = self._format_body(item)
            key = hashlib.sha256(body).digest()
            # Taken out and put back: so the dictionary has the latest used objects last.
            number = self._numbers_by_hash.pop(key, None) or self._writer.add(body)
            self._numbers_by_hash[key] = number
            self._numbers_by_id[item.objgen] = number
            if len(self._numbers_by_hash) > MAX_REMEMBERED_OBJECTS:
                (oldest_key,) = islice(self._numbers_by_hash, 1)
                del self._numbers_by_hash[oldest_key]
        return self._numbers_by_id[item.objgen]

    def _format_body(self, item: Object) -> bytes:
        """Return an object as text, with references by the numbers of this file."""
        if isinstance(item, Stream):
            return make_stream_body(
                self._format_entries(item, "/Length"), item.read_raw_bytes()
            )
        if isinstance(item, Dictionary):
            return b"<<%s>>" % self._format_entries(item)
        if isinstance(item, Array):
            return b"[%s]" % b" ".join(self._format_value(part) for part in item)
        # pikepdf hands numbers over as plain Python: an array of one formats them.
        return Array([item]).unparse()[2:-2]

    def _format_entries(self, item: Object, skipped_key: str = "") -> bytes:
        """Return the entries of a dictionary or stream as text."""
        keys = [key for key in sorted(item.keys()) if key != skipped_key]
        # pikepdf writes special characters of a name as #xx.
        entries = [
            b"%s %s" % (Name(key).unparse(), self._format_value(item[key]))
            for key in keys
        ]
        return b" ".join(entries)

    def _format_value(self, item: Object) -> bytes:
        """Return an object inside another one as text."""
        if isinstance(item, Object) and item.is_indirect:
            return b"%d 0 R" % self._add_object(item)
        return self._format_body(item)
