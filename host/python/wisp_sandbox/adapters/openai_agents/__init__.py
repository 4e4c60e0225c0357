"""wisp as a sandbox of the OpenAI Agents SDK: `pip install "wisp-sandbox[openai-agents]"`.

`WispSandboxClient` goes into `SandboxRunConfig(client=…)`; `WispInstructions` is a capability that tells the model what it has.
"""

from .._common import missing

try:
    import agents.sandbox  # noqa: F401
except ImportError as error:
    raise missing("openai-agents", "openai-agents") from error

from ._capability import WispInstructions
from ._client import WispSandboxClient
from ._session import WispSandboxSession
from ._state import WispSandboxClientOptions, WispSandboxSessionState

__all__ = [
    "WispInstructions",
    "WispSandboxClient",
    "WispSandboxClientOptions",
    "WispSandboxSession",
    "WispSandboxSessionState",
]
