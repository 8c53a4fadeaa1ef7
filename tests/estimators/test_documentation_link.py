"""In a notebook an estimator leads to its own page, where the site is published."""

from importlib.metadata import PackageNotFoundError

import pytest

from sugeno import QuantileUtility, SugenoClassifier, SugenoDistiller, _sklearn


class Metadata(dict):
    def get_all(self, name):
        return self.get(name)


@pytest.fixture
def published(monkeypatch):
    _sklearn._documentation.cache_clear()
    yield lambda found: monkeypatch.setattr(_sklearn, "metadata", found)
    _sklearn._documentation.cache_clear()


@pytest.mark.parametrize("estimator", [SugenoClassifier(), QuantileUtility(), SugenoDistiller()])
def test_the_picture_of_an_estimator_links_to_its_page(estimator, published):
    urls = ["Homepage, https://a.test", "Documentation, https://a.test/docs/"]
    published(lambda name: Metadata({"Project-URL": urls}))
    page = f"https://a.test/docs/api/sugeno.{type(estimator).__name__}.html"
    assert page in estimator._repr_html_()


def test_without_an_address_there_is_no_link(published):
    published(lambda name: Metadata())
    assert SugenoClassifier()._get_doc_link() == ""


def test_a_package_that_is_not_installed_has_no_link(published):
    def nowhere(name):
        raise PackageNotFoundError(name)

    published(nowhere)
    assert SugenoClassifier()._get_doc_link() == ""
