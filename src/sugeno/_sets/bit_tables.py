"""BitTables: tables over all patterns as the bits of one integer.

Bit c stands for cell c of a table over a product of chains (`Chains.cells_of`). To go one place up
on a chain is to shift all bits to the left. So whatever is done to all patterns at once costs a few
operations on long integers: about a hundredth of the same steps through an array of truth values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, canonical_order


@dataclass(frozen=True)
class BitTables:
    """The moves on tables over given chains, each table the bits of an integer.

    Attributes
    ----------
    chains : Chains
        The chains.
    moves : tuple of (int, int, int)
        Of each chain the number of its literals, the distance of two neighbouring places, and the
        bits of all patterns that are not at its upper end yet.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.bit_tables import BitTables
    >>> from sugeno._sets.chains import Chains
    >>> tables = BitTables.of(Chains.single(2))
    >>> bits = tables.bits(np.array([[1]], np.uint64))
    >>> bin(bits), bin(tables.spread_up(bits)), bin(tables.raised(0b0001))
    ('0b10', '0b1010', '0b111')
    """

    chains: Chains
    moves: tuple[tuple[int, int, int], ...]

    @staticmethod
    @lru_cache(maxsize=2)
    def of(chains: Chains) -> BitTables:
        """Prepare the moves of chains; those of the last few are kept."""
        moves, stride = [], 1
        for size in chains.sizes:
            period = stride * (size + 1)
            if size:
                below_end = _repeated((1 << stride * size) - 1, period, chains.n_cells)
                moves.append((size, stride, below_end))
            stride = period
        return BitTables(chains, tuple(moves))

    @property
    def full(self) -> int:
        """The bits of all patterns."""
        return (1 << self.chains.n_cells) - 1

    def bits(self, masks: Masks) -> int:
        """Return the bits of the given closed sets."""
        bits = np.packbits(self.chains.table_of(masks), bitorder="little")
        return int.from_bytes(bits.tobytes(), "little")

    def table(self, bits: int) -> NDArray[np.bool_]:
        """Return bits as an array of truth values, one per cell."""
        n_cells = self.chains.n_cells
        packed = np.frombuffer(bits.to_bytes(-(-n_cells // 8), "little"), dtype=np.uint8)
        return np.unpackbits(packed, count=n_cells, bitorder="little").view(np.bool_)

    def spread_up(self, bits: int) -> int:
        """Add all patterns that contain one that is marked."""
        for size, stride, below_end in self.moves:
            for _ in range(size):
                bits |= (bits & below_end) << stride
        return bits

    def spread_down(self, bits: int) -> int:
        """Add all patterns that a marked one contains."""
        for size, stride, below_end in self.moves:
            for _ in range(size):
                bits |= (bits >> stride) & below_end
        return bits

    def raised(self, bits: int) -> int:
        """Add what is one step up from a marked pattern."""
        result = bits
        for _, stride, below_end in self.moves:
            result |= (bits & below_end) << stride
        return result

    def lowered(self, bits: int) -> int:
        """Add what is one step down from a marked pattern."""
        result = bits
        for _, stride, below_end in self.moves:
            result |= (bits >> stride) & below_end
        return result

    def minimal_sets(self, bits: int) -> Masks:
        """Return the minimal members of an up-set, in canonical order."""
        above = 0
        for _, stride, below_end in self.moves:
            above |= (bits & below_end) << stride
        found = self.chains.masks_of(np.flatnonzero(self.table(bits & ~above)))
        return found[canonical_order(found)]


def _repeated(block: int, period: int, length: int) -> int:
    """Repeat a block of bits, once per period, up to a length that is a multiple of it."""
    width = period
    while width < length:
        block |= block << width
        width *= 2
    return block & ((1 << length) - 1)


def up_set(masks: Masks, chains: Chains) -> NDArray[np.bool_]:
    """Boolean table over all patterns that is true where one contains a given closed set.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.bit_tables import up_set
    >>> from sugeno._sets.chains import Chains
    >>> up_set(np.array([[1]], np.uint64), Chains.single(2))
    array([False,  True, False,  True])
    """
    tables = BitTables.of(chains)
    return tables.table(tables.spread_up(tables.bits(masks)))
