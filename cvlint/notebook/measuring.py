"""The measurement of one cell: what its calls of measures saw, and the number that a fault in it should have been."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cvlint.findings.finding import Finding
    from cvlint.recording.recorder import Recorder


class CellRecorder:
    """Records while a cell runs. The hooks are installed with the first such cell, and pass calls on otherwise."""

    def __init__(self) -> None:
        self._recorder: Recorder | None = None

    @contextmanager
    def recording(self, cells: Mapping[str, str], names: dict[str, Any]) -> Iterator[None]:
        """Record what runs inside of the block.

        Parameters
        ----------
        cells
            The name of each cell by the file name under which its code was compiled.
        names
            The variables of the user: functions among them that were imported before are replaced by hooked ones.
        """
        recorder = self._installed()
        recorder.forget()
        recorder.sites.cells = dict(cells)
        _hook_imported(names)
        recorder.is_active = True
        try:
            yield
        finally:
            recorder.is_active = False

    def measured(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Add to findings what the last recording measured."""
        from cvlint.recording.experiments import experiments_of
        from cvlint.recording.measured_findings import attach_measurements
        from cvlint.rules.catalogue import load_rules

        recorder = self._installed()
        splits = {split.site for split in recorder.splits if split.site}
        experiments = experiments_of(recorder.calls, recorder.splits)
        pairs = {rule.name: rule.pairs for rule in load_rules()}
        return attach_measurements(findings, experiments, pairs, "", splits)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be recorded, in whole sentences."""
        return () if self._recorder is None else tuple(self._recorder.problems)

    def forget(self) -> None:
        """Forget the labels and scores of the last recording."""
        if self._recorder is not None:
            self._recorder.forget()

    def _installed(self) -> Recorder:
        if self._recorder is None:
            from cvlint.recording.hooks.install import install_library_hooks
            from cvlint.recording.recorder import Recorder

            self._recorder = Recorder()
            self._recorder.is_active = False
            install_library_hooks(self._recorder)
        return self._recorder


def _hook_imported(names: dict[str, Any]) -> None:
    """Replace functions that were imported before the hooks were installed: in variables, and in dicts of these."""
    from cvlint.recording.hooks.hooked_function import HookedFunction
    from cvlint.recording.hooks.metrics import MODULES

    values = [value for name in MODULES if name in sys.modules for value in vars(sys.modules[name]).values()]
    hooked = {id(value.__wrapped__): value for value in values if isinstance(value, HookedFunction)}
    for table in (names, *(value for value in names.values() if type(value) is dict)):
        for name, value in list(table.items()):
            if id(value) in hooked:
                table[name] = hooked[id(value)]


def awaits(code: str) -> bool:
    """Whether code has an ``await`` outside of functions, which only an event loop can run."""
    try:
        compile(code, "<cell>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        pass
    else:
        return False
    try:
        compile(code, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def run_cell(code: str, filename: str, names: dict[str, Any]) -> Any:
    """Run the code of a cell, and give the value of the expression that it ends with.

    Raises
    ------
    SyntaxError
        If it is not valid; any other exception is one of the code.
    """
    __tracebackhide__ = True
    tree = ast.parse(code, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec"), names)
    return eval(compile(ast.Expression(last.value), filename, "eval"), names) if isinstance(last, ast.Expr) else None
