"""One small fault at a time: what a source becomes if an operator, a constant or a statement of it is changed.

A mutant replaces a span of the source; the rest keeps its formatting. What would change nothing is left out:
annotations and docstrings, prose, and what Python compiles to the same code.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter, defaultdict
from typing import NamedTuple

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
TEXTS = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
# Methods whose first argument is a key.
KEYED = {"get", "pop", "setdefault", "getattr", "hasattr"}
# Arguments without an effect on what a program does: they guard, or make objects smaller.
GUARDS = {"strict", "frozen", "slots", "kw_only", "order", "eq", "total"}
LARGE = 20
NAMES_OF_PYTHON = {"__all__", "__slots__", "__match_args__"}


class Mutant(NamedTuple):
    """A fault: the span of the source that is replaced, by byte, and what with."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str
    what: str
    scope: str  # qualified name of the function; empty outside of functions
    names: tuple[str, ...]  # outside of functions: the names that the statement defines

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    @property
    def key(self):
        """Stays the same when lines are added elsewhere in the file."""
        return f"{self.path} {self.scope} {self.what} {self.old} {self.new}"


def mutants(path, source):
    """Give all mutants of a source, in their order."""
    found = _Finder(path, source)
    found.visit(ast.parse(source))
    return found.mutants


# Rooms that hold rooms of their own.
_OUTER = ("comparison", "output", "reading", "support")


def room(path):
    """The room of a file of the package, which the folder of its tests is named after."""
    outer, _, below = path.partition("/")
    return below.partition("/")[0] if outer in _OUTER else outer


def chosen(candidates, count, seed, sources):
    """Choose mutants, from each folder in proportion to those that it has, at most one of a line.

    Each has its rank by its own text: a change of a file moves no choice in another place. The sources, by path, show
    whether a mutant compiles to what the program does without it.
    """
    ranked, seen = defaultdict(list), defaultdict(int)
    for mutant in candidates:
        seen[mutant.key] += 1
        rank = hashlib.sha256(f"{seed} {mutant.key} {seen[mutant.key]}".encode()).digest()
        ranked[room(mutant.path)].append((rank, mutant))
    folders = sorted(ranked)
    picked = []
    for folder, share in zip(folders, _shares([len(ranked[folder]) for folder in folders], count), strict=True):
        lines = set()
        for _, mutant in sorted(ranked[folder]):
            free = len(lines) < share and (mutant.path, mutant.line) not in lines
            if free and differs(mutant, sources[mutant.path]):
                lines.add((mutant.path, mutant.line))
                picked.append(mutant)
    return sorted(picked)


def _shares(sizes, count):
    """Divide a count in proportion to sizes; the largest remainders get what is left."""
    exact = [size * count / max(sum(sizes), 1) for size in sizes]
    shares = [int(each) for each in exact]
    places = sorted(range(len(sizes)), key=lambda place: (shares[place] - exact[place], place))
    for place in places[: min(count, sum(sizes)) - sum(shares)]:
        shares[place] += 1
    return shares


def differs(mutant, source):
    """Whether Python compiles a mutant to something else than the source."""
    plain, other = (compile(text, mutant.path, "exec") for text in (source, mutant.applied(source)))
    return _code(plain) != _code(other)


