"""How accurate our classifiers are, beside others, on the paper's tasks and on further tables."""
