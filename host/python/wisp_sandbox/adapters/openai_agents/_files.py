"""The files of a session: the SDK's calls as calls of the sandbox, without a command where there is one."""

import abc
import io
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NoReturn

from agents.sandbox.errors import ExecNonZeroError, WorkspaceArchiveReadError, WorkspaceArchiveWriteError, WorkspaceReadNotFoundError
from agents.sandbox.files import EntryKind, FileEntry
from agents.sandbox.session.base_sandbox_session import BaseSandboxSession
from agents.sandbox.session.workspace_payloads import coerce_write_payload
from agents.sandbox.types import ExecResult, Permissions, User
from agents.sandbox.workspace_paths import posix_path_as_path, sandbox_path_str

from ..._errors import SandboxFileNotFoundError, WispError
from ..._file_data import FileInfo
from ._commands import context_of, refuse_user

if TYPE_CHECKING:
    from ..._async_sandbox import AsyncSandbox

_KINDS = {"file": EntryKind.FILE, "directory": EntryKind.DIRECTORY, "symlink": EntryKind.SYMLINK}


class FileSession(BaseSandboxSession):
    """The half of a session that is about files."""

    @property
    @abc.abstractmethod
    def sandbox(self) -> "AsyncSandbox":
        """The sandbox of the session."""

    @abc.abstractmethod
    async def _environment(self) -> dict[str, str]:
        """The variables of each command, beside those of the policy."""

    def _root(self) -> str:
        return self._workspace_root_path().as_posix()

    async def _validate_path_access(self, path: Path | str, *, for_write: bool = False) -> Path:
        # The SDK's own check is a script of 170 lines for each call. It is needed where there are symbolic links alone.
        plain = self._workspace_path_policy().normalize_sandbox_path(path, for_write=for_write)
        if await self._has_link(plain):
            return await self._validate_remote_path_access(path, for_write=for_write)
        return posix_path_as_path(plain)

    async def _has_link(self, path: PurePosixPath) -> bool:
        for part in [*reversed(path.parents), path]:
            try:
                if (await self.sandbox.files.get_info(part.as_posix())).type == "symlink":
                    return True
            except WispError:
                # Nothing below what is missing, or is no directory, can be a link.
                return False
        return False

    async def read(self, path: Path, *, user: str | User | None = None) -> io.IOBase:
        """Returns the contents of a file."""
        if user is not None:
            refuse_user("read", user)
        return io.BytesIO(await self._contents(path, None))

    async def _read_bounded(self, path: Path, *, max_bytes: int) -> bytes:
        return await self._contents(path, max_bytes)

    async def _contents(self, path: Path, most: int | None) -> bytes:
        place = await self._validate_path_access(path)
        contents = bytearray()
        try:
            async for piece in await self.sandbox.files.read(sandbox_path_str(place), "stream"):
                contents += piece
                if most is not None and len(contents) >= most:
                    break
        except SandboxFileNotFoundError as error:
            raise WorkspaceReadNotFoundError(path=path, cause=error) from error
        except WispError as error:
            raise WorkspaceArchiveReadError(path=path, context=context_of(error), cause=error, retryable=error.retryable) from error
        return bytes(contents[:most])

    async def write(self, path: Path, data: io.IOBase, *, user: str | User | None = None) -> None:
        """Writes a file, over what it had; missing directories are made."""
        if user is not None:
            refuse_user("write", user)
        payload = coerce_write_payload(path=path, data=data).stream
        place = await self._validate_path_access(path, for_write=True)
        await self._put(place, bytes(payload.read()))

    async def _write_new_file(self, path: Path, data: io.IOBase, *, user: str | User | None = None) -> None:
        if user is not None:
            refuse_user("write", user)
        payload = bytes(coerce_write_payload(path=path, data=data).stream.read())
        place = await self._validate_path_access(path, for_write=True)
        await self.mkdir(place.parent, parents=True)
        # The shell's `noclobber` makes a file only if none has the name.
        claimed = await self.exec("sh", "-c", 'set -C; : > "$1"', "sh", sandbox_path_str(place), shell=False)
        if not claimed.ok():
            if await self.sandbox.files.exists(sandbox_path_str(place)):
                raise FileExistsError(str(place))
            raise WorkspaceArchiveWriteError(path=place, context={"stderr": claimed.stderr.decode(errors="replace")})
        await self._put(place, payload)

    async def _put(self, place: Path, contents: bytes) -> None:
        try:
            await self.sandbox.files.write(sandbox_path_str(place), contents)
        except WispError as error:
            raise WorkspaceArchiveWriteError(path=place, context=context_of(error), cause=error, retryable=error.retryable) from error

    async def mkdir(self, path: Path | str, *, parents: bool = False, user: str | User | None = None) -> None:
        """Makes a directory, and with `parents` those above it; one that is there is no error then."""
        if user is not None:
            refuse_user("write", user)
        if not parents:
            await super().mkdir(path)
            return
        place = await self._validate_path_access(path, for_write=True)
        try:
            await self.sandbox.files.make_dir(sandbox_path_str(place))
        except WispError as error:
            raise WorkspaceArchiveWriteError(path=place, context=context_of(error), cause=error, retryable=error.retryable) from error

    async def ls(self, path: Path | str, *, user: str | User | None = None) -> list[FileEntry]:
        """Returns what is in a directory."""
        if user is not None:
            refuse_user("read", user)
        place = sandbox_path_str(await self._validate_path_access(path))
        try:
            return [_entry(place, found) for found in await self.sandbox.files.list(place)]
        except WispError as error:
            self._raise_unlisted(place, error)

    def _raise_unlisted(self, place: str, error: WispError) -> NoReturn:
        result = ExecResult(stdout=b"", stderr=str(error).encode(), exit_code=2)
        raise ExecNonZeroError(result, command=("ls", "-la", "--", place), cause=error) from error


def _entry(directory: str, found: FileInfo) -> FileEntry:
    return FileEntry(
        path=(PurePosixPath(directory) / found.name).as_posix(),
        permissions=Permissions.from_mode(found.mode).model_copy(update={"directory": found.is_dir}),
        owner="user",
        group="user",
        size=found.size_bytes,
        kind=_KINDS.get(found.type, EntryKind.OTHER),
    )
