"""How much for how many rules: error and agreement along the path of a distillation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sugeno.report._markup import Html, element, heads, region, table
from sugeno.report._words import percent

_WIDTH, _HEIGHT = 640, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 120, 16, 40


def course(path: Sequence[Mapping[str, Any]], chosen: int, noun: str) -> Html:
    """Write the section: error and disagreement with the teacher against the number of rules.

    Parameters
    ----------
    path : sequence of mappings
        For each number of rules ``rules``, ``error`` and ``fidelity``, shares of the training rows.
    chosen : int
        The number of rules of the model.
    noun : str
        What is counted: "rules", or the "conditions" of a card.
    """
    steps = _steps(path)
    highest = max(0.01, *(max(step[1:]) for step in steps))
    last = max(step[0] for step in steps) or 1

    def x(number: float) -> float:
        return _LEFT + number / last * (_WIDTH - _LEFT - _RIGHT)

    def y(share: float) -> float:
        return _TOP + (1 - share / highest) * (_HEIGHT - _TOP - _BOTTOM)

    lines = [
        _series([(x(step[0]), y(step[i])) for step in steps], name, kind)
        for i, name, kind in ((1, "errors", "error"), (2, "unlike the teacher", "fidelity"))
    ]
    drawing = element(
        "svg",
        *_frame(x, y, highest, last, noun),
        *_labels_apart(lines),
        element("path", class_="chosen", d=f"M{x(chosen):.1f} {_TOP}V{_HEIGHT - _BOTTOM}"),
        element(
            "text",
            f"{chosen} here",
            x=f"{x(chosen):.1f}",
            y=_TOP - 4,
            text_anchor="middle",
            class_="here",
        ),
        class_="course",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=f"Errors and disagreement with the teacher by number of {noun}; table below.",
    )
    return element(
        "section",
        element("h2", f"How much for how many {noun}"),
        element(
            "p",
            f"Fewer {noun} are easier to read, more follow the teacher more closely. Shares of the "
            "training rows.",
            class_="intro",
        ),
        region(f"Errors by {noun}", drawing),
        _table(steps, chosen, noun),
        id="course",
    )


def _steps(path: Sequence[Mapping[str, Any]]) -> list[tuple[int, float, float]]:
    """Number of rules, error, disagreement; a longer set that is no other is left out."""
    found: dict[int, tuple[int, float, float]] = {}
    for step in path:
        found.setdefault(
            int(step["rules"]),
            (int(step["rules"]), float(step["error"]), 1 - float(step["fidelity"])),
        )
    return sorted(found.values())


def _frame(x: Any, y: Any, highest: float, last: int, noun: str) -> list[Html]:
    """Axes with a few round numbers."""
    stride = next(s for s in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1) if highest / s <= 5)
    parts = []
    for i in range(int(highest / stride + 1e-9) + 1):
        at = f"{y(i * stride):.1f}"
        parts.append(element("path", class_="rule", d=f"M{_LEFT} {at}H{_WIDTH - _RIGHT}"))
        parts.append(
            element("text", percent(i * stride), x=_LEFT - 8, y=at, dy=".32em", text_anchor="end")
        )
    every = max(1, -(-last // 10))
    parts += [
        element("text", str(i), x=f"{x(i):.1f}", y=_HEIGHT - _BOTTOM + 18, text_anchor="middle")
        for i in range(0, last + 1, every)
    ]
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    words = f"number of {noun}"
    parts.append(element("text", words, x=middle, y=_HEIGHT - 4, text_anchor="middle"))
    return parts


def _series(points: list[tuple[float, float]], name: str, kind: str) -> tuple[Html, float, str]:
    """A line with dots; its name is written at its end."""
    line = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
    dots = (element("circle", cx=f"{px:.1f}", cy=f"{py:.1f}", r=3) for px, py in points)
    drawn = element("g", element("path", d=line), *dots, class_=f"line {kind}")
    return drawn, points[-1][1], name


def _labels_apart(lines: list[tuple[Html, float, str]]) -> list[Html]:
    """Lines, and their names beside their ends, not on top of each other."""
    ordered = sorted(lines, key=lambda line: line[1])
    parts, below = [line[0] for line in lines], -100.0
    for _, height, name in ordered:
        below = max(height, below + 16)
        parts.append(element("text", name, x=_WIDTH - _RIGHT + 10, y=f"{below:.1f}", dy=".32em"))
    return parts


def _table(steps: list[tuple[int, float, float]], chosen: int, noun: str) -> Html:
    """The same in numbers."""
    head = heads((noun, "errors", "unlike the teacher"))
    lines = (
        element(
            "tr",
            element("th", str(rules), scope="row"),
            element("td", percent(error), class_="count"),
            element("td", percent(unlike), class_="count"),
            class_="chosen" if rules == chosen else None,
        )
        for rules, error, unlike in steps
    )
    numbers = table(head, lines, class_="plain")
    return element("details", element("summary", "The numbers"), numbers)
