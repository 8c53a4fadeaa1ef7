"""The machine and the versions behind the figures; nothing that would identify its owner."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["describe"]

_PACKAGES = ("sugeno", "numpy", "scipy", "scikit-learn", "sugeno-classifier")


def describe() -> str:
    """Say in one line what was measured on."""
    found = [f"{name} {known}" for name in _PACKAGES if (known := _version(name))]
    cores = f"{os.cpu_count()} cores"
    return ", ".join([_processor(), cores, f"Python {platform.python_version()}", *found])


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
