"""A model of Strands whose answers are written down."""

import json

from strands.models import Model


class Script(Model):
    """Says one thing after the other: a text, or the name of a tool with its input."""

    def __init__(self, *answers):
        self.answers, self.seen, self.tools = list(answers), [], []

    def get_config(self):
        return {}

    def update_config(self, **_):
        pass

    def structured_output(self, *_, **__):
        raise NotImplementedError

    async def stream(self, messages, tool_specs=None, system_prompt=None, **_):
        self.seen.append([block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block])
        self.tools = [spec["name"] for spec in tool_specs or ()]
        answer = self.answers.pop(0)
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(answer, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": answer}}}
        else:
            name, given = answer
            yield {"contentBlockStart": {"start": {"toolUse": {"name": name, "toolUseId": f"call-{len(self.seen)}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(given)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(answer, str) else "tool_use"}}
