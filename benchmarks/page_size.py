"""The page of a classifier: its size, and how long a browser takes to show it."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.data import noisy_table
from benchmarks.harness import Row, Section, best_of
from sugeno import SugenoClassifier
from sugeno.report import report_html

__all__ = ["run"]

#: At most so many bytes, whatever the number of rows.
BYTES = 1_000_000
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def run(quick: bool) -> Section:
    """Write the page of a long table, and open it with and without its script."""
    n = 1_000 if quick else 10_000
    X, y = noisy_table(n, 10)
    clf = SugenoClassifier(k=2, max_rules=10, time_limit=2.0).fit(X[:1000], y[:1000])
    page = report_html(clf, X, y)
    (seconds, predicting) = best_of(
        1 if quick else 5, lambda: report_html(clf, X, y), lambda: clf.predict_proba(X)
    )
    table = io.StringIO()
    np.savetxt(table, np.column_stack([X, y]), fmt="%.17g", delimiter=",")
    size, of_table = len(page.encode()), len(table.getvalue())
    what = f"page of {n:,} × {X.shape[1]}"
    return Section(
        "The page",
        [
            Row(
                f"{what}: size",
                f"{size / of_table:.2f} × the table as CSV ({size / 1e6:.2f} MB)",
                f"under {BYTES / 1e6:g} MB",
                size < BYTES,
            ),
            Row(f"{what}: writing", f"{seconds / predicting:.0f} × `predict_proba` of its rows"),
            _opening(what, page, 2 if quick else 5),
        ],
    )


def _opening(what: str, page: str, repeats: int) -> Row:
    """Seconds until everything stands there, beside those of the same page without its script."""
    title = f"{what}: opening"
    executable = next(filter(None, map(shutil.which, _BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        executable = None
    if executable is None:
        print("No browser: apt-get install chromium; pip install playwright.", file=sys.stderr)
        return Row(title, "not measured: no browser")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_page()
        bare = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
        opened = [_open(tab, Path(folder) / f"{i}.html", p) for i, p in enumerate((page, bare))]
        ours, theirs = best_of(repeats, *opened)
        browser.close()
    return Row(title, f"{ours / theirs:.2f} × the page without its script ({ours:.2f} s)")


def _open(tab: Any, path: Path, page: str) -> Callable[[], object]:
    path.write_text(page, encoding="utf-8")
    return partial(tab.goto, path.as_uri(), wait_until="load")
