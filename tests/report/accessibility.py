"""What axe finds on a page that keeps people from using it."""

from importlib.resources import files


def serious_barriers(page):
    """Look at the page as it is now; axe has to have checked something at all."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    assert len(found["passes"]) > 20
    return [
        (violation["id"], [node["html"] for node in violation["nodes"]][:3])
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
