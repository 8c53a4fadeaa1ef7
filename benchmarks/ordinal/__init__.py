"""Accuracy on ordered classes, ten-fold, resumable: ``python -m benchmarks.ordinal``."""
