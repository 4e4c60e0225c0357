"""Exceptions, generators, comprehensions, closures."""


def numbers(end):
    for number in range(end):
        yield number * number


def careful(text):
    try:
        return int(text)
    except ValueError:
        return -1
    finally:
        careful.calls += 1


careful.calls = 0


def work():
    total = sum(careful(str(number) if number % 3 else "none") for number in numbers(3_000))
    odd = {number for number in numbers(3_000) if number % 2}
    adders = [lambda x, by=by: x + by for by in range(100)]
    for adder in adders * 10:
        total = adder(total)
    return total, len(odd), [*map(str, sorted(odd)[:10])]
