"""One thread for many small products: a pool of threads costs more than they do."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks at all loaded libraries, so once per process


def one_thread() -> AbstractContextManager[Any]:
    """Let linear algebra use one thread, as a context.

    Examples
    --------
    >>> import numpy as np
    >>> from sugeno._threads import one_thread
    >>> with one_thread():
    ...     np.eye(2) @ np.ones(2)
    array([1., 1.])
    """
    context: AbstractContextManager[Any] = _pools().limit(limits=1, user_api="blas")
    return context
