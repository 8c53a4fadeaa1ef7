"""Bagged, boosted ensembles of monotone rules."""

from sugeno._ensemble.boosting import Settings
from sugeno._ensemble.course import Plan
from sugeno._ensemble.ensemble import Ensemble, fit
from sugeno._ensemble.members import Members

__all__ = ["Ensemble", "Members", "Plan", "Settings", "fit"]
