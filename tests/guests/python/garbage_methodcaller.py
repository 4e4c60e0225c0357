"""A methodcaller in a cycle of garbage: its function in C would end the process."""
import copy
import gc
import operator
import pickle

items = operator.methodcaller("items")
print(list(items({"a": 1})), operator.methodcaller("split", ",", maxsplit=1)("a,b,c"))
print(pickle.loads(pickle.dumps(items))({"b": 2}), copy.copy(items)({"c": 3}))


class Holder:
    call = staticmethod(items)


holder = [Holder, operator.methodcaller("upper"), operator.itemgetter(0), operator.attrgetter("real")]
holder.append(holder)
del Holder, holder, items
print(gc.collect() > 0)
