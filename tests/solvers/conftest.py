"""What the tests of solvers share."""

import pytest

from sugeno.solvers.maxitive import proof


@pytest.fixture
def limits_told(monkeypatch):
    """The limits of time that scipy is given, in the order of its calls."""
    limits = []

    def record(solve):
        def recorded(*args, options, **kwargs):
            limits.append(options["time_limit"])
            return solve(*args, options=options, **kwargs)

        return recorded

    monkeypatch.setattr(proof, "linprog", record(proof.linprog))
    monkeypatch.setattr(proof, "milp", record(proof.milp))
    return limits
