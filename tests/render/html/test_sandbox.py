"""Templates reach no further into the program the second time they try than the first."""

from __future__ import annotations

import pytest
from jinja2.exceptions import SecurityError

from builder.render.html.templates import TemplateSet
from builder.render.html.view import TemplateView


@pytest.mark.parametrize(
    "reach",
    [
        *("{{ word.__class__ }}", "{{ card.__init__ }}", "{{ items.append(1) }}", "{{ card.get.__func__ }}"),
        *("{{ colour.__globals__ }}", "{{ card._fields }}"),
    ],
)
def test_what_is_refused_once_is_refused_always(tmp_path, reach):
    (tmp_path / "card.j2").write_text("{{ word.upper() }} {{ card.name }} {{ card.get('name') }} " + reach)
    templates = TemplateSet(tmp_path, tmp_path)
    for _ in range(2):
        with pytest.raises(SecurityError):
            templates.render("card.j2", {"word": "a", "card": TemplateView({"name": "b"}), "items": []})
