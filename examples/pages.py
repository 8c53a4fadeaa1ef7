"""Draw the pictures of pages in the documentation, by Chromium: that of the demo, one of grades."""

import os
import shutil
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import mkdtemp

import demo
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from sugeno import SugenoOrdinalClassifier
from sugeno.datasets import load_raw

FOLDER = Path(__file__).parents[1] / "docs" / "images"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
ROOM = 24  # pixels above and below a picture


def main(folder: Path) -> None:
    chromium = os.environ.get("SUGENO_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1000})
        with chdir(mkdtemp()):
            demo.main()
            page.goto(demo.REPORT.resolve().as_uri())
            draw(page, "body", "#whatif", folder / "report.png")
            page.goto(grades().resolve().as_uri() + "#row=83")  # of a class in the middle
            draw(page, "#whatif", "#good .confusion", folder / "report-classes.png")
        browser.close()


def grades() -> Path:
    """Write the page of the classifier on the page "Ordered classes"."""
    lectures = load_raw("LEV", as_frame=True)
    X, y = lectures.data, lectures.target
    clf = SugenoOrdinalClassifier(max_rules=2, directions=lectures.directions).fit(X, y)
    return Path(clf.report(X, y, "lecturers.html", title="Lecturers"))


def draw(page: Page, first: str, last: str, file: Path) -> None:
    """Save what is between the top of one part and the end of another, in few colours."""
    page.wait_for_timeout(500)
    top, bottom = (
        page.locator(part).first.evaluate(f"part => part.getBoundingClientRect().{side} + scrollY")
        for part, side in ((first, "top"), (last, "bottom"))
    )
    above = min(top, ROOM)
    clip = {"x": 0.0, "y": top - above, "width": 1180.0, "height": bottom - top + above + ROOM}
    page.screenshot(path=file, full_page=True, clip=clip)  # type: ignore[arg-type]
    Image.open(file).convert("RGB").quantize(64).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
