"""ONNX: a converter for skl2onnx, as tree ensembles that take values apart exactly.

A literal ``x >= t`` becomes ``t - x <= 0`` (and ``x <= t`` becomes ``x - t <= 0``), computed in
double precision: the difference of two doubles has the right sign to the last bit, so that all
trees can have the threshold 0, whatever precision they keep thresholds in; and a missing value
(NaN) never satisfies it, also where NaN is greater than every number. A first row of trees counts
the rules that hold, one chain of literals per rule, and adds up the score; trees over the steps of
the score give probabilities, and a TreeEnsembleClassifier the label. Trees answer in single
precision, so larger numbers come in parts whose sums are exact in any order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno.export._formula import deciders_of, exported_model
from sugeno.export._onnx_columns import with_columns
from sugeno.export._onnx_graph import Branch, Graph, Tree, chain, searched
from sugeno.model.boundary import Boundary
from sugeno.model.fitted import AnyModel, any_model_of
from sugeno.model.model import MISSED, PASSED, shares_above
from sugeno.model.per_class import ModelPerClass
from sugeno.model.score_model import Sum

__all__ = ["register_onnx", "to_onnx"]

#: Whole numbers up to two to this power are exact in single precision, which trees answer in.
_EXACT_BITS = 24
_PARTS_OF_A_DOUBLE = 3
#: The versions of ONNX's operators that are asked for.
_OPSETS = {"": 18, "ai.onnx.ml": 3}


def to_onnx(estimator: Any, *, initial_types: Sequence[tuple[str, Any]] | None = None) -> Any:
    """Convert a classifier, or a pipeline that ends with one, to ONNX.

    It answers in double precision as `predict` and `predict_proba` do, to the last bit; NaN reaches
    no level. Of an ensemble the totals are exact, and so are the decisions. Engines differ in the
    last bits of the exponential function, and so do its probabilities.

    Parameters
    ----------
    estimator : estimator
        A fitted classifier with a ``model_``, or a fitted pipeline of scikit-learn around one.
    initial_types : sequence of (str, skl2onnx type), optional
        Inputs as `skl2onnx.to_onnx` takes them. By default one input ``X`` of doubles with a column
        per feature; a criterion of ordered labels is given by their places 0, 1, …. A classifier of
        a table of any kind has an input for each column that it reads instead, with the name of the
        column. Inputs are doubles, days since 1970 for dates, and texts for labels and truth values
        ("true", "false"). A missing text is empty.

    Returns
    -------
    onnx.ModelProto
        With the outputs ``label`` and ``probabilities`` (in the order of ``classes_``). Class
        labels are integers or text; truth values become 0 and 1.

    Notes
    -----
    Needs ``pip install 'sugeno[onnx]'``. Give doubles to it: values that were rounded to single
    precision may fall on the other side of a level.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import to_onnx
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> [output.name for output in to_onnx(clf).graph.output]
    ['label', 'probabilities']
    """
    _register(estimator)
    import skl2onnx
    from skl2onnx.common.data_types import DoubleTensorType

    classifiers = list(_classifiers(estimator))
    mixed = _of_any_kind(classifiers)
    if mixed and (initial_types is not None or classifiers != [estimator]):
        raise ValueError(
            "A classifier of a table of any kind must be converted alone, with an input for each "
            "column. Got a pipeline, or initial_types, instead; convert its last step."
        )
    width = len(estimator.model_.criteria) if mixed else estimator.n_features_in_
    converted = skl2onnx.to_onnx(
        estimator,
        initial_types=list(initial_types or [("X", DoubleTensorType([None, width]))]),
        options={id(classifier): {"zipmap": False} for classifier in classifiers},
        target_opset=_OPSETS,
    )
    return with_columns(converted, estimator.model_.criteria) if mixed else converted


def register_onnx(estimator: Any) -> None:
    """Teach skl2onnx our classifiers, for tools that call it themselves.

    Parameters
    ----------
    estimator : estimator
        A fitted classifier with a ``model_``, or a pipeline around one: the classes of the
        classifiers in it are registered.

    Examples
    --------
    >>> import numpy as np
    >>> import skl2onnx
    >>> from sugeno import SugenoClassifier
    >>> from sugeno.export import register_onnx
    >>> clf = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> register_onnx(clf)
    >>> skl2onnx.to_onnx(clf, np.array([[1.0]])).graph.output[0].name
    'output_label'
    """
    _register(estimator)
    if _of_any_kind(_classifiers(estimator)):
        raise ValueError(
            "skl2onnx converts classifiers of numbers. Got one of a table of any kind instead; "
            "sugeno.export.to_onnx converts it, with an input for each column."
        )


def _of_any_kind(classifiers: Iterable[Any]) -> bool:
    """Whether columns are not read as they are."""
    return any(one.column is not None for clf in classifiers for one in clf.model_.criteria)


def _register(estimator: Any) -> None:
    try:
        from skl2onnx import update_registered_converter
        from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes
    except ImportError as error:
        raise ImportError("to_onnx needs skl2onnx: pip install 'sugeno[onnx]'") from error
    found = list(_classifiers(estimator))
    if not found:
        any_model_of(estimator)  # says what is missing
    for classifier in found:
        update_registered_converter(
            type(classifier),
            f"Sugeno{type(classifier).__name__}",
            calculate_linear_classifier_output_shapes,
            _convert,
            options={"zipmap": [True, False, "columns"], "nocl": [True, False]},
        )


def _classifiers(estimator: Any) -> Iterator[Any]:
    """Our classifiers in an estimator: itself, or steps of a pipeline."""
    if isinstance(getattr(estimator, "model_", None), AnyModel):
        yield estimator
    for _, step in getattr(estimator, "steps", ()):
        yield from _classifiers(step)


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Write the nodes of one classifier."""
    from skl2onnx.common.data_types import guess_proto_type

    model, classes = exported_model(operator.raw_operator), operator.raw_operator.classes_
    places = [classes.tolist().index(label) for label in model.classes.tolist()]
    graph = Graph(scope, container)
    values = graph.cast(operator.inputs[0].full_name)
    deciders = deciders_of(model)
    each = [values] * len(deciders)
    if isinstance(model, ModelPerClass) and model.reads_apart:
        each = [graph.picked(values, span) for span in model.spans]
    blocks, chances = [], []
    for rows, decider in zip(each, deciders):
        if isinstance(decider, Sum):
            block, chance = _sum(graph, rows, decider)
        else:
            block, chance = _boundary(graph, rows, decider)
        blocks.append(block)
        chances.append(chance)
    # Of two labels a tree says which; of more it votes for one.
    leaves = [[float(one)] if classes.size == 2 else [1.0, float(one)] for one in places]
    if not isinstance(model, ModelPerClass):
        firsts = np.cumsum([0, *map(_n_steps, deciders)]).tolist()
        features, tree = blocks, _asked([*zip(firsts, leaves[1:])][::-1], leaves[0])
        found = _in_order(graph, chances, places, disputed=len(chances) > 1 and not model.adds_up)
    else:
        features, tree = _behind(graph, chances), _asked([*enumerate(leaves[:-1])], leaves[-1])
        found = _shares(graph, chances, places)
    label, probabilities = operator.outputs
    graph.classify(graph.concatenated(features), tree, _class_labels(classes), label.full_name)
    graph.cast(found, to=guess_proto_type(probabilities.type), output=probabilities.full_name)


