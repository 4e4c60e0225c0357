"""What a task says of its sandboxes."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, Field, PositiveFloat

from ... import Policy
from ..._requests import policy_of

# Inspect has time limits of its own, for tools and for samples, which are shorter.
_TIME = "30m"


class WispSandboxConfig(BaseModel, frozen=True, extra="forbid"):
    """The sandboxes of a sample. Inspect writes it into its logs: it has no secrets, which a policy takes from the environment.

    `SandboxEnvironmentSpec("wisp", WispSandboxConfig(policy="policy.toml"))`.
    """

    policy: str | None = None
    """The name of a policy of wisp's, the path of a file, or TOML text. None: `offline`, with 30 minutes for each command."""

    timeout: PositiveFloat | None = None
    """The seconds that a command may take, in place of the policy's `limits.wall`."""

    names: tuple[str, ...] = Field(default=("default",), min_length=1)
    """The names of the sample's sandboxes, which are the same otherwise and see nothing of each other. The first is the default."""

    def parsed(self) -> Policy:
        """Returns the policy."""
        if self.policy is not None:
            return policy_of(self.policy)
        return policy_of("offline").with_value("limits.wall", _TIME).with_value("limits.cpu", _TIME)


def config_of(given: BaseModel | str | None) -> WispSandboxConfig:
    """Returns what Inspect has been given for a task or a sample.

    A text is a file, since Inspect takes it for a path below the task's folder: that of a policy. Where there is no such file, its name may be
    that of a policy of wisp's. Raises `ValueError` for what is there for containers.
    """
    if given is None:
        return WispSandboxConfig()
    if isinstance(given, WispSandboxConfig):
        return given
    if isinstance(given, str):
        path = Path(given)
        if path.suffix == ".toml":
            return WispSandboxConfig(policy=given)
        if not path.suffix and not path.exists():
            return WispSandboxConfig(policy=path.name)
    shown = given if isinstance(given, str) else type(given).__name__
    raise ValueError(f"the sandbox `wisp` has no images and no services, and takes no `{shown}`: pass a policy (TOML) or a `WispSandboxConfig`")
