"""What `client.py` checks: a function each, named after what holds."""

import asyncio
import base64
import re

import httpx2
from mcp import MCPError
from mcp_types import ResourceUpdatedNotification

SITE = ""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TOOLS = {"run_python", "run_shell", "read_output", "read_file", "write_file", "edit_file", "list_files", "search_files", "view_image", "checkpoint",
         "fork_session", "restore_session", "session_diff", "explain_policy"}


class Events:
    """The notifications of the server."""

    def __init__(self):
        self.updated = asyncio.Queue()

    async def __call__(self, message):
        if isinstance(message, ResourceUpdatedNotification):
            await self.updated.put(str(message.params.uri))


class Session:
    """A connection, and what checks ask of it."""

    def __init__(self, client, events, wanted):
        self.client, self.events, self.wanted = client, events, wanted
        self.modern = client.protocol_version >= "2026"

    async def call(self, tool, failed=False, **arguments):
        """The text of a result, which is an error or is none."""
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(one.text for one in result.content if one.type == "text")
        assert bool(result.is_error) == failed, f"{tool}: is_error is {result.is_error}: {text}"
        return text

    async def python(self, code, **arguments):
        return await self.call("run_python", code=code, **arguments)

    async def shell(self, command, **arguments):
        return await self.call("run_shell", command=command, **arguments)


def same(found, expected):
    """Fail with both if they differ."""
    assert found == expected, f"{found!r} is not {expected!r}"


def within(part, text):
    """Fail with both if the text lacks a part."""
    assert part in text, f"{part!r} is not in {text!r}"


async def the_server_says_what_it_is(session):
    same(session.modern, session.wanted >= "2026")
    same(session.client.server_info.name, "wisp")
    within("sandbox", session.client.instructions)
    capabilities = session.client.server_capabilities
    assert capabilities.tools is not None and capabilities.resources is not None, capabilities


async def tools_are_listed_with_annotations(session):
    tools = {tool.name: tool for tool in (await session.client.list_tools()).tools}
    same(set(tools), TOOLS)
    assert all(tool.description and tool.input_schema["type"] == "object" for tool in tools.values())
    # There is a network, so code can reach the world.
    assert tools["run_shell"].annotations.open_world_hint is True
    assert tools["read_file"].annotations.read_only_hint is True and tools["write_file"].annotations.read_only_hint is False


async def annotations_say_that_there_is_no_network(session):
    tools = {tool.name: tool for tool in (await session.client.list_tools()).tools}
    for name in ("run_python", "run_shell"):
        hints = tools[name].annotations
        same((hints.open_world_hint, hints.destructive_hint), (False, False))


async def python_keeps_its_state(session):
    await session.python("numbers = [n * n for n in range(5)]")
    same((await session.python("sum(numbers)")).strip(), "30")
    within("hello", await session.python("print('hello')"))
    within("ZeroDivisionError", await session.call("run_python", failed=True, code="1 / 0"))
    same((await session.python("len(numbers)")).strip(), "5")


async def a_shell_shares_the_files(session):
    await session.python("open('from-python', 'w').write('a line\\n')")
    same((await session.shell("cat from-python; wc -l < from-python")).split(), ["a", "line", "1"])
    within("[exit code 3]", await session.shell("exit 3"))
    same((await session.shell("cat", stdin="given")).strip(), "given")
    same((await session.shell("pwd", cwd="/output")).strip(), "/output")


async def a_command_in_the_background_is_read_later(session):
    said = await session.shell("echo begun; until [ -e go ]; do sleep 0.02; done; echo over", background=True)
    id = re.search(r"\bc\d+\b", said)[0]
    within("begun", await session.call("read_output", id=id, wait_ms=30_000))
    await session.call("write_file", path="go", content="")
    text = ""
    while "over" not in text:
        text = await session.call("read_output", id=id, offset=6, wait_ms=30_000)
    within("over", text)


async def files_are_written_edited_read_and_found(session):
    await session.call("write_file", path="src/one.txt", content="first\nsecond\nthird\n")
    await session.call("edit_file", path="src/one.txt", old_text="second", new_text="2nd")
    text = await session.call("read_file", path="src/one.txt", offset=2, limit=1)
    assert "2nd" in text and "first" not in text, text
    within("one.txt", await session.call("list_files", path="src"))
    within("one.txt", await session.call("list_files", pattern="**/*.txt"))
    within("2nd", await session.call("search_files", pattern="^2n", path="src"))
    within("one.txt", await session.call("session_diff"))
    await session.call("edit_file", failed=True, path="src/one.txt", old_text="not there", new_text="x")
    await session.call("read_file", failed=True, path="no-such-file")


