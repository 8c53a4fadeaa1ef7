"""The code of the guides runs, block by block, and prints what they say."""

from pathlib import Path

import pytest

from test_readme import FENCE, assert_prints

DOCS = Path(__file__).parents[1] / "docs"


GUIDES = [
    page.name
    for page in sorted(DOCS.glob("*.md"))
    if "```python\n" in page.read_text(encoding="utf-8")
]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", GUIDES)
def test_the_guide_prints_what_it_shows(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / name).read_text(encoding="utf-8")
    found = list(FENCE.finditer(text))
    names = {"__name__": "guide"}  # later blocks go on where earlier ones stopped
    for block, after in zip(found, [*found[1:], None]):
        if block[1] == "python":
            adjacent = after and not text[block.end() : after.start()].strip()
            shown = after[2] if adjacent and after[1] == "text" else "…"
            program = compile(block[2], name, "exec")
            assert_prints(shown, lambda program=program: exec(program, names))
