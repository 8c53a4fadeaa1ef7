"""
Credit: mixed columns, costs, letters, SQL, monitoring
======================================================

A lender wants rules for loans: readable, with a letter for each refusal, and running in the
database. The package ships no table of loans, so this one is **drawn at random**. That has an
advantage: we know the truth behind it, and see what is found again.
"""

# %%
# A table as it comes
# -------------------
# It has an id, a text column, and gaps.
import duckdb
import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

from sugeno import SugenoClassifierCV
from sugeno.export import to_sql

rng = np.random.default_rng(0)
n = 900
loans = pd.DataFrame(
    {
        "loan_id": np.arange(100_000, 100_000 + n),
        "income": rng.lognormal(8, 0.4, n).round(-1),
        "years_at_job": rng.integers(0, 30, n),
        "home": rng.choice(["rent", "own", "parents"], n, p=[0.5, 0.35, 0.15]),
        "late_payments": rng.poisson(0.7, n),
    }
)
merit = (loans.income > 2600).astype(int) + (loans.home == "own") + (loans.years_at_job >= 4)
good = merit - loans.late_payments + rng.normal(0, 0.5, n) >= 1
repaid = pd.Series(np.where(good, "yes", "no"), name="repaid")
loans.loc[rng.random(n) < 0.08, "income"] = np.nan
print(loans.head().to_string(index=False))
print(repaid.value_counts())

# %%
# What the classifier assumes
# ---------------------------
# Every line of ``columns_`` is an assumption. Read it before you read the rules.
seen, held_out, y_seen, y_held_out = train_test_split(
    loans, repaid, test_size=1 / 3, random_state=0
)
clf = SugenoClassifierCV().fit(seen, y_seen)
print(clf.columns_)

# %%
# The id is left out, the text column got an order, and a gap in income got a place of its own.
# These are the rules:
print(clf.rules_)
print(f"errors on held-out rows: {1 - clf.score(held_out, y_held_out):.3f}")
print(f"errors of always 'yes': {(y_held_out == 'no').mean():.3f}")

# %%
# Costs
# -----
# A loan that is not repaid costs more than a good one that is refused. The rules speak for "yes":
# a good loan that they do not find is "missed", a bad one that they let through a "false alarm".
# ``costs`` says how much worse the second is. The rules become stricter, and the probabilities
# stay what they were.
strict = SugenoClassifierCV(costs={"missed": 1, "false alarm": 4}).fit(seen, y_seen)
for name, one in {"equal": clf, "1 : 4": strict}.items():
    (refused, false_alarm), (missed, accepted) = confusion_matrix(y_held_out, one.predict(held_out))
    print(
        f"{name:6} wrongly accepted {false_alarm:3}   wrongly refused {missed:3}   "
        f"right {refused + accepted}"
    )

# %%
# A letter for each refusal
# -------------------------
# A letter names the decisive factors, and no others. Codes and texts are yours.
refused = held_out[clf.predict(held_out) == "no"]
print(clf.reasons(refused, codes={"late_payments": "R1", "income": "R2"})[0])

# %%
# What would help? The smallest changes come first. Nobody should be told to wait for years, so we
# hold that column fixed: either another way is found, or it is proved that there is none.
print(clf.explain(refused)[0])
print(clf.explain(refused, immutable=["years_at_job", "home"])[0])

# %%
# SQL
# ---
# The same decision as an expression for the database, text column and gaps included. DuckDB and
# Python decide every held-out row alike.
rule = to_sql(clf, dialect="duckdb")
print(f"{rule[:160]} …")
by_database = duckdb.sql(f"SELECT {rule} AS accepted FROM held_out").df()["accepted"]
print((by_database.to_numpy() == (clf.predict(held_out) == "yes")).all())

# %%
# Monitoring by hand
# ------------------
# Nothing here watches a model for you, but counting is easy. Each month, compare the share of
# accepted rows and, once the outcome is known, the errors. Here the months are random parts of
# the held-out rows.
month = np.arange(len(held_out)) % 3
decided = clf.predict(held_out)
summary = pd.DataFrame(
    {"month": month, "accepted": decided == "yes", "wrong": decided != y_held_out.to_numpy()}
)
print(summary.groupby("month").mean().round(3))

# sphinx_gallery_thumbnail_path = "images/gallery/rules.png"
