"""The data sets of the paper's experiments: twelve binary tasks with monotone criteria.

Seven of the eleven tables come with the package. Two are downloaded from OpenML and one from
Zenodo when they are first needed; one (Den Bosch) has no stated licence and must be put in place
by hand. A folder of one's own copies, ``<key>.csv`` each, is named by the parameter ``data_home``
or the environment variable ``SUGENO_DATA``. Every copy is checked against the same checksum.

Examples
--------
>>> from sugeno import datasets
>>> bunch = datasets.load("LEV")
>>> bunch.data.shape, bunch.target_names
((1000, 4), ['out < 3', 'out >= 3'])
"""

from sugeno.datasets._load import TaskInfo, TaskList, available, load, load_raw

__all__ = ["TaskInfo", "TaskList", "available", "load", "load_raw"]
