"""The fits of the guard, by name: each is learned when it is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from guard_tables import table, weights, whole_weights
from sklearn.tree import DecisionTreeClassifier

import sugeno
from sugeno import (
    ConformalClassifier,
    RelabelledClassifier,
    RuleClassifier,
    RuleSet,
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoDistiller,
    SugenoEnsembleClassifier,
    SugenoNominalClassifier,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)

#: Not ours, and the same to the last bit on every processor.
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)

#: Learners whose search ends by the clock, unless no limit is set: no machine may be too slow.
_TIMED = (
    SugenoClassifier,
    SugenoClassifierCV,
    SugenoOrdinalClassifier,
    SugenoOrdinalClassifierCV,
)


@dataclass(frozen=True)
class Case:
    """How to learn a classifier, the table that it is asked about, and what else it is asked."""

    learn: Callable[[], Any]
    table: str
    asks: tuple[str, ...] = ()
    answers: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)


def made(kind, **parameters):
    """An estimator without a limit on time."""
    timed = kind in _TIMED and parameters.get("solver") != "lp"
    return kind(**({"time_limit": None} if timed else {}), **parameters)


def fitted(kind, name, *, weight=None, **parameters):
    """An estimator that has learned a table."""
    rows = table(name)
    more = {} if weight is None else {"sample_weight": weight(name)}
    return made(kind, **parameters).fit(rows.X, rows.y, **more)


def _text(parameters):
    """Parameters as a name; of an estimator its class, since how it is printed may change."""
    shown = (
        (name, type(value).__name__ if hasattr(value, "get_params") else value)
        for name, value in parameters.items()
    )
    return " ".join(f"{name}={value}" for name, value in shown) or "defaults"


def grid(kind, tables, *settings, asks=(), weight=None):
    """A case for each table and setting."""
    suffix = "" if weight is None else f" {weight.__name__}"
    return {
        f"{kind.__name__}: {name}: {_text(setting)}{suffix}": Case(
            partial(fitted, kind, name, weight=weight, **setting), name, asks
        )
        for name in tables
        for setting in settings
    }


_TWO_CLASSES = {
    **grid(
        SugenoClassifier,
        ["grades", "measures"],
        {},
        *({"k": k} for k in (1, 2, 3)),
        *({"levels": levels} for levels in ("single", "all", 1, 2, 3)),
        {"levels": "all", "k": 2},
        {"levels": 2, "k": 1},
        {"levels": "single", "k": 2},
        {"margin": 0.05},
        {"margin": 0.1, "k": 2},
        *({"threshold": t} for t in ("mean-median", "alternating", "joint", 0.3, 0.7)),
        {"threshold": "alternating", "k": 2},
        {"threshold": "joint", "subsets": "all", "k": 2},
        {"solver": "lp"},
        {"solver": "lp", "k": 2, "random_state": 0},
        {"solver": "lp", "k": 2, "subsets": "all"},
        {"solver": "lp", "k": 1, "subsets": "top", "margin": 0.05},
        {"subsets": "all", "k": 2},
        *({"max_rules": n} for n in (1, 2)),
        {"levels": 2, "max_rules": 2},
        {"rule_cost": 1.0},
        {"literal_cost": 0.5, "k": 2},
        {"levels": 2, "rule_cost": 0.7, "literal_cost": 0.2},
        *({"extension": one} for one in ("lower", "upper", "nearest", "short")),
        {"levels": 2, "extension": "lower"},
        {"normalized": False},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1, 1: 3}, "k": 2},
        {"positive": 0},
        {"directions": None},
    ),
    **grid(
        SugenoClassifier,
        ["grades", "words"],
        {"abstain": True},
        {"abstain": True, "k": 2},
        {"abstain": True, "levels": 2},
        asks=("predict_set",),
    ),
    **grid(
        SugenoClassifier,
        ["words"],
        {},
        {"positive": "no"},
        {"directions": {"price": -1}},
        {"directions": [1, 1, -1], "levels": "all"},
        {"class_weight": {"no": 2.5, "yes": 1}},
    ),
    **grid(SugenoClassifier, ["wide"], {}, {"k": 2}, {"k": 5}, {"levels": 1, "k": 3}),
    **grid(
        SugenoClassifier,
        ["noisy"],
        {},
        {"k": 3},
        {"k": 3, "max_rules": 4},
        {"k": 4, "rule_cost": 0.3},
        {"levels": 1, "max_rules": 3},
        {"levels": 2, "k": 3, "literal_cost": 0.1},
        {"levels": "single"},
        {"subsets": "all", "k": 3},
        {"threshold": "alternating", "k": 3},
    ),
    **grid(SugenoClassifier, ["two categories"], {}, {"levels": 2}, {"k": 1}, {"positive": "yes"}),
    **grid(SugenoClassifier, ["ESL", "HAB"], {}, {"k": 2}, {"levels": 2}, {"threshold": "joint"}),
    **grid(
        SugenoClassifier,
        ["holes"],
        *(
            {"missing": missing, **setting}
            for missing in ("pessimistic", "optimistic", "interval")
            for setting in ({}, {"levels": 2}, {"k": 2, "abstain": True})
        ),
        asks=("predict_interval",),
    ),
    **grid(
        SugenoClassifier,
        ["grades", "measures"],
        {},
        {"levels": 2, "class_weight": "balanced"},
        {"k": 2, "rule_cost": 0.5},
        weight=whole_weights,
    ),
    **grid(
        SugenoClassifier, ["grades", "measures"], {}, {"levels": "all"}, {"k": 2}, weight=weights
    ),
}

_UNORDERED = {
    **grid(
        SugenoClassifier,
        ["clusters", "five clusters"],
        {},
        {"levels": 2},
        {"k": 2, "class_weight": "balanced"},
        asks=("predict_set",),
    ),
    **grid(SugenoClassifier, ["clusters"], {}, weight=whole_weights),
    **grid(SugenoClassifier, ["three holes"], {"missing": "interval"}),
    **grid(
        SugenoNominalClassifier,
        ["clusters", "five clusters"],
        {},
        {"estimator": SugenoClassifier(levels=2, time_limit=None)},
        asks=("predict_set",),
    ),
    **grid(SugenoNominalClassifier, ["clusters"], {"estimator": SugenoDistiller(n_rules=2)}),
    **grid(SugenoNominalClassifier, ["clusters"], {}, weight=weights),
    **grid(SugenoDistiller, ["clusters"], {"n_rules": 2}),
    **grid(SugenoEnsembleClassifier, ["clusters"], {"n_bags": 2, "max_rounds": 10}),
    **grid(SugenoClassifierCV, ["clusters"], {"levels": ["shared", 2], "ks": [1, 2], "cv": 2}),
}

_CHOSEN = {
    **grid(
        SugenoClassifierCV,
        ["grades", "words"],
        {"cv": 3},
        {"cv": 3, "refit": "simplest"},
        {"cv": 3, "levels": "shared"},
        {"cv": 2, "levels": ["shared", "all", 1], "ks": [1, 3]},
        {"cv": 2, "levels": "shared", "ks": [2], "margins": (0.0, 0.05)},
        {"cv": 2, "levels": "shared", "scoring": "roc_auc"},
    ),
    **grid(SugenoClassifierCV, ["holes"], {"cv": 2, "missing": "pessimistic"}),
    **grid(SugenoClassifierCV, ["grades"], {"cv": 2, "max_rules": 2}, weight=whole_weights),
    **grid(
        SugenoOrdinalClassifierCV,
        ["three", "three measures"],
        {"cv": 2},
        {"cv": 2, "levels": ["shared", 2], "refit": "simplest"},
        {"cv": 2, "max_rules": (1, 2), "loss": "absolute"},
    ),
    **grid(SugenoOrdinalClassifierCV, ["five"], {"cv": 2, "levels": ["shared", 1]}),
}

_TAUGHT = {
    **grid(
        SugenoDistiller,
        ["grades", "words"],
        {},
        {"n_rules": 2},
        {"k": 2, "max_rules": 5, "rule_penalty": 0.01},
        {"class_weight": "balanced"},
    ),
    **grid(SugenoDistiller, ["grades"], {"abstain": True}, asks=("predict_set",)),
    **grid(SugenoDistiller, ["grades"], {"random_state": 3}, weight=weights),
    **grid(SugenoDistiller, ["holes"], {"missing": "pessimistic"}),
    **grid(SugenoDistiller, ["HAB"], {"n_rules": 3}),
    "distill: grades: DecisionTreeClassifier": Case(
        lambda: sugeno.distill(
            TREE.fit(table("grades").X, table("grades").y),
            table("grades").X,
            table("grades").y,
            n_rules=3,
        ),
        "grades",
    ),
    **grid(
        SugenoEnsembleClassifier,
        ["grades", "words"],
        {"n_bags": 3, "max_rounds": 20},
        {"n_bags": 2, "max_rounds": 10, "class_weight": "balanced", "random_state": 2},
        asks=("decision_function", "predict_set", "can_flip"),
    ),
    **grid(
        SugenoEnsembleClassifier,
        ["holes"],
        {"n_bags": 2, "max_rounds": 10, "missing": "interval"},
        asks=("predict_interval",),
    ),
    **grid(SugenoEnsembleClassifier, ["measures"], {"n_bags": 2, "max_rounds": 10}, weight=weights),
}

_PRICES = ((0, 1, 4), (1, 0, 1), (2, 2, 0))
_ORDERED = {
    **grid(
        SugenoOrdinalClassifier,
        ["three", "three measures"],
        {},
        {"max_rules": 2},
        {"levels": "shared"},
        {"levels": "shared", "k": 2},
        {"levels": "all"},
        {"levels": 1},
        {"levels": 2, "k": 2},
        {"levels": "shared", "loss": "zero_one"},
        {"levels": 2, "loss": "absolute"},
        {"levels": "shared", "loss": _PRICES},
        {"loss": "absolute", "max_rules": 3},
        {"levels": "shared", "extension": "lower"},
        {"levels": 2, "normalized": False},
    ),
    **grid(
        SugenoOrdinalClassifier, ["five"], {"max_rules": 2}, {"levels": "shared"}, {"levels": 2}
    ),
    **grid(
        SugenoOrdinalClassifier,
        ["three words"],
        {"levels": "shared", "classes": ["low", "mid", "top"]},
        {"levels": 2, "classes": ["top", "mid", "low"]},
        {"classes": "sorted", "max_rules": 2},
    ),
    **grid(SugenoOrdinalClassifier, ["categories"], {}, {"levels": "shared"}, {"levels": "all"}),
    **grid(
        SugenoOrdinalClassifier,
        ["grades"],
        {"levels": "shared", "loss": "zero_one"},
        {"levels": 2, "loss": "zero_one"},
        {},
    ),
    **grid(
        SugenoOrdinalClassifier,
        ["three holes"],
        *(
            {"missing": missing, "levels": levels}
            for missing in ("pessimistic", "optimistic", "interval")
            for levels in ("shared", 2)
        ),
        {"missing": "pessimistic"},
        asks=("predict_interval",),
    ),
    **grid(
        SugenoOrdinalClassifier,
        ["three"],
        {},
        {"levels": "shared"},
        {"levels": 2},
        weight=whole_weights,
    ),
    **grid(SugenoOrdinalClassifier, ["three"], {"levels": "all"}, weight=weights),
}

_WRAPPED = {
    **grid(
        RelabelledClassifier,
        ["grades", "measures"],
        {"estimator": SugenoClassifier(time_limit=None)},
        {"estimator": TREE},
    ),
    **grid(
        RelabelledClassifier,
        ["three"],
        {
            "estimator": SugenoOrdinalClassifier(levels="shared", time_limit=None),
            "loss": "absolute",
        },
        weight=whole_weights,
    ),
    **grid(
        ConformalClassifier,
        ["grades", "clusters"],
        {"estimator": SugenoClassifier(time_limit=None)},
        {"estimator": SugenoClassifier(levels=2, time_limit=None), "by_class": True, "alpha": 0.2},
        asks=("predict_set",),
    ),
    **grid(
        ConformalClassifier,
        ["three"],
        {"estimator": SugenoOrdinalClassifier(levels="shared", time_limit=None), "alpha": 0.2},
        asks=("predict_set",),
    ),
}

_WRITTEN = "speed >= 1 and size >= -4 and price <= 9.5, or size >= 4"


def _from_rules(**more):
    return RuleClassifier.from_rules(RuleSet.parse(_WRITTEN), **more)


def _edited(name, step, *, judged=True, boundary=None, **parameters):
    """A learned classifier after one edit, judged by its training rows."""
    rows = table(name)
    kind = SugenoClassifier if boundary is None else SugenoOrdinalClassifier
    edit = fitted(kind, name, **parameters).edit(
        *((rows.X, rows.y) if judged else ()), boundary=boundary
    )
    return step(edit).classifier


_BY_HAND = {
    "by hand: rules": Case(
        lambda: RuleClassifier.from_rules(
            RuleSet.parse("speed >= 1 and size >= -2 and price <= 9.5")
        ),
        "words",
    ),
    "by hand: rules with rows": Case(
        lambda: _from_rules(X=table("words").X, y=table("words").y), "words"
    ),
    "by hand: rules with rows and weights": Case(
        lambda: _from_rules(X=table("words").X, y=table("words").y, sample_weight=weights("words")),
        "words",
    ),
    "by hand: rules with classes": Case(lambda: _from_rules(classes=["bad", "fine"]), "words"),
    "edit: add": Case(
        partial(_edited, "words", lambda e: e.add("speed >= -1 and price <= 7")), "words"
    ),
    "edit: add, not judged": Case(
        partial(_edited, "words", lambda e: e.add("speed >= 3"), judged=False), "words"
    ),
    "edit: remove": Case(partial(_edited, "words", lambda e: e.remove(0)), "words"),
    "edit: replace": Case(
        partial(_edited, "words", lambda e: e.replace(0, "size >= 2"), levels=2), "words"
    ),
    "edit: forbid": Case(partial(_edited, "words", lambda e: e.forbid("price")), "words"),
    "edit: forbid, best": Case(
        partial(_edited, "grades", lambda e: e.forbid("x1", assume="best"), levels=2), "grades"
    ),
    "edit: ordered classes": Case(
        partial(_edited, "three", lambda e: e.remove(0), boundary=2, levels=2), "three"
    ),
}


def _read_again(name, kind, **parameters):
    return sugeno.loads(sugeno.dumps(fitted(kind, name, **parameters)))


_READ = {
    f"file: {name}: {kind.__name__} {_text(parameters)}": Case(
        partial(_read_again, name, kind, **parameters), name
    )
    for name, kind, parameters in (
        ("grades", SugenoClassifier, {}),
        ("words", SugenoClassifier, {"levels": 2}),
        ("holes", SugenoClassifier, {"missing": "interval"}),
        ("two categories", SugenoClassifier, {"levels": "all"}),
        ("words", SugenoDistiller, {}),
        ("three", SugenoOrdinalClassifier, {"levels": "shared"}),
        ("categories", SugenoOrdinalClassifier, {"levels": 2}),
        ("three measures", SugenoOrdinalClassifier, {}),
    )
}


def _polars(data):
    import polars

    return polars.DataFrame(data)


def _arrow(data):
    import pyarrow

    return pyarrow.table(data)


def _duckdb(data):
    import duckdb

    held = _arrow(data)
    return duckdb.connect().from_arrow(held)


def _pandas(data):
    import pandas

    return pandas.DataFrame(data)


_ENGINES = {
    "polars": _polars,
    "lazy polars": lambda data: _polars(data).lazy(),
    "pandas": _pandas,
    "pyarrow": _arrow,
    "duckdb": _duckdb,
}


def _columns(name):
    """A table as columns, with labels and weights."""
    rows = table(name)
    X = np.asarray(rows.X, dtype=float)
    names = list(getattr(rows.X, "columns", [f"x{j}" for j in range(X.shape[1])]))
    return {
        **dict(zip(names, X.T.copy())),
        "label": np.asarray(rows.y).tolist(),
        "weight": whole_weights(name),
    }


def _from_frame(engine, name, kind, *, weighted=False, **parameters):
    data = _columns(name)
    features = [column for column in data if column not in ("label", "weight")]
    given = {"weight": "weight"} if weighted else {}
    frame = _ENGINES[engine](data)
    return made(kind, **parameters).fit_frame(frame, "label", features=features, **given)


_FRAMES = {
    f"frame: {engine}: {name}: {kind.__name__} {_text(parameters)}": Case(
        partial(_from_frame, engine, name, kind, **parameters), name
    )
    for engine in _ENGINES
    for name, kind, parameters in (
        ("words", SugenoClassifier, {}),
        ("words", SugenoClassifier, {"levels": 2, "weighted": True}),
        ("three measures", SugenoOrdinalClassifier, {"levels": "shared"}),
    )
} | {
    f"frame: polars: {name}: {kind.__name__} {_text(parameters)}": Case(
        partial(_from_frame, "polars", name, kind, **parameters), name
    )
    for name, kind, parameters in (
        ("words", SugenoClassifierCV, {"cv": 2}),
        ("words", SugenoEnsembleClassifier, {"n_bags": 2, "max_rounds": 10}),
        ("words", SugenoClassifier, {"threshold": "joint"}),
        ("three measures", SugenoOrdinalClassifier, {"weighted": True}),
        ("three words", SugenoClassifier, {"k": 2}),
    )
}


def _on_polars(clf, name, **options):
    """The columns that a frame of polars gets."""
    import polars

    rows = table(name).asked
    frame = polars.DataFrame({column: rows[column].to_numpy() for column in rows.columns})
    decided = clf.predict_frame(frame.lazy(), **options).collect()
    return decided.drop(list(rows.columns)).rows()


_ALL_OUTPUTS = ("prediction", "probability", "rule")
_ANSWERED = {
    f"predict_frame: {name}: {kind.__name__} {_text(parameters)}": Case(
        partial(fitted, kind, name, **parameters),
        name,
        answers={"predict_frame": partial(_on_polars, name=name, **options)},
    )
    for name, kind, parameters, options in (
        ("words", SugenoClassifier, {"k": 1}, {"outputs": _ALL_OUTPUTS}),
        ("words", SugenoClassifier, {"levels": 3}, {"outputs": _ALL_OUTPUTS}),
        ("words", SugenoDistiller, {"n_rules": 4}, {"outputs": _ALL_OUTPUTS}),
        ("three measures", SugenoOrdinalClassifier, {"levels": 3}, {}),
        ("three measures", SugenoOrdinalClassifier, {"max_rules": 4}, {}),
    )
}

CASES: dict[str, Case] = {
    **_TWO_CLASSES,
    **_UNORDERED,
    **_CHOSEN,
    **_TAUGHT,
    **_ORDERED,
    **_WRAPPED,
    **_BY_HAND,
    **_READ,
    **_FRAMES,
    **_ANSWERED,
}