def _code(code):
    """What a code object does, without its lines."""
    constants = tuple(_code(each) if hasattr(each, "co_code") else (type(each), repr(each)) for each in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, code.co_exceptiontable, constants


class _Finder(ast.NodeVisitor):
    """Walks through a module and collects its mutants."""

    def __init__(self, path, source):
        self.mutants = []
        self._path, self._source = path, source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._scope, self._function, self._names = [], 0, ()
        self._bound = []  # of each function around: how often it binds each name

    # Spans.

    def _span(self, node):
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _add(self, node, new, what):
        start, end = self._span(node)
        scope = ".".join(self._scope) if self._function else ""
        old = self._source[start:end].decode()
        self.mutants.append(Mutant(self._path, node.lineno, start, end, old, new, what, scope, self._names))

    def _changed(self, node, what, **fields):
        """Add the node with other fields; in brackets, whatever stands around it."""
        other = copy.copy(node)
        for name, value in fields.items():
            setattr(other, name, value)
        self._add(node, f"({ast.unparse(ast.fix_missing_locations(other))})", what)

    # Where mutants are.

    def visit_Module(self, node):
        for statement in node.body:
            self._names = tuple(_defined(statement))
            self.visit(statement)

    def _enter(self, node, *, function):
        for each in [*node.decorator_list, *(_defaults(node.args) if function else [])]:
            self.visit(each)
        self._scope.append(node.name)
        self._function += function
        outer = self._names
        for statement in node.body:
            if not self._function:
                self._names = (*outer[:1], *_defined(statement))
            self.visit(statement)
        self._names = outer
        self._function -= function
        self._scope.pop()

    def visit_FunctionDef(self, node):
        if not any(_called(each) in {"overload", "abstractmethod"} for each in node.decorator_list):
            self._bound.append(Counter(_bound(node)))
            self._enter(node, function=True)
            self._bound.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that `ast` asks for

    def visit_ClassDef(self, node):
        if not any(_called(each) in {"Protocol", "TypedDict"} for each in node.bases):
            self._enter(node, function=False)

    def visit_JoinedStr(self, node):
        """Text of a message; Python 3.11 has no places for what is inside."""

    # Statements.

    def visit_If(self, node):
        if _called(node.test) != "TYPE_CHECKING":
            self._condition(node.test)
            self.generic_visit(node)

    def visit_While(self, node):
        self._condition(node.test)
        self.generic_visit(node)

    def visit_Return(self, node):
        falsy = isinstance(node.value, ast.Constant) and not node.value.value
        empty = isinstance(node.value, ast.List | ast.Tuple | ast.Dict) and not ast.unparse(node.value)[1:-1]
        if node.value is not None and not falsy and not empty:
            self._add(node, "return None", "return nothing")
        self.generic_visit(node)

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Call) and self._function:
            self._add(node, "pass", "statement deleted")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node):
        if any(isinstance(each, ast.Name) and each.id in NAMES_OF_PYTHON for each in node.targets):
            return
        self._assigned(node, node.targets)
        self.generic_visit(node)

    def _assigned(self, node, targets):
        """Delete an assignment, if not every use of its name would fail then."""
        names = [each.id for target in targets for each in ast.walk(target) if _stored(each)]
        if self._function and all(self._bound[-1][name] > 1 for name in names):
            self._add(node, "pass", "statement deleted")

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self._assigned(node, [node.target])
            self.visit(node.target)
            self.visit(node.value)

    def visit_AugAssign(self, node):
        self._add(node, "pass", "statement deleted")
        if type(node.op) in ARITHMETIC and not _joined(node.value):
            op = ARITHMETIC[type(node.op)]()
            new = ast.unparse(ast.AugAssign(node.target, op, node.value))
            self._add(node, new, "arithmetic")
        self.generic_visit(node)

    def visit_Raise(self, node):
        self._add(node, "pass", "statement deleted")
        self.generic_visit(node)

    def visit_Break(self, node):
        self._add(node, "continue", "break or continue")

    def visit_Continue(self, node):
        self._add(node, "break", "break or continue")

    def visit_arg(self, node):
        """Annotations are not mutated."""

    # Expressions.

    def _condition(self, test):
        """Negate a condition, if no other mutant of it does the same."""
        negated = isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], ORDERS)
        if not negated and not isinstance(test, ast.UnaryOp | ast.Constant | ast.NamedExpr):
            self._add(test, f"(not ({ast.unparse(test)}))", "condition negated")

    def visit_IfExp(self, node):
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def visit_Compare(self, node):
        for place, op in enumerate(node.ops):
            ops = [*node.ops[:place], COMPARISONS[type(op)](), *node.ops[place + 1 :]]
            self._changed(node, "comparison", ops=ops)
        for each in [node.left, *node.comparators]:
            parts = each.elts if isinstance(each, ast.Tuple | ast.Set | ast.List) else [each]
            for part in parts:
                self._string(part)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._changed(node, "and or or", op=op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            self._add(node, f"(bool({ast.unparse(node.operand)}))", "condition negated")
        self.generic_visit(node)

    def visit_BinOp(self, node):
        sides = (node.left, node.right)
        if type(node.op) in ARITHMETIC and not any(map(_joined, sides)):
            self._changed(node, "arithmetic", op=ARITHMETIC[type(node.op)]())
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, bool):
            self._add(node, str(not node.value), "constant")
        elif isinstance(node.value, int | float):
            # One more or less, by its place; of a limit that large nobody would notice.
            step = node.value if abs(node.value) > LARGE else 1 if node.col_offset % 2 == 0 else -1
            self._add(node, f"({node.value + step!r})", "constant")

    def visit_Subscript(self, node):
        self._string(node.slice)
        self.generic_visit(node)

    def visit_Dict(self, node):
        for key in node.keys:
            self._string(key)
        self.generic_visit(node)

    def visit_MatchValue(self, node):
        self._string(node.value)

    def visit_Call(self, node):
        name = _called(node)
        if name in {"cast", "TypeVar", "NewType", "TypedDict", "ParamSpec"}:
            return
        if name in KEYED and node.args:
            self._string(node.args[int(isinstance(node.func, ast.Name)) if len(node.args) > 1 else 0])
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in GUARDS:
                self.visit(keyword.value)

    def _string(self, node):
        if _text(node):
            self._add(node, repr(node.value + "~"), "key")


def _defined(statement):
    """The names that a statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        for target in getattr(statement, "targets", None) or [statement.target]:
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def _bound(function):
    """The names that a function binds, as often as it does."""
    for each in ast.walk(function):
        if _stored(each):
            yield each.id
        elif isinstance(each, ast.arg):
            yield each.arg


def _stored(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _defaults(arguments):
    return [each for each in [*arguments.defaults, *arguments.kw_defaults] if each is not None]


def _called(node):
    """The last name of what is named or called."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def _text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _joined(node):
    """Whether an operand is joined, not calculated with."""
    return isinstance(node, TEXTS) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))
