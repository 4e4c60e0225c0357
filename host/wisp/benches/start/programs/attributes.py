"""Dictionaries, attributes, methods, properties."""

from collections import Counter, defaultdict


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    @property
    def size(self):
        return self.x * self.x + self.y * self.y

    def moved(self, by):
        return Point(self.x + by, self.y - by)


def work():
    groups, counts = defaultdict(list), Counter()
    for number in range(3_000):
        point = Point(number, number + 1).moved(3)
        groups[point.size % 97].append(point)
        counts[str(number % 13)] += point.x
    table = {key: sum(point.y for point in group) for key, group in groups.items()}
    return max(table, key=table.get), counts.most_common(3)
