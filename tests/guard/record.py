"""Record the results of the guard: ``python tests/guard/record.py ["name or pattern" …]``.

Without names all cases are recorded anew, with names (patterns of the shell, as "edit: *") only
these. It prints which parts of which cases changed. Only what a named defect changes may be
recorded anew; everything else has to stay as it is, to the last bit.
"""

import hashlib
import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
from guard_cases import CASES
from guard_tables import table

import sugeno

RECORDED = Path(__file__).with_name("recorded.json")
#: Keys of a boundary that stood at the top of a file of two classes.
_ONCE_AT_THE_TOP = ("literals", "threshold", "k", "normalized", "utility")


def digest(value):
    """A short digest of plain values; floats count to the last bit."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def _files(clf):
    """The model files of a classifier, by label if every class has its own."""
    if hasattr(clf, "per_class_"):
        return {f"[{label}]": _files(one).get("") for label, one in clf.per_class_.items()}
    ruled = hasattr(clf, "model_") and hasattr(clf, "rules_")
    return {"": _as_recorded(json.loads(sugeno.dumps(clf)))} if ruled else {}


def _as_recorded(content):
    """What a file of protocol 4 says, under the keys of the protocols that were recorded."""
    (model,) = content["models"]
    criteria = [
        {key: one[key] for key in ("name", "direction", "labels")} for one in model["criteria"]
    ]
    boundaries = [_boundary_as_recorded(one) for one in model["boundaries"]]
    shared = {
        "classes": {key: content["classes"][key] for key in ("type", "labels")},
        "named": model["named"],
        "missing": model["missing"],
    }
    if len(boundaries) > 1:
        top = {key: model[key] for key in ("objective", "bound", "utility")}
        for one in boundaries:
            del one["extent"]
        return {**shared, **top, "criteria": criteria, "boundaries": boundaries}
    (one,) = boundaries
    top = {key: one.pop(key) for key in _ONCE_AT_THE_TOP}
    for criterion, importance in zip(criteria, one.pop("importances")):
        criterion["importance"] = importance
    extent = one.pop("extent")
    top |= {} if extent is None else {"extent": extent}
    return {**shared, **top, "criteria": criteria, "boundaries": [one]}


def _boundary_as_recorded(boundary):
    form = boundary.pop("form")
    return {**boundary, "form": form.pop("kind"), **form}


def _entries(clf):
    """Digests of the entries of the model files, whose own order has no meaning."""
    return {
        f"file{label}.{key}": digest(json.dumps(entry, sort_keys=True))
        for label, content in _files(clf).items()
        if content is not None
        for key, entry in content.items()
    }


def _rules(clf):
    """The rules as text, in lines."""
    rules = getattr(clf, "rules_", None)
    if rules is None:
        return {}
    each = rules.values() if isinstance(rules, dict) else [rules]
    return {"rules": [line for one in each for line in str(one).splitlines()]}


def measure(name):
    """Learn a case, and return everything that has to stay as it is."""
    case = CASES[name]
    clf, rows = case.learn(), table(case.table).asked
    asks = ["predict", *(["predict_proba"] if hasattr(clf, "predict_proba") else []), *case.asks]
    return {
        **_rules(clf),
        **{part: repr(float(getattr(clf, part))) for part in _figures(clf)},
        **{ask: digest(_plain(getattr(clf, ask)(rows))) for ask in asks},
        **{part: digest(_plain(answer(clf))) for part, answer in case.answers.items()},
        **_entries(clf),
    }


def _figures(clf):
    return [part for part in ("objective_", "bound_") if hasattr(clf, part)]


def recorded():
    """What was recorded, by case."""
    return json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}


def changed_parts(before, now):
    """Parts that are not as recorded; what was not there when it was recorded does not count."""
    return [part for part, value in before.items() if now.get(part) != value]


def main(patterns):
    """Record the cases that match a pattern, or all of them."""
    old = recorded()
    chosen = [
        n for n in CASES if not patterns or any(n == p or fnmatchcase(n, p) for p in patterns)
    ]
    if not chosen:
        raise SystemExit(f"No case is called {patterns}; the names are in {RECORDED.name}.")
    for name in chosen:
        before, now = old.get(name, {}), measure(name)
        changed = changed_parts(before, now) if before else ["new"]
        old[name] = now
        if changed:
            print(f"{name}: {', '.join(changed)}")
    kept = {name: old[name] for name in CASES if name in old}
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    RECORDED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
