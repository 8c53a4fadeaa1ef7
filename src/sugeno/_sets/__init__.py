"""Sets of literals: packed bits, chains of levels, transversals. Not public."""
