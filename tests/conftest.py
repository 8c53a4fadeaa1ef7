"""Shared by all tests: in continuous integration a skipped test is a failure."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # without it two scikit-learn checks are skipped

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("SUGENO_FORBID_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped tests are forbidden here: {item.nodeid}: {report.longrepr}"
