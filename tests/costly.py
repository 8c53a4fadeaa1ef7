"""Properties whose examples take long: a tenth of what the profile asks for, at least 25."""

from hypothesis import settings

_ASKED = settings().max_examples

#: Then engines and parameters are tried in all combinations, elsewhere each in some.
NIGHTLY = _ASKED >= 1000

costly = settings(max_examples=max(min(25, _ASKED), _ASKED // 10))
