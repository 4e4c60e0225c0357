"""Finds the words of CPython's memory that say that a signal came, and writes them where the host reads them (`SECTION`).

The numbers are those of CPython 3.14 for 32 bits: the offsets that it publishes for debuggers at the start of its own
state (`_Py_DebugOffsets`), and the layout of `_signals_runtime_state` in pycore_runtime_structs.h. Each is checked by what must
stand there, so another version fails here and not in a program.
"""

#: The custom section of the component that has the words (`host/wisp/src/runtime/signal_words.rs`).
SECTION = b"wisp:signal-flags"

#: `Py_NSIG`: signals 1 to 64.
SIGNALS = 65

#: The signal whose function is ours, SIGINT, and SIGPIPE, which Python ignores.
OURS, INTERRUPT, PIPE = 64, 2, 13

#: `_PY_SIGNALS_PENDING_BIT` of `eval_breaker`.
PENDING = 1 << 1

#: Where the published offsets are, in 64-bit words after the cookie: the version, the size of the state, and the fields
#: `interpreters_head`, `threads_head` and `threads_main`.
VERSION, SIZE, INTERPRETERS, THREADS = 1, 3, 5, 9


def find(memory):
    """The words, as pairs of address and bits."""
    state, size, thread = find_thread(memory)
    handlers = find_handlers(memory, state, size)
    # After them: `wakeup` (descriptor, whether to warn), `is_tripped`, then the objects SIG_DFL and SIG_IGN.
    after = handlers + 8 * SIGNALS
    default, ignore = memory.word(handlers + 8 + 4), memory.word(handlers + 8 * PIPE + 4)
    if [memory.word(after + 4 * index) for index in range(5)] != [0xFFFF_FFFF, 1, 0, default, ignore]:
        raise SystemExit("CPython's table of signals is not laid out as expected")
    return [(handlers + 8 * OURS, 1), (after + 8, 1), (thread + 12, PENDING)]


def find_thread(memory):
    """CPython's state, its size, and the state of its only thread."""
    state = memory.find(b"xdebugpy")
    published = [memory.word(state + 8 * index) for index in range(16)]
    if published[VERSION] >> 16 != 0x030E:
        raise SystemExit(f"the component has CPython {published[VERSION]:#x}, not 3.14: see {__file__}")
    interpreter = memory.word(state + published[INTERPRETERS])
    thread = memory.word(interpreter + published[THREADS])
    # A thread's state: the previous and the next one, the interpreter, `eval_breaker`.
    if [memory.word(thread + 4 * index) for index in range(4)] != [0, 0, interpreter, 0]:
        raise SystemExit("the state of CPython's thread is not laid out as expected")
    return state, published[SIZE], thread


def find_handlers(memory, state, size):
    """The table of signals: for each whether it came, and its function."""
    for table in range(state, state + size - 8 * SIGNALS, 4):
        default = memory.word(table + 8 + 4)
        special = (INTERRUPT, OURS, PIPE)
        functions = [memory.word(table + 8 * number + 4) for number in special]
        if default and default not in functions and len(set(functions)) == len(special) and all(functions):
            rest = [memory.word(table + 8 * number + 4) for number in range(1, SIGNALS) if number not in special]
            if sum(function == default for function in rest) >= len(rest) - 3 and not any(
                memory.word(table + 8 * number) for number in range(SIGNALS)
            ):
                return table
    raise SystemExit("CPython's table of signals is not in its state")


def section(words):
    """The custom section by which a component tells the host the words: address and bits, 32 bits each, little-endian."""
    data = b"".join(number.to_bytes(4, "little") for word in words for number in word)
    contents = bytes([len(SECTION)]) + SECTION + data
    if len(contents) > 127:
        raise SystemExit("the section of the words has more bytes than one byte can count")
    return bytes([0, len(contents)]) + contents
