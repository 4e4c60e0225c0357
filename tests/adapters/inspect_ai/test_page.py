"""The page of the guide."""

from inspect_ai.model import ModelOutput, get_model

import _page


def test_the_page(monkeypatch, tmp_path):
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))
    call = ModelOutput.for_tool_call("mockllm/model", "bash", {"command": "sort fruit.txt | uniq -c | sort -rn | head -1"})
    model = get_model("mockllm/model", custom_outputs=[call, ModelOutput.from_content("mockllm/model", "pear")])
    _page.run("inspect_ai", names={"MODEL": model}, replace={'"anthropic/claude-sonnet-5"': "MODEL"})
