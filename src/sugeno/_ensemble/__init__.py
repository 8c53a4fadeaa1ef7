"""Bagged, boosted ensembles of monotone rules."""

from sugeno._ensemble.boosting import BoostingParams
from sugeno._ensemble.boosting_run import EnsembleParams
from sugeno._ensemble.ensemble import Ensemble, fit
from sugeno._ensemble.members import Members

__all__ = ["BoostingParams", "Ensemble", "EnsembleParams", "Members", "fit"]