def _asked(questions: Sequence[tuple[int, list[float]]], otherwise: list[float]) -> Tree:
    """Ask one feature after the other, until one is at most 0."""
    tree: Tree = otherwise
    for feature, leaf in reversed(questions):
        tree = Branch(feature, leaf, tree)
    return tree


def _block(graph: Graph, values: str, boundary: Boundary) -> str:
    """What a row lacks to pass a boundary, and what its score lacks for each step."""
    lacking = _literal_differences(graph, values, boundary)
    sums = graph.sums(lacking, [_part_trees(boundary), *_score_trees(boundary)])
    return _step_differences(graph, sums, boundary)


def _boundary(graph: Graph, values: str, boundary: Boundary) -> tuple[str, str]:
    """What a row lacks to pass a boundary, first of all, and the probability that it passes."""
    block = _block(graph, values, boundary)
    return block, _chance(graph, block, boundary)


def _sum(graph: Graph, values: str, model: Sum) -> tuple[str, str]:
    """By how much the total falls short of what is needed, and the probability of the total."""
    lacking = _literal_differences(graph, values, model)
    trees, bits = _addend_trees(model)
    sums = graph.sums(lacking, trees)
    weights = np.array([[2.0 ** (bits * place)] for place in range(len(trees))])
    constant = float(model.tables.constant)
    block = graph.multiplied(sums, -weights, np.array([model.needed - 0.5 - constant]))
    total = graph.multiplied(sums, weights, np.array([constant]))
    chance = graph.logistic(total, model.slope, model.units)
    refused, accepted = model.moved
    if not (refused or accepted):
        return block, chance
    third = graph.scaled(graph.shifted(chance, np.array([-0.5])), np.array([1 / 3]))
    up, down = (graph.shifted(third, np.array([end])) for end in (PASSED, MISSED))
    above = graph.greatest(chance, up) if accepted else chance
    below = graph.least(chance, down) if refused else chance
    return block, graph.where_lacking(block, below, above)


