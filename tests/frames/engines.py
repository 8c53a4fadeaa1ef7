"""The engines on which frames are tried, each from one table of plain columns."""

import re

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa

import sugeno
from costly import NIGHTLY


def pandas_frame(table):
    return table.to_pandas()


def polars_frame(table):
    return pl.from_arrow(table)


def lazy_polars_frame(table):
    return pl.from_arrow(table).lazy()


def arrow_table(table):
    return table


def duckdb_relation(table):
    return duckdb.from_arrow(table)  # of the connection that is never closed


def dask_frame(table):
    import dask.dataframe as dd

    return dd.from_pandas(table.to_pandas(), npartitions=2)


def ibis_table(table):
    import ibis

    return ibis.memtable(table)


QUICK = [pandas_frame, polars_frame, lazy_polars_frame, arrow_table, duckdb_relation]
ALL = [*QUICK, dask_frame, ibis_table]
#: Fits of another engine take long by their number of queries, hardly by their number of rows.
LAZY = [lazy_polars_frame, duckdb_relation]


def in_turn(place, engines, count=2):
    """Engines for a case at a place: `count` in turn, so that each has its cases; nightly, all."""
    if NIGHTLY or count >= len(engines):
        return engines
    return [engines[(place * count + i) % len(engines)] for i in range(count)]


def loans(n=300, seed=0):
    """Four criteria of four types, two of them correlated with the label; weights with halves."""
    rng = np.random.default_rng(seed)
    income, debt = rng.integers(0, 6, n), rng.normal(size=n).round(2) + 0.0
    debt[:3] = -0.0
    owner, age = rng.integers(0, 2, n).astype(bool), rng.integers(0, 9, n).astype(np.int8)
    paid = income - debt + 2 * owner + rng.normal(size=n) > 3
    columns = {
        "income": income,
        "debt": debt,
        "owner": owner,
        "age": age,
        "paid": np.where(paid, "yes", "no"),
        "importance": rng.integers(0, 5, n) / 2,
    }
    return pa.table(columns)


def ordinal_loans(n=300, seed=0):
    """Loans with whole numbers alone, some of them negative, and -0.0 among the doubles."""
    table = loans(n, seed)
    debt = np.clip(np.rint(table["debt"].to_numpy()), -2, 2)
    debt[:3] = -0.0
    return table.set_column(1, "debt", pa.array(debt))


def with_gaps(table):
    """Nulls among integers, NaN among doubles, and no row without any value."""
    age = [None if i % 5 < 2 else a for i, a in enumerate(table["age"].to_pylist())]
    debt = [float("nan") if i % 4 == 0 else d for i, d in enumerate(table["debt"].to_pylist())]
    table = table.set_column(1, "debt", pa.array(debt, pa.float64()))
    return table.set_column(3, "age", pa.array(age, pa.int8()))


def nulls_for_nan(columns):
    """Half of the missing values as nulls."""
    rng = np.random.default_rng(2)
    return pa.table(
        {
            name: pa.array(values, mask=np.isnan(values) & (rng.random(values.size) < 0.5))
            for name, values in columns.items()
        }
    )


CRITERIA = ["income", "debt", "owner", "age"]


def in_memory(table):
    """Arguments of `fit` for the same rows; labels in a plain array, whose type is their own."""
    return table.to_pandas()[CRITERIA], np.array(table["paid"].to_pylist())


def shuffled(table, seed):
    return table.take(np.random.default_rng(seed).permutation(table.num_rows))


def nameless(clf):
    """The file of a classifier without the name of what is predicted, which arrays do not have."""
    return re.sub(r'"(target|words)": .*,', r'"\1": null,', sugeno.dumps(clf))
