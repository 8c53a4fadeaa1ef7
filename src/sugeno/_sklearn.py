"""The only importer of scikit-learn's private names: what may move with its next version."""

from __future__ import annotations

from sklearn.base import _fit_context as fit_context
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, Options, StrOptions
from sklearn.utils.metadata_routing import _raise_for_params as raise_for_params
from sklearn.utils.metadata_routing import _routing_enabled as routing_enabled

__all__ = [
    "HasMethods",
    "Interval",
    "Options",
    "StrOptions",
    "fit_context",
    "raise_for_params",
    "routing_enabled",
    "safe_indexing",
]
