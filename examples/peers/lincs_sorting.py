"""A sorting model by lincs."""

# /// script
# dependencies = ["sugeno", "lincs==2.0.2"]
# ///

import csv
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

from sugeno.datasets import load

masses = load("MMG")
folder = Path(mkdtemp())
problem = ["kind: classification-problem", "format_version: 1", "criteria:"]
for name, direction, column in zip(masses.feature_names, masses.directions, masses.data.T):
    problem += [
        f"  - name: {name}",
        "    value_type: integer",
        f"    preference_direction: {'increasing' if direction > 0 else 'decreasing'}",
        f"    min_value: {column.min():.0f}",
        f"    max_value: {column.max():.0f}",
    ]
problem += ["ordered_categories:", "  - name: benign", "  - name: malignant", ""]
(folder / "problem.yml").write_text("\n".join(problem))

with (folder / "masses.csv").open("w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["name", *masses.feature_names, "category"])
    for number, (row, label) in enumerate(zip(masses.data.astype(int), masses.target)):
        rows.writerow([f"woman {number}", *row, ["benign", "malignant"][label]])

lincs = Path(sys.executable).with_name("lincs")
search = "--mrsort.weights-profiles-breed"
learn = ["learn", "classification-model", "problem.yml", "masses.csv", "--output-model"]
limits = [f"{search}.max-iterations", "150", f"{search}.accuracy-heuristic.random-seed", "1"]
for command in (
    [*learn, "model.yml", *limits],
    ["describe", "classification-model", "problem.yml", "model.yml"],
    ["classification-accuracy", "problem.yml", "model.yml", "masses.csv"],
):
    subprocess.run([lincs, *command], cwd=folder, check=True)
