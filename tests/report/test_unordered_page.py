"""Classes without an order: a page about all of them, with links to one about each."""

import html as markup
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris

from sugeno import SugenoClassifier
from sugeno.report import report_html, write_report


@pytest.fixture(scope="module")
def flowers():
    iris = load_iris(as_frame=True)
    names = np.array(["<b>setosa</b>", "versicolor", "virginica"])
    y = names[iris.target]
    return SugenoClassifier(levels=1).fit(iris.data, y), iris.data, y


def figures(page):
    found = re.findall(r'<dt>(.*?)</dt><dd class="value">(.*?)</dd>', page)
    return {markup.unescape(label): value.replace("\u00a0", " ") for label, value in found}


def test_errors_and_classes_are_counted_as_predict_decides(flowers):
    clf, X, y = flowers
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    page = report_html(clf, X, y, sample_weight=weight)
    said = clf.predict(X)
    shown = figures(page)
    wrong = np.average(said != y, weights=weight)
    assert shown["errors on these rows"] == f"{100 * wrong:.1f}".removesuffix(".0") + " %"
    largest = max(clf.classes_, key=lambda label: weight[y == label].sum())
    assert f"errors of always saying {largest}" in shown
    lines = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', page, re.DOTALL)
    for label, cells in lines[:3]:
        counts = [int(n.replace("·", "0")) for n in re.findall(r">([\d·]+)</td>", cells)]
        true = y == markup.unescape(label)
        assert counts == [weight[true & (said == one)].sum() for one in clf.classes_]
    for rules in clf.model_.rules.values():
        assert markup.escape(rules.to_text(words=True)) in page
    assert "<b>setosa</b>" not in page


def test_a_page_of_each_class_is_written_beside_and_linked(flowers, tmp_path):
    clf, X, y = flowers
    path = clf.report(X, y, tmp_path / "my flowers.html", title="Flowers", new_rows=True)
    page = path.read_text(encoding="utf-8")
    links = re.findall(r'<a href="([^":]*)">', page)
    assert links == [f"my%20flowers-{k}.html" for k in (1, 2, 3)]
    for k, label in enumerate(clf.classes_):
        beside = (tmp_path / f"my flowers-{k + 1}.html").read_text(encoding="utf-8")
        assert beside == report_html(clf, X, y, boundary=label, new_rows=True)
        wrong = (clf.per_class_[label].predict(X) != (y == label)).mean()
        shown = figures(beside)["errors on new rows"]
        assert shown == f"{100 * wrong:.1f}".removesuffix(".0") + " %"
        assert markup.escape(f"not {label}") in beside
    only = write_report(clf.model_, X, y, tmp_path / "one" / "page.html", boundary="virginica")
    assert [file.name for file in only.parent.iterdir()] == ["page.html"]


def test_the_model_of_all_classes_can_be_downloaded_and_strange_labels_are_refused(
    flowers, tmp_path
):
    clf, X, y = flowers
    page = clf.report(X, y, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Download the model as JSON" in page
    with pytest.raises(ValueError, match="boundary must be one of the classes"):
        report_html(clf, X, y, boundary="rose")
    with pytest.raises(ValueError, match="y must hold the labels"):
        report_html(clf, X, np.full(len(X), "rose"))


@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_sticks_out_of_the_page_of_all_classes(flowers, width, show):
    page = show(report_html(*flowers), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("script").count() == 0
