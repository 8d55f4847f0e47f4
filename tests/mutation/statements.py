"""Which statements of the package are executed: a source that marks each in a table, and the keys of the statements."""

from __future__ import annotations

import ast
from typing import NamedTuple

# The table has a byte for each statement; a module of this name, beside the package, holds it.
TABLE = "statera_executed"


class Statement(NamedTuple):
    """A statement within a function."""

    key: str  # file, qualified name of the function, number of the statement within it
    first: int
    last: int
    names: frozenset[str]  # that it uses


def statements(path, tree):
    """Give the statements of all functions of a module, in order, outer ones before those within them."""
    return [Statement(f"{path} {scope} {number}", *_place(node)) for scope, number, node in _walked(tree)]


def marked(path, source, numbers):
    """Give a source that marks each statement when it is executed, at the number that its key has."""
    tree = ast.parse(source)
    for scope, number, node in list(_walked(tree)):
        mark = ast.parse(f"_executed[{numbers[f'{path} {scope} {number}']}] = 1").body[0]
        node.marks = [mark]
    _Marker().visit(tree)
    after = sum(_docstring(each) or getattr(each, "module", "") == "__future__" for each in tree.body[:2])
    tree.body[after:after] = ast.parse(f"from {TABLE} import TABLE as _executed").body
    return ast.unparse(ast.fix_missing_locations(tree))


class _Marker(ast.NodeTransformer):
    def generic_visit(self, node):
        super().generic_visit(node)
        return [*node.marks, node] if hasattr(node, "marks") else node


def _walked(tree, scope=(), *, inside=False, counts=None):
    """Give (function, number, node) of the statements within functions."""
    counts = {} if counts is None else counts
    for node in ast.iter_child_nodes(tree):
        definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if inside and isinstance(node, ast.stmt) and not _docstring(node):
            name = ".".join(scope)
            counts[name] = counts.get(name, 0) + 1
            yield name, counts[name], node
        within = inside or (definition and not isinstance(node, ast.ClassDef))
        yield from _walked(node, (*scope, node.name) if definition else scope, inside=within, counts=counts)


def _place(node):
    """The lines of a statement, and the names that it uses before a statement within it."""
    names, nodes = set(), [node]
    for each in nodes:
        nodes += [child for child in ast.iter_child_nodes(each) if not isinstance(child, ast.stmt)]
        names |= {getattr(each, "id", None), getattr(each, "attr", None)}
    return node.lineno, node.end_lineno, frozenset(names - {None})


def _docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
