"""The report of what had to shrink."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from builder.packs.project import Project
from builder.report.fit import BlockFit, FitReport, format_fit_report
from builder.usecases.build.build import build_pack
from builder.usecases.build.build_options import Selection, WorkerPool
from builder.usecases.build.type_sizes import measure_sizes
from builder.usecases.build.typeset import report_fit
from tests.usecases.toy import build_options, toy_project


def block(card: str, size: float, fill: float, lang: str = "en") -> BlockFit:
    return BlockFit(
        card, card.title(), "spirit", "front", lang, "text", size, (9, 8, 7), fill
    )


REPORT = FitReport(
    "toy",
    (
        block("a", 9, 0.1),
        block("b", 8, 0.9),
        block("c", 7, 0.95),
        block("d", 8, 0.99, "de"),
    ),
)


def test_the_worst_comes_first_and_what_did_not_shrink_not_at_all() -> None:
    assert [item.card for item in REPORT.shrunk] == ["c", "d", "b"]


def test_the_emptiest_are_those_at_full_size() -> None:
    assert [item.card for item in REPORT.find_emptiest(3)] == ["a"]


def test_the_text_counts_per_language_and_marks_the_smallest_size() -> None:
    text = format_fit_report(REPORT, "en")
    assert "3 of 4 blocks were shrunk" in text
    assert "en: 2 of 3, 1 of them to their smallest size" in text
    assert [line for line in text.splitlines() if "pt!" in line and "spirit/c" in line]


def test_a_kind_has_one_voice_within_three_near_sizes() -> None:
    (voice,) = REPORT.voices
    assert (voice.sizes, voice.is_uniform) == ((9, 8, 7), True)
    more = FitReport("toy", (*REPORT.blocks, block("e", 6.5, 0.5)))
    assert not more.voices[0].is_uniform
    assert (
        "! spirit: 9, 8, 7, 6.5 pt, the largest 1.38 times the smallest"
        in format_fit_report(more, "en")
    )
    heading = replace(block("e", 18, 0.5), heading=True)
    assert FitReport("toy", (*REPORT.blocks, heading)).voices == (voice,)


@pytest.mark.slow
def test_faces_of_a_card_agree_on_the_smaller_size(tmp_path: Path) -> None:
    toy_project(tmp_path)
    long = "Twelve words make this charm longer than its box has room. " * 6
    templates = tmp_path / "templates" / "lanterns" / "charm"
    front = (templates / "front.html.j2").read_text("utf-8")
    (templates / "back.html.j2").write_text(
        front.replace("{{ card.effect | rich }}", f"<p>{long}</p>"), "utf-8"
    )
    manifest = tmp_path / "cards" / "lanterns" / "pack.yaml"
    manifest.write_text(
        manifest.read_text("utf-8").replace("back: common", "back: own"), "utf-8"
    )
    for _round in range(2):
        report, _ = report_fit(
            Project(tmp_path),
            "lanterns",
            Selection(only=("kind=charm",)),
            WorkerPool(0),
        )
        sizes = {(item.card, item.lang): set[float]() for item in report.blocks}
        for item in report.blocks:
            if item.block == "effect":
                sizes[item.card, item.lang].add(item.size)
        assert {len(card_sizes) for card_sizes in sizes.values()} == {1}
        assert {
            item.side
            for item in report.blocks
            if item.shrunk and item.block == "effect"
        } == {
            "front",
            "back",
        }

    def built() -> bytes:
        build_result = build_pack(
            Project(tmp_path),
            "lanterns",
            build_options(langs=("en",), only=("kind=charm",)),
        )
        return build_result.files[0].path.read_bytes()

    agreed = built()
    (templates / "back.html.j2").write_text(front, "utf-8")
    separate_pdf = built()  # the front's own sizes, in which it was not drawn before
    shutil.rmtree(Project(tmp_path).cache_dir)
    assert built() == separate_pdf != agreed


@pytest.mark.slow
@pytest.mark.parametrize("body_size", ["7.2", "{en: 7.2, de: 7.2}"])
def test_a_declared_size_keeps_a_face_from_shrinking_the_other(
    tmp_path: Path, body_size: str
) -> None:
    """The back is too long for 7.2 pt: it alone is smaller, and is to be shortened."""
    toy_project(tmp_path)
    long = "Twelve words make this charm longer than its box has room. " * 7
    templates = tmp_path / "templates" / "lanterns" / "charm"
    front = (templates / "front.html.j2").read_text("utf-8")
    back_template = front.replace("{{ card.effect | rich }}", f"<p>{long}</p>")
    (templates / "back.html.j2").write_text(back_template, "utf-8")
    manifest = tmp_path / "cards" / "lanterns" / "pack.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(
        text.replace("back: common", f"back: own\n    body_size: {body_size}"), "utf-8"
    )
    select = Selection(only=("kind=charm",))
    report, findings = report_fit(Project(tmp_path), "lanterns", select, WorkerPool(0))
    assert not [finding for finding in findings if "many-sizes" not in finding.code]
    assert {(item.side, item.size, item.sizes) for item in report.blocks} == {
        ("front", 7.2, (7.2, 6.5)),
        ("back", 6.5, (7.2, 6.5)),
    }
    kinds, _findings = measure_sizes(
        Project(tmp_path), "lanterns", select, WorkerPool(0)
    )
    assert [(kind.kind, kind.lang, kind.target_size) for kind in kinds] == [
        ("charm", "en", 7.2),
        ("charm", "de", 7.2),
    ]
    for kind in kinds:
        assert kind.smallest_size == 6.5
        long_texts = kind.list_long_texts()
        assert {item.side for item, _surplus in long_texts} == {"back"}
        for item, surplus in long_texts:
            # The text has this many letters without spaces.
            assert item.letters == len(long.replace(" ", ""))
            assert 0 < surplus < item.letters / 2


@pytest.mark.slow
def test_a_long_text_is_found_in_its_language(tmp_path: Path) -> None:
    project = Project(toy_project(tmp_path))
    before, _ = report_fit(project, "lanterns", Selection(), WorkerPool(0))
    assert not before.shrunk
    assert {item.lang for item in before.blocks} == {"en", "de"}
    path = next((tmp_path / "cards" / "lanterns" / "charm").rglob("amber-brooch.yaml"))
    text = path.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("effect:"))
    path.write_text(
        text.replace(
            line,
            "effect: "
            + "Twelve words make this charm longer than its box has room. " * 6,
        )
    )
    after, _ = report_fit(project, "lanterns", Selection(langs=("en",)), WorkerPool(0))
    assert [(item.card, item.block) for item in after.shrunk] == [
        ("amber-brooch", "effect")
    ]
