"""Properties whose examples take long: in CI and at night a tenth of what the profile asks for."""

from hypothesis import settings

_ASKED = settings().max_examples

costly = settings(max_examples=max(min(50, _ASKED), _ASKED // 10))
