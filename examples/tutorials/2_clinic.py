"""
Clinic: points, missing values, abstention
==========================================

830 women have a mass in the breast. Five criteria describe it, and a biopsy tells whether it is
malignant. We learn a card of points, read it, see what happens when a value is missing, and find
the women for whom the data leave the answer open.

The table is shipped with the package: M. Elter, 2007, UCI Machine Learning Repository,
`doi:10.24432/C53K6Z <https://doi.org/10.24432/C53K6Z>`_.
"""

# %%
# The table
# ---------
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from sugeno import SugenoClassifierCV
from sugeno.datasets import load

masses = load("MMG", as_frame=True)
X, y = masses.data, masses.target.map({0: "benign", 1: "malignant"})
print(X.describe().loc[["min", "50%", "max"]])
print(y.value_counts())

# %%
# A higher value speaks for a malignant mass in all columns but density. We keep a third of the
# rows away from everything that follows, to judge the result.
seen, held_out, y_seen, y_held_out = train_test_split(X, y, test_size=1 / 3, random_state=0)

# %%
# A card of points
# ----------------
# ``form="points"`` learns a card. A doctor adds the points of the conditions that hold, and
# reads the probability of the sum.
card = SugenoClassifierCV(form="points", directions={"density": -1}).fit(seen, y_seen)
print(card.rules_)

# %%
# The same search can give rules instead. Which form is better depends on the table.
rules = SugenoClassifierCV(form="rules", directions={"density": -1}).fit(seen, y_seen)
print(rules.rules_)

for name, clf in {"points": card, "rules": rules}.items():
    error = 1 - clf.score(held_out, y_held_out)
    chance = clf.predict_proba(held_out)[:, 1]
    auc = roc_auc_score(y_held_out == "malignant", chance)
    print(f"{name:7} error {error:.3f}   AUC {auc:.3f}   conditions {clf.rules_.size}")

# %%
# One woman
# ---------
# Why is she classified so, and what would change it? Her age is hers, so we hold it fixed.
woman = held_out.iloc[[0]]
print(woman.to_string(index=False))
print(card.explain(woman, immutable=["age"])[0])
print(f"probability of malignant: {card.predict_proba(woman)[0, 1]:.2f}")

# %%
# Missing values
# --------------
# With ``missing="interval"`` a missing value may be anything. ``predict_interval`` gives the
# lowest and the highest label to which filling in can lead. Equal labels are certain.
cautious = SugenoClassifierCV(missing="interval", directions={"density": -1}).fit(seen, y_seen)
gaps = held_out.iloc[:5].copy()
gaps.loc[gaps.index[0], "age"] = None
gaps.loc[gaps.index[1], "bi_rads"] = None
for row, (low, high) in zip(gaps.index, cautious.predict_interval(gaps), strict=True):
    print(row, low if low == high else f"open: {low} or {high}")

# %%
# The right to abstain
# --------------------
# ``predict_set`` keeps every label that is likely enough. Whoever has one label is answered;
# the others are seen by a doctor first.
sets = rules.predict_set(held_out, confidence=0.8)
answered = sets.sum(axis=1) == 1
wrong = rules.predict(held_out) != y_held_out
print(f"answered: {answered.mean():.0%} of the women")
print(f"error among them: {wrong[answered].mean():.3f}")
print(f"error among the others: {wrong[~answered].mean():.3f}")

# sphinx_gallery_thumbnail_path = "images/gallery/coverage.png"
