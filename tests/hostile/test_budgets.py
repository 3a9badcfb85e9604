"""What a pack brings has a budget: templates, schemas, drawings. What exceeds it is a finding at its place, and soon."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from builder.findings import Finding
from builder.packs.loading import load_pack
from builder.packs.project import Project
from builder.render.html import sandbox
from builder.render.html.icons import build_font
from builder.render.html.templates import TemplateSet
from builder.render.jobs import FaceJob
from builder.render.renderer import Renderer
from builder.roster.choice_keywords import add_choice_keywords
from builder.usecases.build.build_options import get_render_folders
from tests.usecases.toy import toy_project

GREEDY = {
    "a range": "{% for a in range(999999999) %}{% endfor %}",
    "ranges in ranges": "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "a great print": "{% for a in range(99999) %}{% for b in range(99) %}xxxxxxxxxxxxxxxxxxxx{% endfor %}{% endfor %}",
    "a great variable": "{% set t %}{% for a in range(99999) %}" + "x" * 500 + "{% endfor %}{% endset %}{{ t|length }}",
    "padding by a filter": "{{ 'a'|center(999999999) }}",
    "padding by a method": "{{ 'a'.ljust(999999999) }}",
    "padding by a format": "{{ '%999999999d' % 1 }}",
    "padding by another format": "{{ '{:>999999999}'.format(1) }}",
    "padding by a width": "{{ '{:>{}}'.format(1, 999999999) }}",
    "padding by a star": "{{ '%*d' % (999999999, 1) }}",
    "padding by the filter format": "{{ '%0999999999d'|format(1) }}",
    "zeros": "{{ '1'.zfill(999999999) }}",
    "tabs": "{{ '\\t'.expandtabs(999999999) }}",
    "a repeated text": "{{ 'a' * 999999999 }}",
    "a repeated list": "{{ ([0] * 999999999)|length }}",
    "a text that doubles": "{% set n = namespace(t='aaaaaaaa') %}{% for a in range(60) %}{% set n.t = n.t ~ n.t %}{% endfor %}",
    "a sum that doubles": "{% set n = namespace(t='aaaaaaaa') %}{% for a in range(60) %}{% set n.t = n.t + n.t %}{% endfor %}",
    "a block that doubles": "{% set a %}xxxxxxxx{% endset %}" + "{% set a %}{{ a }}{{ a }}{% endset %}" * 40,
    "a list that doubles": "{% set n = namespace(t=[1]) %}{% for a in range(60) %}{% set n.t = n.t + n.t %}{% endfor %}",
    "replacing by more": "{% set t = 'a' * 99999 %}{{ t.replace('a', t)|length }}",
    "replacing by a filter": "{% set t = 'a' * 99999 %}{{ (t|replace('a', t))|length }}",
    "joining by more": "{% set t = 'a' * 99999 %}{{ t.join(t)|length }}",
    "a power": "{{ 9 ** 999999999 }}",
    "a great number": "{% set n = namespace(t=9) %}{% for a in range(60) %}{% set n.t = n.t * n.t %}{% endfor %}",
    "a macro that calls itself": "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
    "a loop that calls itself": "{% for a in [1, 2] recursive %}{% if loop.depth < 40 %}{{ loop([1, 2]) }}{% endif %}{% endfor %}",
    "lines": "{{ 'a\\n' |indent(999999999) }}",
    "a batch": "{{ [1]|batch(999999999, 0)|list|length }}",
    "a list that holds itself twice": "{% set ns=namespace(x=[]) %}{% for i in range(200) %}{% set ns.x=[ns.x,ns.x] %}{% endfor %}{{ ns.x }}",
    "a pair that holds itself twice": "{% set ns=namespace(x=[]) %}{% for i in range(200) %}{% set ns.x=(ns.x,ns.x) %}{% endfor %}{{ ns.x|string }}",
    "a map that holds itself twice": "{% set ns=namespace(x={}) %}{% for i in range(200) %}{% set ns.x={1:ns.x,2:ns.x} %}{% endfor %}{{ ns.x|tojson }}",
    "a dict() that holds itself twice": "{% set ns=namespace(x=1) %}{% for i in range(200) %}{% set ns.x=dict(a=ns.x,b=ns.x) %}{% endfor %}{{ ns.x ~ '' }}",
    "comparing what holds itself twice": "{% set ns=namespace(x=[],y=[]) %}{% for i in range(60) %}{% set ns.x=[ns.x,ns.x] %}{% set ns.y=[ns.y,ns.y] %}{% endfor %}{{ ns.x == ns.y }}",
    "arguments that double": "{% set ns=namespace(x=[]) %}{% macro m() %}{% set ns.x = varargs %}{% endmacro %}{% for i in range(200) %}{{ m(ns.x, ns.x) }}{% endfor %}{{ ns.x }}",
    "named arguments that double": "{% set ns=namespace(x=1) %}{% macro m() %}{% set ns.x = kwargs %}{% endmacro %}{% for i in range(200) %}{{ m(a=ns.x, b=ns.x) }}{% endfor %}{{ ns.x }}",
    "filling that doubles": "{% set ns=namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x|batch(50, ns.x)|list %}{% endfor %}{{ ns.x }}",
    "a sum of lists": "{{ ([[1]] * 99999)|sum(start=[])|length }}",
    "a long text many times": "{% set t = 'a' * 99999 %}{{ ([t] * 99999)|join }}",
    "a long text often in a format": "{{ ('{0}' * 9999).format('a' * 99999)|length }}",
    "many wide fields": "{{ ('%9999d' * 9999)|format(*[1] * 9999)|length }}",
    "many wide fields of a method": "{{ ('{:9999}' * 9999).format(*[1] * 9999)|length }}",
    "tabs often": "{{ ('\t' * 99999).expandtabs(99999)|length }}",
    "lines indented": "{{ ('\n' * 99999)|indent(99999, true, true)|length }}",
    "JSON indented": "{{ ([1] * 99999)|tojson(99999)|length }}",
    "translating by more": "{{ ('a' * 99999).translate({97: 'b' * 99999})|length }}",
    "rounding": "{{ 5|round(-999999999) }}",
    "searching by a filter": "{% set r = range(99999)|list %}{{ r|select('in', r|map('string')|list)|list|length }}",
    "searching long lists": "{% set r = [0] * 999999 %}{% for a in range(99999) %}{{ 'x' if -1 in r }}{% endfor %}",
    "keeping many lists": "{% set ns=namespace() %}{% for a in range(99999) %}{% set ns.x = range(99999)|list %}{% endfor %}",
    "searching": "{% set r = range(99999)|list %}{% for a in range(99999) %}{{ 'x' if -1 in r }}{% endfor %}",
}  # fmt: skip


def filled(folder: Path, template: str) -> list[Finding]:
    """What is found when a face is filled in."""
    project = Project(toy_project(folder))
    (project.get_templates_dir("lanterns") / "spirit/front.html.j2").write_text(
        template, encoding="utf-8"
    )
    loaded = load_pack(project, "lanterns")
    assert loaded.pack is not None
    renderer = Renderer(
        add_choice_keywords(loaded.pack),
        get_render_folders(project, "lanterns"),
        workers=1,
    )
    findings: list[Finding] = []
    job = FaceJob("spirit", "front", "en", card="dusk-moth")
    renderer.fill(job, renderer.make_key(job), findings)
    return findings


@pytest.mark.parametrize("template", GREEDY.values(), ids=GREEDY)
def test_a_greedy_template_is_a_finding_that_names_the_face(
    tmp_path: Path, template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 1.5)
    start = time.process_time()
    (finding,) = filled(tmp_path, template)
    assert finding.code in ("render/limits", "render/template")
    assert finding.location.file == "templates/lanterns/spirit/front.html.j2"
    assert "dusk-moth" in finding.message
    assert any(
        words in finding.message
        for words in ("needs more than", "recursion", "Range too big")
    )
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "template",
    ["{{ 'a' ~ 1 ~ card.name }}", "{{ '%5.2f' % 1.5 }}", "{{ '{:>9}'.format(3) }}", "{{ [1] * 30 }}", "{{ 200000 * 3 }}",
     "{% for a in range(3000) %}{{ loop.index }}{{ loop.last }}{{ loop.length }}{% else %}x{% endfor %}",
     "{{ ('<b>'|e) ~ '<i>' }}", "{{ 2 ** 10 }}", "{{ 'x'|center(80) }}", "{% for a in [] %}{% else %}none{% endfor %}"],
)  # fmt: skip
def test_an_ordinary_template_is_not(tmp_path: Path, template: str) -> None:
    assert filled(tmp_path, template) == []


def test_time_on_the_clock_is_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A template that waits, as on a busy machine, is filled in."""
    (tmp_path / "card.j2").write_text(
        "{% for a in range(3000) %}{{ 'x'|waits if a == 5 }}{% endfor %}",
        encoding="utf-8",
    )
    templates = TemplateSet(tmp_path, tmp_path)
    templates.env.filters["waits"] = lambda value: time.sleep(0.6) or value
    monkeypatch.setattr(sandbox, "MAX_SECONDS", 0.4)
    assert templates.render("card.j2", {}) == "x"


