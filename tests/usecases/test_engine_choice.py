"""`engine: auto` chooses one engine for a pack; releases keep theirs, prints of two differ."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from builder.cache import installed
from builder.cli.build.build import build
from builder.cli.release import release
from builder.errors import ToolMissing, UsageError
from builder.model.engines import EngineName
from builder.packs.loading import load_pack
from builder.packs.pack_files import PackFiles
from builder.packs.project import Project
from builder.usecases.build import changed as changed_module, engine_choice
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import (
    EngineChoice,
    WorkerPool,
    get_render_folders,
)
from builder.usecases.build.changed import find_reprinted_cards
from builder.usecases.build.engine_choice import choose_engine, with_chosen_engine
from builder.usecases.check_pack import check_packs
from builder.usecases.pack_states import load_named_state, load_pack_as_of
from builder.usecases.release.new import ReleaseRequest, make_release
from builder.usecases.release.printing import check_print
from builder.usecases.watch.pack_watch import PackWatch
from tests.usecases.toy import build_options, edit, toy_project

pytest.importorskip("plutoprint")

DAY = date(2026, 4, 1)
FRONT = "templates/lanterns/spirit/front.html.j2"
CARD = "cards/lanterns/spirit/dusk-moth.yaml"
STYLE_OF_A_CARD = "{% if card.scarcity == 7 %}<i style='background: linear-gradient(red, blue)'></i>{% endif %}"
"""An inline style that only cards with one value have."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(toy_project(tmp_path))


def append(project: Project, file: str, text: str) -> None:
    path = project.root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text("utf-8") if path.is_file() else ""
    path.write_text(before + text, "utf-8")


def choose(project: Project) -> EngineChoice:
    return choose_engine(
        get_render_folders(project, "lanterns"), load_pack(project, "lanterns").whole
    )


def fix_engine(project: Project, engine: str) -> None:
    append(project, "cards/lanterns/pack.yaml", f"\nengine: {engine}\n")


def test_plutoprint_is_chosen_if_it_supports_everything(project: Project) -> None:
    assert choose(project).engine == "plutoprint"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        (
            "pack.css",
            ".a { background: linear-gradient(red, blue); }",
            "linear-gradient()",
        ),
        ("pack.css", ".a { display: grid; }", "display: grid"),
        ("pack.css", ".a { box-shadow: 1mm 1mm red; }", "box-shadow"),
        ("pack.css", "@layer base { .a { color: red } }", "@layer"),
        ("pack.css", ".a { .b { color: red } }", "nesting of rules"),
        ("pack.css", ".a { width: calc(100% - 2mm); }", "width: calc(100% - 2mm)"),
        (
            "charm/card.css",
            "\n.a { border-image: linear-gradient(red, blue) 1 }",
            "border-image",
        ),
    ],
)
def test_a_style_sheet_that_needs_weasyprint_is_named_with_its_line(
    project: Project, file: str, text: str, reason: str
) -> None:
    path = project.get_templates_dir("lanterns") / file
    line = path.read_text("utf-8").count("\n") + text.count("\n") + 1
    append(project, f"templates/lanterns/{file}", text)
    choice = choose(project)
    expected = f"templates/lanterns/{file}:{line}: {reason} needs weasyprint"
    assert (choice.engine, str(choice.reason)) == ("weasyprint", expected)
    assert choose(project) == choice, "the cached result"


@pytest.mark.parametrize("text", [".a { colr: red; }", ".a { color: red"])
def test_a_mistake_that_both_engines_report_does_not_decide(
    project: Project, text: str
) -> None:
    append(project, "templates/lanterns/pack.css", text)
    assert choose(project).engine == "plutoprint"


def test_a_feature_that_no_engine_draws_is_not_said_to_need_weasyprint(
    project: Project,
) -> None:
    append(project, "templates/lanterns/pack.css", ".a { text-shadow: 1mm 1mm red; }")
    choice = choose(project)
    assert choice.engine == "weasyprint"
    assert "plutoprint does not support text-shadow" in choice.reason


