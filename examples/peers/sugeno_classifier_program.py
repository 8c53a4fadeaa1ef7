"""The paper's program by sugeno-classifier."""

# /// script
# dependencies = ["sugeno", "sugeno-classifier==1.0.1"]
# ///

from classifier.sugeno_classifier import SugenoClassifier

from sugeno.datasets import load

masses = load("MMG")
X, y = masses.data * masses.directions, masses.target

program = SugenoClassifier(maxitivity=2, margin=0.01)
program.fit(X.tolist(), y.tolist())
print("training errors:", (program.predict(X.tolist()) != y).sum())