@pytest.mark.parametrize(
    "data", [b"\xff\xfe{{ card.name }}", b"{{ card.name }}\xe9", b"x" * 5_000_000]
)
def test_a_template_that_is_no_text_or_too_large_is_a_finding(
    tmp_path: Path, data: bytes
) -> None:
    project = Project(toy_project(tmp_path / "p"))
    path = project.get_templates_dir("lanterns") / "spirit/front.html.j2"
    path.write_bytes(data)
    loaded = load_pack(project, "lanterns")
    assert loaded.pack is not None
    renderer = Renderer(
        add_choice_keywords(loaded.pack),
        get_render_folders(project, "lanterns"),
        workers=1,
    )
    findings: list[Finding] = []
    job = FaceJob("spirit", "front", "en", card="dusk-moth")
    renderer.fill(job, renderer.make_key(job), findings)
    assert [finding.code for finding in findings] == ["render/template"]


DEEP: dict[str, Any] = {}
for _level in range(200):
    DEEP = {"properties": {"a": DEEP}}
WIDE = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}

BROKEN: dict[str, dict[str, Any]] = {
    "a look ahead": {"properties": {"x": {"pattern": "^(?=a)b"}}},
    "a look behind": {"properties": {"x": {"pattern": "(?<=a)b"}}},
    "a reference back": {"properties": {"x": {"pattern": "(a)\\1"}}},
    "a pattern that is none": {"properties": {"x": {"pattern": "("}}},
    "a pattern that grows": {"properties": {"x": {"pattern": "((a{0,99}){0,99}){0,99}"}}},
    "a long pattern": {"properties": {"x": {"pattern": "a" * 5000}}},
    "a pattern of names": {"patternProperties": {"(?!x)": {}}},
    "a pattern that is no text": {"properties": {"x": {"pattern": 3}}},
    "a definition that is itself": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
    "definitions in a circle": {
        "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}}},
    "the whole in itself": {"anyOf": [{"$ref": "#"}, {"type": "object"}]},
    "definitions that double": {"allOf": [{"$ref": "#/$defs/d0"}], "$defs": {**WIDE, "d40": {}}},
    "depth": DEEP,
}  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_schema_that_cannot_be_checked_by_is_found_when_it_is_read(
    tmp_path: Path, broken: dict[str, Any]
) -> None:
    project = Project(toy_project(tmp_path))
    path = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    path.write_text(json.dumps(broken), encoding="utf-8")
    start = time.process_time()
    found = [
        one
        for one in load_pack(project, "lanterns").findings
        if one.location.file == project.shorten_path(path)
    ]
    assert [one.code for one in found][:1] == ["schema/broken"]
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "forms",
    [[False], [False, False], [{"type": "integer"}, False], [{}], [{"not": {}}, False]],
)
def test_a_form_that_allows_nothing_is_reported_as_any_other(
    tmp_path: Path, forms: list[Any]
) -> None:
    project = Project(toy_project(tmp_path))
    path = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["properties"]["scarcity"] = {"anyOf": forms}
    path.write_text(json.dumps(schema), encoding="utf-8")
    assert all(one.message for one in load_pack(project, "lanterns").findings)


