"""Calls of library functions: the knowledge names an effect, and the effect has a transfer function.

Of ``numpy.mean`` the knowledge says ``effect = "reduce"``, so that ``np.mean(scores)`` goes to `reduce_call`. A
function that the knowledge does not name gives an unknown value.
"""

from __future__ import annotations

import ast

from cvlint.analysis.domain.value import AnyValue, LibraryName
from cvlint.analysis.models.arguments import unknown_result, wrapped_result
from cvlint.analysis.models.containers.lists_and_dicts import container_call
from cvlint.analysis.models.dispatch.effects import FUNCTION_TRANSFERS
from cvlint.analysis.models.dispatch.python_code import unbound_method
from cvlint.analysis.models.experiment.predictions import unknown_measure
from cvlint.analysis.models.experiment.printing import show_call
from cvlint.analysis.state import AnalysisState, Arguments
from cvlint.analysis.taint import taken_arguments
from cvlint.knowledge.schema import Entry

DEFAULT_DICT = {"kind": "defaultdict"}
PASSING_EFFECTS = ("python", "partial", "map", "fold", "container", "copy", "store")  # they pass their arguments on


def call_library_function(state: AnalysisState, target: LibraryName, arguments: Arguments, node: ast.AST) -> AnyValue:
    """The value of a call of a library function, such as ``np.mean(scores)``."""
    entry = state.knowledge.entry(target.name)
    if entry is None or entry.effect not in FUNCTION_TRANSFERS:
        method = state.knowledge.methods.get(target.name.rpartition(".")[2])
        if method is not None and method.effect in ("show", "log", "write"):  # logging.info, logger.info, tqdm.write
            return show_call(state, method, arguments, node)
        cls = state.knowledge.entry(target.name.rpartition(".")[0])
        if method is not None and cls is not None and cls.effect == "container":  # ``list.append(scores, f1)``
            return state.call(state, unbound_method(state, target.name.rpartition(".")[2], node), arguments, node)
        if entry is None and not state.knowledge.measure_named(target.name.rpartition(".")[2]):
            if (measured := unknown_measure(state, target.name, arguments, node)) is not None:
                return measured
            if arguments[0] and state.knowledge.conforms("default-dict", target.name.rpartition(".")[2]):
                return container_call(state, Entry(target.name, "container", DEFAULT_DICT), arguments, node)
            return wrapped_result(state, target.name, arguments, node)
        return unknown_result(state, arguments)
    if entry.effect not in PASSING_EFFECTS:
        arguments = taken_arguments(arguments)
    return FUNCTION_TRANSFERS[entry.effect](state, entry, arguments, node)