@pytest.mark.parametrize("folder", ["cards/lanterns/art", "templates/lanterns"])
def test_a_drawing_that_needs_weasyprint_is_named(
    project: Project, folder: str
) -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><filter id="f">'
        '<feOffset dx="1"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>'
    )
    append(project, f"{folder}/fog.svg", drawing)
    assert choose(project).reason == f"{folder}/fog.svg: <feOffset> needs weasyprint"


@pytest.mark.parametrize(
    ("markup", "feature"),
    [
        ("<i style='background: linear-gradient(red, blue)'></i>", "linear-gradient()"),
        ("<style>.a { display: grid }</style>", "display: grid"),
        ("<svg><switch><rect width='1' height='1'/></switch></svg>", "<switch>"),
    ],
)
def test_a_filled_template_that_needs_weasyprint_is_named(
    project: Project, markup: str, feature: str
) -> None:
    append(project, FRONT, f"\n{markup}\n")
    choice = choose(project)
    assert (choice.engine, choice.reason) == (
        "weasyprint",
        f"{FRONT}:5: {feature} needs weasyprint",
    )


def test_values_of_a_single_card_decide_for_the_whole_pack(project: Project) -> None:
    append(project, FRONT, STYLE_OF_A_CARD)
    assert choose(project).engine == "plutoprint"
    edit(project.root / CARD, "scarcity: 4", "scarcity: 7")
    assert choose(project).engine == "weasyprint"
    options = build_options(
        workers=0, langs=("en",), only=("old-wick",), profile="screen"
    )
    result = build_pack(project, "lanterns", options)
    assert result.findings == ()
    assert result.engine_choice == choose(project)
    edit(project.root / CARD, "scarcity: 7", "scarcity: 4")
    assert choose(project).engine == "plutoprint"


def test_another_card_that_a_template_prints_decides_when_it_changes(
    project: Project,
) -> None:
    append(
        project,
        FRONT,
        "{% if card.id == 'old-wick' %}<i style='{{ card_of('dusk-moth').tricks.x.name }}'>"
        "</i>{% endif %}",
    )
    path = project.root / CARD
    edit(path, "tricks: {}", "tricks: {x: {name: a, text: b}}")
    assert choose(project).engine == "plutoprint"
    edit(path, "{name: a,", '{name: "display: grid",')
    assert choose(project).engine == "weasyprint"


def test_languages_from_right_to_left_need_plutoprint(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(
        project.root / "cards/lanterns/pack.yaml",
        "translations: [de]",
        "translations: [de, he]",
    )
    append(project, "templates/lanterns/pack.css", ".a { display: grid; }")
    choice = choose(project)
    assert (choice.engine, choice.reason) == (
        "plutoprint",
        "language he needs plutoprint",
    )
    monkeypatch.setattr(engine_choice, "installed", lambda _package: "-")
    assert choose(project).engine == "weasyprint"
    assert "i18n/direction" in {
        finding.code for finding in check_packs(project, "lanterns")
    }


@pytest.mark.parametrize(
    ("version", "reason"),
    [("-", "plutoprint is not installed"), ("9.9", "plutoprint 9.9 was not tested")],
)
def test_weasyprint_is_chosen_without_a_tested_plutoprint(
    project: Project, monkeypatch: pytest.MonkeyPatch, version: str, reason: str
) -> None:
    monkeypatch.setattr(engine_choice, "installed", lambda _package: version)
    monkeypatch.setattr(
        engine_choice, "is_measured", lambda _engine: version == "0.23.0"
    )
    assert choose(project) == EngineChoice("weasyprint", reason)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["weasyprint", "plutoprint"])
def test_pack_yaml_overrides_the_choice(project: Project, engine: str) -> None:
    fix_engine(project, engine)
    loaded, choice = with_chosen_engine(
        get_render_folders(project, "lanterns"), load_pack(project, "lanterns")
    )
    assert (loaded.whole.manifest.engine, choice) == (engine, None)


def test_the_templates_of_the_program_need_no_weasyprint() -> None:
    """Every pack uses them, so that they must not decide."""
    from builder.render.engines.plutoprint import unsupported

    base = Project(Path(__file__).resolve().parents[2]).base_templates
    sheets, drawings = sorted(base.rglob("*.css")), sorted(base.rglob("*.svg"))
    assert sheets
    for path in sheets:
        complaints = [*unsupported.find_in_style_sheet(path.read_text("utf-8"))]
        assert [
            complaint.feature for complaint in complaints if complaint.feature
        ] == [], path
    for path in drawings:
        complaints = [*unsupported.find_in_drawing(path.read_text("utf-8"))]
        assert [
            complaint.feature for complaint in complaints if complaint.feature
        ] == [], path


