"""What Inspect puts into sandboxes as a program for Linux, answered from outside: `exec_remote`, `bash_session`, `text_editor`.

That program stands at a path of its own and takes requests of JSON-RPC on its input. Here a file at this path says that it is there, and
requests to it never reach the sandbox: each becomes calls of wisp's package, with no more rights than code in the sandbox has.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inspect_ai.util._sandbox._cli import SANDBOX_CLI, SANDBOX_TOOLS_DIR
from pydantic import BaseModel, ValidationError

from ..._errors import EndedError, InfraError, WispError
from ._editor import Edit, Editor, EditorError
from ._processes import Acknowledged, Processes, Start, Written
from ._terminals import Terminals, Typed

if TYPE_CHECKING:
    from ... import AsyncSandbox

# What code in the sandbox gets that starts it.
_STANDS_FOR = f"#!/bin/sh\necho '{SANDBOX_CLI}: Inspect has this program outside of the sandbox' >&2\nexit 1\n"
# Codes of JSON-RPC, and of Inspect: what the model did wrong, and what it did not expect.
_NO_METHOD, _PARAMETERS, _TOOL, _OTHER = -32601, -32602, -32099, -32098


class Nothing(BaseModel):
    """No parameters that matter here: there is one user."""


class Tools:
    """The tools of one sandbox."""

    def __init__(self, sandbox: AsyncSandbox) -> None:
        self._sandbox = sandbox
        processes, terminals, editor = Processes(sandbox), Terminals(sandbox), Editor(sandbox)
        self._methods: dict[str, tuple[type[BaseModel], Any]] = {
            "exec_remote_start": (Start, processes.start),
            "exec_remote_poll": (Acknowledged, processes.poll),
            "exec_remote_kill": (Acknowledged, processes.kill),
            "exec_remote_write_stdin": (Written, processes.write_stdin),
            "exec_remote_close_stdin": (Acknowledged, processes.close_stdin),
            "bash_session_new_session": (Nothing, terminals.new),
            "bash_session": (Typed, terminals.interact),
            "text_editor": (Edit, editor.edit),
        }

    async def prepare(self) -> None:
        """Writes the file that stands for the program."""
        await self._sandbox.files.write(SANDBOX_CLI, _STANDS_FOR)
        await self._sandbox.commands.run(["chmod", "700", SANDBOX_TOOLS_DIR, SANDBOX_CLI])

    def takes(self, cmd: list[str]) -> bool:
        """Returns whether a command is a request to the program."""
        return cmd == [SANDBOX_CLI, "exec"]

    async def answer(self, request: str | bytes) -> str:
        """Returns the answer to a request."""
        asked = json.loads(request)
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": asked.get("id")}
        try:
            parameters, method = self._methods[asked["method"]]
        except KeyError:
            return _failed(answer, _NO_METHOD, f"the sandbox `wisp` does not have `{asked.get('method')}`")
        try:
            found = await method(parameters.model_validate(asked.get("params") or {}))
        except ValidationError as error:
            return _failed(answer, _PARAMETERS, str(error))
        except EditorError as error:
            return _failed(answer, _TOOL, str(error))
        except (InfraError, EndedError):
            raise
        except (WispError, LookupError) as error:
            return _failed(answer, _OTHER, str(error))
        return json.dumps({**answer, "result": found.model_dump() if isinstance(found, BaseModel) else found})


def _failed(answer: dict[str, Any], code: int, message: str) -> str:
    return json.dumps({**answer, "error": {"code": code, "message": message}})
