"""Rules as a person writes them: ``interview >= 6 and price <= 3, or references at least 7``.

Signs and words are read alike, names may be quoted, and "and" binds more tightly than "or" unless
there are brackets. What is read is an expression; `RuleSet.parse` and the edits of a model turn it
into literals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from sugeno._scales.criterion import Criterion
from sugeno.model.naming import as_value, hint

__all__ = ["Statement", "level_of", "parse"]

_SIGNS = {
    ">=": ">=", "≥": ">=", "at least": ">=",
    "<=": "<=", "≤": "<=", "at most": "<=",
    ">": ">", "above": ">", "more than": ">",
    "<": "<", "below": "<", "less than": "<",
}  # fmt: skip
_SIGN = re.compile(
    r"\s*(>=|<=|≥|≤|>|<|(?:is\s+)?(?:at least|at most|above|below|more than|less than)\b)\s*"
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|[+-]?inf\b")
#: What the classes are called: anything but a comparison.
_OPENING = re.compile(r"[^<>≥≤]*?\b(?:if|unless)\s+")
_CONSTANT = re.compile(r"(?:[^<>≥≤]*\s)?(always|never)\s*")
_JOINT = re.compile(r"\s*,?\s*\b(and|or)\b\s*|\s*([()])\s*|\s*(\|\||&&|[&|])\s*")
_QUOTED = re.compile(r"\s*(?:\"([^\"]+)\"|`([^`]+)`|'([^']+)')")
_ANY_NAME = re.compile(r"\s*([^<>≥≤()&|]+?)(?=" + _SIGN.pattern + ")")

#: Rules that an expression may be multiplied out to.
_MOST_RULES = 10_000


@dataclass(frozen=True)
class Statement:
    """One comparison: a name, a sign, and what stands behind it.

    Examples
    --------
    >>> from sugeno.model.parsing import Statement
    >>> print(Statement("price", "<=", "3"))
    price <= 3
    """

    name: str
    sign: str
    value: str

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.value}"


@dataclass(frozen=True)
class _Node:
    """An "and" or an "or" of parts."""

    joint: str
    parts: tuple[_Node | Statement, ...]


def parse(
    text: str, criteria: Sequence[Criterion] | None = None
) -> tuple[Literal["dnf", "cnf"], list[list[Statement]]]:
    """Read rules.

    Parameters
    ----------
    text : str
        Statements joined by "and" and "or". It may begin with "accept if", "deny = yes if" or
        "reject unless".
    criteria : sequence of Criterion, optional
        The criteria that there are. Without them everything before a sign is a name.

    Returns
    -------
    form : {"dnf", "cnf"}
        "cnf" for a conjunction that has an "or" in it, else "dnf".
    sets : list of lists of Statement
        The rules, or the clauses.

    Examples
    --------
    >>> from sugeno.model.parsing import parse
    >>> form, sets = parse("speed >= 5 and price at most 3, or comfort > 2")
    >>> form, [[str(one) for one in rule] for rule in sets]
    ('dnf', [['speed >= 5', 'price <= 3'], ['comfort > 2']])
    """
    constant = _CONSTANT.fullmatch(text)
    if constant is not None:
        return "dnf", [[]] if constant[1] == "always" else []
    reader = _Reader(text, criteria)
    tree = reader.whole()
    if isinstance(tree, _Node) and tree.joint == "and" and _has_or(tree):
        return "cnf", _multiplied(tree, "or")
    return "dnf", _multiplied(tree, "and")


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, text: str, criteria: Sequence[Criterion] | None) -> None:
        opening = _OPENING.match(text)
        self.text, self.place = text, opening.end() if opening else 0
        self.criteria = criteria

    def whole(self) -> _Node | Statement:
        tree = self.disjunction()
        if self.text[self.place :].strip(" \t\n.,"):
            raise self.wrong("'and', 'or' or the end")
        return tree

    def disjunction(self) -> _Node | Statement:
        return self.joined("or", self.conjunction)

    def conjunction(self) -> _Node | Statement:
        return self.joined("and", self.atom)

    def joined(self, joint: str, part: Callable[[], _Node | Statement]) -> _Node | Statement:
        parts = [part()]
        while self.taken(joint):
            parts.append(part())
        return parts[0] if len(parts) == 1 else _Node(joint, tuple(parts))

    def taken(self, wanted: str) -> bool:
        """Step over a joint or a bracket if it is the one that is wanted."""
        found = _JOINT.match(self.text, self.place)
        if found is None:
            return False
        word = found[1] or found[2] or ("and" if "&" in found[3] else "or")
        if word != wanted:
            return False
        self.place = found.end()
        return True

    def atom(self) -> _Node | Statement:
        if self.taken("("):
            inside = self.disjunction()
            if not self.taken(")"):
                raise self.wrong("a closing bracket")
            return inside
        return self.statement()

    def statement(self) -> Statement:
        name = self.name()
        sign = _SIGN.match(self.text, self.place)
        if sign is None:
            raise self.wrong(f"a sign such as >= or 'at least' after {name!r}")
        self.place = sign.end()
        word = re.sub(r"\s+", " ", sign[1].removeprefix("is ").strip())
        return Statement(name, _SIGNS[word], self.value(name))

    def name(self) -> str:
        quoted = _QUOTED.match(self.text, self.place)
        known = None if self.criteria is None else [one.name for one in self.criteria]
        if quoted and _SIGN.match(self.text, quoted.end()):
            name = quoted[1] or quoted[2] or quoted[3]
            self.place = quoted.end()
            return self.known(name, known)
        for name in sorted(known or (), key=len, reverse=True):
            start = len(self.text) - len(self.text[self.place :].lstrip())
            end = start + len(name)
            if self.text.startswith(name, start) and _SIGN.match(self.text, end):
                self.place = end
                return name
        found = _ANY_NAME.match(self.text, self.place)
        if found is None:
            raise self.wrong("a criterion, a sign and a value")
        name = self.known(found[1].strip(), known)
        self.place = found.end()
        return name

    def known(self, name: str, names: list[str] | None) -> str:
        if names is not None and name not in names:
            raise ValueError(
                f"A rule must speak about the criteria ({', '.join(names)}). "
                f"Got {name!r} instead{hint(name, names)}."
            )
        return name

    def value(self, name: str) -> str:
        criterion = next((one for one in self.criteria or () if one.name == name), None)
        labels = None if criterion is None else criterion.labels
        if labels is not None:
            return self.label(name, labels)
        number = _NUMBER.match(self.text, self.place)
        if number is None:
            raise self.wrong(f"a number for {name!r}")
        self.place = number.end()
        return number[0]

    def label(self, name: str, labels: Sequence[str]) -> str:
        quoted = _QUOTED.match(self.text, self.place)
        if quoted:
            found, end = quoted[1] or quoted[2] or quoted[3], quoted.end()
        else:
            rest = self.text[self.place :]
            fits = [one for one in labels if re.match(re.escape(one) + r"(?!\w)", rest)]
            word = re.match(r"[^\s,()]*", rest)
            found = max(fits, key=len) if fits else word[0] if word else ""
            end = self.place + len(found)
        if found not in labels:
            raise ValueError(
                f"A rule about {name!r} must name one of its labels, {list(labels)}. "
                f"Got {found!r} instead{hint(found, labels)}."
            )
        self.place = end
        return found

    def wrong(self, expected: str) -> ValueError:
        rest = self.text[self.place :].strip()
        return ValueError(
            f"A rule must read like 'interview >= 6 and price <= 3'. Expected {expected}, "
            f"got {rest[:40]!r} in {self.text!r} instead."
        )


def _has_or(tree: _Node | Statement) -> bool:
    return isinstance(tree, _Node) and (tree.joint == "or" or any(map(_has_or, tree.parts)))


def _multiplied(tree: _Node | Statement, inner: str) -> list[list[Statement]]:
    """Multiply out to sets that are joined inside by one word and outside by the other."""
    if isinstance(tree, Statement):
        return [[tree]]
    parts = [_multiplied(part, inner) for part in tree.parts]
    if tree.joint != inner:
        return [one for part in parts for one in part]
    if math.prod(map(len, parts)) > _MOST_RULES:
        raise ValueError(
            f"A rule must multiply out to at most {_MOST_RULES} sets; write it plainer."
        )
    return [[one for chosen in choice for one in chosen] for choice in product(*parts)]


def level_of(criterion: Criterion, statement: Statement) -> float:
    """Return the level of a literal; a statement against the direction is refused.

    Examples
    --------
    >>> from sugeno._scales.criterion import Criterion
    >>> from sugeno.model.parsing import Statement, level_of
    >>> level_of(Criterion("price", -1), Statement("price", "<=", "3"))
    3.0
    """
    if statement.sign[0] != criterion.sign[0]:
        better = "higher" if criterion.direction > 0 else "lower"
        raise ValueError(
            f"{criterion.name!r} is the better the {better} it is, so a rule can only ask for "
            f"'{criterion.name} {criterion.sign} …'. Got '{statement}' instead."
        )
    value = as_value(criterion, statement.value, "level")
    if len(statement.sign) == 2:
        return value
    if criterion.labels is not None:
        return value + criterion.direction
    return math.nextafter(value, criterion.direction * math.inf)
