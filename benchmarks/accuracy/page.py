"""The page ``docs/accuracy.md``, from the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from benchmarks.accuracy.columns import COLUMNS, SIZES
from benchmarks.accuracy.tables import FURTHER
from sugeno.paper.experiments.journal import Journal
from sugeno.paper.experiments.paper import DATASETS, SHARES, published

__all__ = ["write_page"]

#: Cells where the defaults of some peers cannot split: too few rows for their leaves.
TOO_SMALL = {("DBS", 20)}

#: What is noted as a list of marks: rules, their criteria, and conditions.
_LISTS = ("texts", "subjects", "literals")

Cell = tuple[str, int]


@dataclass(frozen=True)
class Results:
    """What was found of each column in each cell, split by split."""

    found: dict[str, dict[Cell, dict[int, dict[str, Any]]]]

    @classmethod
    def of(cls, journal: Journal, seed: int, names: Iterable[str]) -> Results:
        found: dict[str, dict[Cell, dict[int, dict[str, Any]]]] = {name: {} for name in names}
        for key, record in journal.records.items():
            for name in found if key.seed == seed else ():
                if (result := record.results.get(name)) is not None:
                    share = result["errors"] / record.rows[1]
                    cell = found[name].setdefault((key.dataset, key.share), {})
                    cell[key.split] = {**result, "errors": share}
        return cls({name: cells for name, cells in found.items() if cells})

    @property
    def cells(self) -> list[Cell]:
        """Cells that all columns have."""
        first, *others = self.found.values()
        return [cell for cell in first if all(cell in other for other in others)]

    def splits(self, name: str) -> tuple[int, int]:
        """Fewest and most splits of a column in a cell."""
        counts = [len(self.found[name][cell]) for cell in self.cells]
        return min(counts), max(counts)

    def values(self, what: str, name: str, cell: Cell) -> np.ndarray:
        """Numbers of one column in one cell; NaN where there is none."""
        if what in _LISTS:
            return recurring([result.get(what) for result in self.found[name][cell].values()])
        found = [result.get(what, np.nan) for result in self.found[name][cell].values()]
        return np.array(found, dtype=float)

    def of_cell(self, name: str, cell: Cell) -> list[dict[str, Any]]:
        """All that is known of one column in one cell, split by split."""
        return [*self.found[name][cell].values()]

    def mean(self, what: str, name: str, cells: list[Cell]) -> float:
        """Mean over cells of the mean over splits."""
        means = [self.values(what, name, cell).mean() for cell in cells]
        return float(np.mean(means)) if means else np.nan

    def level(self, what: str, name: str, cells: list[Cell]) -> float:
        """The same, but comparable where a column has fewer splits than others.

        Easy and hard splits are so for all: to the mean of its own splits is added by how much all
        splits are harder than these for the columns that have most of them, in the mean.
        """
        levels = [self._level(what, name, cell) for cell in cells]
        return float(np.mean(levels)) if levels else np.nan

    def _level(self, what: str, name: str, cell: Cell) -> float:
        own = self._known(what, name, cell)
        others = [self._known(what, column, cell) for column in self.found]
        longest = max(map(len, others))
        most = [one for one in others if len(one) == longest and own.keys() <= one.keys()]
        if not own or not most:
            return np.nan
        all_splits = np.mean([list(one.values()) for one in most])
        harder = all_splits - np.mean([[one[split] for split in own] for one in most])
        return float(np.mean(list(own.values())) + harder)

    def _known(self, what: str, name: str, cell: Cell) -> dict[int, float]:
        results = self.found[name][cell].items()
        return {split: result[what] for split, result in results if what in result}

    def difference(self, name: str, other: str, cells: list[Cell]) -> tuple[float, float]:
        """Mean paired difference of the errors of two columns, and its standard error.

        On the splits that both have.
        """
        parts = []
        for cell in cells:
            ours, theirs = self.found[name][cell], self.found[other][cell]
            both = ours.keys() & theirs.keys()
            parts.append(np.array([ours[i]["errors"] - theirs[i]["errors"] for i in both]))
        mean = float(np.mean([part.mean() for part in parts]))
        if any(part.size < 2 for part in parts):
            return mean, np.nan
        variance = sum(part.var(ddof=1) / part.size for part in parts) / len(parts) ** 2
        return mean, float(np.sqrt(variance))


def recurring(lists: Sequence[Sequence[str] | None]) -> np.ndarray:
    """Share of the rules of one split that another split has too, for each pair of splits.

    Dice's coefficient of the two lists: 1 where they are the same, 0 where nothing recurs.
    """
    if len(lists) < 2 or any(found is None for found in lists):
        return np.array([np.nan])
    pairs = combinations([Counter(found) for found in lists if found is not None], 2)
    return np.array([2 * (a & b).total() / max(1, a.total() + b.total()) for a, b in pairs])


def _groups(results: Results) -> dict[str, list[Cell]]:
    paper = [(name, share) for name in DATASETS for share in SHARES]
    groups = {
        "paper, 36 cells": paper,
        "without DBS 20 %": [cell for cell in paper if cell not in TOO_SMALL],
        **{f"{share} %": [(name, share) for name in DATASETS] for share in SHARES},
        "11 further": [(name, 50) for name in FURTHER],
    }
    known = set(results.cells)
    return {title: [cell for cell in cells if cell in known] for title, cells in groups.items()}


def _number(value: float, digits: int = 4) -> str:
    if np.isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _means(
    results: Results, groups: dict[str, list[Cell]], what: str, title: str, digits: int = 3
) -> str:
    """A row per column that was asked for it, a column per group."""
    rows = []
    for name in results.found:
        means = [results.level(what, name, cells) for cells in groups.values()]
        if not np.isnan(means).all():
            rows.append([name, *(_number(mean, digits) for mean in means)])
    return _table([title, *groups], rows)


def _paired(results: Results, groups: dict[str, list[Cell]]) -> str:
    def cell(name: str, other: str, cells: list[Cell]) -> str:
        mean, error = results.difference(name, other, cells)
        return f"{100 * mean:+.2f} ± " + ("–" if np.isnan(error) else f"{100 * error:.2f}")

    pairs = [
        (ours, peer)
        for ours in ("CV", "ensemble")
        for peer in ("HGB", "XGB", "LightGBM", "EBM", "SI")
        if {ours, peer} <= results.found.keys()
    ]
    rows = [
        [f"{a} − {b}", *(cell(a, b, groups[g]) for g in ("paper, 36 cells", "11 further"))]
        for a, b in pairs
    ]
    return _table(["difference in points ± se", "paper, 36 cells", "11 further"], rows)


def _ranks(results: Results, groups: dict[str, list[Cell]]) -> str:
    rows = []
    by_group = {}
    for title in ("paper, 36 cells", "11 further"):
        table = [
            [results.level("errors", name, [cell]) for name in results.found]
            for cell in groups[title]
        ]
        by_group[title] = rankdata(table, axis=1).mean(axis=0)
    for i, name in enumerate(results.found):
        rows.append([name, *(f"{ranks[i]:.2f}" for ranks in by_group.values())])
    return _table(["average rank", *by_group], rows)


#: What two columns of the table of rules mean.
_STABILITY = (
    "*Same rule* and *same criteria* say how much of the rules of one split recurs in another "
    "split of the same cell. A rule recurs with the very same levels, or with the same criteria. "
    "The figure is Dice's coefficient, the mean over all pairs of splits.\n\n"
)


def _rules(results: Results, groups: dict[str, list[Cell]]) -> str:
    rows = []
    for name in results.found:
        for title in ("paper, 36 cells", "11 further"):
            found = [results.values("rules", name, cell) for cell in groups[title]]
            rules = np.concatenate(found) if found else np.array([np.nan])
            if np.isnan(rules).any():
                continue
            rows.append(
                [
                    f"{name}, {title}",
                    f"{rules.mean():.1f}",
                    f"{np.median(rules):.0f}",
                    f"{rules.max():.0f}",
                    f"{results.mean('criteria', name, groups[title]):.1f}",
                    _number(results.mean("texts", name, groups[title]), 2),
                    _number(results.mean("subjects", name, groups[title]), 2),
                    f"{results.mean('seconds', name, groups[title]):.2f}",
                ]
            )
    head = [
        "rules",
        "mean",
        "median",
        "most",
        "criteria per rule",
        "same rule",
        "same criteria",
        "CPU seconds per fit",
    ]
    return _STABILITY + _table(head, rows)


def _conditions(results: Results, groups: dict[str, list[Cell]]) -> str:
    """How long the readable columns are, whatever their form."""
    rows = []
    for name in results.found:
        for title in ("paper, 36 cells", "11 further"):
            found = [results.values("conditions", name, cell) for cell in groups[title]]
            conditions = np.concatenate(found) if found else np.array([np.nan])
            if np.isnan(conditions).any():
                continue
            forms = [one["form"] for cell in groups[title] for one in results.of_cell(name, cell)]
            rows.append(
                [
                    f"{name}, {title}",
                    f"{conditions.mean():.1f}",
                    f"{np.median(conditions):.0f}",
                    f"{conditions.max():.0f}",
                    f"{np.mean([form == 'points' for form in forms]):.0%}",
                    _number(results.mean("literals", name, groups[title]), 2),
                ]
            )
    head = ["conditions", "mean", "median", "most", "of points", "same condition"]
    return _table(head, rows)


#: Readable classifiers whose length can be asked for, ours first.
_AT_LENGTH = ("points", "FasterRisk", "STreeD", "FIGS")


def _equal_lengths(results: Results, groups: dict[str, list[Cell]]) -> str:
    """Readable classifiers at the same number of conditions, and ours against each of them."""
    shown = [groups[title] for title in ("paper, 36 cells", "11 further")]
    rows, apart = [], []
    for size in SIZES:
        names = [f"{kind} ≤ {size}" for kind in _AT_LENGTH]
        names = [name for name in names if name in results.found]
        for name in names:
            values = [
                _number(results.level(what, name, cells), 4 if what == "errors" else 3)
                for what in ("errors", "auc")
                for cells in shown
            ]
            length = results.mean("conditions", name, [cell for cells in shown for cell in cells])
            rows.append([name, *values, f"{length:.1f}"])
        apart += [
            [f"{names[0]} − {peer}", *(_over_cells(results, names[0], peer, c) for c in shown)]
            for peer in names[1:]
        ]
    head = ["at most so many conditions", "error, paper", "error, further", "AUC, paper"]
    differences = _table(["difference in points ± se", "paper, 36 cells", "11 further"], apart)
    return _table([*head, "AUC, further", "conditions"], rows) + "\n\n" + differences


def _over_cells(results: Results, name: str, other: str, cells: list[Cell]) -> str:
    """Mean difference of the errors, with its standard error over cells."""
    apart = 100 * np.array([results.difference(name, other, [cell])[0] for cell in cells])
    if not apart.size:
        return "–"
    error = f"{apart.std(ddof=1) / np.sqrt(apart.size):.2f}" if apart.size > 1 else "–"
    return f"{apart.mean():+.2f} ± {error}"


def _against_paper(results: Results) -> str:
    cells = [(name, share) for name in DATASETS for share in SHARES]
    cells = [cell for cell in cells if cell in set(results.cells)]
    printed = {cell: found.mean for cell in cells if (found := published(*cell, "SI"))}
    # Printed with three digits, and compared with as many.
    better = {
        name: sum(
            round(results.level("errors", name, [cell]), 3) <= printed[cell] for cell in printed
        )
        for name in results.found
    }
    rows = [
        [
            name,
            *(
                _number(error, 3)
                for cell in ((name, share) for share in SHARES)
                for error in (results.level("errors", "CV", [cell]), printed.get(cell, np.nan))
            ),
        ]
        for name in DATASETS
    ]
    head = ["task"] + [f"{share} % {who}" for share in SHARES for who in ("CV", "paper's SI")]
    counts = _table(["at or below", *better], [["cells", *map(str, better.values())]])
    about = (
        f"`SugenoClassifierCV()` is at or below the paper's printed SI, to its three digits, in "
        f"{better['CV']} of {len(cells)} cells. For all columns:"
    )
    return f"{about}\n\n{counts}\n\n{_table(head, rows)}"


def _every(results: Results) -> str:
    rows = [
        [
            f"{name} {share} %",
            *(_number(results.level("errors", c, [(name, share)]), 3) for c in results.found),
        ]
        for name, share in results.cells
    ]
    return _table(["table", *results.found], rows)


def _splits(fewest: int, most: int) -> str:
    if most == 1:
        return "1 split"
    return f"{most} splits" if fewest == most else f"{fewest} to {most} splits"


def _once_measured(results: Results, groups: dict[str, list[Cell]]) -> list[str]:
    """AUC and conditions, which results of older code do not have."""
    known = {
        what
        for cells in results.found.values()
        for one in cells.values()
        for it in one.values()
        for what in it
    }
    parts = []
    if "auc" in known:
        parts.append("## AUC\n\n" + _means(results, groups, "auc", "mean AUC"))
    if "conditions" in known:
        parts.append("## Conditions\n\n" + _conditions(results, groups))
        parts.append("## At equal numbers of conditions\n\n" + _equal_lengths(results, groups))
    return parts


PROLOGUE = Path(__file__).with_name("prologue.md")


def write_page(path: Path, journal: Journal, seed: int) -> None:
    """Write the page from what the journal holds."""
    results = Results.of(journal, seed, COLUMNS)
    groups = _groups(results)
    about = "\n".join(
        f"- **{column.name}**: {column.about} ({_splits(*results.splits(column.name))})"
        for column in COLUMNS.values()
        if column.name in results.found
    )
    left_out = [name for name in COLUMNS if name not in results.found]
    if left_out:
        about += f"\n\nNot measured this time: {', '.join(left_out)}."
    parts = [
        PROLOGUE.read_text(encoding="utf-8").rstrip(),
        f"Measured with seed {seed}; in brackets the number of splits of each cell. A column with "
        "fewer splits than others may have had easier ones. Its mean is corrected by that "
        "difference, as the columns with most splits show it in the mean.",
        about,
        "## Errors\n\n" + _means(results, groups, "errors", "mean 0/1 error", 4),
        "## Paired differences\n\n" + _paired(results, groups),
        "## Average ranks\n\n" + _ranks(results, groups),
        "## Log loss\n\n" + _means(results, groups, "log_loss", "mean log loss"),
        *_once_measured(results, groups),
        "## Rules and time\n\n" + _rules(results, groups),
        "## Beside the paper's printed errors\n\n" + _against_paper(results),
        "## Every table\n\n" + _every(results),
    ]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
