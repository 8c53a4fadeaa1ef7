"""Columns of a table of any kind as inputs of an ONNX graph that reads criteria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._scales.criterion import Criterion
from sugeno.export.xml_document import shortest_name

#: What everything else in the graph is called before its own name, so that columns may be called
#: as they are.
_INNER = "sugeno/"


def with_columns(converted: Any, criteria: Sequence[Criterion]) -> Any:
    """Put the reading of columns before a graph whose input is a value for each criterion.

    Parameters
    ----------
    converted : onnx.ModelProto
        A graph with one input of doubles, a column per criterion.
    criteria : sequence of Criterion
        How they read the columns.

    Returns
    -------
    onnx.ModelProto
        The same decisions from an input per column: doubles, or texts where there are labels.

    Examples
    --------
    >>> import pandas as pd
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_onnx
    >>> X = pd.DataFrame({"home": ["own", "rent"] * 20, "age": [30.0, 40, 50, 60] * 10})
    >>> clf = SugenoClassifier(directions={"age": 1}).fit(X, [1, 0] * 20)
    >>> [one.name for one in to_onnx(clf).graph.input]
    ['home', 'age']
    """
    from onnx import compose

    inner = compose.add_prefix(converted, _INNER, rename_outputs=False)
    graph, reading = inner.graph, _Reading([output.name for output in inner.graph.output])
    values = [reading.value(criterion) for criterion in criteria]
    reading.add("Concat", values, graph.input[0].name, axis=1)
    del graph.input[:]
    graph.input.extend(reading.inputs.values())
    graph.initializer.extend(reading.constants)
    following = [*graph.node]
    del graph.node[:]
    graph.node.extend([*reading.nodes, *following])
    return inner


class _Reading:
    """Nodes that turn columns into values of criteria."""

    def __init__(self, taken: Sequence[str]) -> None:
        self.taken = tuple(taken)
        self.inputs: dict[str, Any] = {}
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def value(self, criterion: Criterion) -> str:
        """The values of a criterion, one column of doubles."""
        from onnx import TensorProto, helper

        kind = TensorProto.DOUBLE if criterion.labels is None else TensorProto.STRING
        name = shortest_name(criterion.name, self.taken)
        self.inputs.setdefault(name, helper.make_tensor_value_info(name, kind, [None, 1]))
        return self._label(name, criterion) if criterion.labels else self._number(name, criterion)

    def _label(self, cells: str, criterion: Criterion) -> str:
        """The place of each label; a text that is not known has the last but one, "" the last."""
        known = criterion.known or criterion.labels or ()
        places = criterion.read([*map(float, range(len(known)))]).tolist()
        unseen = np.nan if criterion.unseen is None else criterion.unseen
        places += [unseen, unseen if criterion.missing is None else criterion.missing]
        keys = [*known, *([""] if "" not in known else [])]
        numbers = [*range(len(known)), len(known) + 1][: len(keys)]
        codes = self.add(
            "LabelEncoder",
            [cells],
            domain="ai.onnx.ml",
            keys_strings=keys,
            values_int64s=numbers,
            default_int64=len(known),
        )
        return self.add("Gather", [self._constant(np.array(places)), codes])

    def _number(self, cells: str, criterion: Criterion) -> str:
        """Numbers, those beyond the ends of the criterion as the nearer one; missing ones."""
        low, high = criterion.within or (-np.inf, np.inf)
        value = cells
        if np.isfinite(low):
            value = self.add("Max", [value, self._constant(np.array([[low]]))])
        if np.isfinite(high):
            value = self.add("Min", [value, self._constant(np.array([[high]]))])
        for gap in criterion.gaps:
            found = (
                self.add("IsNaN", [cells])
                if gap.code is None
                else self.add("Equal", [cells, self._constant(np.array([[gap.code]]))])
            )
            value = self.add("Where", [found, self._constant(np.array([[gap.place]])), value])
        if criterion.missing is not None:
            return value
        missing = self.add("IsNaN", [cells])  # Max and Min of a missing number differ by engine
        return self.add("Where", [missing, self._constant(np.array([[np.nan]])), value])

    def add(
        self, kind: str, inputs: Sequence[str], output: str = "", *, domain: str = "", **more: Any
    ) -> str:
        """Add a node, and return the name of what it computes."""
        from onnx import helper

        name = output or f"{_INNER}read_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **more))
        return name

    def _constant(self, values: NDArray[np.float64]) -> str:
        from onnx import numpy_helper

        name = f"{_INNER}constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(values.astype(np.float64), name))
        return name
