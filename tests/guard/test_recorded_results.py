"""Nothing that a fit gives changes by accident: rules, predictions, probabilities, model files.

A failure names the case and the parts that changed. If a defect is the reason, the case is recorded
anew, ``python tests/guard/record.py "name of the case"``, and the commit says which defect it was.
"""

import pytest
from guard_cases import CASES
from record import changed_parts, measure, recorded

RECORDED = recorded()


def _told(part, before, now):
    if isinstance(before, list):
        before, now = ("\n    ".join(text or ["(none)"]) for text in (before, now or []))
    return f"{part}\n  recorded:\n    {before}\n  now:\n    {now}"


def test_every_case_is_recorded_and_no_other():
    assert list(RECORDED) == list(CASES)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", CASES)
def test_results_are_as_recorded(name):
    before, now = RECORDED[name], measure(name)
    changed = changed_parts(before, now)
    if changed:
        parts = [part for part in before if part in changed or part == "rules"]
        told = "\n".join(_told(part, before[part], now.get(part)) for part in parts)
        pytest.fail(f"{name}: {', '.join(changed)} changed\n{told}", pytrace=False)
