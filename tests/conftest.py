"""Shared by all tests: how many examples a property is tried on, a browser, skips in CI."""

import os
import shutil
from collections import defaultdict
from dataclasses import replace

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # without it two scikit-learn checks are skipped
os.environ.setdefault("OMP_NUM_THREADS", "1")  # small products: threads would wait for each other

import hypothesis
import pytest

# Chosen by HYPOTHESIS_PROFILE. No profile has a deadline: no test asserts a time.
_TIMELESS = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("dev", max_examples=50, **_TIMELESS)
hypothesis.settings.register_profile("ci", max_examples=50, derandomize=True, **_TIMELESS)
hypothesis.settings.register_profile("nightly", max_examples=10_000, **_TIMELESS)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    # Pages come from disk: no process is kept ready for another site.
    "--disable-features=SpareRendererForSitePerProcess",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


#: Tests of refusals have a case for each of them, and so many at most.
MANY_CASES = 60


def pytest_collection_modifyitems(items):
    """Trace four cases of a test that has very many: coverage doubles the time of each."""
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    for alike in (some for some in cases.values() if len(some) > MANY_CASES):
        traced = {0, 1, len(alike) // 2, len(alike) - 1}
        for place, item in enumerate(alike):
            if place not in traced:
                item.add_marker("no_cover")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("SUGENO_FORBID_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped tests are forbidden here: {item.nodeid}: {report.longrepr}"


@pytest.fixture
def spend(monkeypatch):
    """Say how much work all fits of a test put into distilled models."""
    from sugeno._learning import effort

    def instead(**fields):
        efforts = {purpose: replace(usual, **fields) for purpose, usual in effort.EFFORTS.items()}
        monkeypatch.setattr(effort, "EFFORTS", efforts)

    return instead


@pytest.fixture
def brief(spend):
    """Three bags of few rounds, few varied rows and a short search."""
    from sugeno._distil.search import Effort

    search = Effort(loss_multipliers=(1, 2), first=8, restarts=1, beam=16)
    spend(
        bags=3,
        max_rounds=20,
        n_varied=120,
        n_recombined=120,
        rules=search,
        rules_of_boundary=search,
    )


def executable():
    given = [os.environ.get("SUGENO_CHROMIUM", ""), *NAMES]
    return next((found for found in map(shutil.which, given) if found), None)


@pytest.fixture(scope="module")
def chromium():
    """A browser process; a module's end closes it, and with it the event loop of its driver."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright, from PyPI")
    path = executable()
    if path is None:
        pytest.skip(
            "needs Chromium: apt-get install chromium, or its path in the variable SUGENO_CHROMIUM"
        )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
