"""The mix of the old synthetic benchmarks: records, arrays, branches on small integers, procedures, characters."""


class Record:
    __slots__ = ("link", "kind", "number", "text")

    def __init__(self, link=None, kind=0, number=0, text=""):
        self.link, self.kind, self.number, self.text = link, kind, number, text

    def copy(self):
        return Record(self.link, self.kind, self.number, self.text)


def other_kind(kind):
    if kind == 0:
        return 1
    if kind == 1:
        return 4 if kind > 3 else 2
    return 0


def follow(record, number):
    other = record.link = record.copy()
    other.number = number + 7
    other.kind = other_kind(record.kind)
    if other.kind == 2:
        other.text = record.text.upper()
    while other.number > 10:
        other.number -= 3
    return other


def fill(row, table, at, value):
    row[at] = value
    row[at + 1] = row[at]
    for index in range(at, at + 3):
        table[at][index] = at
    table[at + 2][at] = row[at]
    return row[at + 1]


def first_difference(left, right):
    for index, char in enumerate(left):
        if char != right[index]:
            return index
    return -1


def work():
    row, table = [0] * 51, [[0] * 51 for _ in range(51)]
    record = Record(None, 0, 40, "some text of a record")
    total = 0
    for turn in range(2_000):
        record = follow(record, turn % 50)
        total += fill(row, table, turn % 40, turn)
        if first_difference("a line, first", "a line, second") > 3:
            total -= record.number * 2 + turn // 3
        record.kind = turn % 3
    return total
