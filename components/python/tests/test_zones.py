"""Local time, without a host: the tables that the extension module gets."""

import struct
import unittest

import fake_host

fake_host.install()

from _wisp import zones  # noqa: E402


def read(table):
    """What a table has: head, moments, their kinds, kinds with their names, rule."""
    changes, kinds, *rest = struct.unpack_from("<6q", table)
    numbers = struct.unpack_from(f"<{6 + 2 * changes + 3 * kinds + 10}q", table)[6:]
    names = table[8 * (6 + len(numbers)) :]
    moments, indices, numbers = numbers[:changes], numbers[changes : 2 * changes], numbers[2 * changes :]
    kinds = [numbers[at : at + 3] for at in range(0, 3 * kinds, 3)]
    named = [(ahead, summer, names[at : names.index(b"\0", at)].decode()) for ahead, summer, at in kinds]
    return rest, moments, indices, named, list(numbers[-10:])


class Tables(unittest.TestCase):
    """`zones._table`."""

    def test_rules(self):
        """Rules in the form of POSIX, with and without summer time."""
        head, moments, _, kinds, rule = read(zones._table("CET-1CEST,M3.5.0,M10.5.0/3"))
        self.assertEqual((head, moments), ([0, 0, 1, 1], ()))
        self.assertEqual(kinds, [(3600, 0, "CET"), (7200, 1, "CEST")])
        self.assertEqual(rule, [0, 3, 5, 0, 7200, 0, 10, 5, 0, 10800])
        self.assertEqual(read(zones._table("EST5EDT,J60,300/-1:30"))[4], [1, 60, 0, 0, 7200, 2, 300, 0, 0, -5400])
        for zone, expected in {
            "EST5": [(-18000, 0, "EST")],
            "<+0330>-3:30": [(12600, 0, "+0330")],
            "UTC+3": [(-10800, 0, "UTC")],
            "AAA-25": [(86400, 0, "AAA")],
            "ABC3DEF1": [(-10800, 0, "ABC"), (-3600, 1, "DEF")],
        }.items():
            self.assertEqual(read(zones._table(zone))[3], expected, zone)

    def test_unknown_zones(self):
        """They are UTC, by the name as far as it is one."""
        for zone, name in {"Nowhere/City": "Nowhere", "X": "", "../passwd": "", "/etc/passwd": "", "utc": "utc"}.items():
            head, moments, _, kinds, _ = read(zones._table(zone))
            self.assertEqual((head, moments, kinds), ([0, 0, 0, 0], (), [(0, 0, name)]), zone)
        for zone in ("", "UTC", "UTC0", "Etc/UTC"):
            self.assertEqual(zones._table(zone), b"", zone)

    def test_files(self):
        """Files of the database: the second part, which has 64 bits, and the rule at the end."""
        empty = struct.pack(">4s1s15x6l", b"TZif", b"2", 0, 0, 0, 0, 1, 1) + bytes(7)
        kinds = struct.pack(">lBBlBB", 2400, 0, 0, 3600, 0, 4)
        head = struct.pack(">4s1s15x6l", b"TZif", b"2", 0, 0, 0, 1, 2, 8)
        data = empty + head + struct.pack(">qB", -2_208_988_800, 1) + kinds + b"LMT\0CET\0" + b"\nCET-1CEST,M3.5.0,M10.5.0/3\n"
        head, moments, indices, named, rule = read(zones._of_file(data))
        self.assertEqual((head, moments, indices), ([0, 2, 3, 1], (-2_208_988_800,), (1,)))
        self.assertEqual(named, [(2400, 0, "LMT"), (3600, 0, "CET"), (3600, 0, "CET"), (7200, 1, "CEST")])
        self.assertEqual(rule[:5], [0, 3, 5, 0, 7200])
        fixed = data.replace(b"\nCET-1CEST,M3.5.0,M10.5.0/3\n", b"\nCET-1\n")
        self.assertEqual(read(zones._of_file(fixed))[0], [0, 1, 1, 0])
        self.assertRaises(ValueError, zones._of_file, b"no zone" * 9)


if __name__ == "__main__":
    unittest.main()
