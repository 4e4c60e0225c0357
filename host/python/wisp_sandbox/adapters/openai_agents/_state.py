"""What the SDK writes down of a session, and what a caller chooses for one."""

from typing import Literal

from agents.sandbox.session.sandbox_client import BaseSandboxClientOptions
from agents.sandbox.session.sandbox_session_state import SandboxSessionState
from pydantic import Field

BACKEND = "wisp"


class WispSandboxClientOptions(BaseSandboxClientOptions):
    """What a caller chooses for one session. What it may do is the client's policy, and not among them.

    With `pause_on_exit` the sandbox stays in this process when its session is shut down, until it is deleted or has been idle for 30
    minutes: `resume` then finds it as it was. A sandbox has no ports: `exposed_ports` must be empty.
    """

    type: Literal["wisp"] = "wisp"
    exposed_ports: tuple[int, ...] = ()
    pause_on_exit: bool = False


class WispSandboxSessionState(SandboxSessionState):
    """What is written down of a session: how it is found again in this process, and no policy, mount or secret of the client.

    `policy_digest` says under which policy it ran. `resume` takes the client's policy, whatever is written here.
    """

    type: Literal["wisp"] = "wisp"
    pause_on_exit: bool = False
    # Only keys of this adapter: a state leads to no sandbox that other code of the program has given a key.
    sandbox_key: str | None = Field(default=None, pattern=r"^openai-agents:[0-9a-f-]{36}$")
    sandbox_id: str | None = None
    policy_digest: str | None = None