async def a_picture_is_shown(session):
    await session.python(f"import base64; open('dot.png', 'wb').write(base64.b64decode('{PIXEL}'))")
    result = await session.client.call_tool("view_image", {"path": "dot.png"})
    pictures = [one for one in result.content if one.type == "image"]
    same([(one.mime_type, base64.b64decode(one.data)) for one in pictures], [("image/png", base64.b64decode(PIXEL))])
    await session.call("write_file", path="dot.txt", content="no picture")
    await session.call("view_image", failed=True, path="dot.txt")


async def a_checkpoint_is_forked_and_restored(session):
    await session.python("x = 1")
    await session.call("write_file", path="file", content="1")
    id = re.search(r"checkpoint (\S+) of", await session.call("checkpoint", label="one"))[1]
    await session.python("x = 2")
    await session.call("write_file", path="file", content="2")
    await session.call("fork_session", checkpoint=id, name="twin")
    same((await session.python("x, open('file').read()", session="twin")).strip(), "(1, '1')")
    same((await session.python("x, open('file').read()")).strip(), "(2, '2')")
    await session.python("x = 3", session="twin")
    await session.call("restore_session", checkpoint=id)
    same((await session.python("x, open('file').read()")).strip(), "(1, '1')")
    same((await session.python("x", session="twin")).strip(), "3")


async def what_the_policy_refuses_is_told_and_its_twin_works(session):
    within("the site's /allowed/page", await session.shell(f"curl -sS {SITE}/allowed/page"))
    refused = await session.shell(f"curl -sS {SITE}/other/page")
    assert "the site's" not in refused, refused
    within("[denied: ", refused)
    within("/other/page", refused)
    within(f"{SITE}/allowed/", await session.call("explain_policy"))
    code = "import urllib.request\nurllib.request.urlopen('{}/{}/page').read()"
    within("the site's /allowed/page", await session.python(code.format(SITE, "allowed")))
    within("[denied: ", await session.call("run_python", failed=True, code=code.format(SITE, "other")))


async def progress_is_the_last_line(session):
    told = asyncio.Queue()

    async def progress(number, _, message):
        await told.put((number, message))

    command = "echo begun; until [ -e go ]; do sleep 0.02; done; echo over"
    call = asyncio.ensure_future(session.client.call_tool("run_shell", {"command": command}, progress_callback=progress))
    numbers = []
    while True:
        number, message = await told.get()
        numbers.append(number)
        if "begun" in (message or ""):
            break
    await session.call("write_file", path="go", content="")
    within("over", (await call).content[0].text)
    same(numbers, sorted(set(numbers)))


async def a_call_that_is_cancelled_ends(session):
    await session.python("kept = 41")
    for tool, arguments in (("run_python", {"code": "print('begun', flush=True)\nwhile True: pass"}),
                            ("run_shell", {"command": "echo begun; while :; do :; done"})):
        begun = asyncio.Event()

        async def progress(_number, _total, message, begun=begun):
            if "begun" in (message or ""):
                begun.set()

        call = asyncio.ensure_future(session.client.call_tool(tool, arguments, progress_callback=progress))
        await begun.wait()
        call.cancel()
        try:
            await call
            raise AssertionError(f"{tool} answered")
        except asyncio.CancelledError:
            pass
        # One evaluation runs at a time, so this would wait for ever.
        same((await session.python("kept + 1")).strip(), "42")


async def a_time_that_is_over_is_told(session):
    await session.python("kept = 1")
    within("timeout_ms = 200", await session.call("run_python", failed=True, code="while True: pass", timeout_ms=200))
    same((await session.python("kept")).strip(), "1")
    within("timeout_ms = 200", await session.call("run_shell", failed=True, command="while :; do :; done", timeout_ms=200))


async def output_is_bounded_and_the_rest_is_read(session):
    text = await session.shell("seq 1 100000")
    assert len(text) < 45_000, len(text)
    id, offset = re.search(r'"id": "(\w+)", "offset": (\d+)', text).groups()
    within("\n5000\n", await session.call("read_output", id=id, offset=int(offset)))


