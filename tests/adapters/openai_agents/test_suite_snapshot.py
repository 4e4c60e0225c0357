"""The SDK's tests of snapshots: its fingerprints are made by its script in wisp's shell, over the test's directory."""

import types

from _scripted import exec_in_sandbox, run_in_sandbox
from _suite import bind

from wisp_sandbox.adapters.openai_agents import WispSandboxSessionState

theirs = bind("test_snapshot", globals(), subprocess=types.SimpleNamespace(run=run_in_sandbox), UnixLocalSandboxSessionState=WispSandboxSessionState)


async def _exec_internal(session, *command, timeout=None):
    if "in_sandbox" not in vars(session):
        session.in_sandbox = exec_in_sandbox(session)
    return await session.in_sandbox(*command, timeout=timeout)


for double in (theirs._PersistTrackingSession, theirs._ResumeTrackingSession):
    double._exec_internal = _exec_internal
