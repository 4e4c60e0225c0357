"""Runs in the sandbox, not in the program: the code of a model, as the body of an asynchronous function.

`return` gives its result, or else the value of its last expression does. A call of an outside function begins at once, as a task.
"""

# Its modules are those of the sandbox.
# mypy: ignore-errors

import ast
import asyncio
import builtins
import inspect
import json
import linecache

import host

FILE = "<code>"
# The module that the code sees as its own. Its result is in JSON.
MAIN = "<module>"


class Value:
    """The result, for the one who called."""

    def __init__(self, value):
        self.json = json.dumps(value, default=simpler)

    def _repr_mimebundle_(self, **_):
        return {"application/json": self.json}


def simpler(value):
    """What JSON has in place of a value that it does not have."""
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, (set, frozenset)) or type(value) in (type({}.keys()), type({}.values()), type({}.items()), range):
        return list(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"the result has a {type(value).__name__}, which JSON does not have: return a dict, a list, a text or a number")


async def run(scope, code, inputs, names):
    """Runs the code in a namespace with these values and functions, and returns its result."""
    scope.update(inputs)
    scope.update({name: outside(name) for name in names})
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    exec(compiled(code), scope)
    body = scope.pop(MAIN)
    if inspect.isasyncgenfunction(body):
        raise SyntaxError("'yield' outside function")
    value = await body()
    # The call of a function that nobody has waited for.
    return Value(await value if isinstance(value, asyncio.Future) else value)


def compiled(code):
    """The code, as the body of one function; names that functions in it declare global are global in it too."""
    body = ast.parse(code, FILE).body
    head = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    body = [node for node in body if node not in head]
    if body and isinstance(body[-1], ast.Expr) and not isinstance(body[-1].value, (ast.Yield, ast.YieldFrom)):
        body[-1] = ast.copy_location(ast.Return(body[-1].value), body[-1])
    named = sorted({name for node in body for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names})
    if named:
        body = [ast.Global(named), *map(WithoutAnnotations(named).visit, body)]
    program = ast.parse("async def main(): pass")
    program.body[0].name = MAIN
    program.body[0].body = body or program.body[0].body
    program.body[:0] = head
    return compile(ast.fix_missing_locations(program), FILE, "exec")


class WithoutAnnotations(ast.NodeTransformer):
    """Takes the annotations off names that are global: CPython has none there."""

    def __init__(self, names):
        self.names = names

    def visit_AnnAssign(self, node):
        if not isinstance(node.target, ast.Name) or node.target.id not in self.names:
            return node
        return ast.copy_location(ast.Pass() if node.value is None else ast.Assign([node.target], node.value), node)

    def visit_Global(self, node):
        return node

    def own(self, node):
        """What has names of its own stays as it is."""
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = own


def outside(name):
    """A function of the program."""
    function = getattr(host, name)

    async def call(args, kwargs):
        try:
            return await function.aio(args=args, kwargs=kwargs)
        except host.Failed as failure:
            raise raised(failure.name, failure.message) from None

    def begin(*args, **kwargs):
        return asyncio.ensure_future(call(list(args), kwargs))

    begin.__name__ = begin.__qualname__ = name
    begin.__doc__ = function.__doc__
    return begin


def raised(name, message):
    """An exception of the program's: of the type of Python's with its name, if there is one; its text is as it was."""
    kind = getattr(builtins, name, None)
    kind = kind if isinstance(kind, type) and issubclass(kind, Exception) else Exception
    own = type(name, (kind,), {"__str__": lambda self: message, "__module__": "builtins"})
    error = own.__new__(own)
    error.args = (message,)
    return error
