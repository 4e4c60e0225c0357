"""Collections: more-itertools, toolz, sortedcontainers."""
import operator

import more_itertools as mit
import toolz
import toolz.curried as curried
from sortedcontainers import SortedDict, SortedKeyList, SortedList, SortedSet
from tlz import groupby

print(list(mit.chunked(range(5), 2)), list(mit.windowed(range(4), 2)), mit.first([], "none"), mit.one([3]), list(mit.flatten([[1], [2, 3]])))
print(list(mit.unique_everseen("abca")), mit.ilen(x for x in range(7)), [list(g) for g in mit.split_at("a,b", lambda c: c == ",")])
print(list(mit.collapse([1, [2, [3]]])), mit.partition(lambda n: n % 2, range(4))[1].__class__.__name__, list(mit.roundrobin("ab", "c")))
print({key: list(group) for key, group in mit.groupby_transform("aAb", str.lower)}, mit.consume(iter([])), mit.take(2, mit.primes() if hasattr(mit, "primes") else [2, 3]))
peek = mit.peekable([1, 2])
print(peek.peek(), list(peek), bool(peek), list(mit.distinct_permutations([1, 1, 2])))
print(toolz.pipe(range(5), curried.map(lambda n: n * n), curried.filter(lambda n: n % 2), list), groupby(len, ["a", "bb", "c"]))
print(toolz.merge_with(sum, {"a": 1}, {"a": 2, "b": 3}), toolz.frequencies("aab"), toolz.get_in(["a", 0], {"a": [7]}), toolz.assoc({}, "k", 1))
print(toolz.compose(str, abs)(-3), toolz.curry(operator.add)(1)(2), list(toolz.partition_all(2, range(3))), toolz.valmap(len, {"x": "abc"}))
values = SortedList([3, 1, 2])
values.add(0)
print(values, values.bisect(2), values[1:3], list(values.irange(1, 2)), SortedDict(b=1, a=2), SortedSet("cab"), SortedKeyList([1, 3, 2], key=operator.neg))
