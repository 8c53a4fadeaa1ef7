"""Trees as ONNX lists them, and the few nodes that join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: The versions of the operators that are used, so that skl2onnx does not take the newest.
_VERSIONS = {
    "Add": 14,
    "Cast": 13,
    "Concat": 13,
    "Div": 14,
    "Equal": 13,
    "Exp": 13,
    "Gather": 13,
    "Greater": 13,
    "MatMul": 13,
    "Max": 13,
    "Min": 13,
    "Mul": 14,
    "Sub": 14,
    "TreeEnsembleClassifier": 3,
    "TreeEnsembleRegressor": 3,
    "Where": 16,
}
#: Operators of ONNX's domain for machine learning.
_LEARNED = {"TreeEnsembleClassifier", "TreeEnsembleRegressor"}

#: Weights of a leaf, or a question.
Tree: TypeAlias = "list[float] | Branch"


class Branch(NamedTuple):
    """The question whether a feature is at most 0."""

    feature: int
    yes: Tree
    no: Tree


def chain(
    features: Sequence[int],
    *,
    hold: list[float] | None,
    leave: list[float] | None,
    end: list[float],
) -> Tree:
    """Ask one feature after the other; answers lead to a leaf, or None: to the next question.

    Examples
    --------
    >>> from sugeno.export._onnx_graph import chain
    >>> chain([4], hold=None, leave=[0.0], end=[1.0])
    Branch(feature=4, yes=[1.0], no=[0.0])
    """
    tree: Tree = end
    for feature in reversed(features):
        tree = Branch(feature, tree if hold is None else hold, tree if leave is None else leave)
    return tree


def searched(features: Sequence[int], leaves: Sequence[list[float]]) -> Tree:
    """Find the last of some features, ever harder to meet, that is met; one leaf more than those.

    Examples
    --------
    >>> from sugeno.export._onnx_graph import searched
    >>> searched([7], [[0.25], [0.75]])
    Branch(feature=7, yes=[0.75], no=[0.25])
    """
    if not features:
        return leaves[0]
    middle = len(features) // 2
    return Branch(
        features[middle],
        searched(features[middle + 1 :], leaves[middle + 1 :]),
        searched(features[:middle], leaves[: middle + 1]),
    )


@dataclass(frozen=True)
class Graph:
    """Adds nodes to a graph of skl2onnx; each method returns the name of what it computes."""

    scope: Any
    container: Any

    def cast(self, values: str, *, to: int | None = None, output: str = "") -> str:
        """Cast to a type, double precision by default."""
        from onnx import TensorProto

        kind = TensorProto.DOUBLE if to is None else to
        return self._node("Cast", [values], output=output, to=kind)

    def picked(self, values: str, columns: slice) -> str:
        """Some neighbouring columns."""
        from onnx import TensorProto

        places = [*range(columns.start, columns.stop)]
        name: str = self.scope.get_unique_variable_name("columns")
        self.container.add_initializer(name, TensorProto.INT64, [len(places)], places)
        return self._node("Gather", [values, name], axis=1)

    def scaled(self, values: str, factors: NDArray[np.float64]) -> str:
        """Multiply each column with a factor."""
        return self._node("Mul", [values, self._doubles(factors)])

    def shifted(self, values: str, offsets: NDArray[np.float64]) -> str:
        """Add an offset to each column."""
        return self._node("Add", [values, self._doubles(offsets)])

    def multiplied(
        self, values: str, matrix: NDArray[np.float64], offsets: NDArray[np.float64]
    ) -> str:
        """Multiply with a matrix and add an offset to each column."""
        return self.shifted(self._node("MatMul", [values, self._doubles(matrix)]), offsets)

    def concatenated(self, blocks: Sequence[str]) -> str:
        """Put columns beside each other."""
        return self._node("Concat", list(blocks), axis=1) if len(blocks) > 1 else blocks[0]

    def least(self, one: str, other: str) -> str:
        """The smaller of two columns, row by row."""
        return self._node("Min", [one, other])

    def greatest(self, one: str, other: str) -> str:
        """The greater of two columns, row by row."""
        return self._node("Max", [one, other])

    def sum_of(self, one: str, other: str) -> str:
        """The sum of two columns."""
        return self._node("Add", [one, other])

    def difference(self, one: str, other: str) -> str:
        """One column less another one."""
        return self._node("Sub", [one, other])

    def shares(self, values: str, total: str, of_nothing: float) -> str:
        """Columns divided by their total; where that is 0, a constant."""
        nothing = self._node("Equal", [total, self._doubles(np.zeros(1))])
        shares = self._node("Div", [values, total])
        return self._node("Where", [nothing, self._doubles(np.array([of_nothing])), shares])

    def logistic(self, total: str, slope: float, units: float) -> str:
        """The probability 1 / (1 + exp(−x)) of log odds x = slope · (total / units)."""
        quotient = self._node("Div", [total, self._doubles(np.array([units]))])
        grown = self._node("Exp", [self.scaled(quotient, np.array([-slope]))])
        whole = self.shifted(grown, np.ones(1))
        return self._node("Div", [self._doubles(np.ones(1)), whole])

    def where_lacking(self, lacks: str, values: str, others: str) -> str:
        """One column where something is lacking, which is then above 0, and another elsewhere."""
        lacking = self._node("Greater", [lacks, self._doubles(np.zeros(1))])
        return self._node("Where", [lacking, values, others])

    def sums(self, features: str, ensembles: Sequence[Sequence[Tree]]) -> str:
        """A column per ensemble, in double precision: the sum of what its trees answer."""
        columns = [self._regressor(features, trees) for trees in ensembles]
        return self.cast(self.concatenated(columns))

    def _regressor(self, features: str, trees: Sequence[Tree]) -> str:
        nodes, leaves = _listed(trees or [[0.0]])
        weights = {f"target_{name}": column for name, column in leaves.items()}
        result: str = self.scope.get_unique_variable_name("sum")
        attributes = nodes | weights | {"n_targets": 1}
        self._add("TreeEnsembleRegressor", [features], [result], attributes)
        return result

    def classify(
        self, features: str, tree: Tree, labels: dict[str, list[Any]], output: str
    ) -> None:
        """Give a row the label that the tree votes for.

        Of two labels the first where the tree says 0 and the second where it says 1; of several
        that whose place is the second number in a leaf.
        """
        nodes, leaves = _listed([tree])
        weights = {f"class_{name}": column for name, column in leaves.items()}
        verdicts = self.scope.get_unique_variable_name("verdicts")
        attributes = nodes | weights | labels | {"post_transform": "NONE"}
        self._add("TreeEnsembleClassifier", [features], [output, verdicts], attributes)

    def _node(self, kind: str, inputs: list[str], *, output: str = "", **attributes: Any) -> str:
        result: str = output or self.scope.get_unique_variable_name(kind.lower())
        self._add(kind, inputs, [result], attributes)
        return result

    def _add(
        self, kind: str, inputs: list[str], outputs: list[str], attributes: dict[str, Any]
    ) -> None:
        self.container.add_node(
            kind,
            inputs,
            outputs,
            op_domain="ai.onnx.ml" if kind in _LEARNED else "",
            op_version=_VERSIONS[kind],
            name=self.scope.get_unique_operator_name(kind),
            **attributes,
        )

    def _doubles(self, values: NDArray[np.float64]) -> str:
        from onnx import TensorProto

        name: str = self.scope.get_unique_variable_name("constant")
        shape, entries = list(values.shape), values.ravel().tolist()
        self.container.add_initializer(name, TensorProto.DOUBLE, shape, entries)
        return name


def _listed(trees: Sequence[Tree]) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Nodes of all trees as ONNX wants them, and the weights of their leaves."""
    nodes: list[tuple[int, int, int, str, int, int]] = []
    leaves: list[tuple[int, int, float, int]] = []
    for number, tree in enumerate(trees):
        # A tree of a single leaf is not taken everywhere: a question with one answer is.
        root: Tree = tree if isinstance(tree, Branch) else Branch(0, tree, tree)
        waiting, free = [(0, root)], 1
        while waiting:
            node, here = waiting.pop()
            if isinstance(here, Branch):
                nodes.append((number, node, here.feature, "BRANCH_LEQ", free, free + 1))
                waiting += [(free + 1, here.no), (free, here.yes)]
                free += 2
            else:
                nodes.append((number, node, 0, "LEAF", 0, 0))
                leaves.append((number, node, here[0], int(here[1]) if len(here) > 1 else 0))
    nodes.sort()  # some readers find a node by its place
    names = ("treeids", "nodeids", "featureids", "modes", "truenodeids", "falsenodeids")
    listed = {f"nodes_{name}": list(column) for name, column in zip(names, zip(*nodes))}
    listed["nodes_values"] = [0.0] * len(nodes)
    listed["nodes_hitrates"] = [1.0] * len(nodes)
    listed["nodes_missing_value_tracks_true"] = [0] * len(nodes)
    keys = ("treeids", "nodeids", "weights", "ids")
    return listed, dict(zip(keys, map(list, zip(*sorted(leaves)))))
