"""Chooses where new objects are placed: together, in memory that nothing else uses.

The warm-up leaves holes all over the heap. New objects of a program would fill them, and every page with a filled hole
has to be copied in every process. So the holes are filled here permanently, and the allocator continues after them.
"""

#: Bytes of free memory at the end of the image: a small program then does not have to grow its memory.
_PIECE, _PIECES = 1 << 20, 3

#: Every size of a hole from this one downwards is tried.
_SMALL = 4096

#: The objects that fill the holes.
_filling = []


def make():
    """Fill the holes, and leave free memory after them."""
    pieces = [bytes(_PIECE) for _ in range(_PIECES)]
    while not _is_run(pieces):
        _filling.append(pieces.pop(0))  # it found a hole
    edge = id(pieces[0])
    size = _PIECE
    while size > 2:
        while id(block := bytes(size)) < edge:
            _filling.append(block)
        size = size * 15 // 16 if size > _SMALL else size - 16
    while id(block := object()) < edge:  # the smallest size
        _filling.append(block)


def _is_run(pieces):
    """Whether these are adjacent in memory."""
    return all(0 < id(after) - id(before) < _PIECE + 256 for before, after in zip(pieces, pieces[1:]))
