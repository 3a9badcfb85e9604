"""Who gets which batch: batches are made as workers are there for them, however many there will be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builder.model.pack import Size
from builder.render.cluster.dispatch import AHEAD, Dispatch
from builder.render.cluster.facestore import FaceStore
from builder.render.cluster.faraway import Errand
from builder.render.cluster.shipment import Shipment
from builder.render.jobs import Batch, FaceHtml, Style

STYLE = Style("style", (), Size(width=63, height=88), {}, "en")


class Client:
    """A cluster that takes work and never says anything."""

    def submit(self, *_: Any, key: str, **__: Any) -> str:
        return key


def test_batches_are_made_when_workers_may_have_them(tmp_path: Path) -> None:
    made = []

    def batches() -> Iterator[Batch]:
        for number in range(1000):
            made.append(number)
            yield Batch(STYLE, (FaceHtml(f"{number:064x}", "", "", None, ""),))

    store, findings = FaceStore.at(str(tmp_path)), []
    errand = Errand(store.blobs.address, "", {})
    dispatch = Dispatch("dask://nowhere", store, Client(), errand, Shipment({}, {}), batches(), findings)
    dispatch.fit = {"one", "two", "three"}
    for _ in range(3):
        dispatch.hand_out()
    assert len(dispatch.running) == 3 * AHEAD
    assert len(made) - len(dispatch.running) <= 1
    _, lot = dispatch.running.popitem()
    dispatch.waiting.append(lot.batch)
    dispatch.hand_out()
    assert lot.batch in [each.batch for each in dispatch.running.values()]
    assert len(made) - len(dispatch.running) <= 1


def test_what_another_worker_has_set_is_not_set_again(tmp_path: Path) -> None:
    store = FaceStore.at(str(tmp_path))
    batch = Batch(STYLE, (FaceHtml("0" * 64, "", "", None, ""),))
    dispatch = Dispatch("", store, Client(), Errand("", "", {}), Shipment({}, {}), iter([batch]), [])
    dispatch.fit = {"one"}
    dispatch.hand_out()
    dispatch.waiting.append(batch)  # the one that has it is slow
    dispatch.left.clear()  # but done now
    assert not dispatch.more()
