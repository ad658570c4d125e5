"""Environments: where a name is bound, and what functions and classes are called."""

from __future__ import annotations

import ast
from typing import Any

from cvlint.analysis.domain.environment import ClassValue, Environment, Function, own_name
from cvlint.analysis.domain.value import Const, Data, LibraryName

MODULE: Any = None


def test_a_global_name_is_that_of_the_module_even_before_it_is_bound() -> None:
    module = Environment(MODULE, None)
    function = Environment(MODULE, module, declared_outer={"best"})
    inner = Environment(MODULE, function, declared_outer={"best"})
    assert function.assigned_environment("best") is inner.assigned_environment("best") is module
    assert function.assigned_environment("other") is function
    function.bind("best", Const(value=1))
    assert module.bindings["best"] == Const(value=1)


def test_a_nonlocal_name_is_that_of_the_function_that_binds_it() -> None:
    outer = Environment(MODULE, Environment(MODULE, None))
    outer.bind("best", Data())
    assert Environment(MODULE, outer, declared_outer={"best"}).assigned_environment("best") is outer


def test_global_at_the_top_of_a_module_changes_nothing() -> None:
    module = Environment(MODULE, None, declared_outer={"best"})
    assert module.assigned_environment("best") is module


def test_functions_and_classes_have_names() -> None:
    function, box = ast.parse("def f(): ...\nclass Box: ...").body
    assert isinstance(function, ast.FunctionDef) and isinstance(box, ast.ClassDef)
    assert own_name(Function(node=function)) == "f"
    assert own_name(ClassValue(node=box)) == "Box"
    assert own_name(LibraryName(name="sklearn.metrics.f1_score")) == "f1_score"
    assert own_name(Data()) == own_name(ClassValue()) == ""
