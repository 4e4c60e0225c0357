"""Numbers of descriptors: the lowest free one, for files of the C library and for descriptors of the host alike."""

import pathlib
import posix
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import fake_host

fake_host.install()

from _wisp import numbers  # noqa: E402


def open_file():
    """A file of the C library, as `os.open` and C code open one."""
    return posix.open(__file__, posix.O_RDONLY)


def close_file(number):
    """Close it, as `os.close` does."""
    posix.close(number)
    numbers.freed(number)


class Numbers(unittest.TestCase):
    """Which number is next."""

    def setUp(self):
        self.first = open_file()
        close_file(self.first)

    def test_the_hidden_one_comes_first(self):
        """The C library has `/` there, so nothing need be opened."""
        self.assertTrue(numbers.is_hidden(numbers.ROOT))
        self.assertEqual(numbers.take(), numbers.ROOT)
        self.assertFalse(numbers.is_hidden(numbers.ROOT))
        self.assertEqual(numbers.take(), self.first)
        self.assertEqual(open_file(), self.first + 1)
        numbers.let_go(numbers.ROOT)
        numbers.let_go(self.first)
        close_file(self.first + 1)
        self.assertEqual(open_file(), self.first + 1)
        close_file(self.first + 1)
        numbers.settle()
        self.assertEqual(open_file(), self.first)
        close_file(self.first)

    def test_whatever_the_order_of_closing(self):
        """The C library would use the last one that was closed."""
        there = [open_file() for _ in range(5)]
        for place in (0, 3, 1):
            close_file(there[place])
        numbers.settle()
        self.assertEqual([open_file() for _ in range(4)], [there[0], there[1], there[3], there[4] + 1])
        for number in sorted([*there, there[4] + 1], reverse=True):
            close_file(number)

    def test_a_number_that_is_held_is_no_file_s(self):
        """Files go round it, and have it afterwards."""
        wanted = self.first + 2
        numbers.hold(wanted)
        there = [open_file() for _ in range(3)]
        self.assertEqual(there, [self.first, self.first + 1, self.first + 3])
        for number in sorted(there, reverse=True):
            close_file(number)
        numbers.let_go(wanted)
        numbers.settle()
        there = [open_file() for _ in range(3)]
        self.assertEqual(there, [self.first, self.first + 1, wanted])
        for number in sorted(there, reverse=True):
            close_file(number)


if __name__ == "__main__":
    unittest.main()
