"""Prove that a release can be printed before it is made."""

from builder.findings import Finding, Severity, has_errors
from builder.model.loaded import LoadedPack
from builder.packs.project import Project
from builder.pdfinfo.pictures import describe_rasterizer
from builder.usecases.appearance import check_appearance
from builder.usecases.build.build_options import WorkerPool, places
from builder.usecases.build.faces import (
    SHAPES,
    FaceDigests,
    named_digests,
    set_faces,
    shape_digests,
)


def check_print(project: Project, pack: str, workers: WorkerPool, *, pixels: bool) -> FaceDigests:
    """Return a function that sets all faces of a pack in all its languages, and reports what cannot be printed.

    It gives a digest of each face: of its pixels if `pixels`, else of what shapes it. Faces come from the cache if
    nothing that shapes them changed.
    """
    spots = places(project, pack)

    def take(loaded: LoadedPack) -> tuple[dict[str, str], tuple[Finding, ...]]:
        broken = tuple(
            one for one in check_appearance(project, loaded) if one.severity is Severity.ERROR
        )
        if broken:
            return {}, broken
        faces = set_faces(spots, loaded, loaded.whole.manifest.languages.all, workers)
        if has_errors(faces.findings):
            return {}, faces.findings
        if pixels:
            return named_digests(faces.digests(faces.stacks), describe_rasterizer()), faces.findings
        return named_digests(shape_digests(faces.renderer, faces.stacks)[0], SHAPES), faces.findings

    return take
