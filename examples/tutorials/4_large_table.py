"""
Large table: DuckDB and Parquet
===============================

Rows can stay where they are. ``fit_frame`` asks an engine for counts, and learns the same model as
``fit``, to the last bit. Here DuckDB reads Parquet files. They hold a million rows that repeat a
shipped table, so that the tutorial needs no download.
"""

# %%
# A million rows in four files
# ----------------------------
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter

import duckdb
import numpy as np

from sugeno import SugenoClassifier
from sugeno.datasets import load
from sugeno.export import to_sql

masses = load("MMG", as_frame=True)
table = masses.data.assign(malignant=masses.target == 1)
folder = Path(mkdtemp())
for part in range(4):
    drawn = table.iloc[np.random.default_rng(part).integers(0, len(table), 250_000)]
    duckdb.sql("SELECT * FROM drawn").write_parquet(str(folder / f"part{part}.parquet"))
print(sorted(file.name for file in folder.iterdir()))

# %%
# Learn where the data are
# ------------------------
files = str(folder / "*.parquet")
directions = dict(zip(masses.feature_names, masses.directions.tolist(), strict=True))
clf = SugenoClassifier(k=3, directions=directions)
begun = perf_counter()
clf.fit_frame(files, target="malignant")
print(f"seconds: {perf_counter() - begun:.1f}, passes over the files: {clf.n_passes_}")
print(clf.rules_)

# %%
# The same in memory
# ------------------
rows = duckdb.sql(f"SELECT * FROM '{files}'").df()
again = SugenoClassifier(k=3, directions=directions)
again.fit(rows[masses.feature_names], rows["malignant"])
print(str(again.rules_) == str(clf.rules_))

# %%
# Decide where the data are
# -------------------------
# ``predict_frame`` adds the decision lazily. The same decision as SQL runs without Python.
decided = clf.predict_frame(duckdb.sql(f"SELECT * FROM '{files}'"))
print(decided.columns[-1])

rule = to_sql(clf, dialect="duckdb")
print(rule)
print(
    duckdb.sql(f"SELECT {rule} AS accepted, count(*) AS n FROM '{files}' GROUP BY ALL ORDER BY ALL")
)

# sphinx_gallery_thumbnail_path = "images/gallery/utilities.png"
