"""What axe finds on a page that keeps people from using it."""

from importlib.resources import files

#: Only what is violated comes back: all nodes that pass are megabytes of a long page.
_LOOK = """async () => {
  const found = await axe.run({resultTypes: ["violations"]});
  return [found.passes.length, found.violations
    .filter(one => ["serious", "critical"].includes(one.impact))
    .map(one => [one.id, one.nodes.slice(0, 3).map(node => node.html)])];
}"""


def serious_barriers(page):
    """Look at the page as it is now; axe has to have checked something at all."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    n_passed, barriers = page.evaluate(_LOOK)
    assert n_passed > 20
    return barriers
