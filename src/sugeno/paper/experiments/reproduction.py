"""The paper's tables and figures, from data to files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sugeno.paper.experiments import (
    curves,
    table2,
    table5,
    table7,
    variants,
)
from sugeno.paper.experiments.columns import COLUMNS
from sugeno.paper.experiments.data import load_all
from sugeno.paper.experiments.journal import Journal, Key, Results
from sugeno.paper.experiments.measurements import Measurement
from sugeno.paper.experiments.paper import DATASETS, SHARES
from sugeno.paper.experiments.runner import pending, run
from sugeno.paper.experiments.variants import VARIANTS

__all__ = ["EXTRAS", "TARGETS", "Reproduction", "reproduce"]

#: What can be reproduced.
TARGETS = ("table2", "table5", "table7", *curves.FIGURES)
#: What the paper does not have and is made only when it is asked for.
EXTRAS = ("variants",)
#: Columns that Tables 2 and 5 can have; the fully maxitive ones belong to Table 7 only.
KNOWN = tuple(name for name in COLUMNS if name not in table7.PAIRS.values())
#: Columns that they have unless others are asked for.
MAIN = tuple(name for name in KNOWN if name != "SI-LP-free")

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Reproduction:
    """What a run left behind.

    Attributes
    ----------
    files : list of Path
        All files that were written.
    missing : dict of str to str
        For every data set that was not there the reason.
    measured : int
        Number of splits that were done now, not found in the journal.
    seconds : dict of str to float
        Seconds of computing per column, of what was done now.

    Examples
    --------
    >>> from sugeno.paper.experiments.reproduction import Reproduction
    >>> Reproduction(files=[], missing={}, measured=0, seconds={}).measured
    0
    """

    files: list[Path]
    missing: dict[str, str]
    measured: int
    seconds: dict[str, float] = field(default_factory=dict)


def reproduce(
    targets: Iterable[str] = TARGETS,
    *,
    out: str | Path = "reproduction",
    splits: int = 100,
    jobs: int | None = None,
    seed: int = 0,
    datasets: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Run the paper's experiments and write its tables and figures beside the published numbers.

    Every finished split is saved at once in ``out/splits.jsonl``. A run that was stopped goes on
    where it stopped when it is started again. All files are the same, byte by byte, for the same
    seed, whatever ``jobs`` and however often the run was stopped.

    Parameters
    ----------
    targets : iterable of str, default=all of the paper's
        Any of "table2", "table5", "table7", "figure-threshold", "figure-alternating", and
        "variants": what was tried about the disagreements with Table 7.
    out : str or Path, default="reproduction"
        Folder for all files.
    splits : int, default=100
        Number of random splits at each of 20, 50 and 80 % training.
    jobs : int, optional
        Number of parallel jobs; None takes what ``joblib.parallel_config`` says, else 1.
    seed : int, default=0
        Seed of the splits and of learners that draw at random.
    datasets : sequence of str, optional
        Data sets to use; all twelve by default.
    columns : sequence of str, optional
        Columns of the tables; all but SI-LP-free by default. "variants" always shows all of its
        own.
    progress : callable, optional
        Called with the number of splits that are done and to be done.

    Returns
    -------
    Reproduction
        Files, missing data sets, and where the time went.

    Examples
    --------
    >>> import tempfile
    >>> from sugeno.paper.experiments import reproduce
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = reproduce(["table2"], out=folder, splits=1, datasets=["HAB"], columns=["LR"])
    >>> [file.name for file in done.files]
    ['table2.md', 'table2.json', 'splits.jsonl']
    """
    chosen = _chosen("targets", targets, (*TARGETS, *EXTRAS))
    names = _chosen("datasets", datasets, DATASETS)
    shown = _chosen("columns", MAIN if columns is None else columns, KNOWN)
    if any(target in curves.FIGURES for target in chosen):
        curves.require_matplotlib()
    found, missing = load_all(names)
    if not found:
        reasons = "; ".join(f"{name}: {why}" for name, why in missing.items())
        raise ValueError(f"None of the data sets is there, so there is nothing to do. {reasons}")
    wanted = {name: _wanted(name, chosen, shown) for name in found}
    keys = [
        Key(seed, name, share, split)
        for split in range(splits)  # outermost, so that the time left is well guessed
        for name in found
        for share in SHARES
    ]
    journal = Journal(Path(out, "splits.jsonl"))
    items = pending(keys, {n: d.fingerprint for n, d in found.items()}, wanted, journal)
    seconds = run(items, found, journal, jobs=jobs, progress=progress)
    journal.rewrite()
    results = Results(journal.records, seed, splits, names, shown, tuple(missing))
    files = [file for target in chosen for file in _write(target, results, Path(out))]
    return Reproduction([*files, journal.path], missing, len(items), seconds)


def _chosen(what: str, names: Iterable[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """Bring names into the order of the paper, and refuse unknown ones."""
    asked = set(known if names is None else names)
    unknown = sorted(asked.difference(known))
    if unknown or not asked:
        got = ", ".join(unknown) or "nothing"
        raise ValueError(f"The '{what}' must be among {', '.join(known)}. Got {got} instead.")
    return tuple(name for name in known if name in asked)


def _wanted(dataset: str, targets: tuple[str, ...], columns: tuple[str, ...]) -> list[Measurement]:
    """List what the targets need to know about a data set."""
    names: set[str] = set()
    if "table2" in targets or "table5" in targets:
        names.update(columns)
    if "table7" in targets:
        for name, full in table7.PAIRS.items():
            names.update((name, full) if name in columns else ())
    if "variants" in targets:
        names.update(VARIANTS)
    known = {**COLUMNS, **VARIANTS}
    wanted: list[Measurement] = [known[name] for name in known if name in names]
    if any(curves.FIGURES[t][0] == dataset for t in targets if t in curves.FIGURES):
        wanted.append(curves.Sweep())
    return wanted


def _write(target: str, results: Results, out: Path) -> list[Path]:
    """Write one target: Markdown and JSON, and pictures for a figure."""
    content, text = _content(target, results)
    out.mkdir(parents=True, exist_ok=True)
    markdown, data = out / f"{target}.md", out / f"{target}.json"
    markdown.write_text(text, encoding="utf-8", newline="\n")
    as_json = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    data.write_text(as_json, encoding="utf-8", newline="\n")
    if target in curves.FIGURES and not content["missing"]:
        return [markdown, data, *curves.save(curves.draw(content), out / target)]
    return [markdown, data]


def _content(target: str, results: Results) -> tuple[dict[str, Any], str]:
    if target in curves.FIGURES:
        content = curves.build(results, target)
        return content, curves.render(content)
    build, render = {
        "table2": (table2.build, table2.render),
        "table5": (table5.build, table5.render),
        "table7": (table7.build, table7.render),
        "variants": (variants.build, variants.render),
    }[target]
    content = build(results)
    return content, render(content)
