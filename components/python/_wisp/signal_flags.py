"""Words of our memory that the host sets bits in while a handled signal is pending (`process.set_signal_flags`).

They are those that CPython's own C handler sets: the interpreter looks at one of them between bytecodes anyway, and then
calls the function of the signal in the program's frame. So a program that computes notices signals, and pays nothing.
The signal has a number that is never sent; its function asks the host what arrived.
"""

from wit_world.imports import process

#: A signal number that is never sent.
OURS = 64

#: Addresses and bits, as `build` found them in the finished memory: numbers of ten digits. Nothing but digits changes.
_PLACES = b"signal flags: 0000000000 0000000000 0000000000 0000000000 0000000000 0000000000 ."


def enable():
    """Have the host set the words from now on. Returns whether it does."""
    numbers = [int(word) for word in _PLACES.split()[2:-1]]
    if not numbers[0]:
        return False  # the image was not finished: `build` does that last
    return process.set_signal_flags([process.SignalFlag(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)])
