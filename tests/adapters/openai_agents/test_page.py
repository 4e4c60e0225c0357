"""The page of the guide."""

from agents.testing import ScriptedModel, assistant_message, function_call

import _page


def test_the_page():
    look = function_call("exec_command", {"cmd": "sort fruit.txt | uniq -c | sort -rn | head -1"}, call_id="look")
    model = ScriptedModel([[look], [assistant_message("pear")]])
    page = _page.run("openai_agents", names={"MODEL": model}, replace={'"gpt-5.6"': "MODEL"})
    assert "2 pear" in model.calls[1].input[-1]["output"]
    assert "exec_command" in {tool.name for tool in model.calls[0].tools}
    model.assert_complete()
    assert page["result"].final_output == "pear"
