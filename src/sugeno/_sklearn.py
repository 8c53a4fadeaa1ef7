"""The only importer of scikit-learn's private names: what may move with its next version."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

from sklearn.base import BaseEstimator
from sklearn.base import _fit_context as fit_context
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, Options, StrOptions
from sklearn.utils.metadata_routing import _raise_for_params as raise_for_params
from sklearn.utils.metadata_routing import _routing_enabled as routing_enabled

__all__ = [
    "CachedParamNames",
    "DocumentedEstimator",
    "HasMethods",
    "Interval",
    "Options",
    "StrOptions",
    "fit_context",
    "raise_for_params",
    "routing_enabled",
    "safe_indexing",
]


class DocumentedEstimator(BaseEstimator):
    """An estimator that leads from its picture in a notebook to its page.

    The address of the site is that of the package's metadata ("Documentation"); without one there
    is no link.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> SugenoClassifier()._get_doc_link().startswith("https://scikit-learn.org")
    False
    """

    _doc_link_module = "sugeno"

    @property
    def _doc_link_template(self) -> str:
        address = _documentation()
        return f"{address}/api/sugeno.{{estimator_name}}.html" if address else ""

    def _html_repr(self) -> str:
        """What notebooks show: what was learned, and below it the picture of the estimator."""
        return f"{self._learned_html()}{super()._html_repr()}"

    def _learned_html(self) -> str:
        """Nothing, unless an estimator has something to say of itself."""
        return ""


@cache
def _documentation() -> str:
    try:
        urls: list[str] = metadata("sugeno").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    return named.get("Documentation", "").rstrip("/")


class CachedParamNames(DocumentedEstimator):
    """An estimator that inspects its signature once, and not at each `fit` and `get_params`.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> SugenoClassifier(k=2).get_params()["k"]
    2
    """

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        names: list[str] = super()._get_param_names()
        return names
