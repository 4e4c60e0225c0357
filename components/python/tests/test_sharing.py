"""Files of the C library that others share: its streams must not keep the position that they had."""

import os
import pathlib
import sys
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import fake_host

fake_host.install()

from _wisp import descriptors  # noqa: E402


class Library:
    """The C library with one file of 20 bytes: it has a stream since it has read or written, and closes it only to seek elsewhere."""

    def __init__(self, position, appends):
        self.position = position
        self.has_stream = True
        self._appends = appends

    def lseek(self, number, offset, whence):
        """As lseek(2)."""
        if self._appends:
            self.position = 20
        target = offset + (self.position if whence == os.SEEK_CUR else 0)
        self.has_stream = self.has_stream and target == self.position
        self.position = target
        return target

    def fstat(self, number):
        """Which file it is."""
        return types.SimpleNamespace(st_dev=1, st_ino=2)


class Pipe(Library):
    """The C library with something that has no position."""

    def lseek(self, number, offset, whence):
        """As lseek(2)."""
        raise OSError("Illegal seek")


class Sharing(unittest.TestCase):
    """What the host is told, and what the C library has then."""

    def share(self, library):
        """Share number 7 of a C library; return the position that the host was told, and whether a stream was left then."""
        told = []

        def adopt(device, inode, offset, how):
            told.append((offset, library.has_stream))
            return types.SimpleNamespace(finalizer=types.SimpleNamespace(alive=False))

        with mock.patch.object(descriptors, "posix", library), mock.patch.object(descriptors.files, "adopt", adopt):
            handle = descriptors.share(7)
            self.assertIs(descriptors.share(7), handle)
        descriptors.was_closed(7)
        self.assertNotIn(7, descriptors.shared)
        (once,) = told
        return once

    def test_the_host_has_the_position_and_the_library_no_stream(self):
        """Whether the position is even or odd, and at the start."""
        for position in (0, 6, 7):
            library = Library(position, appends=False)
            self.assertEqual(self.share(library), (position, False))
            self.assertEqual(library.position, position)

    def test_of_a_file_that_is_appended_to_the_end_is_the_position(self):
        """The C library goes to the end at each seek, and that alone closes nothing."""
        library = Library(7, appends=True)
        self.assertEqual(self.share(library), (20, False))
        self.assertEqual(library.position, 20)

    def test_what_has_no_position_is_shared_from_the_start(self):
        """A named pipe, for example."""
        self.assertEqual(self.share(Pipe(0, appends=False))[0], 0)


if __name__ == "__main__":
    unittest.main()
