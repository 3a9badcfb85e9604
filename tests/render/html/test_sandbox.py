"""Templates reach no further into the program the second time they try than the first."""

from __future__ import annotations

import tempfile

import pytest
from jinja2.exceptions import SecurityError

from builder.render.html import sandbox
from builder.render.html.templates import TemplateSet
from builder.render.html.view import TemplateView


@pytest.mark.parametrize(
    "reach",
    [
        *(
            "{{ word.__class__ }}",
            "{{ card.__init__ }}",
            "{{ items.append(1) }}",
            "{{ card.get.__self__ }}",
        ),
        "{{ colour.__globals__ }}",
    ],
)
def test_what_is_refused_once_is_refused_always(tmp_path, reach):
    (tmp_path / "card.j2").write_text(
        "{{ word.upper() }} {{ card.name }} {{ card.get('name') }} " + reach
    )
    templates = TemplateSet(tmp_path, tmp_path)
    for _ in range(2):
        with pytest.raises(SecurityError):
            templates.render(
                "card.j2",
                {"word": "a", "card": TemplateView({"name": "b"}), "items": []},
            )


@pytest.mark.parametrize("kept", [True, False])
def test_templates_are_compiled_once_for_all_runs(tmp_path, monkeypatch, kept):
    """In the user's own folder for temporary files, where there is one: never in a project."""
    own = tmp_path / "own"
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    (tmp_path / "card.j2").write_text("{{ 1 + 1 }}")
    if kept:
        own.mkdir()

    def filled() -> str:
        sandbox._open_template_cache.cache_clear()
        return TemplateSet(tmp_path, tmp_path).render("card.j2", {})

    try:
        assert filled() == "2"
        with monkeypatch.context() as patch:
            patch.setattr(sandbox.BudgetedEnvironment, "compile", None)
            if kept:
                assert filled() == "2"
            (tmp_path / "card.j2").write_text("{{ 1 + 2 }}")
            with pytest.raises(TypeError):
                filled()
        assert filled() == "3"
        assert {path.name for path in tmp_path.iterdir()} == {
            "card.j2",
            *(["own"] if kept else []),
        }
    finally:
        sandbox._open_template_cache.cache_clear()
