from __future__ import annotations

from hypothesis import example, given, strategies as st

from builder.pdf import Matrix
from builder.pdfinfo.geometry import PathBuilder, find_bounds

NUMBER = st.floats(min_value=-100, max_value=100, allow_nan=False)
POINT = st.tuples(NUMBER, NUMBER)


@given(POINT, POINT, POINT, POINT)
@example((0.0, 0.0), (0.0, 4.0), (0.0, 4.0), (0.0, -1.102425764812071e-12))
def test_the_box_of_a_curve_holds_every_point_of_it_and_touches_it_on_each_side(
    p0: tuple[float, float],
    p1: tuple[float, float],
    p2: tuple[float, float],
    p3: tuple[float, float],
) -> None:
    path = PathBuilder()
    path.add("m", p0, Matrix())
    path.add("c", (*p1, *p2, *p3), Matrix())
    box = path.box
    sampled = []
    for k in range(201):
        t = k / 200
        u = 1 - t
        weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
        x, y = (
            sum(w * p[i] for w, p in zip(weights, (p0, p1, p2, p3), strict=True))
            for i in (0, 1)
        )
        sampled.append((x, y))
        assert box.x - 1e-6 <= x <= box.x + box.width + 1e-6
        assert box.y - 1e-6 <= y <= box.y + box.height + 1e-6
    near = find_bounds(sampled)
    assert box.width - near.width < 0.1
    assert box.height - near.height < 0.1
