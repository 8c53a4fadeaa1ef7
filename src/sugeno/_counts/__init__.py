"""What learning sees of a table: integer weights, value counts and patterns. Not public."""
