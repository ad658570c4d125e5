"""A function of a library, and the one that takes its place to be watched."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import wrapt

SCORERS = "sklearn.metrics._scorer"


class HookedFunction(wrapt.FunctionWrapper):  # type: ignore[type-arg]
    """A hooked function that can still be copied and pickled by its name, like any function."""

    def __reduce_ex__(self, protocol: Any) -> str:
        """The name in the defining module, where the hook replaces the function."""
        return str(self.__wrapped__.__qualname__)

    def __copy__(self) -> HookedFunction:
        """A function is not copied."""
        return self

    def __deepcopy__(self, memo: Any) -> HookedFunction:
        """A function is not copied."""
        return self


def replace_everywhere(module: ModuleType, name: str, function: Any, replacement: HookedFunction) -> None:
    """Replace a function everywhere in its library: in the defining module, in other modules, and in scorers."""
    package = module.__name__.partition(".")[0]
    for path, other in list(sys.modules.items()):
        if path.partition(".")[0] == package and getattr(other, "__dict__", {}).get(name) is function:
            setattr(other, name, replacement)
    for scorer in getattr(sys.modules.get(SCORERS), "_SCORERS", {}).values():
        if getattr(scorer, "_score_func", None) is function:  # otherwise it could no longer be pickled by its name
            scorer._score_func = replacement