async def written(session, name, text):
    """The address of a file that is written to the output directory, as the result says it."""
    said = await session.shell(f"echo {text} > /output/{name}")
    found = re.search(rf"wisp://session/[\w.-]+/output/{re.escape(name)}", said)
    assert found, f"no address in {said!r}"
    return found[0]


async def files_of_the_output_directory_are_resources(session):
    # Over HTTP the session of a connection has a name of its own.
    uri = await written(session, "made.txt", "made")
    listed = [str(one.uri) for one in (await session.client.list_resources()).resources]
    same(listed, [uri])
    same([one.text for one in (await session.client.read_resource(uri)).contents], ["made\n"])
    templates = (await session.client.list_resource_templates()).resource_templates
    same(len(templates), 1)
    await refused(session.client.read_resource(uri + "-not"))


async def changes_of_a_resource_are_told(session):
    uri = await written(session, "watched.txt", "1")
    if session.modern:
        async with session.client.listen(resource_subscriptions=[uri]) as changes:
            await session.shell("echo 2 > /output/watched.txt")
            event = await anext(aiter(changes))
            same(str(event.uri), uri)
    else:
        await session.client.subscribe_resource(uri)
        await session.shell("echo 2 > /output/watched.txt")
        same(await session.events.updated.get(), uri)
        await session.client.unsubscribe_resource(uri)
    same([one.text for one in (await session.client.read_resource(uri)).contents], ["2\n"])


async def many_calls_at_once_are_answered_each(session):
    found = await asyncio.gather(*(session.shell(f"echo {number}") for number in range(60)))
    same([text.strip() for text in found], [str(number) for number in range(60)])


async def sessions_have_nothing_in_common(session):
    await session.python("x = 'one'; open('file', 'w').write('one')", session="one")
    within("NameError", await session.call("run_python", failed=True, code="x", session="two"))
    same((await session.shell("ls | grep -c file || true", session="two")).strip(), "0")
    same((await session.python("x", session="one")).strip(), "'one'")


async def what_makes_no_sense_is_refused(session):
    await refused(session.client.call_tool("run_python", {}))
    await refused(session.client.call_tool("run_python", {"code": 1}))
    await refused(session.client.call_tool("run_python", {"code": "1", "shell": "x"}))
    await refused(session.client.call_tool("no_such_tool", {}))
    same((await session.python("1 + 1")).strip(), "2")


async def refused(request):
    """Fail if the server answers."""
    try:
        answer = await request
    except MCPError as error:
        assert error.code in (-32602, -32002), error
    else:
        raise AssertionError(f"it answered: {answer!r}")


async def strangers(server):
    """Who is not let in over HTTP, and that the same request is with what is missing."""
    right = {"Authorization": f"Bearer {server.token}", "Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "stranger", "version": "1"}}}
    cases = {
        "one_with_the_token_is_let_in": (200, {}),
        "one_without_a_token_is_not": (401, {"Authorization": ""}),
        "one_with_another_token_is_not": (401, {"Authorization": "Bearer " + "0" * 32}),
        "a_page_of_a_browser_is_not": (403, {"Origin": "http://evil.example"}),
        "one_by_another_name_is_not": (403, {"Host": "evil.example"}),
    }
    found = {}
    async with httpx2.AsyncClient() as http:
        for name, (status, headers) in cases.items():
            answer = await http.post(server.url, json=hello, headers={**right, **headers})
            found[name] = None if answer.status_code == status else f"status {answer.status_code}, expected {status}: {answer.text[:300]}"
    return found


ALL = [
    the_server_says_what_it_is,
    tools_are_listed_with_annotations,
    python_keeps_its_state,
    a_shell_shares_the_files,
    a_command_in_the_background_is_read_later,
    files_are_written_edited_read_and_found,
    a_picture_is_shown,
    a_checkpoint_is_forked_and_restored,
    what_the_policy_refuses_is_told_and_its_twin_works,
    progress_is_the_last_line,
    a_call_that_is_cancelled_ends,
    a_time_that_is_over_is_told,
    output_is_bounded_and_the_rest_is_read,
    files_of_the_output_directory_are_resources,
    changes_of_a_resource_are_told,
    many_calls_at_once_are_answered_each,
    sessions_have_nothing_in_common,
    what_makes_no_sense_is_refused,
]
WITHOUT_NETWORK = [annotations_say_that_there_is_no_network]
