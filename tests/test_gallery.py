"""The scripts that make the pictures run, and the page shows all of them."""

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_gallery_is_drawn_and_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["plots.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / "plots.py"), run_name="__main__")
    drawn = {file.name for file in tmp_path.glob("*.png")}
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = {part.split(")")[0] for part in page.split("images/gallery/")[1:]}
    assert drawn == shown
    kept = ROOT / "docs" / "images" / "gallery"
    assert drawn == {file.name for file in kept.iterdir()}
    for name in drawn:  # a rule more or less makes a picture higher
        assert size(tmp_path / name) == pytest.approx(size(kept / name), rel=0.05), name
    assert all(1_000 < file.stat().st_size < 150_000 for file in tmp_path.iterdir())


def size(file):
    """Width and height of a PNG file, from its head."""
    head = file.read_bytes()[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
