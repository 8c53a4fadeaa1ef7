"""Benchmarks: ``make bench`` or ``python -m benchmarks`` measures every promise of the library."""
