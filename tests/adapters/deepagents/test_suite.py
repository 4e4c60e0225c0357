"""LangChain's own tests of sandboxes, over wisp's."""

import pytest
from langchain_tests.integration_tests import SandboxIntegrationTests

from wisp_sandbox.adapters.deepagents import WispSandbox


class TestWisp(SandboxIntegrationTests):
    @pytest.fixture(scope="class")
    def sandbox(self):
        with WispSandbox() as sandbox:
            yield sandbox
