"""What a player reads of a roster's parameters and choices.

Names in every language of the pack, never ids.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.packs.loading import load_pack
from builder.packs.project import Project
from tests.cli.every_pack import PACKS


@pytest.mark.parametrize(("project", "folder"), PACKS, ids=lambda value: value.name)
def test_every_value_of_every_parameter_and_choice_has_a_name_in_every_language(
    project: Path, folder: Path
) -> None:
    pack = load_pack(Project(project), folder.name).pack
    assert pack is not None
    form, langs = pack.manifest.roster, set(pack.manifest.languages.all)
    for name, param in form.params.items():
        assert param.name.keys() == langs, name
        assert set(param.names) == set(param.choices), name
        assert all(names.keys() == langs for names in param.names.values()), name
    for name, choice in form.choices.items():
        assert choice.name.keys() == langs, name
        assert all(names.keys() == langs for names in choice.values.values()), name
    assert all(link.name.keys() == langs for link in form.links.values())
