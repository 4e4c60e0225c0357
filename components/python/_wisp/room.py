"""Where new objects will lie: together, in memory that nothing else uses.

The warm-up leaves holes all over the heap. What a program allocates would fill them, and every page with a hole that was
filled has to be copied in every process. So the holes are filled here, for good, and the allocator goes on behind them.
"""

#: Bytes of memory behind everything else that are in the image already: a small program then needs no growth.
_PIECE, _PIECES = 1 << 20, 3

#: From this size of a hole downwards, every size is tried.
_SMALL = 4096

#: What fills the holes.
_filling = []


def make():
    """Fill the holes, and leave room behind them."""
    pieces = [bytes(_PIECE) for _ in range(_PIECES)]
    while not _is_run(pieces):
        _filling.append(pieces.pop(0))  # it found a hole
    edge = id(pieces[0])
    size = _PIECE
    while size > 2:
        while id(block := bytes(size)) < edge:
            _filling.append(block)
        size = size * 15 // 16 if size > _SMALL else size - 16
    while id(block := object()) < edge:  # the smallest there is
        _filling.append(block)


def _is_run(pieces):
    """Whether these lie one behind the other."""
    return all(0 < id(after) - id(before) < _PIECE + 256 for before, after in zip(pieces, pieces[1:]))
