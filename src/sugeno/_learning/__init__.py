"""From counts to a finished model: labels, thresholds, the choice of a solver. Not public."""
