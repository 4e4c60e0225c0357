"""A sandbox for agents of LangChain's deepagents: `create_deep_agent(backend=WispSandbox(sandbox))`.

Commands and files of the agent are those of one sandbox, under its policy; the program that made the sandbox closes it. What deepagents does
with files by scripts (`ls`, `read`, `edit`, `glob`, `grep`) runs in the sandbox.
"""

from __future__ import annotations

from .. import AsyncSandbox, CommandResult, InfraError, Sandbox, SandboxFileNotFoundError, SandboxPermissionError, WispError
from ._common import both, check_host, missing, with_note

try:
    from deepagents.backends.protocol import (
        FILE_NOT_FOUND,
        INVALID_PATH,
        IS_DIRECTORY,
        PERMISSION_DENIED,
        ExecuteResponse,
        FileDownloadResponse,
        FileUploadResponse,
    )
    from deepagents.backends.sandbox import BaseSandbox
except ImportError as error:
    raise missing("deepagents", "deepagents") from error

__all__ = ["WispSandbox"]

# Both outputs into one, in the order in which they were written.
_MERGED = ["bash", "-c", 'exec bash -c "$1" 2>&1', "bash"]


class WispSandbox(BaseSandbox):
    """A backend of deepagents whose commands run, and whose files are, in a sandbox of wisp.

    Without a sandbox it opens one under the policy `offline`: no network, none of the machine's files. `close`, or the end of a `with` block,
    closes the sandbox.
    """

    # Its shell has what the wrapper of long outputs needs.
    enable_capture_offload = True

    def __init__(self, sandbox: Sandbox | AsyncSandbox | None = None) -> None:
        self._sandbox, self._async = both(Sandbox.create() if sandbox is None else sandbox)

    @property
    def id(self) -> str:
        """The id of its sandbox."""
        return self._sandbox.id

    @property
    def sandbox(self) -> Sandbox:
        """Its sandbox, for what deepagents does not know: forks, snapshots, receipts."""
        return self._sandbox

    @property
    def async_sandbox(self) -> AsyncSandbox:
        """Its sandbox, for programs with an event loop."""
        return self._async

    def close(self) -> None:
        """Closes its sandbox. Once more is no error."""
        self._sandbox.close()

    def __enter__(self) -> WispSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def execute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        """Runs a script in bash, and returns what it wrote and its status.

        After `timeout` seconds it is ended, and the status is 124; 0 is as none, and then the policy's limit is the only one. A limit that
        ended it is named below what it wrote. What it leaves in the background goes on.
        """
        return _response(self._sandbox.commands.run([*_MERGED, command], timeout=timeout or None))

    async def aexecute(self, command: str, *, timeout: int | None = None) -> ExecuteResponse:
        """The same on an event loop: it takes no thread, and ends the script if its task is cancelled."""
        return _response(await self._async.commands.run([*_MERGED, command], timeout=timeout or None))

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """Writes files, and the directories above them: for each what went wrong, or that nothing did."""
        return [self._uploaded(path, data) for path, data in files]

    def _uploaded(self, path: str, data: bytes) -> FileUploadResponse:
        if not path.startswith("/"):
            return FileUploadResponse(path=path, error=INVALID_PATH)
        try:
            self._sandbox.files.write(path, data)
        except (WispError, ValueError) as error:
            return FileUploadResponse(path=path, error=_upload_error(error, _is_there(self._sandbox, path)))
        return FileUploadResponse(path=path)

    async def aupload_files(self, files: list[tuple[str, bytes]]) -> list[FileUploadResponse]:
        """The same on an event loop."""
        responses = []
        for path, data in files:
            if not path.startswith("/"):
                responses.append(FileUploadResponse(path=path, error=INVALID_PATH))
                continue
            try:
                await self._async.files.write(path, data)
            except (WispError, ValueError) as error:
                responses.append(FileUploadResponse(path=path, error=_upload_error(error, _is_there(self._sandbox, path))))
            else:
                responses.append(FileUploadResponse(path=path))
        return responses

    def download_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """Reads files: the contents of each, or what went wrong."""
        return [self._downloaded(path) for path in paths]

    def _downloaded(self, path: str) -> FileDownloadResponse:
        if not path.startswith("/"):
            return FileDownloadResponse(path=path, error=INVALID_PATH)
        try:
            return FileDownloadResponse(path=path, content=self._sandbox.files.read(path, "bytes"))
        except (WispError, ValueError) as error:
            return FileDownloadResponse(path=path, error=_download_error(error, _is_there(self._sandbox, path)))

    async def adownload_files(self, paths: list[str]) -> list[FileDownloadResponse]:
        """The same on an event loop."""
        responses = []
        for path in paths:
            if not path.startswith("/"):
                responses.append(FileDownloadResponse(path=path, error=INVALID_PATH))
                continue
            try:
                responses.append(FileDownloadResponse(path=path, content=await self._async.files.read(path, "bytes")))
            except (WispError, ValueError) as error:
                responses.append(FileDownloadResponse(path=path, error=_download_error(error, _is_there(self._sandbox, path))))
        return responses


def _response(result: CommandResult) -> ExecuteResponse:
    end = result.outcome.end
    check_host(end)
    cut = end.kind == "limit" and end.limit is not None and end.limit.limit in ("limits.stdout", "limits.stderr")
    return ExecuteResponse(output=with_note(result.stdout + result.stderr, end), exit_code=result.exit_code, truncated=cut)


def _is_there(sandbox: Sandbox, path: str) -> bool:
    """Whether there is such a file: a question of microseconds, for which no loop waits."""
    try:
        return sandbox.files.exists(path)
    except (WispError, ValueError):
        return False


def _upload_error(error: WispError | ValueError, is_there: bool) -> str:
    if isinstance(error, InfraError):
        raise error
    if isinstance(error, SandboxPermissionError):
        return PERMISSION_DENIED
    match getattr(error, "code", "invalid_argument"):
        case "wrong_file_type":
            return IS_DIRECTORY if is_there else INVALID_PATH
        case "invalid_argument":
            return INVALID_PATH
        case _:
            return str(error)


def _download_error(error: WispError | ValueError, is_there: bool) -> str:
    if isinstance(error, InfraError):
        raise error
    if isinstance(error, SandboxFileNotFoundError):
        return FILE_NOT_FOUND
    if isinstance(error, SandboxPermissionError):
        return PERMISSION_DENIED
    match getattr(error, "code", "invalid_argument"):
        case "wrong_file_type":
            return IS_DIRECTORY if is_there else FILE_NOT_FOUND
        case "invalid_argument":
            return INVALID_PATH
        case _:
            return str(error)
