"""The commands of `text_editor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from ..._errors import EndedError, InfraError, SandboxFileNotFoundError, WispError

if TYPE_CHECKING:
    from ... import AsyncSandbox

# Bytes of a file that can be edited, and edits of a file that can be undone.
_MOST = 8 << 20
_UNDO = 10
# Lines of a snippet above and below an edit.
_AROUND = 4


class Edit(BaseModel):
    """A command of the editor. Lines count from 1."""

    command: Literal["view", "create", "str_replace", "insert", "undo_edit"]
    path: str
    file_text: str | None = None
    insert_line: int | None = None
    new_str: str | None = None
    old_str: str | None = None
    view_range: list[int] | None = None


class EditorError(Exception):
    """What the model should do otherwise."""


class Editor:
    """The editor of one sandbox."""

    def __init__(self, sandbox: AsyncSandbox) -> None:
        self._files = sandbox.files
        self._before: dict[str, list[str]] = {}

    async def edit(self, asked: Edit) -> str:
        """Does what is asked, and returns what the model reads."""
        try:
            match asked.command:
                case "view":
                    return await self._view(asked)
                case "create":
                    return await self._create(asked)
                case "str_replace":
                    return await self._replace(asked)
                case "insert":
                    return await self._insert(asked)
                case "undo_edit":
                    return await self._undo(asked)
        except (EndedError, InfraError):
            raise
        except WispError as error:
            raise EditorError(str(error)) from error

    async def _view(self, asked: Edit) -> str:
        if (await self._files.get_info(asked.path)).is_dir:
            found = [one.path for one in await self._files.list(asked.path, depth=2)]
            shown = [path for path in found if "/." not in path]
            return "\n".join([f"Files and directories in {asked.path}, 2 levels deep, without hidden ones:", *shown]) + "\n"
        lines = (await self._read(asked.path)).split("\n")
        if asked.view_range is None:
            return _numbered(asked.path, lines, 1, len(lines))
        if len(asked.view_range) != 2:
            raise EditorError("`view_range` is a list of two numbers of lines")
        first, last = asked.view_range
        last = len(lines) if last == -1 else last
        if not 1 <= first <= last <= len(lines):
            raise EditorError(f"`view_range` {asked.view_range} is not within the lines 1 to {len(lines)} of {asked.path}")
        return _numbered(asked.path, lines, first, last)

    async def _create(self, asked: Edit) -> str:
        text = _given("file_text", asked.file_text, asked.command)
        try:
            before = await self._read(asked.path)
        except SandboxFileNotFoundError:
            await self._files.write(asked.path, text)
        else:
            await self._write(asked.path, before, text)
        return f"File created successfully at: {asked.path}"

    async def _replace(self, asked: Edit) -> str:
        old, new = _given("old_str", asked.old_str, asked.command), asked.new_str or ""
        text = await self._read(asked.path)
        count = text.count(old) if old else 0
        if count == 0:
            raise EditorError(f"No replacement was performed: `{old}` does not appear verbatim in {asked.path}.")
        if count > 1:
            places = [text.count("\n", 0, place) + 1 for place in _places(text, old)]
            raise EditorError(f"No replacement was performed: `{old}` appears {count} times in {asked.path}, in lines {places}. Make it unique.")
        edited = text.replace(old, new)
        await self._write(asked.path, text, edited)
        line = text.count("\n", 0, text.index(old)) + 1
        return _edited(asked.path, edited, line, line + new.count("\n"))

    async def _insert(self, asked: Edit) -> str:
        new, after = _given("new_str", asked.new_str, asked.command), asked.insert_line
        text = await self._read(asked.path)
        lines = text.split("\n")
        if after is None or not 0 <= after <= len(lines):
            raise EditorError(f"`insert_line` is {after}, and not within the lines 0 to {len(lines)} of {asked.path}")
        edited = "\n".join([*lines[:after], *new.split("\n"), *lines[after:]])
        await self._write(asked.path, text, edited)
        return _edited(asked.path, edited, after + 1, after + 1 + new.count("\n"))

    async def _undo(self, asked: Edit) -> str:
        before = self._before.get(asked.path)
        if not before:
            raise EditorError(f"No edit of {asked.path} can be undone.")
        text = before.pop()
        await self._files.write(asked.path, text)
        lines = text.split("\n")
        return f"The last edit of {asked.path} was undone. {_numbered(asked.path, lines, 1, len(lines))}"

    async def _read(self, path: str) -> str:
        contents = bytearray()
        async for piece in await self._files.read(path, "stream"):
            contents += piece
            if len(contents) > _MOST:
                raise EditorError(f"{path} has more than {_MOST >> 20} MiB: look at it with other tools")
        try:
            return contents.decode()
        except UnicodeDecodeError:
            raise EditorError(f"{path} is no text in UTF-8") from None

    async def _write(self, path: str, before: str, text: str) -> None:
        await self._files.write(path, text)
        kept = self._before.setdefault(path, [])
        kept.append(before)
        del kept[:-_UNDO]


def _given(name: str, value: str | None, command: str) -> str:
    if value is None:
        raise EditorError(f"`{name}` is needed for `{command}`")
    return value


def _places(text: str, old: str) -> list[int]:
    found, place = [], text.find(old)
    while place >= 0:
        found.append(place)
        place = text.find(old, place + len(old))
    return found


def _numbered(path: str, lines: list[str], first: int, last: int) -> str:
    shown = [f"{number:6}\t{lines[number - 1]}" for number in range(first, last + 1)]
    return "\n".join([f"Here's the result of running `cat -n` on {path}:", *shown]) + "\n"


def _edited(path: str, text: str, first: int, last: int) -> str:
    lines = text.split("\n")
    return f"The file {path} has been edited. {_numbered(path, lines, max(1, first - _AROUND), min(len(lines), last + _AROUND))}"
