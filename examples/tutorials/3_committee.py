"""
Committee: ordered classes, edits, the page
===========================================

1000 lecturers were rated by students on four criteria, from 0 to 4. A committee wants rules for
the overall grade, wants to change one of them, and wants a page to discuss.

The table is shipped with the package: Lecturers Evaluation, donated by A. Ben-David.
"""

# %%
# Rules for each grade
# --------------------
# The columns have no names in the source, so we call them after their order. More is better.
from pathlib import Path
from tempfile import mkdtemp

from sklearn.metrics import confusion_matrix

from sugeno import SugenoOrdinalClassifier
from sugeno.datasets import load_raw

lecturers = load_raw("LEV", as_frame=True)
X = lecturers.data.rename(columns=lambda name: name.replace("in", "rating_"))
y = lecturers.target
clf = SugenoOrdinalClassifier(max_rules=2, directions=[1, 1, 1, 1]).fit(X, y)
print(clf.rules_)

# %%
# The lists are nested: whoever is "at least 3" is "at least 2". Decided grades beside the true
# ones:
print(confusion_matrix(y, clf.predict(X)))

# %%
# Why this grade?
# ---------------
print(X.iloc[[7]].to_string(index=False), "-> true grade", y[7])
print(clf.explain(X)[7])

# %%
# An edit, and who changes
# ------------------------
# The committee finds that ``rating_4`` alone should not lift anyone. An edit returns a new
# classifier and leaves the old one as it is. The report tells what it costs.
edit = clf.edit(X, y, boundary=1).remove("rating_4 >= 1")
print(edit.report)

# %%
# The page
# --------
# One file, to send by mail and to open from disk. It has the rules, the errors, and a panel in
# which the committee moves the ratings of a lecturer.
page = Path(mkdtemp()) / "lecturers.html"
clf.report(X, y, page, title="Lecturers")
print(page.name, f"{page.stat().st_size / 1000:.0f} kB")
