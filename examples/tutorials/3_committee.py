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
from sklearn.model_selection import train_test_split

from sugeno import SugenoOrdinalClassifier
from sugeno.datasets import load_raw

lecturers = load_raw("LEV", as_frame=True)
X = lecturers.data.rename(columns=lambda name: name.replace("in", "rating_"))
y = lecturers.target
seen, held_out, y_seen, y_held_out = train_test_split(X, y, test_size=1 / 3, random_state=0)
clf = SugenoOrdinalClassifier(max_rules=2, directions=[1, 1, 1, 1]).fit(seen, y_seen)
print(clf.rules_)

# %%
# The lists are nested: whoever is "at least 3" is "at least 2". How good are they? Count the
# held-out rows. Rows of the table are true grades, columns are decided ones.
decided = clf.predict(held_out)
print(confusion_matrix(y_held_out, decided))
print(f"wrong grade: {(decided != y_held_out).mean():.2f}")
print(f"mean distance in grades: {abs(decided - y_held_out).mean():.2f}")
print(f"always the most frequent grade: {(y_held_out != y_seen.mode()[0]).mean():.2f} wrong")

# %%
# Why this grade?
# ---------------
lecturer = held_out.iloc[[7]]
print(lecturer.to_string(index=False), "-> true grade", y_held_out.iloc[7])
print(clf.explain(lecturer)[0])

# %%
# An edit, and who changes
# ------------------------
# The committee finds that ``rating_4`` alone should not lift anyone. An edit returns a new
# classifier and leaves the old one as it is. The report counts on held-out rows what it costs.
edit = clf.edit(held_out, y_held_out, boundary=1).remove("rating_4 >= 1")
print(edit.report)

# %%
# The page
# --------
# One file, to send by mail and to open from disk. It has the rules, the errors, and a panel in
# which the committee moves the ratings of a lecturer.
page = Path(mkdtemp()) / "lecturers.html"
clf.report(held_out, y_held_out, page, title="Lecturers")
print(page.name, f"{page.stat().st_size / 1000:.0f} kB")

# sphinx_gallery_thumbnail_path = "images/gallery/classes-rules.png"
