"""A chat model that is a script: it calls tools one after the other, whatever is said to it, and ends with a text."""

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class ScriptedModel(BaseChatModel):
    steps: list  # of (tool, arguments), and a text at the end
    seen: list = []

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.seen.append(messages)
        step = self.steps[sum(isinstance(message, AIMessage) for message in messages)]
        if isinstance(step, str):
            message = AIMessage(step)
        else:
            name, arguments = step
            message = AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{len(messages)}"}])
        return ChatResult(generations=[ChatGeneration(message=message)])


def answers(result):
    """What the tools answered, in order."""
    return [message.content for message in result["messages"] if message.type == "tool"]
