# SPDX-License-Identifier: BSD-3-Clause
"""The stub must have what the extension has: the same functions, parameters, and optional
parameters."""

import ast
import os

import permxor
from permxor import _core


CLASSES = ("Code", "Hash")


def members(name):
    """The members of a class of the extension; a static method as the function in it."""
    names = vars(getattr(_core, name)).items()
    return {key: getattr(value, "__func__", value) for key, value in names}


def parameters(function):
    """Returns (name, whether it may be left out) for each parameter except self."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    left_out = [False] * (len(positional) - len(arguments.defaults))
    left_out += [True] * len(arguments.defaults)
    named = list(zip((a.arg for a in positional), left_out))
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults)
    named += [(argument.arg, default is not None) for argument, default in keywords]
    return [parameter for parameter in named if parameter[0] != "self"]


def in_the_stub():
    with open(os.path.join(os.path.dirname(permxor.__file__), "_core.pyi")) as stub:
        body = ast.parse(stub.read()).body
    classes = [n for n in body if isinstance(n, ast.ClassDef) and n.name in CLASSES]
    found = {}
    for prefix, nodes in (("", body), *((f"{c.name}.", c.body) for c in classes)):
        for node in nodes:
            if isinstance(node, ast.FunctionDef):
                found.setdefault(prefix + node.name, node)  # the first overload
    return found


def in_the_extension():
    """Returns the functions as nanobind describes them.  Properties have no parameters."""
    found = {}
    for prefix, names in (("", vars(_core)), *((f"{c}.", members(c)) for c in CLASSES)):
        for name, value in names.items():
            if isinstance(value, property):
                found[prefix + name] = None
            elif hasattr(value, "__nb_signature__") and not isinstance(value, type):
                signature = value.__nb_signature__[0][0]
                for number in range(9):
                    signature = signature.replace(f"\\{number}", "...")
                found[prefix + name] = ast.parse(signature + ": ...").body[0]
    return found


def test_the_stub_has_what_the_extension_has():
    stub, extension = in_the_stub(), in_the_extension()
    assert set(stub) == set(extension) - {"Code.__repr__"}
    for name, function in extension.items():
        if function is not None and name != "Code.__repr__":
            assert parameters(function) == parameters(stub[name]), name


def test_everything_says_what_it_is_for():
    functions = [value for value in vars(_core).values() if hasattr(value, "__nb_signature__")]
    methods = [
        getattr(getattr(_core, name), member)
        for name in CLASSES
        for member in members(name)
        if not member.startswith("_")
    ]
    for thing in functions + methods:
        # Without a text of ours, nanobind's text is only the signature.
        assert thing.__doc__ and ("\n\n" in thing.__doc__ or "(" not in thing.__doc__), thing
