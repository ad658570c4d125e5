"""What a process of the server has loaded before its first work: importing this module loads it.

The process from which the others are forked imports it once, so that a new one is ready in milliseconds.
"""

from __future__ import annotations

import gc

from cvlint.server import checking  # noqa: F401
from cvlint.server.check_worker import prepare

prepare()
gc.freeze()  # a collection in a forked process would copy all that they share
