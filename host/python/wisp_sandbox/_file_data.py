"""What is known about files: facts, changes, differences, what was copied. The same data as wisp's JSON."""

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from ._data import part


@dataclass(frozen=True)
class FileInfo:
    """A file that was found. Of a symbolic link, the facts are about the link itself."""

    path: str
    type: Literal["file", "directory", "symlink", "device", "pipe", "socket", "special"]
    size_bytes: int
    mode: int
    mtime_ns: int

    @property
    def name(self) -> str:
        """Its name, without directories."""
        return self.path.rpartition("/")[2]

    @property
    def is_dir(self) -> bool:
        """Whether it is a directory."""
        return self.type == "directory"


@dataclass(frozen=True)
class FileChange:
    """A change that a watch has seen. Its number is one more than that of the change before it, unless some were lost.

    `created`, `written` (the contents), `attributes` (the mode or the times) and `removed` have a `path`; `renamed` has an `old_path`
    too. After `lost` (there were more than the watch holds) and `restored` (a snapshot) anything may have changed: `lost` says how many
    changes are missing.
    """

    number: int
    kind: Literal["created", "written", "attributes", "removed", "renamed", "lost", "restored"]
    path: str | None = None
    old_path: str | None = None
    lost: int = 0


@dataclass(frozen=True)
class Transferred:
    """What was copied between the host and a sandbox: files and their bytes, and the paths of what was left out, at most 1,000."""

    files: int
    bytes: int
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileVersion:
    """A file as it is in one of two states: its mode, the length of a regular file, the target of a symbolic link."""

    type: Literal["file", "directory", "symlink", "device", "pipe", "socket", "special"]
    mode: int
    size_bytes: int | None = None
    target: str | None = None


@dataclass(frozen=True)
class FileDifference:
    """A file that differs from the beginning: as it was `before` and is `after`, and in which overlay mount it is.

    If the text was asked for, `patch` is its unified diff, with so many lines `added` and `removed`. The `form` says whether that shows
    `lines`, or only that the files differ: `binary`, `too_large`, `sentence` (a directory, a pipe).
    """

    path: str
    kind: Literal["added", "modified", "deleted", "mode", "link"]
    before: FileVersion | None = None
    after: FileVersion | None = None
    mount: str | None = None
    patch: bytes | None = field(default=None, repr=False)
    added: int = 0
    removed: int = 0
    form: Literal["lines", "binary", "too_large", "sentence"] | None = None

    @property
    def text(self) -> str | None:
        """The unified diff as text; U+FFFD stands for what is not UTF-8."""
        return None if self.patch is None else self.patch.decode("utf-8", "replace")


@dataclass(frozen=True)
class Diff:
    """What differs from the beginning at a path and below it. If it is `truncated`, there is more.

    If the text was asked for, `str` and `bytes` of it are one unified diff. `Files.apply_patch` takes one without links and binary files.
    """

    path: str
    files: tuple[FileDifference, ...]
    truncated: bool

    def __str__(self) -> str:
        if any(file.patch is None for file in self.files):
            return repr(self)
        return bytes(self).decode("utf-8", "replace")

    def __bytes__(self) -> bytes:
        if any(file.patch is None for file in self.files):
            raise ValueError("this diff has no text: ask for it (`files.diff(text=True)`)")
        return b"".join(file.patch or b"" for file in self.files)


@dataclass(frozen=True)
class PatchedFile:
    """A file that a diff changed: `created`, `modified`, `deleted`, `renamed` or `copied` from `old_path`, by so many hunks.

    The hunk that is furthest from where the diff says is `offset` lines away from it.
    """

    path: str
    change: Literal["created", "modified", "deleted", "renamed", "copied"]
    old_path: str | None = None
    hunks: int = 0
    offset: int = 0


class FileInfos(list[FileInfo]):
    """The files in a directory, and below it if that was asked for, by path.

    `left_out` are the directories that could not be read, at most 100.
    """

    def __init__(self, files: Iterable[FileInfo] = (), left_out: Iterable[str] = ()) -> None:
        super().__init__(files)
        self.left_out: tuple[str, ...] = tuple(left_out)


# For classes that have a method `list`.
PatchedFiles = list[PatchedFile]

# Files, bytes, and what was left out.
TransferParts = tuple[int, int, list[str]]


def listing(text: str) -> FileInfos:
    """Returns the files of a listing, of wisp's JSON."""
    found = json.loads(text)
    return FileInfos((part(FileInfo, entry) for entry in found["entries"]), found.get("unreadable", ()))


def file_info(text: str) -> FileInfo:
    """Returns the facts about a file, of wisp's JSON."""
    return part(FileInfo, json.loads(text))


def transferred(parts: TransferParts) -> Transferred:
    """Returns what was copied."""
    files, size, left_out = parts
    return Transferred(files, size, tuple(left_out))


def change(text: str) -> FileChange:
    """Returns a change, of wisp's JSON."""
    found = json.loads(text)
    lost = found.get("count", found.get("lost", 0))
    return FileChange(found["number"], found["change"], found.get("to", found.get("path")), found.get("from"), lost)


def diff(text: str) -> Diff:
    """Returns what differs, of wisp's JSON."""
    found = json.loads(text)
    return Diff(found["path"], tuple(_difference(file) for file in found["files"]), found["truncated"])


def patched(text: str) -> PatchedFiles:
    """Returns what a diff changed, of wisp's JSON."""
    files = json.loads(text)["files"]
    return [PatchedFile(file["path"], file["change"], file.get("from"), file["hunks"], file["offset"]) for file in files]


def _difference(found: dict[str, Any]) -> FileDifference:
    before, after = (None if found[name] is None else part(FileVersion, found[name]) for name in ("before", "after"))
    diff = found.get("diff")
    if diff is None:
        return FileDifference(found["path"], found["kind"], before, after, found.get("mount"))
    text = diff.get("text")
    patch = base64.b64decode(diff["base64"]) if text is None else text.encode()
    return FileDifference(
        found["path"], found["kind"], before, after, found.get("mount"), patch, diff["added"], diff["removed"], diff["form"]
    )
