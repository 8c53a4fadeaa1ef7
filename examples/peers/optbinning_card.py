"""A scorecard by optbinning."""

# /// script
# dependencies = ["sugeno", "optbinning==1.0.0", "pandas"]
# ///

from optbinning import BinningProcess, Scorecard
from sklearn.linear_model import LogisticRegression

from sugeno.datasets import load

masses = load("MMG", as_frame=True)
X, y = masses.data, masses.target

trend = {name: {"monotonic_trend": "auto_asc_desc"} for name in X.columns}
process = BinningProcess(list(X.columns), binning_fit_params=trend)
scaling = {"scaling_method": "min_max", "scaling_method_params": {"min": 0, "max": 100}}
card = Scorecard(process, LogisticRegression(), rounding=True, **scaling).fit(X, y)
for name, rows in card.table().groupby("Variable", sort=False):
    bins = rows[~rows["Bin"].isin(["Special", "Missing"])]
    print(name, *(f"{b}: {p:.0f}" for b, p in zip(bins["Bin"], bins["Points"])), sep="  ")
