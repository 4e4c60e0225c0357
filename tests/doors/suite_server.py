"""The tools that the conformance suite calls, as a server that a policy names: `wisp mcp` has them as functions of its policy, so the suite
meets the road of a call through the gate. Line by line, with nothing but the standard library."""

import json
import sys

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
RESULTS = {
    "simple_text": {"content": [{"type": "text", "text": "This is a simple text response for testing."}]},
    "image_content": {"content": [{"type": "image", "data": PIXEL, "mimeType": "image/png"}]},
    "error_handling": {"content": [{"type": "text", "text": "This tool intentionally returns an error for testing"}], "isError": True},
}
TOOLS = [{"name": name, "description": "For the conformance suite.", "inputSchema": {"type": "object", "properties": {}}} for name in RESULTS]


def answer(method, params):
    """The result of a request."""
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "suite", "version": "1"}}
    return {"tools": TOOLS} if method == "tools/list" else RESULTS[params["name"]]


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer(message["method"], message["params"])}), flush=True)
