"""How the shrinking blocks of a pack's faces came out. Pure values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BlockFit:
    """One block of one face: its size in pt among those declared (largest first), and how full it is (1 = full)."""

    card: str
    name: str
    kind: str
    side: str
    lang: str
    block: str
    size: float
    sizes: tuple[float, ...]
    fill: float

    @property
    def shrunk(self) -> bool:
        """True if it is smaller than its largest size."""
        return self.size < self.sizes[0]

    @property
    def strain(self) -> tuple[float, float]:
        """How hard it was pressed, 0 not at all, 1 down to the smallest size; then how full it is."""
        room = self.sizes[0] - self.sizes[-1]
        return ((self.sizes[0] - self.size) / room if room else 0.0, self.fill)


@dataclass(frozen=True, slots=True)
class FitReport:
    """All blocks of all faces that were asked for."""

    pack: str
    blocks: tuple[BlockFit, ...]

    @property
    def shrunk(self) -> tuple[BlockFit, ...]:
        """Blocks that had to shrink, the worst first."""
        order = sorted((block for block in self.blocks if block.shrunk), key=_place)
        return tuple(sorted(order, key=lambda block: block.strain, reverse=True))

    def emptiest(self, count: int) -> tuple[BlockFit, ...]:
        """The blocks at their largest size with the least in them, the emptiest first."""
        full_size = [block for block in self.blocks if not block.shrunk]
        return tuple(sorted(full_size, key=lambda block: (block.fill, _place(block)))[:count])


def _place(block: BlockFit) -> tuple[str, ...]:
    """An order for blocks that are alike."""
    return (block.kind, block.card, block.side, block.block, block.lang)
