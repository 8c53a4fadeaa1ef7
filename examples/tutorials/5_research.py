"""
Research: the paper's model, capacities, reproduction
=====================================================

Abbaszadeh and Hüllermeier propose to classify by thresholding a Sugeno integral. This tutorial
fits exactly that model, looks at its capacity, checks Proposition 1, and compares with their table.
"""

# %%
# The model
# ---------
# Each criterion becomes a utility in [0, 1]. A capacity says how sufficient each set of
# criteria is. The integral combines both, and a threshold decides.
import numpy as np

from sugeno import SugenoClassifier, SugenoClassifierCV, sugeno_integral
from sugeno.datasets import load

lecturers = load("LEV")
X, y = lecturers.data, lecturers.target
clf = SugenoClassifier(k=2, directions=lecturers.directions).fit(X, y)
print("threshold", round(clf.threshold_, 3), " k", clf.k_)
print(clf.capacity_)

# %%
# Proposition 1: the thresholded integral and the rules are the same classifier.
utilities = clf.utility_.transform(X)
by_integral = sugeno_integral(utilities, clf.capacity_) >= clf.threshold_
print(np.array_equal(by_integral, clf.rules_.predict(X).astype(bool)))
print(clf.rules_)

# %%
# A certificate
# -------------
# The objective is the weight of the training errors. The bound is proved: no capacity of the
# same kind makes fewer.
print("errors", clf.objective_, " proved bound", clf.bound_, " gap", clf.gap_)

# %%
# k by cross-validation, as in the paper
# --------------------------------------
chosen = SugenoClassifierCV(levels="shared", directions=lecturers.directions).fit(X, y)
for params, score in zip(
    chosen.cv_results_["params"], chosen.cv_results_["mean_test_score"], strict=True
):
    print(params["k"], f"error on held-out rows {1 - score:.3f}")
print("chosen: k =", chosen.k_)

# sphinx_gallery_thumbnail_path = "images/gallery/capacity.png"

# %%
# The paper's tables
# ------------------
# ``sugeno reproduce table2`` makes the paper's main table again, beside the printed numbers.
# :doc:`The result of the full run </reproduction/README>` is part of this site, and so are
# :doc:`the places where the paper leaves a choice </ambiguities>`.
