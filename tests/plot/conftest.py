"""Pictures are drawn without a screen, and closed."""

import matplotlib
import pytest


@pytest.fixture(autouse=True)
def agg():
    matplotlib.use("agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