def test_a_build_prints_one_line_with_the_reason_also_when_nothing_was_edited(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builder.usecases.build.records.MIN_FILE_AGE_NS", -(10**18))
    append(project, "templates/lanterns/pack.css", "\n.a { box-shadow: 1mm 1mm red; }")
    command = [
        "lanterns",
        "--project",
        str(project.root),
        "--lang",
        "en",
        "--workers",
        "1",
    ]
    line = "lanterns: engine weasyprint (templates/lanterns/pack.css:9: box-shadow needs weasyprint)"
    for _attempt in range(2):
        result = CliRunner().invoke(build, [*command, "--only", "old-wick"])
        assert result.exit_code == 0, result.output
        assert [row for row in result.output.splitlines() if "engine" in row] == [line]


def released(project: Project, *, pixels: bool = True) -> Path:
    """Release the toy pack; the folder of the release."""
    prove = check_print(project, "lanterns", WorkerPool(1), pixels=pixels)
    release_result = make_release(
        PackFiles(project),
        "lanterns",
        ReleaseRequest("1.0.0", DAY, DAY),
        pictures=prove,
    )
    assert release_result.frozen, release_result.findings
    return project.get_cards_dir("lanterns") / "releases" / "1.0.0"


def forget_engine(folder: Path) -> None:
    """Make of a release one that an earlier version of the program made: it stores no engine."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    del manifest["engine"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def test_a_release_stores_the_engine_and_its_version(project: Project) -> None:
    folder = released(project)
    engine = {"name": "plutoprint", "version": installed("plutoprint")}
    assert json.loads((folder / "manifest.json").read_text("utf-8"))["engine"] == engine
    faces = json.loads((folder / "faces.json").read_text("utf-8"))
    assert faces["engine"] == f"plutoprint {engine['version']}"


def test_a_release_is_rendered_with_its_engine_and_refuses_another(
    project: Project,
) -> None:
    released(project, pixels=False)
    append(project, "templates/lanterns/pack.css", "\n.a { box-shadow: 1mm 1mm red; }")
    assert choose(project).engine == "weasyprint"
    loaded = load_pack_as_of(PackFiles(project), "lanterns", "1.0.0")
    assert loaded.whole.manifest.engine == "plutoprint"
    options = build_options(workers=1, as_of="1.0.0", engine="weasyprint")
    with pytest.raises(UsageError, match="rendered with plutoprint"):
        build_pack(project, "lanterns", options)
    order = build_options(
        workers=1, as_of="1.0.0", engine="weasyprint", profile="shop:thegamecrafter"
    )
    with pytest.raises(UsageError, match="rendered with plutoprint"):
        build_pack(project, "lanterns", order)


def test_an_order_refuses_another_engine_than_the_chosen_one(project: Project) -> None:
    options = build_options(
        workers=1, engine="weasyprint", profile="shop:thegamecrafter"
    )
    with pytest.raises(UsageError, match="plutoprint"):
        build_pack(project, "lanterns", options)


@pytest.mark.parametrize(
    ("fixed", "engine"),
    [(None, "weasyprint"), ("plutoprint", "plutoprint"), ("auto", "weasyprint")],
)
def test_a_release_without_an_engine_is_weasyprint_unless_its_pack_fixed_one(
    project: Project, fixed: str | None, engine: str
) -> None:
    if fixed is not None:
        fix_engine(project, fixed)
    release_result = make_release(
        PackFiles(project), "lanterns", ReleaseRequest("1.0.0", DAY, DAY)
    )
    assert release_result.frozen, release_result.findings
    loaded = load_pack_as_of(PackFiles(project), "lanterns", "1.0.0")
    assert loaded.whole.manifest.engine == engine


def test_a_draft_has_no_engine_and_the_release_made_of_it_has(project: Project) -> None:
    prove = check_print(project, "lanterns", WorkerPool(1), pixels=False)
    packs = PackFiles(project)
    make_release(
        packs, "lanterns", ReleaseRequest("1.0.0", DAY, DAY, draft=True), pictures=prove
    )
    assert load_named_state(packs, "lanterns", "draft:1.0.0")[0].engine is None
    release_result = make_release(
        packs,
        "lanterns",
        ReleaseRequest("1.0.0", DAY, DAY, staged=True),
        pictures=prove,
    )
    assert release_result.frozen, release_result.findings
    stored = load_named_state(packs, "lanterns", "1.0.0")[0].engine
    assert stored is not None
    assert stored.name == "plutoprint"


def test_release_new_prints_the_engine(project: Project) -> None:
    command = [
        "new",
        "1.0.0",
        "--effective",
        "2026-04-01",
        "--project",
        str(project.root),
    ]
    result = CliRunner().invoke(release, [*command, "--dry-run"])
    assert result.exit_code == 0, result.output
    assert "lanterns: engine plutoprint (" in result.output


@pytest.fixture(params=["plutoprint", "weasyprint"])
def later_engine(request: pytest.FixtureRequest) -> EngineName:
    """Return the engine of the pack after its release with the other one."""
    return request.param  # type: ignore[no-any-return]


@pytest.mark.slow
def test_a_change_of_engine_alone_marks_no_card_as_changed(
    project: Project, later_engine: EngineName
) -> None:
    earlier = "weasyprint" if later_engine == "plutoprint" else "plutoprint"
    fix_engine(project, earlier)
    folder = released(project)
    if earlier == "weasyprint":
        forget_engine(folder)
    edit(
        project.root / "cards/lanterns/pack.yaml",
        f"engine: {earlier}",
        f"engine: {later_engine}",
    )
    assert (
        find_reprinted_cards(project, "lanterns", "1.0.0", WorkerPool(1)) == frozenset()
    )
    # A comment touches all faces: digests of the release's engine prove that they print alike.
    append(project, "templates/lanterns/pack.css", "/* no change */")
    assert (
        find_reprinted_cards(project, "lanterns", "1.0.0", WorkerPool(1)) == frozenset()
    )
    append(
        project, "templates/lanterns/charm/card.css", ".face { background: #123456; }"
    )
    charms = {
        path.stem for path in (project.root / "cards/lanterns/charm").glob("*.yaml")
    }
    assert find_reprinted_cards(project, "lanterns", "1.0.0", WorkerPool(1)) == charms


@pytest.mark.parametrize("version", ["-", "0.22.0"])
def test_prints_of_an_engine_that_is_missing_are_not_compared(
    project: Project, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    released(project)
    fix_engine(project, "weasyprint")
    append(project, "templates/lanterns/pack.css", "/* no change */")
    monkeypatch.setattr(changed_module, "installed", lambda _package: version)
    with pytest.raises(ToolMissing, match="cannot compare the faces with") as raised:
        find_reprinted_cards(project, "lanterns", "1.0.0", WorkerPool(1))
    assert "plutoprint==" in str(raised.value.remedy)


def test_a_watch_keeps_its_engine(project: Project) -> None:
    watch = PackWatch(project, "lanterns")
    watch.start_watch([CARD])
    assert watch.engine == "plutoprint"
    assert watch.engine_choice is not None
    append(project, "templates/lanterns/pack.css", "\n.a { box-shadow: 1mm 1mm red; }")
    view = watch.show_saved_files(["templates/lanterns/pack.css"])
    assert {finding.code for finding in view.findings} == {"render/css"}
    fix_engine(project, "weasyprint")
    watch.show_saved_files(["cards/lanterns/pack.yaml"])
    assert watch.engine == "plutoprint"
    second_watch = PackWatch(project, "lanterns")
    second_watch.start_watch([CARD])
    assert second_watch.engine == "weasyprint"


@pytest.mark.slow
def test_an_order_names_its_engine(project: Project) -> None:
    options = build_options(
        workers=1, only=("kind=spirit",), profile="shop:thegamecrafter"
    )
    (order,) = build_pack(project, "lanterns", options).files
    manifest = json.loads((order.path / "manifest.json").read_text("utf-8"))
    assert manifest["engine"] == f"plutoprint {installed('plutoprint')}"
