"""``python -m sugeno.cli`` is ``sugeno``."""

from sugeno.cli import main

main()
