"""Curves by EBM."""

# /// script
# dependencies = ["sugeno", "interpret-core==0.7.8", "pandas"]
# ///

from interpret.glassbox import ExplainableBoostingClassifier

from sugeno.datasets import load

masses = load("MMG", as_frame=True)
X, y = masses.data, masses.target

ebm = ExplainableBoostingClassifier(
    monotone_constraints=[1, 1, 1, 1, -1], interactions=0, random_state=0
).fit(X, y)
curves = ebm.explain_global()
for place, name in enumerate(ebm.term_names_):
    steps, scores = curves.data(place)["names"], curves.data(place)["scores"]
    if len(scores) <= 5:
        print(name, *(f"from {s:g}: {v:+.2f}" for s, v in zip(steps, scores)), sep="  ")
    else:
        print(name, f"{len(scores)} steps from {scores[0]:+.2f} to {scores[-1]:+.2f}", sep="  ")
