import collections, itertools, functools, heapq, bisect, dataclasses, enum, typing, contextlib, copy, operator, types, weakref, graphlib, abc
print(collections.Counter("mississippi").most_common(2), collections.OrderedDict(a=1), collections.defaultdict(list, {1: [2]}), collections.deque([1, 2, 3], maxlen=2), collections.ChainMap({"a": 1}, {"b": 2})["b"], collections.namedtuple("P", "x y")(1, 2))
print(list(itertools.permutations([1, 2, 3], 2))[:3], list(itertools.groupby("aab"))[0][0], list(itertools.batched("abcde", 2)), list(itertools.accumulate([1, 2, 3])), list(itertools.pairwise("abc")), heapq.nsmallest(2, [3, 1, 2]), bisect.bisect([1, 3], 2))
@functools.lru_cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info().hits, functools.partial(pow, 2)(5), functools.reduce(operator.mul, range(1, 6)))
@dataclasses.dataclass(order=True, slots=True, frozen=True)
class D: a: int; b: list = dataclasses.field(default_factory=list)
print(D(1), D(1) < D(2), dataclasses.asdict(D(3, [4])), dataclasses.replace(D(1), a=9))
class Color(enum.Enum): RED = 1; BLUE = enum.auto()
class F(enum.Flag): A = 1; B = 2
print(Color.BLUE, Color["RED"].value, list(Color), F.A | F.B, typing.get_type_hints(D))
match {"kind": "point", "xy": [1, 2]}:
    case {"kind": "point", "xy": [x, y]}: print("matched", x, y)
@contextlib.contextmanager
def ctx():
    print("in"); yield 5; print("out")
with ctx() as v, contextlib.suppress(KeyError): print(v); {}["x"]
print(list(graphlib.TopologicalSorter({"b": {"a"}, "c": {"b"}}).static_order()), copy.deepcopy({"a": [1]}), types.SimpleNamespace(a=1))
def gen():
    x = yield 1
    print("got", x); yield 2
g = gen(); next(g); print(g.send("s"), [*range(3)], {**{"a": 1}, "b": 2}, (lambda *a, k=1: (a, k))(1, k=2), [n for n in range(20) if n % 7 == 0], {c: i for i, c in enumerate("ab")})
