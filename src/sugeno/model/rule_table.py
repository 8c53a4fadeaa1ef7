"""Rules as texts and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sugeno.model.rule_family import RuleFamily

__all__ = ["frame_of", "records_of", "texts_of"]


def texts_of(rules: RuleFamily, *, words: bool = False) -> list[str]:
    """Write each rule, in signs or in words.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.rule_table import texts_of
    >>> texts_of(RuleSet([{0, 1}], [3, 5]), words=True)
    ['x0 at least 3 and x1 at least 5']
    """
    literals = rules.literal_set.words if words else rules.literal_set.texts
    joint, nothing = (" and ", "always") if rules.form == "dnf" else (" or ", "never")
    return [joint.join(literals[j] for j in members) or nothing for members in rules.sets]


def records_of(rules: RuleFamily, *, words: bool = False) -> list[dict[str, Any]]:
    """One dictionary per rule: its text, its size, and what it stands on where rows were counted.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.rule_table import records_of
    >>> records_of(RuleSet([{0, 1}], [3, 5]))
    [{'rule': 'x0 >= 3 and x1 >= 5', 'size': 2}]
    """
    columns = _columns(rules, words)
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def frame_of(rules: RuleFamily, backend: Any, *, words: bool = False) -> Any:
    """The same as a frame of a library.

    Examples
    --------
    >>> from sugeno import RuleSet
    >>> from sugeno.model.rule_table import frame_of
    >>> frame_of(RuleSet([{0}], [3]), "polars").shape
    (1, 2)
    """
    import narwhals

    return narwhals.from_dict(_columns(rules, words), backend=backend).to_native()


def _columns(rules: RuleFamily, words: bool) -> dict[str, list[Any]]:
    sizes = [len(members) for members in rules.sets]
    columns: dict[str, list[Any]] = {"rule": texts_of(rules, words=words), "size": sizes}
    support = rules.support
    if support is not None:
        columns["support"] = support.weight.tolist()
        columns["precision"] = support.precision.tolist()
        if support.unique is not None:
            columns["unique"] = support.unique.tolist()
    return columns
