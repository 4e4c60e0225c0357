"""A model whose answers are written down, behind the chat completions API on this machine."""

import contextlib
import json

from aiohttp import web


def call(name, **arguments):
    """An answer that calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"call-{name}-{abs(hash(str(arguments)))}", "type": "function", "function": function}]}


def text(content):
    """An answer in words."""
    return {"role": "assistant", "content": content}


@contextlib.asynccontextmanager
async def scripted(answer):
    """Serves a model: `answer` takes the messages and returns a message. Yields its address and the requests that it got."""
    requests = []

    async def complete(request):
        body = await request.json()
        requests.append(body)
        message = answer(body["messages"])
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        return web.json_response({
            "id": "chatcmpl-scripted", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        })

    app = web.Application()
    app.router.add_post("/v1/chat/completions", complete)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1", requests
    finally:
        await runner.cleanup()
