"""Where new objects will lie: together, in memory that nothing else uses.

The warm-up leaves holes all over the heap. What a program allocates would fill them, and every page with a hole that was
filled has to be copied in every process. So the holes are filled here, for good, and the allocator goes on behind them.
"""

#: Bytes of new memory that are in the image already: a small program then needs no growth.
ROOM = 3 << 20

#: A size for which no hole is large enough.
_BEYOND = 1 << 20

#: What `bytes(n)` takes besides n: its header, and the allocator's.
_HEADER = 24

#: What fills the holes.
_filling = []


def make():
    """Fill the holes, then make room behind them. The last thing before the snapshot that allocates much."""
    beyond = bytes(_BEYOND)
    edge = id(beyond)
    keep = _filling.append
    size = _BEYOND
    while size > 2:
        while id(block := bytes(size)) < edge:
            keep(block)
        size = size * 15 // 16 if size > 512 else size - 8
    for _ in range(len(_filling) // 8 + 2_000):
        keep([None])  # an array of one, the smallest block there is
    del beyond, block
    room = bytes(ROOM)
    del room
