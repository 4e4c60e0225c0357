"""A sandbox as the workspace of agents of Pydantic AI: `Agent(capabilities=[WispSandbox()])`, or `agent.run(…, workspace=WispWorkspace())`."""

from ._backend import PROVIDER, WispWorkspace
from ._capability import WispSandbox

__all__ = ["PROVIDER", "WispSandbox", "WispWorkspace"]
