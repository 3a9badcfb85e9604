"""Prove that a release can be printed before it is made."""

from builder.cache import installed
from builder.errata.snapshot import ReleaseEngine
from builder.findings import Severity, has_errors
from builder.model.loaded import LoadedPack
from builder.packs.project import Project
from builder.pdfinfo.pictures import describe_rasterizer
from builder.usecases.appearance import check_appearance
from builder.usecases.build.build_options import WorkerPool, get_render_folders
from builder.usecases.build.engine_choice import get_fixed_engine, with_chosen_engine
from builder.usecases.build.faces import (
    SHAPES,
    FaceSelection,
    PrintProof,
    ProvePrint,
    hash_shapes,
    name_digests,
    render_pack_faces,
)


def check_print(
    project: Project, pack: str, workers: WorkerPool, *, pixels: bool
) -> ProvePrint:
    """Make a function that renders all faces of a pack and returns the errors.

    It returns the engine and a digest of each face: of its pixels with `pixels`, otherwise of
    the inputs of its rendering.
    """
    spots = get_render_folders(project, pack)

    def prove_print(loaded: LoadedPack) -> PrintProof:
        loaded, choice = with_chosen_engine(spots, loaded)
        errors = tuple(
            finding
            for finding in check_appearance(project, loaded)
            if finding.severity is Severity.ERROR
        )
        # Rendering all faces takes minutes, so broken templates are reported first.
        if errors:
            return PrintProof({}, errors)
        selection = FaceSelection(loaded.whole.manifest.languages.all)
        faces = render_pack_faces(spots, loaded, selection, workers)
        if has_errors(faces.findings):
            return PrintProof({}, faces.findings)
        name = get_fixed_engine(loaded.whole)
        engine = ReleaseEngine(name=name, version=installed(name))
        if pixels:
            digests = name_digests(
                faces.hash_pictures(faces.stacks), describe_rasterizer(), str(engine)
            )
        else:
            shapes = hash_shapes(faces.renderer, faces.stacks)[0]
            digests = name_digests(shapes, SHAPES, str(engine))
        return PrintProof(digests, faces.findings, engine, choice)

    return prove_print
