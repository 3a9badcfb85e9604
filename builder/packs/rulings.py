"""Read the rulings of a pack: the YAML files in its folder rulings/."""

from builder.errata.rulings import LocatedRuling, Rulings
from builder.files import find_files, is_within
from builder.findings import Finding, Location
from builder.model.loaded import Document
from builder.model.ruling import Commentary, RulingSet
from builder.packs.project import Project
from builder.packs.schema.validation import parse_model
from builder.packs.yaml.reading import read_document


def load_rulings(project: Project, pack: str) -> tuple[Rulings, tuple[Finding, ...]]:
    """Load the rulings and comments of a pack. Return them with the findings."""
    rulings: list[LocatedRuling] = []
    commentary: list[Commentary] = []
    commentary_locations: list[Location] = []
    findings: list[Finding] = []
    for path in sorted(
        find_files(project.get_cards_dir(pack) / "rulings", "**/*.yaml")
    ):
        if not is_within(project.root, path):
            continue
        document, problems = read_document(path, project.shorten_path(path))
        findings += problems
        if document is None or _is_card(document):
            continue
        parsed, problems = parse_model(RulingSet, document)
        findings += problems
        if parsed is None:
            continue
        for index, remark in enumerate(parsed.commentary):
            commentary.append(remark)
            commentary_locations.append(document.locate(("commentary", index)))
        for index, ruling in enumerate(parsed.rulings):
            rulings.append(LocatedRuling(ruling, document.locate(("rulings", index))))
    rulings.sort(key=lambda located: (located.ruling.date, located.ruling.id))
    all_rulings = Rulings(
        tuple(rulings), tuple(commentary), tuple(commentary_locations)
    )
    return all_rulings, tuple(findings)


def _is_card(document: Document) -> bool:
    """Return True if the file is a card, because old packs may have a kind named "rulings"."""
    return isinstance(document.value, dict) and "kind" in document.value
