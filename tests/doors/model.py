"""A stand-in for a language model, on loopback: it asks for the tools that a script names, and the script checks what comes back.

A script is a generator. It yields a call of a tool and gets the result, or several that are made at once and gets the list of theirs, and
returns the last words:

    def script():
        seen = yield Call("exec_command", cmd="uname")
        seen.has("wisp")
        return "done"

Agents speak to it as to the real ones: by the Responses API (Codex), or the Messages API (Claude Code, OpenCode). It is also the proxy of the
agent, one that lets nothing through: what the agent asks of other machines is refused here, and noted. And it has pages, for what runs in the
sandbox: those below `/site/`.
"""

import itertools
import json
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "scripted"
MOST = 200  # calls of a script that has lost its way
_NUMBERS = itertools.count()


class Call:
    """A call of a tool."""

    def __init__(self, tool, **arguments):
        self.tool, self.arguments, self.id = tool, arguments, None

    def __str__(self):
        return f"{self.tool} {json.dumps(self.arguments, ensure_ascii=False)}"


class Result:
    """What came of a call: text, whether the agent calls it an error, and pictures as `data:` addresses or in base64."""

    def __init__(self, text, failed=False, pictures=()):
        self.text, self.failed, self.pictures = text, failed, list(pictures)

    def has(self, *parts):
        """Fail if the text lacks one of them."""
        for part in parts:
            assert part in self.text, f"{part!r} is not in {self.text!r}"

    def lacks(self, *parts):
        """Fail if the text has one of them."""
        for part in parts:
            assert part not in self.text, f"{part!r} is in {self.text!r}"


class Conversation:
    """What one script has asked for, and got."""

    def __init__(self, script):
        self.calls = []  # (call, result) in order
        self.wrong = None  # why the script stopped
        self.ended = False
        self._script, self._asked, self._several, self._lock = script, [], False, threading.Lock()

    def turn(self, results):
        """What comes next, with the results so far by the ids of their calls: calls, or the last words."""
        with self._lock:
            if self._asked and not all(call.id in results for call in self._asked):
                return self._asked  # the agent has lost the answer
            if self.ended:
                return "something is wrong" if self.wrong else "done"
            found = [results[call.id] for call in self._asked]
            self.calls += zip(self._asked, found)
            try:
                assert len(self.calls) < MOST, f"{MOST} calls, and no end"
                asked = self._script.send(found if self._several else found[0] if found else None)
                self._several = isinstance(asked, list)
                self._asked = asked if self._several else [asked]
                for call in self._asked:
                    call.id = f"call_{next(_NUMBERS)}"
                return self._asked
            except StopIteration as end:
                words = end.value
            except Exception:
                # The agent is told nothing of it: its conversation ends.
                self.wrong, words = traceback.format_exc(limit=-2), "something is wrong"
            self._asked, self.ended = [], True
            return words