@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "^(a|a)*$", "^(.*a){20}$", "^([a-z]+)*[0-9]$", "(x+x+)+y"]
)
def test_no_pattern_takes_long_however_it_is_made(tmp_path: Path, pattern: str) -> None:
    project = Project(toy_project(tmp_path))
    path = project.get_schemas_dir("lanterns") / "spirit.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["properties"]["evil"] = {"type": "string", "pattern": pattern}
    schema["patternProperties"] = {pattern: {"type": "string"}}
    path.write_text(json.dumps(schema), encoding="utf-8")
    card = project.get_cards_dir("lanterns") / "spirit/dusk-moth.yaml"
    evil = "a" * 5000 + "!"
    card.write_text(
        f"{card.read_text(encoding='utf-8')}\nevil: {evil}\n{'a' * 200}!: 1\n{'x' * 300}: 1\n"
    )
    start = time.process_time()
    assert any(
        one.code.startswith("schema/")
        for one in load_pack(project, "lanterns").findings
    )
    assert time.process_time() - start < 10


FAR_POINT = (
    Path(__file__).parents[1] / "render/cases/far-control-point.svg"
).read_bytes()


@pytest.mark.parametrize(
    "source",
    [b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
     b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]><svg viewBox="0 0 9 9">&x;</svg>',
     '<!DOCTYPE svg [<!ENTITY a "a">]><svg/>'.encode("utf-16"), b"<svg>" * 50_000, b"<svg", b"\0", b"",
     b'<svg viewBox="0 0 9 9"><path d="M0 0 A"/></svg>', b'<svg viewBox="0 0 nan 9"><path d="M0 0h9v9z"/></svg>',
     b'<svg viewBox="0 0 9 9"><path d="M0 0h1e99v1e99z"/></svg>', FAR_POINT, b'<svg xmlns="a b" viewBox="0 0 9 9"/>'],
)  # fmt: skip
def test_an_icon_that_is_no_drawing_is_a_finding(source: bytes) -> None:
    _data, findings = build_font({"evil": source}, "templates/x/icons")
    assert [(one.code, one.location.file) for one in findings] == [
        ("render/icon", "templates/x/icons/evil.svg")
    ]
