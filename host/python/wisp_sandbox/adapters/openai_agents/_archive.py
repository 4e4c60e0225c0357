"""The workspace as a tar file: what the SDK's snapshots keep."""

import hashlib
import io
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import IO, cast

from agents.sandbox.errors import WorkspaceArchiveReadError, WorkspaceArchiveWriteError
from agents.sandbox.util.tar_utils import UnsafeTarMemberError, should_skip_tar_member, validate_tarfile
from agents.sandbox.workspace_paths import sandbox_path_str

from ..._errors import SandboxFileNotFoundError, WispError
from ..._file_data import FileInfo, FileInfos
from ._backend import Backend, granted
from ._commands import context_of
from ._files import FileSession
from ._state import WispSandboxSessionState

# Above it an archive is in a file of the host's, which has no name, and not in memory.
_IN_MEMORY = 32 << 20
_DEPTH = 1000
# The paths of one command.
_PATHS = 500
_FINGERPRINT_VERSION = "wisp_tar_sha256_v1"


class ArchiveSession(FileSession):
    """The half of a session that is about persistence."""

    state: WispSandboxSessionState
    _backend: Backend

    async def persist_workspace(self) -> io.IOBase:
        """Returns the workspace as a tar file, with names relative to it. What is no file, directory or link is left out."""
        root = self._root()
        try:
            top = await self.sandbox.files.get_info(root)
            return await self._archive(root, top, await self.sandbox.files.list(root, depth=_DEPTH))
        except WispError as error:
            raise WorkspaceArchiveReadError(path=Path(root), context=context_of(error), cause=error, retryable=error.retryable) from error

    async def _archive(self, root: str, top: FileInfo, found: FileInfos) -> io.IOBase:
        if found.left_out:
            raise WorkspaceArchiveReadError(path=Path(root), context={"reason": "unreadable", "paths": list(found.left_out)})
        skipped = self._persist_workspace_skip_relpaths() | self._mounted()
        kept = [
            (name, info)
            for info in found
            if not should_skip_tar_member(name := _relative(info.path, root), skip_rel_paths=skipped, root_name=None)
        ]
        targets = await self._link_targets([info.path for _, info in kept if info.type == "symlink"])
        file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)
        with tarfile.open(fileobj=cast(IO[bytes], file), mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, info in [(".", top), *kept]:
                await self._add(archive, name, info, targets)
        file.seek(0)
        return cast(io.IOBase, file)

    async def _add(self, archive: tarfile.TarFile, name: str, info: FileInfo, targets: dict[str, str]) -> None:
        member = tarfile.TarInfo(name if name == "." else f"./{name}")
        member.mode, member.mtime = info.mode & 0o7777, info.mtime_ns // 1_000_000_000
        match info.type:
            case "file":
                contents = io.BytesIO()
                async for piece in await self.sandbox.files.read(info.path, "stream"):
                    contents.write(piece)
                member.size = contents.tell()
                contents.seek(0)
                archive.addfile(member, contents)
            case "directory":
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
            case "symlink":
                member.type, member.linkname = tarfile.SYMTYPE, targets[info.path]
                archive.addfile(member)

    async def _link_targets(self, paths: list[str]) -> dict[str, str]:
        targets: dict[str, str] = {}
        for start in range(0, len(paths), _PATHS):
            some = paths[start : start + _PATHS]
            read = await self.sandbox.commands.run(["readlink", "-z", "--", *some])
            values = read.stdout_bytes.removesuffix(b"\0").split(b"\0")
            if read.exit_code != 0 or len(values) != len(some):
                raise WorkspaceArchiveReadError(path=Path(self._root()), context={"reason": "links", "stderr": read.stderr})
            targets.update(zip(some, (value.decode("utf-8", "surrogateescape") for value in values)))
        return targets

    def _mounted(self) -> set[Path]:
        """Directories of the host below the workspace: they are no part of it."""
        root = PurePosixPath(self._root())
        guests = [PurePosixPath(mount.guest) for mount in (*self._backend.mounts, *granted(self.state.manifest))]
        return {Path(guest.relative_to(root)) for guest in guests if guest != root and guest.is_relative_to(root)}

    async def hydrate_workspace(self, data: io.IOBase) -> None:
        """Unpacks a tar file over the workspace, in the sandbox: nothing of it touches the host's files."""
        root = self._root()
        raw = data.read()
        contents = raw.encode() if isinstance(raw, str) else bytes(raw)
        try:
            with tarfile.open(fileobj=io.BytesIO(contents), mode="r:*") as archive:
                # Links may point out of the workspace: in the sandbox there is nothing that they could reveal.
                validate_tarfile(archive)
        except UnsafeTarMemberError as error:
            context: dict[str, object] = {"reason": error.reason, "member": error.member}
            raise WorkspaceArchiveWriteError(path=Path(root), context=context, cause=error) from error
        except (tarfile.TarError, OSError) as error:
            raise WorkspaceArchiveWriteError(path=Path(root), cause=error) from error
        try:
            await self.sandbox.files.make_dir(root)
            done = await self.sandbox.commands.run(["tar", "-xpf", "-", "-C", root], stdin=contents)
        except WispError as error:
            raise WorkspaceArchiveWriteError(path=Path(root), context=context_of(error), cause=error, retryable=error.retryable) from error
        if done.exit_code != 0:
            raise WorkspaceArchiveWriteError(path=Path(root), context={"reason": "tar", "stderr": done.stderr})

    async def _remove_workspace_entry_on_resume(self, path: Path) -> None:
        # The entry itself: a link out of the workspace is removed too, and what it leads to is not.
        try:
            await self.sandbox.files.remove(sandbox_path_str(path), recursive=True)
        except SandboxFileNotFoundError:
            return
        except WispError as error:
            raise WorkspaceArchiveWriteError(path=path, context=context_of(error), cause=error, retryable=error.retryable) from error

    def _snapshot_fingerprint_version(self) -> str:
        return _FINGERPRINT_VERSION

    def _should_compute_snapshot_fingerprint_on_persist(self) -> bool:
        # One that is closed has no workspace that could be compared.
        return self.state.pause_on_exit

    async def _compute_and_cache_snapshot_fingerprint(self, *, version: str | None = None) -> dict[str, str]:
        digest = hashlib.sha256(self._resume_manifest_digest().encode())
        archive = await self.persist_workspace()
        try:
            while piece := archive.read(1 << 20):
                digest.update(piece)
        finally:
            archive.close()
        return {"fingerprint": digest.hexdigest(), "version": _FINGERPRINT_VERSION}

    async def _delete_cached_snapshot_fingerprint_best_effort(self) -> None:
        # It is in the state alone: nothing in the sandbox could change it.
        return


def _relative(path: str, root: str) -> str:
    return PurePosixPath(path).relative_to(root).as_posix()
