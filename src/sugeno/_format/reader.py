"""From a text to a model: everything is checked before anything is built."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sugeno._counts.loss import Loss
from sugeno._exceptions import ModelFileError
from sugeno._format.fields import Field, parse
from sugeno._format.old_protocols import in_latest_layout
from sugeno._format.protocol import (
    FORMAT,
    MAX_BYTES,
    MAX_CELLS,
    MAX_CLASSES,
    MAX_LITERALS,
    MAX_RULES,
    PROTOCOL,
)
from sugeno._scales.assumed import Assumed, AssumedColumn
from sugeno._scales.criterion import Criterion, Gap
from sugeno._scales.kinds import KINDS
from sugeno._scales.knots import Knots
from sugeno._scales.literals import Literals
from sugeno._scales.missing import MISSING_POLICIES
from sugeno._scales.surfaces import Pair, Surfaces
from sugeno._sets.masks import Masks, minimal, pack
from sugeno.model.boundary import Boundary, Certificate, SettledPatterns
from sugeno.model.card import Card
from sugeno.model.class_rules import boundary_labels
from sugeno.model.fitted import AnyModel
from sugeno.model.form import Form
from sugeno.model.grading import binary_threshold
from sugeno.model.judged import Grades, Judged
from sugeno.model.model import HeldOut, Learned, Model
from sugeno.model.per_class import ModelPerClass
from sugeno.model.probability import Probability, Steps, just_above
from sugeno.model.rules import Joint, RuleSet
from sugeno.model.score_model import ScoreModel, Sum
from sugeno.model.support import Support

__all__ = ["KINDS_OF_LABELS", "read_model"]

Floats = NDArray[np.float64]
Record = dict[str, Field]

_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_FLOATS = ("float16", "float32", "float64")
#: The types of JSON values that labels of a numpy type are written as, beside text.
KINDS_OF_LABELS: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "object": (str, bool, int, float),
    **dict.fromkeys(_INTEGERS, (int,)),
    **dict.fromkeys(_FLOATS, (float,)),
}
#: Text of numpy has a length; a longer label than this is no label.
_MOST_LETTERS = 1 << 16
#: Sums of gains stay exact up to here.
_MOST_GAIN = 1 << 53
#: Totals of a sum of steps, exact as doubles with all that is added on the way.
_MOST_TOTAL = 1 << 52
#: The least slope of log odds.
_LEAST_SLOPE = 2.0**-20
#: Points of a literal.
_MOST_POINTS = 1 << 20
#: Weights stay below this, so that twice a total fits into int64.
_MOST_WEIGHT = 1 << 62
#: What a column may hold: numbers, labels in their order, labels in an order that was found.
_KINDS = {
    **dict.fromkeys(("number", "date"), "numbers"),
    "ordered": "labels",
    **dict.fromkeys(("truth", "two-valued", "unordered"), "places"),
}
_KINDS_AS_THEY_ARE = ("number", "ordered")
#: What a certificate may be about.
_BOUNDED = ("training error", "disagreement with the teacher")


def read_model(content: bytes, *, max_bytes: int = MAX_BYTES) -> AnyModel:
    """Read a model from the bytes of a model file.

    Parameters
    ----------
    content : bytes
        UTF-8, as `sugeno._format.writer.write_model` has it.
    max_bytes : int
        Longer contents are refused.

    Returns
    -------
    Model or ScoreModel, or ModelPerClass for classes without an order
        The model that was written, to the last bit.

    Raises
    ------
    ModelFileError
        If the content is anything else; the message says where and what was expected.

    Examples
    --------
    >>> from sugeno import SugenoClassifier
    >>> from sugeno._format import read_model, write_model
    >>> model = SugenoClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 1]).model_
    >>> str(read_model(write_model(model).encode()).rules)
    'class 1 if x0 >= 3'
    """
    if len(content) > max_bytes:
        raise ModelFileError(
            f"The model file must have at most {max_bytes} bytes. Got more; if you trust it, "
            "allow more with max_bytes."
        )
    whole = Field(parse(_decoded(content)), "")
    protocol = _protocol(whole)
    return _whole(whole if protocol == PROTOCOL else in_latest_layout(whole, protocol))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ModelFileError(
            f"The model file must be text in UTF-8. Got a strange byte at {error.start}."
        ) from None


def _protocol(whole: Field) -> int:
    """Look at format and protocol first: protocols have different keys."""
    if not isinstance(whole.value, dict) or whole.value.get("format") != FORMAT:
        raise ModelFileError(
            f'The model file must be a JSON object with "format": "{FORMAT}". Got something else; '
            "sugeno.save writes such files."
        )
    number = whole.value.get("protocol")
    if type(number) is int and number > PROTOCOL:
        raise ModelFileError(
            f"The model file must have a protocol up to {PROTOCOL}. Got {number}, of a later "
            "version of sugeno; install that."
        )
    return Field(number, "protocol").integer(1, PROTOCOL)


def _whole(whole: Field) -> AnyModel:
    fields = whole.record(
        "format", "protocol", "target", "words", "classes", "models", optional=("held_out",)
    )
    target = fields["target"].optional(Field.text)
    words = fields["words"].optional(_words)
    classes, ordered = _classes(fields["classes"])
    if words is not None and (classes.size > 2 or not ordered):
        fields["words"].refuse("null where there are not two classes")
    if ordered:
        if fields["held_out"].value is not None:
            fields["held_out"].refuse("null where classes have an order")
        (entry,) = fields["models"].array(1, 1)
        return _either(entry, classes, MAX_CELLS).named(target, words)
    entries = fields["models"].array(classes.size, classes.size)
    cells = MAX_CELLS // len(entries)
    models = tuple(_either(entry, np.array([False, True]), cells) for entry in entries)
    for entry, model in zip(entries, models):
        _check_same_columns(entry, models[0], model)
    held_out = fields["held_out"].optional(lambda field: _held_out(field, classes.size, 0))
    return ModelPerClass(classes, models, held_out=held_out).named(target)


def _either(field: Field, classes: NDArray[Any], cells: int) -> Model | ScoreModel:
    """A model of boundaries, or a sum of steps."""
    if isinstance(field.value, dict) and "steps" in field.value:
        return _sum(field, classes, cells)
    return _model(field, classes, cells)


def _words(field: Field) -> tuple[str, str]:
    """What rows of the positive one of two classes are called, and all others."""
    positive, negative = (one.text() for one in field.array(2, 2))
    return positive, negative


def _classes(field: Field) -> tuple[NDArray[Any], bool]:
    """Two or more different labels of one type, and whether they have an order."""
    record = field.record("type", "labels", "ordered")
    ordered = record["ordered"].boolean()
    name, entries = record["type"].text(), record["labels"].array(2, MAX_CLASSES)
    length = _length(record["type"], name)
    kinds = (str,) if length is not None else KINDS_OF_LABELS[name]
    for entry in entries:
        if type(entry.value) not in kinds or type(entry.value) is not type(entries[0].value):
            entry.refuse(f"a label of type {name}")
        if isinstance(entry.value, str):
            entry.text()
    values = [entry.value for entry in entries]
    return _label_array(record["labels"], values, name if length is None else f"U{length}"), ordered


def _length(field: Field, name: str) -> int | None:
    """Letters that a text of numpy can hold; None for labels of other types."""
    if name in KINDS_OF_LABELS:
        return None
    found = re.fullmatch(r"str([1-9][0-9]{0,4})", name)
    if found is None or int(found[1]) > _MOST_LETTERS:
        field.refuse("a type of labels such as 'int64', 'bool', 'object' or 'str6'")
    return int(found[1])


def _label_array(field: Field, values: list[Any], dtype: str) -> NDArray[Any]:
    try:
        with np.errstate(over="ignore"):  # what does not fit is not equal, which is seen below
            classes = np.array(values, dtype=dtype)
    except OverflowError:
        field.refuse(f"labels that fit into {dtype}", repr(values))
    if classes.tolist() != values or len(set(values)) < len(values):
        field.refuse(f"different labels that fit into {dtype}", repr(values))
    return classes


def _check_same_columns(field: Field, first: Model | ScoreModel, model: Model | ScoreModel) -> None:
    """The models of all classes are of one kind, and read the same columns in the same way."""
    one, other = (
        (type(each), _columns_of(each), each.missing, each.has_names) for each in (first, model)
    )
    if one != other:
        field.refuse("a model of the same columns as the first, read alike", "another")


def _columns_of(model: Model | ScoreModel) -> list[tuple[str, Any]]:
    """What a model reads: the columns of a table of any kind, or its own criteria."""
    if model.assumed is not None:
        return [(column.column, column.kind) for column in model.assumed]
    return [(criterion.name, criterion.labels) for criterion in model.criteria]


def _model(field: Field, classes: NDArray[Any], cells: int) -> Model:
    fields = field.record(
        *("named", "criteria", "missing", "boundaries", "objective", "bound", "utility"),
        *("learned", "columns"),
        optional=("costs",),
    )
    costs = fields["costs"].optional(lambda field: _costs(field, classes.size))
    entries = fields["boundaries"].array(classes.size - 1, classes.size - 1)
    assumed = fields["columns"].optional(_assumed)
    criteria = _criteria(fields["criteria"], assumed)
    reader = _BoundaryReader(
        criteria,
        classes,
        fields["named"].boolean(),
        fields["missing"].choice(*MISSING_POLICIES),
        cells // len(entries),
        0.5 if costs is None else costs.cut,
    )
    boundaries = tuple(reader.read(entry, place) for place, entry in enumerate(entries))
    _check_nested(entries, boundaries)
    return Model(
        classes,
        boundaries,
        _certificate(fields),
        _one_integral(fields["utility"], boundaries),
        fields["learned"].optional(lambda field: _learned(field, classes.size)),
        assumed,
        costs=costs,
    )


def _sum(field: Field, classes: NDArray[Any], cells: int) -> ScoreModel:
    """A sum of steps, which must never fall when a criterion gets better."""
    higher = ("higher",) if classes.size > 2 else ()
    fields = field.record(
        *("named", "criteria", "missing", "slope", "units", "constant", "steps", "pairs"),
        *("importances", "learned", "columns", *higher),
        optional=("costs",),
    )
    assumed = fields["columns"].optional(_assumed)
    criteria = _criteria(fields["criteria"], assumed)
    m = len(criteria)
    steps = [
        _added(entry, criterion) for entry, criterion in zip(fields["steps"].array(m, m), criteria)
    ]
    literals = _joined_literals(criteria, [levels for levels, _ in steps])
    signs = zip(literals.directions.tolist(), steps)
    tables = Surfaces(
        fields["constant"].integer(-_MOST_TOTAL, _MOST_TOTAL),
        [sign * levels[0] + 0.0 for sign, (levels, _) in signs],
        [_cumulated(adds) for _, adds in steps],
        _pairs(fields["pairs"], literals.chains.sizes, cells),
    )
    each = [tables]
    if higher:
        n = classes.size - 2
        each += [_higher(entry, tables) for entry in fields["higher"].array(n, n)]
    for one in each:
        _check_sum(field, one)
    costs = fields["costs"].optional(lambda field: _costs(field, classes.size))
    first = Sum(
        literals,
        tables,
        fields["slope"].number(_LEAST_SLOPE, 1 / _LEAST_SLOPE),
        fields["units"].number(1.0, _MOST_TOTAL),
        fields["missing"].choice(*MISSING_POLICIES),
        0.5 if costs is None else costs.cut,
    )
    boundaries = tuple(replace(first, tables=one) for one in each)
    if any(one.beyond(lower) for lower, one in pairwise(boundaries)):
        fields["higher"].refuse("sums that never exceed those of the boundary below", "others")
    return ScoreModel(
        classes,
        boundaries,
        np.array([share.number(0.0, 1.0) for share in fields["importances"].array(m, m)]),
        fields["named"].boolean(),
        fields["learned"].optional(lambda field: _learned(field, classes.size)),
        assumed,
        costs=costs,
    )


def _cumulated(adds: Sequence[int]) -> NDArray[np.int64]:
    """What so many levels add together."""
    return np.concatenate([[0], np.cumsum(adds)]).astype(np.int64)


def _higher(field: Field, lowest: Surfaces) -> Surfaces:
    """The tables of a higher boundary: the same levels and pairs, other numbers."""
    record, m = field.record("constant", "adds"), len(lowest.levels)
    single = []
    for entry, levels in zip(record["adds"].array(m, m), lowest.levels):
        adds = [
            add.integer(-_MOST_TOTAL, _MOST_TOTAL) for add in entry.array(levels.size, levels.size)
        ]
        _check_total(entry, adds)
        single.append(_cumulated(adds))
    constant = record["constant"].integer(-_MOST_TOTAL, _MOST_TOTAL)
    return Surfaces(constant, lowest.levels, single, lowest.pairs)


def _added(field: Field, criterion: Criterion) -> tuple[Floats, list[int]]:
    """Levels of a criterion with the observed values beside them, and what each of them adds."""
    record = field.record("levels", "worse", "better", "adds")
    entries = record["levels"].array(0, MAX_LITERALS)
    n = len(entries)
    numbers = np.array(
        [
            [level.extended(unknown=False) for level in entries],
            *([end.extended() for end in record[key].array(n, n)] for key in ("worse", "better")),
        ]
    ).reshape(3, n)
    sign = criterion.direction
    found = [_Literal(0, sign, level, low, high, 0) for level, low, high in numbers.T.tolist()]
    for literal in found:
        if not literal.is_consistent:
            field.refuse("levels beyond the worse values and not beyond the better ones", "others")
    if any(not one.precedes(other) for one, other in pairwise(found)):
        record["levels"].refuse("harder and harder to reach", "other numbers")
    adds = [add.integer(-_MOST_TOTAL, _MOST_TOTAL) for add in record["adds"].array(n, n)]
    _check_total(record["adds"], adds)
    return numbers, adds


def _check_total(field: Field, adds: Sequence[int]) -> None:
    """Numbers can be added up in any order without an overflow."""
    if sum(map(abs, adds)) > _MOST_TOTAL:
        field.refuse(f"numbers that sum up to at most {_MOST_TOTAL}", "more")


def _joined_literals(criteria: tuple[Criterion, ...], each: Sequence[Floats]) -> Literals:
    """The levels of all criteria, one criterion after the other."""
    columns = np.repeat(np.arange(len(criteria)), [levels.shape[1] for levels in each])
    return Literals(criteria, columns.astype(np.intp), *np.concatenate(each, axis=1))


def _pairs(field: Field, sizes: Sequence[int], cells: int) -> list[Pair]:
    """The tables of pairs of criteria, each pair once."""
    m = len(sizes)
    found: list[Pair] = []
    for entry in field.array(0, m * (m - 1) // 2):
        record = entry.record("criteria", "first", "second", "adds")
        first, second = (one.integer(0, m - 1) for one in record["criteria"].array(2, 2))
        if first >= second or (found and (first, second) <= (found[-1].first, found[-1].second)):
            record["criteria"].refuse("a later pair of ascending criteria", f"{first}, {second}")
        joint = _joint(record, (sizes[first], sizes[second]))
        cells -= (len(set(joint[0])) + 1) * (len(set(joint[1])) + 1)
        if cells < 0:
            field.refuse(f"tables with at most {MAX_CELLS} entries in all", "more")
        found.append(Pair.of(first, second, (sizes[first], sizes[second]), joint))
    return found


def _joint(record: Record, sizes: tuple[int, int]) -> tuple[list[int], list[int], list[int]]:
    """Places of two levels, and what they add together; ascending."""
    adds = record["adds"].integers(-_MOST_TOTAL, _MOST_TOTAL)
    _check_total(record["adds"], adds)
    first, second = (
        record[key].integers(0, size - 1) for key, size in zip(("first", "second"), sizes)
    )
    if not len(first) == len(second) == len(adds):
        record["adds"].refuse("as many numbers as places", f"{len(adds)}")
    places = [*zip(first, second)]
    if any(later <= earlier for earlier, later in pairwise(places)) or 0 in adds:
        record["adds"].refuse("numbers other than 0 at ascending places", "others")
    return first, second, adds


def _check_sum(field: Field, tables: Surfaces) -> None:
    """The sum never falls, and stays so small that it is exact as a double too."""
    largest = abs(tables.constant) + sum(int(np.abs(table).max()) for table in tables.single)
    largest += sum(int(np.abs(pair.table).max()) for pair in tables.pairs)
    if largest > _MOST_TOTAL:
        field.refuse(f"a sum of at most {_MOST_TOTAL}", "more")
    if tables.falls():
        field.refuse("a sum that never falls when a criterion gets better", "another")


def _costs(field: Field, n_classes: int) -> Loss:
    """What the errors of two classes cost: a row per true class, a column per decided one."""
    if n_classes > 2:
        field.refuse("null where there are more than two classes")
    prices = [[cost.number(0.0) for cost in line.array(2, 2)] for line in field.array(2, 2)]
    if any(
        min(line) < line[place] or line.count(min(line)) > 1 for place, line in enumerate(prices)
    ):
        field.refuse("costs that are least where the decision is right", repr(prices))
    return Loss.of(prices, 2)


def _check_nested(fields: list[Field], boundaries: Sequence[Boundary]) -> None:
    """Whoever passes a boundary must pass the one before."""
    for field, lower, higher in zip(fields[1:], boundaries, boundaries[1:]):
        if not _implies(higher.form, lower.form):
            field.refuse("rules that imply those of the boundary before", "others")


def _implies(higher: Form, lower: Form) -> bool:
    """Whether a form passes only what another one passes; cards must count the same points."""
    if not isinstance(higher, Card):
        return higher.beyond(lower) is None
    if not isinstance(lower, Card) or higher.needed < lower.needed:
        return False
    return higher.with_needed(lower.needed, lower.label) == lower


def _one_integral(field: Field, boundaries: Sequence[Boundary]) -> Knots | None:
    """The utilities of the one integral, which has a level per criterion at each threshold."""
    if len(boundaries) == 1:
        field.null()
        return boundaries[0].utility
    utility = _utility(field, boundaries[0].literals)
    if utility is not None and not all(boundary.literals.is_plain for boundary in boundaries):
        field.refuse("null where there is not one literal per criterion", "utilities")
    thresholds = [boundary.threshold for boundary in boundaries]
    if utility is not None and any(b <= a for a, b in pairwise(thresholds)):
        field.refuse("null where thresholds do not rise", "utilities")
    return utility


def _learned(field: Field, n_classes: int) -> Learned:
    """How the model was learned."""
    record = field.record("kind", "teacher", "bounded", "held_out")
    kind = record["kind"]
    return Learned(
        kind.text() if isinstance(kind.value, str) else kind.integer(1, MAX_LITERALS),
        record["teacher"].optional(Field.text),
        record["bounded"].optional(lambda bounded: bounded.choice(*_BOUNDED)),
        record["held_out"].optional(lambda field: _held_out(field, n_classes, n_classes - 1)),
    )


def _held_out(field: Field, n_classes: int, n_boundaries: int) -> HeldOut:
    record = field.record("error", "n_folds", "measured", optional=("counts",))
    return HeldOut(
        record["error"].number(0.0),
        record["n_folds"].integer(1, 1 << 32),
        record["measured"].text(),
        record["counts"].optional(lambda field: _judged(field, n_classes, n_boundaries)),
    )


def _judged(field: Field, n_classes: int, n_boundaries: int) -> Judged:
    """Held-out rows by true and decided class, and by probability."""
    record = field.record("confusion", "grades")
    lines = record["confusion"].array(n_classes, n_classes)
    confusion = np.array([_weights(line, n_classes) for line in lines])
    if not confusion.any():
        record["confusion"].refuse("weights of rows", "none")
    grades = record["grades"].array(n_boundaries, n_boundaries)
    return Judged(confusion, tuple(_grades(one) for one in grades))


def _grades(field: Field) -> Grades:
    """Rows by the probability of lying above a boundary."""
    record = field.record("chances", "below", "above")
    chances = np.array([one.number(0.0, 1.0) for one in record["chances"].array(1)])
    if (np.diff(chances) <= 0).any():
        record["chances"].refuse("probabilities that rise", "others")
    return Grades(chances, *(_weights(record[side], chances.size) for side in ("below", "above")))


def _weights(field: Field, size: int) -> Floats:
    """Weights of rows, none negative."""
    return np.array([one.number(0.0) for one in field.array(size, size)])


def _assumed(field: Field) -> Assumed:
    """What was assumed about the columns of a table of any kind."""
    keys = [one.name for one in dataclass_fields(AssumedColumn) if one.name != "of_class"]
    found = []
    for entry in field.array(1, MAX_LITERALS):
        record = entry.record(*keys)
        record["kind"].choice(*KINDS)
        found.append(AssumedColumn(**{key: record[key].text() for key in keys}))
    if len({one.column for one in found}) < len(found):
        field.refuse("columns with names of their own", "a name twice")
    return Assumed(found)


def _criteria(field: Field, assumed: Assumed | None) -> tuple[Criterion, ...]:
    """Criteria with names of their own, or the ways in which columns are read."""
    entries = field.array(1, MAX_LITERALS)
    criteria = tuple(_criterion(entry, assumed) for entry in entries)
    if assumed is None and len({one.name for one in criteria}) < len(criteria):
        field.refuse("criteria with names of their own", "a name twice")
    if len({(one.name, one.direction) for one in criteria}) < len(criteria):
        field.refuse("criteria that read a column once in each direction", "one twice")
    return criteria


def _criterion(field: Field, assumed: Assumed | None) -> Criterion:
    record = field.record(
        "name", "column", "kind", "direction", "labels", "places", "gaps", "within"
    )
    direction = record["direction"].integer(-1, 1)
    if direction == 0:
        record["direction"].refuse("1 or -1")
    kind = record["kind"].choice(*_KINDS if assumed is not None else _KINDS_AS_THEY_ARE)
    if _KINDS[kind] == "numbers":
        record["labels"].null()
    name = record["name"].text()
    labels = None if _KINDS[kind] == "numbers" else record["labels"].texts()
    if assumed is None:
        for key in ("column", "places", "within"):
            record[key].null()
        record["gaps"].array(0, 0)
        return Criterion(name, direction, labels, kind)
    column = _column(record, assumed, name)
    if _KINDS[kind] != "places":
        record["places"].null()
    known, places, unseen = (
        _places(record["places"]) if _KINDS[kind] == "places" else (None, None, None)
    )
    gaps = _gaps(record["gaps"], kind)
    within = record["within"].optional(_within)
    return Criterion(name, direction, labels, kind, column, known, places, unseen, gaps, within)


def _gaps(field: Field, kind: str) -> tuple[Gap, ...]:
    """The kinds of cells that hold no value, each once; codes stand among numbers."""
    found = []
    for entry in field.array():
        record = entry.record("code", "label", "place", "beside")
        code = record["code"].optional(Field.number)
        if code is not None and kind != "number":
            record["code"].refuse(f"null in a column of kind {kind}")
        if not record["label"].text().strip():
            record["label"].refuse("a name")
        place = record["place"].extended(unknown=False)
        beside = [value.extended() for value in record["beside"].array(2, 2)]
        found.append(Gap(place, record["label"].text(), code, *beside))
    if len({gap.code for gap in found}) < len(found):
        field.refuse("kinds of cells of different codes", "one twice")
    return tuple(found)


def _column(record: Record, assumed: Assumed, name: str) -> int:
    """The column that a criterion reads, which is there, has its name and its kind."""
    place = record["column"].integer(0, len(assumed) - 1)
    column = assumed[place]
    if column.left_out or (column.column, column.kind) != (name, record["kind"].value):
        record["column"].refuse("the place of a column of this name and kind", "another")
    return place


def _places(field: Field) -> tuple[tuple[str, ...], tuple[float, ...], float]:
    """The labels of a category, their places, and that of any other label."""
    record = field.record("known", "at", "unseen")
    known, at = record["known"].texts(), record["at"].numbers()
    if len(at) != len(known):
        record["at"].refuse(f"an array of {len(known)} numbers", f"{len(at)}")
    return known, tuple(at), record["unseen"].number()


def _within(field: Field) -> tuple[float, float]:
    """The two values between which a criterion that turns looks at differences."""
    low, high = (end.extended(unknown=False) for end in field.array(2, 2))
    if low > high:
        field.refuse("two ascending numbers", "falling ones")
    return low, high


@dataclass(frozen=True)
class _BoundaryReader:
    """Reads boundaries; what all boundaries of a model share is known."""

    criteria: tuple[Criterion, ...]
    classes: NDArray[Any]
    named: bool
    missing: str
    cells: int
    cut: float = 0.5

    def read(self, field: Field, place: int) -> Boundary:
        """The boundary at a place."""
        record = field.record(
            *("literals", "form", "rejected", "accepted", "objective", "bound", "importances"),
            *("threshold", "k", "normalized", "utility", "extent"),
        )
        literals, gains = _literals(record["literals"], self.criteria)
        labels = boundary_labels(self.classes, place)
        form = self._form(record["form"], literals, labels[1])
        m = len(self.criteria)
        importances = [share.number(0.0, 1.0) for share in record["importances"].array(m, m)]
        return Boundary(
            labels=labels,
            form=form,
            probability=Probability(
                gains,
                _steps(record["rejected"], 0.0, self.cut),
                _steps(record["accepted"], just_above(self.cut), 1.0),
                self.cut,
            ),
            certificate=_certificate(record),
            threshold=_threshold(record["threshold"], form),
            k=record["k"].integer(1, MAX_LITERALS),
            normalized=record["normalized"].boolean(),
            utility=_utility(record["utility"], literals),
            importances=np.array(importances),
            missing=self.missing,
            extent=record["extent"].optional(lambda extent: _extent(extent, form, self.cells)),
        )

    def _form(self, field: Field, literals: Literals, label: object) -> RuleSet | Card:
        """What decides, by its kind; clauses for a single boundary only."""
        kinds = ("dnf", "cnf", "points") if self.classes.size == 2 else ("dnf", "points")
        kind = field.one("kind").choice(*kinds)
        if kind == "points":
            return self._card(field, literals, label)
        return self._rules(field, literals, label, "dnf" if kind == "dnf" else "cnf")

    def _rules(self, field: Field, literals: Literals, label: object, kind: Joint) -> RuleSet:
        """Rules joined by "or", or clauses joined by "and"."""
        record = field.record("kind", "counted", "rules")
        most = min(MAX_RULES, self.cells // max(1, literals.levels.size))
        rules = [
            entry.record("literals", "support", "precision", "unique")
            for entry in record["rules"].array(0, most)
        ]
        masks = _sets([rule["literals"] for rule in rules], literals)
        return RuleSet.from_masks(
            _irredundant(record["rules"], masks, literals, kind),
            literals,
            named=self.named,
            label=label,
            support=_support(rules, counted=record["counted"].boolean()),
            form=kind,
        )

    def _card(self, field: Field, literals: Literals, label: object) -> Card:
        """Points for every literal, and how many are needed."""
        record = field.record("kind", "counted", "needed", "points", "chances")
        n_literals = literals.levels.size
        lines = [
            entry.record("points", "support", "precision", "unique")
            for entry in record["points"].array(n_literals, n_literals)
        ]
        points = [line["points"].integer(1, _MOST_POINTS) for line in lines]
        return Card.of(
            literals,
            points,
            record["needed"].integer(0, _MOST_GAIN),
            named=self.named,
            label=label,
            support=_support(lines, counted=record["counted"].boolean()),
            chances=record["chances"].optional(lambda field: _chances(field, sum(points))),
        )


def _chances(field: Field, total: int) -> list[float]:
    """The probability of 0, 1, … points, which never falls."""
    chances = field.numbers()
    if len(chances) != total + 1:
        field.refuse(f"an array of {total + 1} numbers, of 0 to {total} points", f"{len(chances)}")
    if any(b < a for a, b in pairwise(chances)) or chances[0] < 0 or chances[-1] > 1:
        field.refuse("from 0 to 1 and never falling", "other numbers")
    return chances


def _certificate(record: Record) -> Certificate:
    """What is proved, or claimed, about the rules."""
    return Certificate(record["objective"].extended(), record["bound"].extended())


def _literals(field: Field, criteria: tuple[Criterion, ...]) -> tuple[Literals, Floats]:
    """Literals of ascending criteria, each harder to reach than the one before; their gains."""
    found: list[_Literal] = []
    for entry in field.array(0, MAX_LITERALS):
        literal = _literal(entry, criteria)
        if found and not found[-1].precedes(literal):
            entry.refuse("of a later criterion or harder to reach than the one before", "neither")
        found.append(literal)
    if sum(literal.gain for literal in found) > _MOST_GAIN:
        field.refuse(f"literals with gains that sum up to at most {_MOST_GAIN}", "more")
    columns = np.array([literal.criterion for literal in found], np.intp)
    numbers = [(literal.level, literal.worse, literal.better) for literal in found]
    literals = Literals(criteria, columns, *np.array(numbers, np.float64).reshape(-1, 3).T.copy())
    if not literals.is_plain and len(set(literals.texts)) < len(found):
        field.refuse("literals that read differently", "two with the same text")
    return literals, np.array([literal.gain for literal in found], np.float64)


@dataclass(frozen=True)
class _Literal:
    criterion: int
    sign: int
    level: float
    worse: float
    better: float
    gain: int

    @property
    def is_consistent(self) -> bool:
        """Whether the level separates the observed values beside it, or nobody looked."""
        if math.isnan(self.worse) and math.isnan(self.better):
            return True
        sign = self.sign
        return sign * self.worse < sign * self.level <= sign * self.better

    def precedes(self, other: _Literal) -> bool:
        """Whether another literal may stand after this one."""
        if self.criterion == other.criterion:
            return self.sign * self.level < self.sign * other.level
        return self.criterion < other.criterion


def _literal(field: Field, criteria: tuple[Criterion, ...]) -> _Literal:
    record = field.record("criterion", "level", "worse", "better", "gain")
    criterion = record["criterion"].integer(0, len(criteria) - 1)
    literal = _Literal(
        criterion,
        criteria[criterion].direction,
        record["level"].extended(unknown=False),
        record["worse"].extended(),
        record["better"].extended(),
        record["gain"].integer(0, _MOST_GAIN),
    )
    if not literal.is_consistent:
        field.refuse("a level beyond the worse value and not beyond the better one", "another")
    return literal


def _sets(fields: Sequence[Field], literals: Literals) -> Masks:
    """Sets of literals by their places, ascending."""
    n_literals = literals.levels.size
    members = [_members(field, n_literals) for field in fields]
    bits = np.zeros((len(members), n_literals), dtype=np.bool_)
    for row, rule in zip(bits, members):
        row[rule] = True
    return pack(bits)


def _members(field: Field, n_literals: int) -> list[int]:
    members = [member.integer(0, n_literals - 1) for member in field.array(0, n_literals)]
    if any(later <= earlier for earlier, later in pairwise(members)):
        field.refuse("an array of ascending numbers", "others")
    return members


def _irredundant(field: Field, masks: Masks, literals: Literals, kind: Joint) -> Masks:
    """The rules as a rule set keeps them; none may imply another, nor a literal another."""
    chains = literals.chains
    if kind == "dnf":
        kept = full = chains.closed(masks)
        shown = chains.strongest(full)
    else:
        kept = shown = chains.weakest(masks)
        full = chains.raised(masks)
    if (shown != masks).any() or len(minimal(full)) < len(full):
        field.refuse("rules without what others imply", "a redundant literal or rule")
    return kept


def _support(rules: Sequence[Record], *, counted: bool) -> Support | None:
    """What each rule stands on, if rows were counted."""
    if not counted:
        for key in ("support", "precision", "unique"):
            _check_null(rules, key, "null where the rows were not counted")
        return None
    weight = [rule["support"].number(0.0) for rule in rules]
    precision = [
        math.nan if rule["precision"].value is None else rule["precision"].number(0.0, 1.0)
        for rule in rules
    ]
    known = all(rule["unique"].value is not None for rule in rules)
    unique = np.array([rule["unique"].number(0.0) for rule in rules]) if known else None
    if not known:
        _check_null(rules, "unique", "null or a number for all rules")
    return Support(np.array(weight), np.array(precision), unique)


def _check_null(rules: Sequence[Record], key: str, expected: str) -> None:
    for rule in rules:
        if rule[key].value is not None:
            rule[key].refuse(expected)


def _steps(field: Field, low: float, high: float) -> Steps:
    record = field.record("starts", "values")
    starts, values = record["starts"].numbers(), record["values"].numbers()
    if len(starts) != len(values):
        field.refuse("as many starts as values", f"{len(starts)} and {len(values)}")
    if any(b <= a for a, b in pairwise(starts)):
        record["starts"].refuse("ascending", "other numbers")
    if any(b < a for a, b in pairwise(values)) or values[0] < low or values[-1] > high:
        record["values"].refuse(f"from {low} to {high} and never falling", "other numbers")
    return Steps(np.array(starts), np.array(values))


def _threshold(field: Field, form: Form) -> float:
    """The threshold: 0 of rules that accept everything, for which old files have 1/2.

    That of a card is the share of its points that are needed.
    """
    if isinstance(form, Card):
        return field.number(0.0)
    beta = field.number(0.0, 1.0)
    if binary_threshold(form) == 0:
        return 0.0
    if beta in (0.0, 1.0):
        field.refuse("a number between 0 and 1")
    return beta


def _utility(field: Field, literals: Literals) -> Knots | None:
    """The utilities; null where each literal is a binary utility of its own."""
    if field.value is None:
        return None
    record = field.record("total", "saturate", "knots")
    if not literals.is_plain:
        field.refuse("null where there is not one literal per criterion", "utilities")
    total = record["total"].integer(1, _MOST_WEIGHT - 1)
    m = len(literals.criteria)
    pairs = [_knots(entry, total) for entry in record["knots"].array(m, m)]
    dtype = np.int32 if 2 * total <= np.iinfo(np.int32).max else np.int64
    return Knots(
        [np.array(values) for values, _ in pairs],
        [np.array(ranks, dtype) for _, ranks in pairs],
        total,
        literals.directions,
        record["saturate"].boolean(),
    )


def _knots(field: Field, total: int) -> tuple[list[float], list[int]]:
    record = field.record("values", "ranks")
    values, ranks = record["values"].numbers(), record["ranks"].integers(1, 2 * total - 1)
    if len(values) != len(ranks):
        field.refuse("as many values as ranks", f"{len(values)} and {len(ranks)}")
    for name, column in (("values", values), ("ranks", ranks)):
        if any(b <= a for a, b in pairwise(column)):
            record[name].refuse("ascending", "other numbers")
    return values, ranks


def _extent(field: Field, rules: Form, cells: int) -> SettledPatterns:
    """What the data leave open: the rules must accept the one side and reject the other."""
    record = field.record("accepted", "rejected")
    literals = rules.literal_set
    sides = {}
    for key, side in record.items():
        masks = _sets(side.array(0, cells // max(1, literals.levels.size)), literals)
        closed = literals.chains.closed(masks)
        ordered = closed if key == "accepted" else ~closed
        if (literals.chains.strongest(closed) != masks).any() or len(minimal(ordered)) < len(masks):
            side.refuse("sets without what others imply", "a redundant literal or set")
        if (rules.accepts(closed) != (key == "accepted")).any():
            side.refuse(f"sets that are {key} by the rules", "others")
        sides[key] = closed
    return SettledPatterns(**sides)
