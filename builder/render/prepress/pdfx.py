"""What makes a file PDF/X besides its colours: what it says of itself, its output intent, its version."""

import hashlib
import zlib
from pathlib import Path
from uuid import UUID
from xml.sax.saxutils import escape

import pikepdf

from builder.model.shop import Colour
from builder.pdf import Array, Dictionary, Name, Pdf, String
from builder.render.prepress.ink import Found

VERSIONS = {"pdf/x-1a": "1.4", "pdf/x-4": "1.6"}
NAMES = {"pdf/x-1a": "PDF/X-1a:2003", "pdf/x-4": "PDF/X-4"}
REGISTRY = "http://www.color.org"

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
    identity = hashlib.sha256("\0".join((title, day, str(standard), str(faces))).encode()).hexdigest()
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
