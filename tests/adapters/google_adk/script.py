"""A model of ADK whose answers are written down, and a runner."""

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from pydantic import PrivateAttr


class Script(BaseLlm):
    """Says one thing after the other: a text, or the name of a tool with its arguments."""

    _answers: list = PrivateAttr()
    _seen: list = PrivateAttr(default_factory=list)

    def __init__(self, *answers):
        super().__init__(model="script")
        self._answers = list(answers)

    @property
    def seen(self):
        """What it was asked with, each time: the parts of the last content."""
        return self._seen

    async def generate_content_async(self, llm_request, stream=False):
        self._seen.append(llm_request.contents[-1].parts)
        answer = self._answers.pop(0)
        part = types.Part(text=answer) if isinstance(answer, str) else types.Part.from_function_call(name=answer[0], args=answer[1])
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


async def run(agent, text="Go.", runner=None, session=None):
    """Runs an agent once: its events, and the runner and the session for more."""
    runner = runner or InMemoryRunner(agent, app_name="tests")
    session = session or await runner.session_service.create_session(app_name="tests", user_id="user")
    message = types.Content(role="user", parts=[types.Part(text=text)])
    events = [event async for event in runner.run_async(user_id="user", session_id=session.id, new_message=message)]
    return events, runner, session
