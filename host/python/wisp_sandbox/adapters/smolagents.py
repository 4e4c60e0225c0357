"""An executor for Hugging Face smolagents: `CodeAgent(executor=WispExecutor(), …)`.

The agent's code runs in the live Python of a sandbox. As with smolagents' other executors outside its process, tools are sent there as source.
"""

# It has no types that a checker reads.
# mypy: disable-error-code="import-untyped,misc"
from __future__ import annotations

import ast
import base64
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

from .. import EndedError, Execution, Sandbox
from ._common import check_host, missing, note

try:
    import PIL.Image
    from smolagents import Tool
    from smolagents.local_python_executor import CodeOutput
    from smolagents.monitoring import AgentLogger, LogLevel
    from smolagents.remote_executors import RemotePythonExecutor
    from smolagents.utils import AgentError
except ImportError as error:
    raise missing("smolagents", "smolagents") from error

__all__ = ["WispExecutor"]


class WispExecutor(RemotePythonExecutor):
    """Runs the code of an agent in a sandbox of wisp.

    Without a sandbox it opens one under the policy `offline`, and `cleanup`, which the agent's own calls, closes that one. `imports` are modules
    that the code may expect: one that the sandbox has not raises `ImportError` here. After `timeout` seconds a piece of code is interrupted.

    Values cross as smolagents' JSON, never as pickles.
    """

    def __init__(self, sandbox: Sandbox | None = None, *, imports: Sequence[str] = (), timeout: float | None = None, logger: AgentLogger | None = None) -> None:
        self._owned = sandbox is None
        self.sandbox: Sandbox = Sandbox.create() if sandbox is None else sandbox
        self._timeout = timeout
        # What the interpreter was sent, for a fresh one.
        self._sent: list[str] = []
        super().__init__(list(imports), logger or AgentLogger(LogLevel.ERROR), allow_pickle=False)
        for name in imports:
            if not self._has(name):
                self.cleanup()
                raise ImportError(f"the sandbox has no module `{name}`, and smolagents installs none there", name=name)
        self.installed_packages = list(imports)

    def install_packages(self, additional_imports: list[str]) -> list[str]:
        """Installs nothing. smolagents guesses what tools import, and what the sandbox has not of it is logged: a tool may do without."""
        if lacking := [name for name in additional_imports if not self._has(name)]:
            self.logger.log(f"The sandbox has not: {', '.join(sorted(lacking))}", level=LogLevel.DEBUG)
        return additional_imports

    def _has(self, name: str) -> bool:
        module = {"pillow": "PIL"}.get(name, name).partition(".")[0]
        found = self.sandbox.run_code(f"import importlib.util\nimportlib.util.find_spec({module!r}) is not None")
        check_host(found.outcome.end)
        return found.value == "True"

    def send_tools(self, tools: dict[str, Tool]) -> None:
        """Sends the source of the tools. What they import and the sandbox has not is missed when they use it."""
        self._sending(lambda: super(WispExecutor, self).send_tools(tools), _lenient)

    def send_variables(self, variables: dict[str, Any]) -> None:
        """Sends variables, as JSON."""
        self._sending(lambda: super(WispExecutor, self).send_variables(variables), lambda code: code)

    def _sending(self, send: Callable[[], None], changed: Callable[[str], str]) -> None:
        """Has what is sent run as it is changed, and keeps it for a fresh interpreter."""
        run = self.run_code_raise_errors

        def remembering(code: str) -> CodeOutput:
            output = run(changed(code))
            self._sent.append(changed(code))
            return output

        self.run_code_raise_errors = remembering  # type: ignore[method-assign]
        try:
            send()
        finally:
            del self.run_code_raise_errors

    def run_code_raise_errors(self, code: str) -> CodeOutput:
        """Runs code. What it raises, and what a limit of the policy ends, is an `AgentError`, which the model sees; a fault of wisp is none."""
        found = self.sandbox.run_code(code, timeout=self._timeout)
        check_host(found.outcome.end)
        logs = "".join([*found.logs.stdout, *found.logs.stderr])
        if found.error is not None and found.error.name == self.FINAL_ANSWER_EXCEPTION:
            return CodeOutput(self._deserialize_final_answer(found.error.value, False), logs, True)
        if not found.success:
            raise AgentError(self._failure(found, logs), self.logger)
        return CodeOutput(_output(found), logs, False)

    def _failure(self, found: Execution, logs: str) -> str:
        end = found.outcome.end
        parts = [logs, found.error.traceback if found.error is not None else "", note(end)]
        if found.error is None:
            parts.append(f"The code has ended with the status {found.outcome.exit_code}.{self._renewed()}")
        return "\n".join(part for part in parts if part)

    def _renewed(self) -> str:
        """Starts a fresh interpreter, with the tools and the variables of the run, if this one has ended. Returns what is to be said of that."""
        try:
            self.sandbox.run_code("")
        except EndedError:
            self.sandbox.reset()
            for code in self._sent:
                check_host(self.sandbox.run_code(code).outcome.end)
            return " So has the interpreter, and its variables are lost."
        return ""

    def cleanup(self) -> None:
        """Closes the sandbox, if it is its own. Once more is no error."""
        if self._owned:
            self.sandbox.close()

    delete = cleanup


def _lenient(code: str) -> str:
    """Returns definitions of tools whose imports may fail: smolagents writes numpy and Pillow above `final_answer`, which does without."""
    tree = ast.parse(code)
    ignored = ast.ExceptHandler(ast.Name("ImportError"), None, [ast.Pass()])
    tree.body = [ast.Try([node], [ignored], [], []) if isinstance(node, (ast.Import, ast.ImportFrom)) else node for node in tree.body]
    return ast.unparse(ast.fix_missing_locations(tree))


def _output(found: Execution) -> Any:
    """The value of the last expression: a picture, or what Python shows of it."""
    result = next((result for result in found.results if result.is_main_result), None)
    if result is None:
        return None
    picture = result.png or result.jpeg
    if picture is None:
        return result.text
    try:
        # Its bytes are the code's: of all that Pillow reads (for some it starts programs), these alone.
        return PIL.Image.open(BytesIO(base64.b64decode(picture)), formats=("PNG", "JPEG"))
    except (OSError, ValueError):
        return result.text
