"""The SDK's tests of states that are written down and read again, with the adapter's state and client."""

from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxClient, WispSandboxSessionState


class RoundTripClient(WispSandboxClient):
    """Keeps what it is to resume, as the double."""

    async def resume(self, state):
        self.resume_state = state
        return await super().resume(state)


bind(
    "test_session_state_roundtrip",
    globals(),
    # Its class would take the adapter's place in the SDK's registry.
    replace={'Literal["simple-roundtrip"] = "simple-roundtrip"': 'Literal["simple"] = "simple"', '"simple-roundtrip"': '"wisp"'},
    _SimpleSessionState=WispSandboxSessionState,
    _RoundTripClient=RoundTripClient,
)
