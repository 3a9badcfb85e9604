"""A slim stand-in for the engine's own style sheet.

The stock sheet styles sixteen margin boxes of every page and hundreds of elements that no card uses: half of the
time of a small page. It is exchanged by overriding a private method, hence only for the very version it was tried
with; a test compares results with and without.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from builder.render.engine.weasyprint.patches.kin import kin

SHEET = """
head,title,style,meta,link,script,template{display:none}
html,body,section,div,p,h1,h2,h3,h4,h5,h6,ul,ol,header,footer,main,article,figure,figcaption,hr{display:block}
li{display:list-item}
table{display:table;border-spacing:0;box-sizing:border-box}
tr{display:table-row}thead{display:table-header-group}tbody{display:table-row-group}tfoot{display:table-footer-group}
col{display:table-column}colgroup{display:table-column-group}
td,th{display:table-cell;vertical-align:middle}
em,i,cite,var{font-style:italic}
b,strong,th{font-weight:bold}
small,sub,sup{font-size:smaller}
sub{vertical-align:sub}sup{vertical-align:super}
br::before{content:"\\A";white-space:pre-line}
nobr{white-space:nowrap}
img,svg{overflow:hidden}
"""
"""Display and emphasis only; margins, bullets and heading sizes are the business of a pack's own sheet."""

RESET = """
body,p,h1,h2,h3,h4,h5,h6,ul,ol,li,figure,hr{margin:0;padding:0}
h1,h2,h3,h4,h5,h6{font-size:1em;font-weight:bold}
ul,ol{list-style:none}
hr{border:0}
"""
"""Sent with both sheets, so that a template looks the same with either."""


@cache
def html_class(slim: bool = True) -> type[Any]:
    """The class that reads a document: with the slim sheet, or the engine's own."""
    import weasyprint

    if not slim:
        return weasyprint.HTML  # type: ignore[no-any-return]
    sheet = weasyprint.CSS(string=SHEET)
    sheet.kin = kin(SHEET)

    class SlimHtml(weasyprint.HTML):  # type: ignore[misc]
        """Reads HTML under the slim sheet."""

        def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
            return [sheet]

    return SlimHtml
