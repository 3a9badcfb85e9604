"""Small ODS files, written as LibreOffice writes them."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
 xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">
<office:automatic-styles>
<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="T2" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>
<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
</office:automatic-styles>
<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body></office:document-content>
"""
FILLER = (
    '<table:table-row table:number-rows-repeated="1048000">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)


def make_sheet(name: str, rows: list[str], style: str = "ta1") -> str:
    lines = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    start = f'<table:table table:name="{name}" table:style-name="{style}">'
    return f"{start}{lines}{FILLER}</table:table>"


def make_text(*lines: str) -> str:
    paragraphs = "".join(f"<text:p>{line}</text:p>" for line in lines)
    return (
        f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'
    )


def make_value(value_type: str, attributes: str, shown: str) -> str:
    start = f'<table:table-cell office:value-type="{value_type}" {attributes}>'
    return f"{start}<text:p>{shown}</text:p></table:table-cell>"


def write_ods(path: Path, *sheets: str) -> Path:
    path.write_bytes(pack_ods("".join(sheets)))
    return path


def pack_ods(sheets: str) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", CONTENT.replace("{sheets}", sheets))
    return file.getvalue()
