"""A capability that tells the model what its sandbox has."""

from typing import Literal

from agents.sandbox.capabilities import Capability
from agents.sandbox.manifest import Manifest

from ..._requests import policy_of
from ._client import WispSandboxClient


class WispInstructions(Capability):
    """Adds what the client's policy allows to the agent's instructions: the tools, the network, the limits, and what is not there.

    `SandboxAgent(capabilities=[*Capabilities.default(), WispInstructions.of(client)])`.
    """

    type: Literal["wisp-instructions"] = "wisp-instructions"
    text: str

    @classmethod
    def of(cls, client: WispSandboxClient) -> "WispInstructions":
        """Returns the capability for the sandboxes of a client."""
        return cls(text=policy_of(client.policy).explain(for_model=True))

    async def instructions(self, manifest: Manifest) -> str | None:
        """Returns the text: the same in each run, as the SDK asks."""
        return self.text
