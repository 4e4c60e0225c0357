"""Files of a sandbox, for programs with an event loop: the same names as in `_files`."""

import os
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Literal, overload

from . import _file_data, _native, _requests
from ._arguments import contents
from ._asyncio import settled
from ._base import BaseFiles
from ._file_data import Diff, FileInfo, FileInfos, PatchedFiles, Transferred
from ._watch import AsyncWatch


class AsyncFiles(BaseFiles):
    """The files of a sandbox, from outside. A relative path begins at `/home/user`; missing directories are made."""

    @overload
    async def read(self, path: str, format: Literal["text"] = "text") -> str: ...
    @overload
    async def read(self, path: str, format: Literal["bytes"]) -> bytes: ...
    @overload
    async def read(self, path: str, format: Literal["stream"]) -> AsyncIterator[bytes]: ...
    async def read(self, path: str, format: Literal["text", "bytes", "stream"] = "text") -> str | bytes | AsyncIterator[bytes]:
        """Returns the contents of a file: as text, which must be UTF-8, as bytes, or as an asynchronous iterator of pieces of about 1 MiB.

        A file of more than 256 MiB is read as a stream.
        """
        if format == "stream":
            return _pieces(await settled(self._files.open(path)))
        return _requests.decoded(await settled(self._files.read(path)), format)

    async def write(self, path: str, data: str | bytes) -> None:
        """Writes a file, over what it had."""
        await settled(self._files.write(path, contents("data", data)))

    @overload
    async def write_files(self, files: Mapping[str, str | bytes]) -> None: ...
    @overload
    async def write_files(self, files: Iterable[Mapping[str, str | bytes]]) -> None: ...
    async def write_files(self, files: Mapping[str, str | bytes] | Iterable[Mapping[str, str | bytes]]) -> None:
        """Writes files, one after the other: a dict of contents by paths, or a list of dicts with `path` and `data`.

        If one cannot be written, those before it stay.
        """
        for path, data in _requests.entries(files):
            await settled(self._files.write(path, data))

    async def list(self, path: str = ".", depth: int = 1) -> FileInfos:
        """Returns the files in a directory, sorted; with a greater depth those below its directories too.

        It returns all of them: more than 1,000,000, or directories that are more than 1,000 deep, are an error (`too_large`). Directories
        that the sandbox's user cannot read are in `left_out`.
        """
        return _file_data.listing(await settled(self._listing(path, depth)))

    async def exists(self, path: str) -> bool:
        """Returns whether there is such a file."""
        return await settled(self._files.exists(path))

    async def get_info(self, path: str) -> FileInfo:
        """Returns the facts about a file; about a symbolic link itself."""
        return _file_data.file_info(await settled(self._files.info(path)))

    async def rename(self, old: str, new: str) -> None:
        """Gives a file another name, in place of the file that has it."""
        await settled(self._files.rename(old, new))

    async def remove(self, path: str, *, recursive: bool = False) -> None:
        """Removes a file or an empty directory; a directory with what is in it only if that is asked for."""
        await settled(self._files.remove(path, recursive))

    async def make_dir(self, path: str) -> None:
        """Makes a directory, and those above it. One that is there is no error."""
        await settled(self._files.make_dir(path))

    async def upload(self, host_path: str | os.PathLike[str], path: str | None = None) -> Transferred:
        """Copies a file or a directory of the host into the sandbox, over what has its names there.

        Without `path` it gets the name that it has on the host, in `/home/user`. Executable files stay executable. Symbolic links in a
        directory, devices and the like are left out. A byte 0xNN of a name that is no part of UTF-8 becomes U+F7NN. If the sandbox has no room for a file
        (`filesystem.quota`), that file is as it was, and those before it stay.
        """
        return _file_data.transferred(await settled(self._uploading(host_path, path)))

    async def download(
        self, path: str, host_path: str | os.PathLike[str], *, overwrite: bool = False, max_bytes: int = 1 << 30
    ) -> Transferred:
        """Copies a file or a directory of the sandbox to the host: `host_path` is the name of the copy.

        Nothing is written elsewhere, whatever the names are: below `host_path`, no symbolic link of the host is followed. Symbolic links
        of the sandbox, devices, pipes and sockets are left out, and so are files that its user cannot read, names with control
        characters or marks of writing direction, and what is more than 100 directories deep. A file that exists on the host is an error
        unless `overwrite` is set, and so are more than `max_bytes` in all; files before it stay. Only files and symbolic links are
        replaced, and a file keeps its mode. What a later run of wisp or of this Python executes or trusts is never written: its cache,
        its policies, packages and programs.
        """
        return _file_data.transferred(await settled(self._downloading(path, host_path, overwrite, max_bytes)))

    async def diff(self, path: str = "/", *, text: bool = False, limit: int = 1000) -> Diff:
        """Returns what differs from the files that the sandbox began with, at a path and below it; at most `limit` files.

        In a mount with the access `overlay`, it is compared with what the host has now; other mounts are left out. With `text` each
        difference has its unified diff, with names relative to the path, and `str(diff)` is all of them.
        """
        return _file_data.diff(await settled(self._files.diff(_requests.diff(path, text, limit))))

    async def apply_patch(self, patch: str | bytes | Diff, path: str = ".") -> PatchedFiles:
        """Applies a unified diff, as `diff -u` and `git diff` write it, to the files in a directory.

        It may create, delete, rename and copy files, but no links. Names lose the prefixes `a/` and `b/`. If a part of it does not fit,
        nothing is changed, and the error (`patch_rejected`) names the line.
        """
        return _file_data.patched(await settled(self._files.apply_patch(path, _requests.patch_of(patch))))

    async def watch(self, path: str = ".", *, capacity: int = 4096) -> AsyncWatch:
        """Watches a file, or everything below a directory, from now on: iterate over what it returns.

        At most `capacity` changes of the whole sandbox wait to be read; when there are more, one of the kind `lost` says how many are
        missing. In a mount, only what the sandbox itself changes is seen.
        """
        return AsyncWatch(await settled(self._watching(path, capacity)))


async def _pieces(reader: _native.Reader) -> AsyncIterator[bytes]:
    offset = 0
    while piece := await settled(reader.piece(offset)):
        offset += len(piece)
        yield piece
