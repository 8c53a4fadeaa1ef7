"""Tables as they come: text, unordered categories, missing cells, columns without a direction."""
