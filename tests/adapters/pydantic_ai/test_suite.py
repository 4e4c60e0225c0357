"""Pydantic AI's own tests of workspaces, over wisp's."""

import pytest
from pydantic_ai.workspaces.conformance import WorkspaceBackendSuite

from wisp_sandbox.adapters.pydantic_ai import WispSandbox


class TestWisp(WorkspaceBackendSuite):
    @pytest.fixture
    def anyio_backend(self):
        return "asyncio"

    @pytest.fixture
    def capability(self):
        return WispSandbox()

    @pytest.fixture
    async def backend(self, capability):
        backend = capability.backend()
        yield backend
        if backend.ref is not None:
            await capability.destroy(backend.ref)

    @pytest.fixture
    def fresh_backend(self, capability):
        return capability.backend

    @pytest.fixture
    def attach_backend(self, capability):
        return capability.backend

    @pytest.fixture
    def destroy_environment(self, capability):
        async def destroy(backend):
            await capability.destroy(backend.ref)

        return destroy
