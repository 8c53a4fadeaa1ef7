"""What there is to choose from, as users of `SugenoClassifierCV` give it."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sugeno.estimators.classifier import SugenoClassifier

__all__ = ["entry_of", "kinds_of"]


def kinds_of(levels: Any) -> list[int | str]:
    """Kinds of models to choose from.

    Examples
    --------
    >>> from sugeno.estimators._choices import kinds_of
    >>> kinds_of("auto"), kinds_of(["shared", 2])
    (['distilled', 'shared'], ['shared', 2])
    """
    if isinstance(levels, str) and levels == "auto":
        return ["distilled", "shared"]
    kinds: list[Any] = [levels] if isinstance(levels, str | Integral) else list(levels)
    for kind in kinds:
        named = isinstance(kind, str) and kind in {"shared", "single", "all", "distilled"}
        if not named and (isinstance(kind, str | bool) or kind < 1):
            raise ValueError(
                "The 'levels' parameter of SugenoClassifierCV must be 'auto', 'shared', "
                f"'single', 'all', 'distilled', a positive int, or several of these. Got "
                f"{kind!r} instead."
            )
    if not kinds:
        raise ValueError(
            "The 'levels' parameter of SugenoClassifierCV must not be empty. Give a kind of "
            "model, such as 'shared'."
        )
    return kinds


def entry_of(value: Any, kind: type, name: str) -> Any:
    """Check an entry of ks or margins with the rule for k or margin.

    Examples
    --------
    >>> from numbers import Integral
    >>> from sugeno.estimators._choices import entry_of
    >>> entry_of(2, Integral, "ks")
    2
    """
    constraint = SugenoClassifier._parameter_constraints[name[:-1]][0]
    if isinstance(value, bool) or not isinstance(value, kind) or value not in constraint:
        raise ValueError(
            f"The '{name}' parameter of SugenoClassifierCV must hold values that are each "
            f"{constraint}. Got {value!r} instead."
        )
    return value
