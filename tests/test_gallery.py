"""The scripts that make the pictures run, and the page shows all of them."""

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_gallery_is_drawn_and_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["plots.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / "plots.py"), run_name="__main__")
    drawn = {file.name for file in tmp_path.glob("*.png")}
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = {part.split(")")[0] for part in page.split("images/gallery/")[1:]}
    assert drawn == shown
    assert drawn == {file.name for file in (ROOT / "docs" / "images" / "gallery").iterdir()}
    assert all(1_000 < file.stat().st_size < 150_000 for file in tmp_path.iterdir())
