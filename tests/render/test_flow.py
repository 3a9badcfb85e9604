"""A document of many pages, where the engine is not there."""

from __future__ import annotations

import pytest

from builder.errors import ToolMissing
from builder.model.profile import Paper
from builder.packs.loading import load_pack
from builder.render import workers
from builder.render.flow import render_flow
from builder.render.renderer import Renderer
from builder.usecases.build.build_options import get_render_folders

COLD = True


@pytest.mark.parametrize("engine", ["weasyprint"], indirect=True)
def test_a_missing_library_is_named_with_its_fix(lanterns, monkeypatch):
    (lanterns.get_templates_dir("lanterns") / "plain.html.j2").write_text(
        "<p>x</p>", encoding="utf-8"
    )

    def missing():
        raise ToolMissing("a library is missing", "Install it.")

    monkeypatch.setattr(
        "builder.render.engines.weasyprint.adapter.check_libraries", missing
    )
    monkeypatch.setattr(
        workers, "_missing", None
    )  # and put back for the tests that follow
    renderer = Renderer(
        load_pack(lanterns, "lanterns").pack,
        get_render_folders(lanterns, "lanterns"),
        workers=1,
    )
    with pytest.raises(ToolMissing) as caught:
        render_flow(renderer, "plain", Paper(width=210, height=297), "en", {})
    assert (caught.value.exit_code, caught.value.remedy) == (4, "Install it.")
