"""A shop's file as a whole: what makes it PDF/X besides its colours, and parts of it put behind one another.

Of parts, objects that are equal are written once, however many files hold them. The files are read one after another
and their objects written at once, so that no more than one is in memory.
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
from builder.pdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from builder.render.prepress.ink import Found
from builder.render.sheets.pdfwriter import PdfWriter, stream_body

VERSIONS = {"pdf/x-1a": "1.4", "pdf/x-4": "1.6"}
NAMES = {"pdf/x-1a": "PDF/X-1a:2003", "pdf/x-4": "PDF/X-4"}
REGISTRY = "http://www.color.org"
KNOWN = 10_000
"""How many objects are remembered, those met last, to be written once."""

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


def describe(pdf: Pdf, colour: Colour, profile: Found, title: str, day: str, faces: int) -> None:
    """Write the file's title, dates (of the release, `day` as YYYY-MM-DD), claim and output intent.

    `faces` is how many there are in the deck: files of decks that differ in nothing else tell themselves apart by it.
    """
    standard = colour.standard
    stamp = f"D:{day.replace('-', '')}000000Z"
    info = {"/Title": title, "/Creator": "Squadpress", "/Producer": "Squadpress"}
    info |= {"/CreationDate": stamp, "/ModDate": stamp}
    made = Dictionary({key: String(value) for key, value in info.items()})
    made["/Trapped"] = Name("/False")
    claim = ""
    if standard == "pdf/x-1a":
        made["/GTS_PDFXVersion"] = String(NAMES[standard])
        claim = f"<pdfx:GTS_PDFXVersion>{NAMES[standard]}</pdfx:GTS_PDFXVersion>"
    elif standard == "pdf/x-4":
        claim = f"<pdfxid:GTS_PDFXVersion>{NAMES[standard]}</pdfxid:GTS_PDFXVersion>"
    pdf.trailer["/Info"] = pdf.make_indirect(made)
    identity = hashlib.sha256(
        "\0".join((title, day, str(standard), str(faces))).encode()
    ).hexdigest()
    text = _XMP.format(title=escape(title), day=day, identity=UUID(identity[:32]), claim=claim)
    meta = pdf.make_stream(text.encode())
    meta["/Type"], meta["/Subtype"] = Name.Metadata, Name.XML
    pdf.Root["/Metadata"] = meta
    if "/Group" in pdf.Root:
        del pdf.Root["/Group"]
    _intent(pdf, colour, profile)


def _intent(pdf: Pdf, colour: Colour, profile: Found) -> None:
    embedded = pdf.make_stream(b"")
    embedded.write(zlib.compress(profile.data, 9), filter=Name.FlateDecode)
    embedded["/N"], embedded["/Alternate"] = 4, Name.DeviceCMYK
    named = colour.condition if colour.condition and profile.asked else None
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=String(named or "Custom"),
        OutputCondition=String(profile.description),
        Info=String(profile.description),
        DestOutputProfile=embedded,
    )
    if named:
        intent["/RegistryName"] = String(REGISTRY)
    pdf.Root["/OutputIntents"] = Array([pdf.make_indirect(intent)])


def save(pdf: Pdf, standard: str | None, path: Path) -> None:
    """Write the file, always alike; without object streams, which older readers of shops do not know."""
    pdf.remove_unreferenced_resources()
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]
    version = VERSIONS.get(standard or "", "1.6")
    pdf.save(
        path,
        deterministic_id=True,
        force_version=version,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=True,
        fix_metadata_version=False,
    )


def concatenate(parts: Sequence[Path], path: Path) -> None:
    """One file of the pages of all; what it says of itself is what the first says. A single one is moved there."""
    if len(parts) == 1:
        shutil.move(parts[0], path)
        return
    with path.open("wb") as out:
        with Pdf.open(parts[0]) as first:
            binder = _Concatenation(out, first.pdf_version)
        for part in parts:
            with Pdf.open(part) as pdf:
                binder.pages(pdf)
        with Pdf.open(parts[0]) as first:
            binder.end(first)


class _Concatenation:
    """Writes the objects of one file after another."""

    def __init__(self, out: IO[bytes], version: str) -> None:
        self._writer = PdfWriter(out, version)
        self._parent = self._writer.reserve()
        self._pages: list[int] = []
        self._known: dict[bytes, int] = {}
        self._numbers: dict[tuple[int, int], int] = {}

    def pages(self, pdf: Pdf) -> None:
        """The pages of a file, with all they refer to."""
        self._numbers = {}
        for page in pdf.pages:
            entries = self._entries(page.obj, "/Parent")
            self._pages.append(self._writer.add(b"<<%s/Parent %d 0 R>>" % (entries, self._parent)))

    def end(self, pdf: Pdf) -> None:
        """What the file says of itself, from this one."""
        self._numbers = {}
        info = self._number(pdf.trailer["/Info"])
        self._writer.tree(self._pages, self._parent)
        root = self._writer.add(
            b"<<%s/Pages %d 0 R>>" % (self._entries(pdf.Root, "/Pages"), self._parent)
        )
        self._writer.end(root, info)

    def _number(self, item: Object) -> int:
        """An object's number here; one that is equal to what was written lately is not written again."""
        if item.objgen not in self._numbers:
            body = self._body(item)
            key = hashlib.sha256(body).digest()
            number = self._known.pop(key, None) or self._writer.add(body)
            self._known[key] = self._numbers[item.objgen] = number
            if len(self._known) > KNOWN:
                self._known.pop(*islice(self._known, 1))
        return self._numbers[item.objgen]

    def _body(self, item: Object) -> bytes:
        """An object in full, what it refers to by numbers of this file."""
        if isinstance(item, Stream):
            return stream_body(self._entries(item, "/Length"), item.read_raw_bytes())
        if isinstance(item, Dictionary):
            return b"<<%s>>" % self._entries(item)
        if isinstance(item, Array):
            return b"[%s]" % b" ".join(self._value(part) for part in item)
        return Array([item]).unparse()[2:-2]

    def _entries(self, item: Object, but: str = "") -> bytes:
        """The entries of a dictionary or stream, less one of them."""
        named = [(Name(key).unparse(), item[key]) for key in sorted(item.keys()) if key != but]
        return b" ".join(name + b" " + self._value(value) for name, value in named)

    def _value(self, item: Object) -> bytes:
        """An object within another."""
        if isinstance(item, Object) and item.is_indirect:
            return b"%d 0 R" % self._number(item)
        return self._body(item)
