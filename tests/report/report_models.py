"""Small models of every kind that the page has to show."""

import html as markup
import json
import re
from dataclasses import replace

import numpy as np

from small_rules import classifier_of
from sugeno import SugenoClassifier, SugenoDistiller, SugenoOrdinalClassifier
from sugeno._sets.masks import pack, unpack
from sugeno.model.rules import RuleSet


def mixed_table(n=300, seed=0):
    """Five criteria: few and many values, two decreasing, noisy labels."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.integers(1, 6, n),
            random.normal(size=n),
            -random.integers(0, 4, n),
            np.round(random.lognormal(size=n), 2),
            random.integers(0, 2, n),
        ]
    ).astype(float)
    signs = np.array([1, 1, -1, -1, 1])
    score = (X * signs / X.std(axis=0)).sum(axis=1) + random.normal(size=n)
    return X, (score > np.median(score)).astype(int), signs


def plain(n=300):
    """One literal per criterion."""
    X, y, signs = mixed_table(n)
    return SugenoClassifier(directions=signs, k=2).fit(X, y), X, y


def several_levels(n=300):
    """Several literals per criterion."""
    X, y, signs = mixed_table(n, seed=1)
    return SugenoClassifier(directions=signs, levels=3, max_rules=6, k=3).fit(X, y), X, y


def clauses(n=300):
    """The conjunctive form."""
    clf, X, y = several_levels(n)
    (model,) = clf.model_.boundaries
    sets = unpack(model.literals.chains.strongest(model.rules.masks), model.rules.n_literals)
    masks = model.literals.chains.weakest(pack(sets[:3]))
    rules = RuleSet.from_masks(masks, model.literals, form="cnf", label=model.rules.label)
    return classifier_of(replace(model, form=rules)), X, y


def graded(n=120, **options):
    """Ordered classes with names."""
    X, y, signs = mixed_table(n)
    grades = np.array(["poor", "fair", "good", "top"])[y + (X[:, 0] > 3) + (X[:, 1] > 1)]
    options = {"levels": 2, "max_rules": 4, "k": 3, "directions": signs, **options}
    clf = SugenoOrdinalClassifier(classes=["poor", "fair", "good", "top"], **options)
    return clf.fit(X, grades), X, grades


def card(n=300):
    """Points that are added up."""
    X, y, signs = mixed_table(n)
    return SugenoDistiller(form="points", directions=signs, random_state=0).fit(X, y), X, y


KINDS = {"plain": plain, "several levels": several_levels, "clauses": clauses, "card": card}


def text_of(page):
    """What a reader sees of the parts that are written in Python."""
    body = page[page.index("<header>") : page.index('<script type="application/json"')]
    return markup.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", body)))


def contradicting(text):
    """Of a page's text how many rows are in how many pairs that contradict, and the examples."""
    if "No pair of rows contradicts monotonicity" in text:
        return 0, 0, []
    rows, pairs = re.search(r"(\d+) rows?, [\d.]+\s%, are in (\d+) pairs? that", text).groups()
    examples = [(int(i) - 1, int(j) - 1) for i, j in re.findall(r"row (\d+) row (\d+)", text)]
    return int(rows), int(pairs), examples


def payload(page):
    """The data in a page."""
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


def address(x):
    """The address of a case."""
    return "#x=" + ";".join("" if np.isnan(value) else repr(float(value)) for value in x)


def awkward_rows(model, X, missing=0, n=200, seed=0):
    """Rows of the table mixed with levels, their neighbours, strange numbers and nothing."""
    random = np.random.default_rng(seed)
    rows = X[random.integers(0, len(X), n)].copy()
    for j in range(X.shape[1]):
        levels = np.concatenate(
            [b.literals.levels[b.literals.columns == j] for b in model.boundaries]
        )
        near = [levels, np.nextafter(levels, np.inf), np.nextafter(levels, -np.inf)]
        pool = np.concatenate([*near, [-0.0, 1e300, -1e300, 0.1 + 0.2], [np.nan] * missing])
        swapped = random.random(n) < 0.6
        rows[swapped, j] = random.choice(pool[~np.isinf(pool)], swapped.sum())
    return rows
