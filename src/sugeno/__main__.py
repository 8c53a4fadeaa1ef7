"""``python -m sugeno`` is ``sugeno``."""

from sugeno.cli import main

if __name__ == "__main__":
    main()
