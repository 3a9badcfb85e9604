"""The page that people see of published releases. Plain HTML without scripts or foreign addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#111}
h1{margin-bottom:0}section{border-top:1px solid #999;margin-top:1.5rem}
table{border-collapse:collapse;width:100%}td{padding:.2rem .8rem .2rem 0;vertical-align:top}
td.size{text-align:right;white-space:nowrap}code{font-size:.8em;color:#555;word-break:break-all}
"""


@dataclass(frozen=True, slots=True)
class Download:
    """One served file."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PageRelease:
    """One release as the page shows it, its downloads in order."""

    version: str
    released: str
    effective: str
    summary: str
    downloads: Sequence[Download]


def page(name: str, releases: Sequence[PageRelease], lang: str = "en") -> str:
    """The whole page, newest release first."""
    parts = [
        f'<!DOCTYPE html><html lang="{escape(lang)}"><head><meta charset="utf-8">',
        f'<meta name="viewport" content="width=device-width"><title>{escape(name)}: releases</title>',
        f"<style>{STYLE}</style></head><body><h1>{escape(name)}</h1>",
        "<p>Releases of the cards and rules. Machines begin at <a href='v1/index.json'>v1/index.json</a>;"
        " <a href='SHA256SUMS'>SHA256SUMS</a> proves every file.</p>",
    ]
    for release in releases:
        parts.append(f"<section id='{escape(release.version)}'><h2>{escape(release.version)}</h2>")
        parts.append(f"<p>Published {escape(release.released)}, in force from {escape(release.effective)}.")
        parts.append(f" {escape(release.summary)}</p><table>")
        parts += [_row(download) for download in release.downloads]
        parts.append("</table></section>")
    return "\n".join([*parts, "</body></html>", ""])


def _row(download: Download) -> str:
    name = download.path.rpartition("/")[2]
    return (
        f"<tr><td><a href='{escape(download.path)}'>{escape(name)}</a><br><code>{download.sha256}</code></td>"
        f"<td class='size'>{size(download.size)}</td></tr>"
    )


def size(number: int) -> str:
    """Bytes in words."""
    return f"{number} B" if number < 1000 else f"{number / 1000:.0f} kB" if number < 1e6 else f"{number / 1e6:.1f} MB"


def sums(digests: Mapping[str, str]) -> str:
    """What `sha256sum -c` reads."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(digests.items()))
