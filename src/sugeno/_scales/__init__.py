"""Criteria on their scales: directions, utilities, levels and literals. Not public."""
