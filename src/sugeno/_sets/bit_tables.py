"""BitTables: tables over all patterns as the bits of one integer.

Bit c of a board stands for cell c of a table over a product of chains (`Chains.cells_of`). To go
one place up on a chain is to shift the whole board to the left, so that whatever is done to all
patterns at once costs a few operations on long integers: about a hundredth of the same steps
through an array of truth values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sugeno._sets.chains import Chains
from sugeno._sets.masks import Masks, canonical_order

__all__ = ["BitTables", "up_set"]


@dataclass(frozen=True)
class BitTables:
    """The moves on the boards of given chains.

    Attributes
    ----------
    chains : Chains
        The chains.
    moves : tuple of (int, int, int)
        Of each chain the number of its literals, the distance of two neighbouring places, and the
        board of all patterns that are not at its upper end yet.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._sets.bit_tables import BitTables
    >>> from sugeno._sets.chains import Chains
    >>> boards = BitTables.of(Chains.single(2))
    >>> board = boards.board(np.array([[1]], np.uint64))
    >>> bin(board), bin(boards.spread_up(board)), bin(boards.raised(0b0001))
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
        """The board of all patterns."""
        return (1 << self.chains.n_cells) - 1

    def board(self, masks: Masks) -> int:
        """Return the board of the given closed sets."""
        bits = np.packbits(self.chains.table_of(masks), bitorder="little")
        return int.from_bytes(bits.tobytes(), "little")

    def table(self, board: int) -> NDArray[np.bool_]:
        """Return a board as an array of truth values, one per cell."""
        n_cells = self.chains.n_cells
        packed = np.frombuffer(board.to_bytes(-(-n_cells // 8), "little"), dtype=np.uint8)
        return np.unpackbits(packed, count=n_cells, bitorder="little").view(np.bool_)

    def spread_up(self, board: int) -> int:
        """Add all patterns that contain one on the board."""
        for size, stride, below_end in self.moves:
            for _ in range(size):
                board |= (board & below_end) << stride
        return board

    def spread_down(self, board: int) -> int:
        """Add all patterns that one on the board contains."""
        for size, stride, below_end in self.moves:
            for _ in range(size):
                board |= (board >> stride) & below_end
        return board

    def raised(self, board: int) -> int:
        """Add what is one step up from a pattern on the board."""
        result = board
        for _, stride, below_end in self.moves:
            result |= (board & below_end) << stride
        return result

    def lowered(self, board: int) -> int:
        """Add what is one step down from a pattern on the board."""
        result = board
        for _, stride, below_end in self.moves:
            result |= (board >> stride) & below_end
        return result

    def minimal_sets(self, board: int) -> Masks:
        """Return the minimal members of an up-set, in canonical order."""
        above = 0
        for _, stride, below_end in self.moves:
            above |= (board & below_end) << stride
        found = self.chains.masks_of(np.flatnonzero(self.table(board & ~above)))
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
    boards = BitTables.of(chains)
    return boards.table(boards.spread_up(boards.board(masks)))
