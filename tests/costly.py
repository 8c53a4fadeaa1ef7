"""Properties whose examples take long: a tenth of what the profile asks for, at least 25."""

from hypothesis import settings

_ASKED = settings().max_examples

costly = settings(max_examples=max(min(25, _ASKED), _ASKED // 10))
