"""Files of a sandbox, for programs without an event loop."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, overload

from . import _file_data, _native, _requests
from ._arguments import contents
from ._base import BaseFiles
from ._file_data import Diff, FileInfo, FileInfos, PatchedFiles, Transferred
from ._watch import Watch


class Files(BaseFiles):
    """The files of a sandbox, from outside. A relative path begins at `/home/user`; missing directories are made."""

    @overload
    def read(self, path: str, format: Literal["text"] = "text") -> str: ...
    @overload
    def read(self, path: str, format: Literal["bytes"]) -> bytes: ...
    @overload
    def read(self, path: str, format: Literal["stream"]) -> Iterator[bytes]: ...
    def read(self, path: str, format: Literal["text", "bytes", "stream"] = "text") -> str | bytes | Iterator[bytes]:
        """Returns the contents of a file: as text, which must be UTF-8, as bytes, or as an iterator of pieces of about 1 MiB.

        A file of more than 256 MiB is read as a stream.
        """
        if format == "stream":
            return _pieces(self._files.open(path).wait())
        return _requests.decoded(self._files.read(path).wait(), format)

    def write(self, path: str, data: str | bytes) -> None:
        """Writes a file, over what it had."""
        self._files.write(path, contents("data", data)).wait()

    @overload
    def write_files(self, files: Mapping[str, str | bytes]) -> None: ...
    @overload
    def write_files(self, files: Iterable[Mapping[str, str | bytes]]) -> None: ...
    def write_files(self, files: Mapping[str, str | bytes] | Iterable[Mapping[str, str | bytes]]) -> None:
        """Writes files, one after the other: a dict of contents by paths, or a list of dicts with `path` and `data`.

        If one cannot be written, those before it stay.
        """
        for path, data in _requests.entries(files):
            self._files.write(path, data).wait()

    def list(self, path: str = ".", depth: int = 1) -> FileInfos:
        """Returns the files in a directory, sorted; with a greater depth those below its directories too.

        It returns all of them: more than 1,000,000, or directories that are more than 1,000 deep, are an error (`too_large`). Directories
        that the sandbox's user cannot read are in `left_out`.
        """
        return _file_data.listing(self._listing(path, depth).wait())

    def exists(self, path: str) -> bool:
        """Returns whether there is such a file."""
        return self._files.exists(path).wait()

    def get_info(self, path: str) -> FileInfo:
        """Returns the facts about a file; about a symbolic link itself."""
        return _file_data.file_info(self._files.info(path).wait())

    def rename(self, old: str, new: str) -> None:
        """Gives a file another name, in place of the file that has it."""
        self._files.rename(old, new).wait()

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Removes a file or an empty directory; a directory with what is in it only if that is asked for."""
        self._files.remove(path, recursive).wait()

    def make_dir(self, path: str) -> None:
        """Makes a directory, and those above it. One that is there is no error."""
        self._files.make_dir(path).wait()

    def upload(self, host_path: str | os.PathLike[str], path: str | None = None) -> Transferred:
        """Copies a file or a directory of the host into the sandbox, over what has its names there.

        Without `path` it gets the name that it has on the host, in `/home/user`. Executable files stay executable. Symbolic links in a
        directory, devices and the like are left out. A byte 0xNN of a name that is no part of UTF-8 becomes U+F7NN. If the sandbox has no room for a file
        (`filesystem.quota`), that file is as it was, and those before it stay.
        """
        return _file_data.transferred(self._uploading(host_path, path).wait())

    def download(
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
        return _file_data.transferred(self._downloading(path, host_path, overwrite, max_bytes).wait())

    def diff(self, path: str = "/", *, text: bool = False, limit: int = 1000) -> Diff:
        """Returns what differs from the files that the sandbox began with, at a path and below it; at most `limit` files.

        In a mount with the access `overlay`, it is compared with what the host has now; other mounts are left out. With `text` each
        difference has its unified diff, with names relative to the path, and `str(diff)` is all of them.
        """
        return _file_data.diff(self._files.diff(_requests.diff(path, text, limit)).wait())

    def apply_patch(self, patch: str | bytes | Diff, path: str = ".") -> PatchedFiles:
        """Applies a unified diff, as `diff -u` and `git diff` write it, to the files in a directory.

        It may create, delete, rename and copy files, but no links. Names lose the prefixes `a/` and `b/`. If a part of it does not fit,
        nothing is changed, and the error (`patch_rejected`) names the line.
        """
        return _file_data.patched(self._files.apply_patch(path, _requests.patch_of(patch)).wait())

    def watch(self, path: str = ".", *, capacity: int = 4096) -> Watch:
        """Watches a file, or everything below a directory, from now on: iterate over what it returns.

        At most `capacity` changes of the whole sandbox wait to be read; when there are more, one of the kind `lost` says how many are
        missing. In a mount, only what the sandbox itself changes is seen.
        """
        return Watch(self._watching(path, capacity).wait())


def _pieces(reader: _native.Reader) -> Iterator[bytes]:
    offset = 0
    while piece := reader.piece(offset).wait():
        offset += len(piece)
        yield piece
