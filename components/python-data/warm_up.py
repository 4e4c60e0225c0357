# What the module's Python runs when the image is made: `turn` gives it `__main__`.
import sys

sys.path.insert(0, f"/usr/lib/python3.{sys.version_info.minor}")
import _wisp_turn

_wisp_turn.make()
import numpy

# Memory that nothing else uses, for the bridge and the adapter (`toolchain/data-image`; the adapter's part is the last two pages
# of wasm): freed by nothing, because the module keeps it.
_wisp_turn._arena = numpy.zeros((1 << 20) + (1 << 17) + (2 << 16), dtype=numpy.uint8)
with open("/tmp/arena", "w") as _file:
    _file.write(f"{_wisp_turn._arena.__array_interface__['data'][0]},{_wisp_turn._arena.nbytes}")
