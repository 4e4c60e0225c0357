"""The guide's notebook: its cells, and what they show in a form in which a file, a kernel and a plain namespace compare."""

import ast
import asyncio
import contextlib
import inspect
import io
import json
from pathlib import Path

PATH = Path(__file__).resolve().parent.parent.parent / "docs" / "src" / "wisp.ipynb"


def read():
    """The notebook."""
    return json.loads(PATH.read_text())


def code_cells(notebook):
    """Its cells with code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(outputs):
    """What a cell shows: text that was written, and each object by its media types."""
    found = []
    for output in outputs:
        match output["output_type"]:
            case "stream" if found and found[-1][0] == output["name"]:
                found[-1] = output["name"], found[-1][1] + _text(output["text"])
            case "stream":
                found.append((output["name"], _text(output["text"])))
            case "error":
                found.append(("error", f"{output['ename']}: {output['evalue']}"))
            case kind:
                found.append((kind, {media_type: _text(data) for media_type, data in output["data"].items()}))
    return found


def _text(data):
    return "".join(data) if isinstance(data, list) else data


class Namespace:
    """Runs cells as a kernel does, without one: in one namespace, in which code may await, and the value of a last expression is shown."""

    def __init__(self):
        self._names, self._runner = {"__name__": "__main__"}, asyncio.Runner()

    def close(self):
        """Ends its event loop."""
        self._runner.close()

    def run(self, source):
        """Runs a cell; its outputs."""
        tree, last = ast.parse(source), None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self._evaluate(tree, "exec")
            value = None if last is None else self._evaluate(last, "eval")
        written = [{"output_type": "stream", "name": "stdout", "text": out.getvalue()}] if out.getvalue() else []
        if value is None:
            return written
        bundle = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {}
        return [*written, {"output_type": "execute_result", "data": {"text/plain": repr(value), **bundle}}]

    def _evaluate(self, tree, mode):
        code = compile(tree, str(PATH), mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        value = eval(code, self._names)
        return self._runner.run(value) if code.co_flags & inspect.CO_COROUTINE else value