class Model:
    """The server, until the block ends. Conversations that scripts are for offer `tool`; a request that does not, such as for a title, gets a
    word."""

    def __init__(self, tool):
        self.elsewhere = []  # what was asked of other machines
        self.unknown = []  # what was asked of this one, and it does not know
        self._tool, self._talks = tool, {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def follow(self, script, word=""):
        """Follow a script: where this word is in what the user says first, or in every conversation that is not another's."""
        self._talks[word] = Conversation(script)
        return self._talks[word]

    def turn(self, tools, said, results):
        """What comes next in the conversation with these tools, which the user began with what was said."""
        if self._tool not in tools:
            return "a word"
        return self._talks[max((word for word in self._talks if word in said), key=len)].turn(results)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_):
        """Say nothing."""

    def _answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _json(self, value, status=200):
        self._answer(status, "application/json", json.dumps(value).encode())

    def _events(self, events):
        """Each event with its type, as both interfaces stream them."""
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._answer(200, "text/event-stream", text.encode())

    def _is_for_others(self):
        """Refuse a request for another machine, which came because this is the proxy."""
        if self.command != "CONNECT" and self.path.startswith("/"):
            return False
        self.model.elsewhere.append(f"{self.command} {self.path}")
        self.close_connection = True
        self._answer(403, "text/plain", b"there is no network here\n")
        return True

    def _unknown(self):
        if not self._is_for_others():
            self.model.unknown.append(f"{self.command} {self.path}")
            self._json({"error": {"type": "not_found_error", "message": "the scripted model does not have this"}}, 404)

    do_CONNECT = do_PUT = do_DELETE = do_PATCH = _unknown

    def do_HEAD(self):
        """Somebody looks whether there is a server."""
        if not self._is_for_others():
            self._answer(200, "text/plain", b"")

    def do_GET(self):
        """The list of models, or a page."""
        if self.path.startswith("/site/"):
            self._answer(200, "text/plain", f"the page {self.path}\n".encode())
        elif self.path.partition("?")[0] == "/v1/models":
            self._json({"object": "list", "data": [{"id": NAME, "object": "model", "type": "model", "display_name": NAME}], "models": []})
        else:
            self._unknown()

    def do_POST(self):
        """A request for the model's next words."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self._is_for_others():
            return
        path = self.path.partition("?")[0]
        if path == "/v1/responses":
            self._events(_as_response(self._next(body, _results_of_responses(body))))
        elif path == "/v1/messages/count_tokens":
            self._json({"input_tokens": 1})
        elif path == "/v1/messages":
            events, whole = _as_message(self._next(body, _results_of_messages(body)), body.get("model"))
            self._events(events) if body.get("stream") else self._json(whole)
        else:
            self._unknown()

    def _next(self, body, results):
        tools = [tool.get("name") or tool.get("type") for tool in body.get("tools") or []]
        said = next((one.get("content") for one in body.get("messages") or body.get("input") or [] if one.get("role") == "user"), "")
        return self.model.turn(tools, json.dumps(said), results)


def _parts(content):
    """The text and the pictures of a result's content."""
    if isinstance(content, str):
        return content, []
    texts, pictures = [], []
    for part in content or []:
        if "text" in part:
            texts.append(part["text"])
        elif "image_url" in part:
            pictures.append(part["image_url"])
        elif part.get("type") == "image":
            pictures.append(part.get("source", {}).get("data", ""))
    return "\n".join(texts), pictures


def _results_of_responses(body):
    found = {}
    for item in body.get("input") or []:
        if isinstance(item, dict) and str(item.get("type")).endswith("_call_output"):
            text, pictures = _parts(item.get("output"))
            found[item["call_id"]] = Result(text, False, pictures)
    return found


def _results_of_messages(body):
    found = {}
    for message in body.get("messages") or []:
        for part in message["content"] if isinstance(message.get("content"), list) else []:
            if part.get("type") == "tool_result":
                text, pictures = _parts(part.get("content"))
                found[part["tool_use_id"]] = Result(text, bool(part.get("is_error")), pictures)
    return found


def _as_response(words):
    """The events of an answer by the Responses API."""
    if isinstance(words, str):
        items = [{"type": "message", "role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": words}]}]
    else:
        items = [{"type": "function_call", "id": f"fc_{call.id}", "call_id": call.id, "name": call.tool, "arguments": json.dumps(call.arguments)}
                 for call in words]
    usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2}
    done = [{"type": "response.output_item.done", "item": item, "output_index": index} for index, item in enumerate(items)]
    return [{"type": "response.created", "response": {"id": "resp_1"}}, *done, {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}}]


def _as_message(words, model):
    """The events of an answer by the Messages API, and the same as one document."""
    if isinstance(words, str):
        blocks, reason = [({"type": "text", "text": ""}, {"text": words}, {"type": "text_delta", "text": words})], "end_turn"
    else:
        blocks, reason = [_tool_use(call) for call in words], "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "stop_reason": None, "stop_sequence": None,
               "usage": usage}
    events = [{"type": "message_start", "message": message}]
    for index, (empty, _, piece) in enumerate(blocks):
        events += [{"type": "content_block_start", "index": index, "content_block": empty},
                   {"type": "content_block_delta", "index": index, "delta": piece}, {"type": "content_block_stop", "index": index}]
    events += [{"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}, {"type": "message_stop"}]
    return events, {**message, "content": [{**empty, **full} for empty, full, _ in blocks], "stop_reason": reason}


def _tool_use(call):
    """The block of a call without its arguments, what it has with them, and the piece that a stream adds."""
    empty = {"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}
    return empty, {"input": call.arguments}, {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