def _addend_trees(model: Sum) -> tuple[list[list[Tree]], int]:
    """Trees that add up a total, part by part, and how many bits a part has.

    A criterion has a tree of its levels; each level of the first criterion of a pair has a tree of
    the levels of the second.
    """
    features, tables = _features(model).tolist(), model.tables
    first = np.cumsum([0, *model.literals.chains.sizes]).tolist()
    rules: list[tuple[list[int], list[int], list[int]]] = []  # asked first, then levels, and sums
    for start, table in zip(first, tables.single):
        places = np.flatnonzero(np.diff(table))
        if places.size:
            asked = [features[start + place] for place in places.tolist()]
            rules.append(([], asked, table[[0, *(places + 1)]].tolist()))
    for pair in tables.pairs:
        rows, columns, adds = pair.joint
        for row in np.unique(rows).tolist():
            mine = rows == row
            places = (first[pair.second] + columns[mine]).tolist()
            sums = np.concatenate([[0], np.cumsum(adds[mine])]).tolist()
            asked = [features[place] for place in places]
            rules.append(([features[first[pair.first] + row]], asked, sums))
    bits = _bits_of_a_part(len(rules))
    largest = max((abs(one) for _, _, sums in rules for one in sums), default=0)
    trees = [
        [_part_tree(*rule, bits, place) for rule in rules]
        for place in range(max(1, -(-largest.bit_length() // bits)))
    ]
    return trees, bits


def _part_tree(before: list[int], asked: list[int], sums: list[int], bits: int, place: int) -> Tree:
    """Some bits of what a tree adds, with its sign."""
    mask = (1 << bits) - 1
    leaves = [[float(math.copysign(abs(one) >> bits * place & mask, one))] for one in sums]
    return reduce(lambda tree, one: Branch(one, tree, [0.0]), before, searched(asked, leaves))


def _n_steps(decider: Boundary | Sum) -> int:
    """Columns of a block."""
    if isinstance(decider, Sum):
        return 1
    probability = decider.probability
    return probability.rejected.starts.size + probability.accepted.starts.size - 1


def _chance(graph: Graph, block: str, boundary: Boundary) -> str:
    """The probability of passing a boundary."""
    parts = graph.sums(block, [[tree] for tree in _probability_trees(boundary)])
    return graph.multiplied(parts, np.ones((_PARTS_OF_A_DOUBLE, 1)), np.zeros(1))


def _in_order(
    graph: Graph, chances: Sequence[str], places: Sequence[int], *, disputed: bool
) -> str:
    """Probabilities of ordered classes: differences of what the boundaries settle on.

    Shares of the smallest chance up to a boundary, and of the largest from there on; the chances of
    sums never rise.
    """
    n = len(chances)
    parts, of_parts = [*chances], [np.eye(n)]
    if disputed:
        lows, highs = (
            list(accumulate(chances, graph.least)),
            [*accumulate(chances[::-1], graph.greatest)],
        )
        share = shares_above(n)
        parts, of_parts = [*lows, *highs[::-1]], [np.diag(1 - share), np.diag(share)]
    matrix, offsets = np.zeros((n, len(places))), np.zeros(len(places))
    offsets[places[0]] = 1.0
    for row, (below, above) in enumerate(pairwise(places)):
        matrix[row, above], matrix[row, below] = 1.0, -1.0
    return graph.multiplied(graph.concatenated(parts), np.vstack(of_parts) @ matrix, offsets)


def _behind(graph: Graph, chances: Sequence[str]) -> list[str]:
    """How far each class but the last is behind the likeliest of those after it."""
    ahead, found = chances[-1], []
    for chance in chances[-2::-1]:
        found.append(graph.difference(ahead, chance))
        ahead = graph.greatest(ahead, chance)
    return found[::-1]


def _shares(graph: Graph, chances: Sequence[str], places: Sequence[int]) -> str:
    """Probabilities of classes without an order: their shares of the sum."""
    by_place = [chance for _, chance in sorted(zip(places, chances))]
    total = reduce(graph.sum_of, chances)
    return graph.shares(graph.concatenated(by_place), total, 1 / len(chances))


def _class_labels(classes: NDArray[Any]) -> dict[str, list[Any]]:
    if classes.dtype.kind in "biu":
        return {"classlabels_int64s": [int(label) for label in classes]}
    if all(isinstance(label, str) for label in classes.tolist()):
        return {"classlabels_strings": classes.tolist()}
    raise ValueError(
        "Class labels in ONNX must be whole numbers, truth values or text. "
        f"Got {classes.tolist()} instead; train with such labels."
    )


def _literal_differences(graph: Graph, values: str, model: Boundary | Sum) -> str:
    """How much each criterion lacks for its first level, for its second one, and so on.

    At most 0 where the level is reached. A criterion that has no such level has a column too,
    which no tree asks for: so no columns have to be picked.
    """
    literals = model.literals
    signs = literals.directions.astype(np.float64)
    rounds = np.zeros((max(1, *literals.chains.sizes), signs.size))
    rounds.ravel()[_features(model)] = signs[literals.columns] * literals.levels
    negated = graph.scaled(values, -signs)
    return graph.concatenated([graph.shifted(negated, offsets) for offsets in rounds])


def _features(model: Boundary | Sum) -> NDArray[np.intp]:
    """Column of each literal among those of `_literal_differences`."""
    sizes = model.literals.chains.sizes
    places = np.concatenate([np.arange(size) for size in sizes])
    return places * len(sizes) + model.literals.columns


def _part_trees(boundary: Boundary) -> list[Tree]:
    """A chain per part of the form that has its points where the part holds, else 0."""
    features, formula = _features(boundary).tolist(), boundary.form.formula
    trees = []
    for part, points in zip(formula.parts, formula.points):
        asked, won, lost = [features[j] for j in part], [float(points)], [0.0]
        if formula.joint == "and":
            trees.append(chain(asked, hold=None, leave=lost, end=won))
        else:
            trees.append(chain(asked, hold=won, leave=None, end=lost))
    return trees


def _score_trees(model: Boundary) -> list[list[Tree]]:
    """Trees that add up the score, in parts that are exact in single precision."""
    gains = [int(gain) for gain in model.probability.gains.tolist()]
    bits = _bits_of_a_part(len(gains))
    mask = (1 << bits) - 1
    return [
        [
            Branch(feature, [float(part)], [0.0])
            for feature, gain in zip(_features(model).tolist(), gains)
            if (part := gain >> bits * place & mask)
        ]
        for place in range(_n_parts(model))
    ]


def _n_parts(model: Boundary) -> int:
    """Parts that the largest gain takes."""
    bits = _bits_of_a_part(model.literals.levels.size)
    largest = int(model.probability.gains.max(initial=0.0))
    return max(1, -(-largest.bit_length() // bits))


def _bits_of_a_part(n_literals: int) -> int:
    """So many bits per part that the sum over all literals stays exact."""
    return _EXACT_BITS - max(1, n_literals).bit_length()


def _step_differences(graph: Graph, sums: str, model: Boundary) -> str:
    """How many points are missing, then how much the score lacks for each start of a step."""
    probability, needed = model.probability, model.form.formula.needed
    starts = [*probability.rejected.starts[1:].tolist(), *probability.accepted.starts[1:].tolist()]
    n_parts = _n_parts(model)
    matrix = np.zeros((1 + n_parts, 1 + len(starts)))
    matrix[0, 0] = -1.0
    places = 2.0 ** (_bits_of_a_part(model.literals.levels.size) * np.arange(n_parts))
    matrix[1:, 1:] = -places[:, None]
    return graph.multiplied(sums, matrix, np.array([needed - 0.5, *starts]))


def _probability_trees(model: Boundary) -> Iterator[Tree]:
    """Rules first, then the steps of the score; each tree has a part of the probability."""
    rejected, accepted = model.probability.rejected, model.probability.accepted
    first = rejected.values.size
    below, above = range(1, first), range(first, first + accepted.values.size - 1)
    for low, high in zip(_single_parts(rejected.values), _single_parts(accepted.values)):
        yield Branch(
            0,
            searched(above, [[value] for value in high.tolist()]),
            searched(below, [[value] for value in low.tolist()]),
        )


def _single_parts(values: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Take doubles apart, from the highest digits down, into numbers of single precision.

    They have the sign of the whole, so that each sum of some of them has as many digits as it.
    """
    rest = values
    for _ in range(_PARTS_OF_A_DOUBLE):
        mantissa, exponent = np.frexp(rest)
        part = np.ldexp(np.floor(np.ldexp(mantissa, _EXACT_BITS)), exponent - _EXACT_BITS)
        yield part
        rest = rest - part
