"""A server of the Model Context Protocol for tests: line by line, with nothing but the standard library."""

import json
import os
import random
import sys

ANY = {"type": "object"}

TOOLS = [
    {
        "name": "add",
        "description": "Adds two numbers.\x1b[2J\n\nThe second is 1 if it is not given.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integer", "description": "the first"}, "b": {"type": "integer", "default": 1}},
            "required": ["a"],
        },
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}},
    },
    {"name": "say.it", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
    {
        "name": "odd",
        "inputSchema": {"type": "object", "properties": {"class": {"type": {}}, "a b": True, "__import__": {"enum": [[]]}, "p": {"anyOf": 3}}},
    },
    {"name": "fail", "description": "Always fails.", "inputSchema": ANY},
    {"name": "hang", "inputSchema": ANY},
    {"name": "big", "inputSchema": {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}},
    {"name": "picture", "inputSchema": ANY},
    {"name": "draw", "inputSchema": ANY},
    {"name": "pid", "inputSchema": ANY},
    {"name": "exit", "inputSchema": ANY},
    {"name": "delete_all", "inputSchema": ANY},
]


def text(said, **more):
    """A result with a text in it."""
    return {"content": [{"type": "text", "text": said}], **more}


def call(name, arguments):
    """The result of a tool; None if it never comes."""
    if name == "exit":
        os._exit(0)
    results = {
        "add": lambda: text("the sum", structuredContent={"sum": arguments["a"] + arguments.get("b", 1)}),
        "say.it": lambda: text(arguments["text"]),
        "odd": lambda: text("odd", structuredContent=arguments),
        "fail": lambda: text("there is no such repository", isError=True),
        "hang": lambda: None,
        "big": lambda: text("x" * arguments["size"]),
        "picture": lambda: {"content": [{"type": "image", "data": "iVBORw==", "mimeType": "image/png"}]},
        "draw": lambda: text(str(random.random())),
        "pid": lambda: text(str(os.getpid())),
    }
    return results[name]()


def answer(method, params):
    """The result of a request."""
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "demo", "version": "1"}}
    return {"tools": TOOLS} if method == "tools/list" else call(params["name"], params["arguments"])


for line in sys.stdin:
    message = json.loads(line)
    result = answer(message["method"], message["params"]) if "id" in message else None
    if result is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
